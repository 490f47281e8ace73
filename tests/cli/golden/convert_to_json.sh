cp "$FIX/golden/bob/good.jsonl" . && "$ASSAY" golden convert good.jsonl --to assay -o out.json && cat out.json
