#!/bin/sh
# include/assay.h stands alone: C99 and C++, two system headers, at most 1000 lines.
set -u
h=include/assay.h
bad=0
fault() { echo "$1"; bad=1; }
[ -e $h ] || { echo "check_header: no $h yet"; exit 0; }

${CC:-cc} -std=c99 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -x c $h 2>&1 || bad=1
${CXX:-c++} -std=c++11 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -x c++ $h 2>&1 || bad=1
found=$(grep -nE '^[[:space:]]*#[[:space:]]*include' $h |
    grep -vE '<(stddef|stdint)\.h>' | sed "s|^\([0-9]*\):\(.*\)|$h:\1: may not have \2|")
[ -z "$found" ] || fault "$found"
n=$(wc -l <$h)
[ "$n" -le 1000 ] || fault "$h:$n: more than 1000 lines"
exit $bad
