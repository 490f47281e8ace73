legs=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do printf '{"name":"l%s","rank":%s},' $i $i; done)
echo '{"query_id":"q","hits":[{"doc_id":"d","legs":['"${legs%,}"']}]}' > a.jsonl
"$ASSAY" fuse a.jsonl
