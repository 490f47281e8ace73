cat >in.jsonl <<EOF
{"id": 1, "question": "one", "expected_chunks": []}
{"id": 2, "question": "two"}
EOF
"$ASSAY" golden check in.jsonl
