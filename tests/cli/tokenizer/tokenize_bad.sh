"$ASSAY" tokenize --tokenizer "ngram(n=99)" text
