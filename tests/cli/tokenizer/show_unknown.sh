"$ASSAY" tokenizer show englsh
