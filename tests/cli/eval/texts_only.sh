# A run that has nothing but texts gives the figures of the same run with documents and spans.
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
"$ASSAY" ingest "$SRC/samples/handbook" --quiet >/dev/null
cat >cut.py <<'END'
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    r = json.loads(line)
    r.pop("answer", None)
    for h in r["hits"]:
        for key in sys.argv[2].split(","):
            h.pop(key, None)
    print(json.dumps(r, ensure_ascii=False))
END
python3 cut.py "$SRC/samples/runs/after.jsonl" chunk_id,text >spans.jsonl
python3 cut.py "$SRC/samples/runs/after.jsonl" chunk_id,doc_id,spans >texts.jsonl
grep -c 'doc_id\|spans' texts.jsonl
golden=$SRC/samples/handbook.golden.yaml
measures=hit@3,recall@5,mrr,ndcg@10,evidence_recall@5,evidence_precision@5,evidence_cost@5
"$ASSAY" eval spans.jsonl texts.jsonl --golden "$golden" --corpus main -m "$measures" --quiet
for run in spans texts; do
    "$ASSAY" eval $run.jsonl --golden "$golden" --corpus main --level evidence --format csv \
        --quiet | sed 's/^[^,]*,//' >$run.csv
done
cmp spans.csv texts.csv && echo same
# The number of threads changes nothing.
"$ASSAY" eval texts.jsonl --golden "$golden" --corpus main --threads 1 --quiet >one
"$ASSAY" eval texts.jsonl --golden "$golden" --corpus main --threads 3 --quiet >three
cmp one three && echo same
# What stands at several places, or nowhere, is told and keeps its rank.
mkdir -p docs/sub
echo 'The same words in two files.' | tee docs/a.txt >docs/sub/b.txt
echo 'Other words in one file, and these are found.' >docs/c.txt
"$ASSAY" ingest docs --corpus small --quiet >/dev/null
printf 'version: 1\nqueries:\n  - {id: q, query: w, relevant: [{doc: c.txt, quote: in one file}]}\n' \
    >golden.yaml
printf '{"query_id":"q","hits":[{"text":"%s"},{"text":"%s"},{"text":"%s"}]}\n' \
    'The same words in two files.' 'Quite unheard of, in any file of these' \
    'Other words in one file' >run.jsonl
"$ASSAY" eval run.jsonl --golden golden.yaml --corpus small -m mrr,evidence_recall@3
"$ASSAY" eval run.jsonl --golden golden.yaml -m mrr
echo "exit $?"
