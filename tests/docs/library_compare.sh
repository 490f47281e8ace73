#!/bin/sh
# docs/example_compare.c compiles against the public header alone, and compares two small runs.
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
    "$SRC/docs/example_compare.c" "$SRC/$BUILD/libassay.a" $libs -lm -pthread || exit 1

cat >golden.yaml <<'END'
version: 1
queries:
  - {id: q1, query: one, relevant: [{doc: d1}]}
  - {id: q2, query: two, relevant: [{doc: d2}]}
  - {id: q3, query: three, relevant: [{doc: d3}]}
END
cat >old.jsonl <<'END'
{"query_id":"q1","hits":[{"doc_id":"d1"},{"doc_id":"d9"}]}
{"query_id":"q2","hits":[{"doc_id":"d9"},{"doc_id":"d2"}]}
{"query_id":"q3","hits":[{"doc_id":"d3"},{"doc_id":"d9"}]}
{"query_id":"q4","hits":[]}
END
cat >new.jsonl <<'END'
{"query_id":"q1","hits":[{"doc_id":"d1"},{"doc_id":"d9"}]}
{"query_id":"q2","hits":[{"doc_id":"d2"},{"doc_id":"d9"}]}
{"query_id":"q3","hits":[{"doc_id":"d8"},{"doc_id":"d9"}]}
END
# mrr: (1 + 1/2 + 1) / 3, then (1 + 1 + 0) / 3. The differences are 0, 1/2, -1: of the four
# signs of (1/2, 1) the sums are 3/2, 1/2, -1/2, -3/2, all as far from 0 as -1/2.
cat >want <<'END'
match: exact
mrr: 0.8333 -> 0.6667 (-0.1667, 3 queries, p 1.0000)
hit@1: 0.6667 -> 0.6667 (+0.0000, 3 queries, p 1.0000)
q1: draw 
q2: win rank 2→1
q3: regression hit→miss
q4: left out: not in the golden set
unproved: b differs from a by no more than chance may explain: 1 win, 0 losses, 1 regression, 1 draw over 3 queries
report of some length
END
./example golden.yaml old.jsonl new.jsonl >got || exit 1
diff want got
