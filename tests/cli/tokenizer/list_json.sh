"$ASSAY" tokenizer list --json | head -n 24
