"$ASSAY" tokenize "Peter's GPT모델은 re-indexing Москва"
