# All or nothing: each bad line is told, and the file stays as it was.
printf 'version: 1\nqueries:\n  - {id: q-1, query: One, relevant: [{doc: a.md}]}\n' >golden.yaml
cp golden.yaml before.yaml
cat >new.jsonl <<'END'
{"id": "q-1", "query": "Other", "doc": "b.md"}
{"query": "Good", "doc": "b.md"}
{"id": "q-1"
{"id": "q-1", "tags": ["x"], "doc": "b.md"}
{"query": "Bad", "quot": "b"}
{"query": "Bad", "quote": "b"}
{"query": "Bad", "doc": "b", "lines": "9-3"}
["q-1"]
END
"$ASSAY" golden add golden.yaml --from new.jsonl
echo "exit $?"
cmp golden.yaml before.yaml && echo unchanged
printf -- '- {id: a, query: b}\n' >kebab.yaml
"$ASSAY" golden add kebab.yaml --query c --doc d
echo "exit $?"
: | "$ASSAY" golden add golden.yaml
echo "exit $?"
