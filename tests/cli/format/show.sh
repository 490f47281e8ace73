"$ASSAY" format show kebab; "$ASSAY" format show jsonl
