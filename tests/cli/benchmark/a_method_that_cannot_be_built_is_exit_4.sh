# Nobody listens on port 1.
"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m dense --no-cache --quiet \
    --embedder 'ollama:m(retries=0,url=http://127.0.0.1:1)' 2>err
code=$?
sed 's/: Failed to connect.*; /: ... ; /' err
exit $code
