printf '%s\n' '{"id": "a", "text": "One. Two."}' '{"id": "b", "title": "T", "text": "Three."}' >docs.jsonl
$ASSAY chunk docs.jsonl
