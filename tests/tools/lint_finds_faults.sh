#!/usr/bin/env bash
# Each lint check passes on a clean tree and speaks up about the fault planted for it.
set -u
. "$(dirname "$0")/sandbox.inc"

lint() { try make lint; }
# fault WHAT WORDS: lint must fail with the words; then the tree is made new.
fault()
{
    lint
    expect "$1" bad "$2"
    sandbox
}

sandbox
lint
expect 'a clean tree' 0 'lint: ok'

put src/base/up.c '#include "metric/metric_roster.h"' 'extern int assay_up;'
fault 'base includes metric' 'src/base/up.c:2: base may not include "metric/metric_roster.h"'
mkdir src/other
put src/other/other.h 'extern int assay_other;'
fault 'a folder of its own' "folder 'other' is not in src/LAYERS"
put src/base/near.c '#include "add.h"'
fault 'an include not from the root' 'src/base/near.c:2: write "add.h" from the root'

put src/base/name.c 'extern const int loose_name;' 'const int loose_name = 1;'
fault 'a symbol without prefix' "name.o: symbol 'loose_name' does not begin with assay_"
put src/metric/heap.c '#include <stdlib.h>' 'void assay_heap(void *p);' 'void assay_heap(void *p)' '{' \
    '    if (p) free(p);' '}'
fault 'free outside base' 'src/metric/heap.c:6: free() belongs in src/base'
put src/base/say.c '#include <stdio.h>' 'void assay_say(void);' 'void assay_say(void)' '{' '    puts("x");' '}'
fault 'a talking library' 'src/base/say.c:6: puts() belongs in src/cli'
put src/base/env.c '#include <stdlib.h>' 'int assay_env(void);' 'int assay_env(void)' '{' \
    '    return getenv("X") != NULL && atoi(getenv("X"));' '}'
fault 'atoi' 'src/base/env.c:6: atoi() is never used'
put src/metric/add.c 'extern int assay_other;'
fault 'two files of one name' 'src/metric/add.c:1: same file name as src/base/add.c'
echo 'extern int assay_x;' >src/base/bare.h
fault 'no licence' 'src/base/bare.h:1: want /* SPDX-License-Identifier'

put src/metric/m_new.c 'extern const int assay_metric_new;' 'const int assay_metric_new = 1;'
fault 'a plug-in not in the roster' 'src/metric/m_new.c:1: assay_metric_new is not in src/metric/metric_roster.h'
put src/metric/m_none.c 'extern const int assay_metric_hits;'
fault 'a plug-in without descriptor' 'src/metric/m_none.c:1: defines no descriptor'
put src/metric/metric_roster.h '#define ASSAY_METRIC_ROSTER(X) X(hits) X(gone)'
fault 'a roster line without descriptor' 'metric_roster.h:2: no src/metric/m_*.c defines assay_metric_gone'
rm tests/metric/hits.cases
fault 'a metric without cases' "metric_roster.h:2: metric 'hits' is in no tests/metric/*.cases"

put include/assay.h '#include <stdio.h>' 'typedef FILE assay_stream;'
fault 'a header too many' 'include/assay.h:2: may not have #include <stdio.h>'
put include/assay.h 'typedef struct assay_x { int class; } assay_x;'
fault 'a header that is not C++' 'include/assay.h:2:'
{ echo "$licence"; seq -f '/* %g */' 1000; } >include/assay.h
fault 'a long header' 'include/assay.h:1001: more than 1000 lines'

put src/base/long.h "/* $(printf '%100s' x) */"
fault 'a long line' 'src/base/long.h:2: 106 columns'
put src/base/todo.h '/* TODO: later */'
fault 'an open end' 'src/base/todo.h:2: an open end'
mkdir docs
echo old >docs/CLI.md
fault 'an old page' "docs/CLI.md:1: "
if command -v clang-format >/dev/null; then
    put src/base/shape.h 'extern int   assay_shape;'
    fault 'a shape of its own' 'src/base/shape.h:2'
fi
finish
