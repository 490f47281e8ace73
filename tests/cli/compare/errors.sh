cd $SRC/samples
try() { echo "\$ $*"; "$ASSAY" compare "$@"; echo "exit $?"; }
try runs/before.jsonl
try runs/before.jsonl nosuch --golden handbook.golden.yaml
try runs/before.jsonl runs/after.jsonl --golden handbook.golden.yaml --strict-chunker-version
try runs/before.jsonl runs/after.jsonl --golden handbook.golden.yaml --level chunk
try runs/before.jsonl runs/after.jsonl --golden handbook.golden.yaml --alpha 2
try runs/before.jsonl korean.run.jsonl --golden handbook.golden.yaml --test t --format nosuch
