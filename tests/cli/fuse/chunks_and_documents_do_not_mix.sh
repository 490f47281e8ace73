echo '{"query_id":"q","hits":[{"doc_id":"d","chunk_id":"c"}]}' > a.jsonl
echo '{"query_id":"q","hits":[{"doc_id":"d"}]}' > b.jsonl
"$ASSAY" fuse a.jsonl b.jsonl
