cd $SRC/samples
$ASSAY explain runs/before.jsonl -g handbook.golden.yaml
echo
$ASSAY explain runs/before.jsonl runs/after.jsonl -g handbook.golden.yaml --most 1
echo
$ASSAY explain runs/before.jsonl runs/after.jsonl h-09 -g handbook.golden.yaml --json | head -n 60 | tail -n 12
$ASSAY explain runs/before.jsonl runs/after.jsonl nosuch -g handbook.golden.yaml
echo "exit $?"
