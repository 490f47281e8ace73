#!/bin/sh
# docs/example_corpus.c compiles against the public header alone, and finds the evidence of a
# small golden set in a corpus that the program made.
set -u
cc=${CC:-cc}
libs=$(pkg-config --libs yaml-0.1 zlib libzstd libutf8proc sqlite3 gumbo) || exit 77
flags=
case $BUILD in
*asan) flags=-fsanitize=address,undefined ;;
*tsan) flags=-fsanitize=thread ;;
esac
# shellcheck disable=SC2086
"$cc" -std=c99 -Wall -Wextra -Werror -pedantic $flags -I"$SRC/include" -o example \
    "$SRC/docs/example_corpus.c" "$SRC/$BUILD/libassay.a" $libs -lm -pthread || exit 1

. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<END
version: 1
queries:
  - {id: a, query: Who approves?, relevant: [{doc: refunds.md, quote: the finance lead}]}
  - {id: b, query: How long?, relevant: [{chunk: "$(id faq.md 1)"}, {doc: gone.md}]}
  - {id: c, query: What else?, relevant: [{doc: gone.md}]}
END
printf '{"query_id":"%s","hits":[{"chunk_id":"%s"}]}\n' \
    a "$(id refunds.md 2)" b "$(id refunds.md 1)" >run.jsonl
cat >want <<'END'
a: quote resolved, bytes 52-68 of refunds.md
b: chunk resolved, bytes 0-53 of faq.md
b: document lost: document 'gone.md' is not in the corpus
c: document lost: document 'gone.md' is not in the corpus
2 of 2 hits placed
recall@5: 0.5000 over 2 queries
evidence_recall@5: 0.5000 over 2 queries
1 stale
END
./example golden.yaml run.jsonl .assay/corpus/main.db >got || exit 1
diff want got
