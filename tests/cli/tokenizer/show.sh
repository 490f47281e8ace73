"$ASSAY" tokenizer show "english(stop=none)" && "$ASSAY" tokenizer show ngram
