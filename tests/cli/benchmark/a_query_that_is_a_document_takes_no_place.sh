# A BEIR folder whose query q1 has the id and the words of a document. That hit is dropped when the
# run is measured, so of k = 10 hits eleven are asked for: d10, the only relevant one, is the
# tenth behind it. The same words under another id have q1 among their ten, and d10 is the
# eleventh: not found, and no part of MRR. Recall (1 + 0) / 2, precision (1/10 + 0) / 2,
# MRR (1/10 + 0) / 2, nDCG (1 / log2(11) + 0) / 2 = 0.1445.
mkdir -p set/qrels
awk 'BEGIN {
    text = "mooring"
    for (i = 12; i >= 1; i--) {
        printf "{\"_id\": \"d%02d\", \"title\": \"\", \"text\": \"%s\"}\n", i, text
        text = text " mooring"
    }
    printf "{\"_id\": \"q1\", \"title\": \"\", \"text\": \"%s\"}\n", text
}' > set/corpus.jsonl
printf '{"_id": "q1", "text": "mooring"}\n{"_id": "q2", "text": "mooring"}\n' > set/queries.jsonl
printf 'query-id\tcorpus-id\tscore\nq1\td10\t1\nq2\td10\t1\n' > set/qrels/test.tsv
"$ASSAY" benchmark retrieval set -m 'bm25(b=0)' -k 10 --format csv --queries --no-times --quiet
