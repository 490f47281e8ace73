#!/bin/sh
# docs/example.c compiles against the public header alone, and prints what it should; and
# docs/LIBRARY.md shows that very program and that very output.
set -u
cc=${CC:-cc}
libs=$(pkg-config --libs yaml-0.1 zlib libzstd libutf8proc) || exit 77
flags=
case $BUILD in
*asan) flags=-fsanitize=address,undefined ;;
*tsan) flags=-fsanitize=thread ;;
esac
# shellcheck disable=SC2086
"$cc" -std=c99 -Wall -Wextra -Werror -pedantic $flags -I"$SRC/include" -o example \
    "$SRC/docs/example.c" "$SRC/$BUILD/libassay.a" $libs -lm -pthread || exit 1

# mrr: 1 for q1 (faq.md is first), 0 for the failed q2.
# ndcg: (1 + 2/log2(4)) / (2 + 1/log2(3)) = 0.7602 for q1.
cat >want <<'END'
mrr: 0.5000 over 2 queries
  q1: 1.0000
  q2: 0.0000
recall@3: 0.5000 over 2 queries
  q1: 1.0000
  q2: 0.0000
ndcg@10: 0.3801 over 2 queries
  q1: 0.7602
  q2: 0.0000
1 of 2 queries failed
END
./example >got || exit 1
diff want got || exit 1

# The page shows the program and its output between fences.
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$SRC/docs/LIBRARY.md" | diff - "$SRC/docs/example.c" || exit 1
awk '/^```text$/ { on = 1; next } /^```$/ { on = 0 } on' "$SRC/docs/LIBRARY.md" | diff - want
