"$ASSAY" tokenize "Peter's GPT모델은 re-indexing"
echo --
"$ASSAY" tokenize --tokenizer code --json 'parseHTTPReply(max_len)'
echo --
printf 'from standard input' | "$ASSAY" tokenize --tokenizer words -
