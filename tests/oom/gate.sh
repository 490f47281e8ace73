# Every kind of rule against a run, in every format.
"$ASSAY" gate "$FIX/gate/better.jsonl" --golden "$FIX/gate/golden.yaml" --threads 1 --baseline "$FIX/gate/before.jsonl" \
    --margin mrr,recall@5 --max-drop mrr=5% --protect all --write junit=g.xml --write md=g.md --write github=g.txt --json
