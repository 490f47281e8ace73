"$ASSAY" tokenizer list
