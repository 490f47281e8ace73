# JSON lines, in the file's own style; comments stay.
cat >golden.yaml <<'END'
version: 1
queries:
  # block style
  - id: q-1
    query: One
    relevant:   # a list
      - doc: a.md
        quote: x   # last
    notes: behind

  - id: q-2
    query: Two
    relevant: []
  - id: q-3
    query: Three
  - {id: q-4, query: Four, relevant: [{doc: a.md}]}  # flow style
# the end
END
cat >new.jsonl <<'END'
{"id": "q-1", "doc": "b.md", "quote": "line one\nline two"}
{"query": "Two", "doc": "b.md", "span": "3-9"}

{"id": "q-3", "doc": "b.md", "heading": "A > B"}
{"id": "q-3", "doc": "c.md", "grade": 0}
{"id": "q-4", "doc": "b.md"}
{"query": "Five", "difficulty": "hard", "relevant": [{"doc": "b.md"}, {"chunk": "c7"}]}
{"query": "Five", "doc": "c.md"}
END
"$ASSAY" golden add golden.yaml --from new.jsonl --dry-run
"$ASSAY" golden add golden.yaml <new.jsonl
"$ASSAY" golden check golden.yaml --quiet | grep -E 'queries|judgments'
"$ASSAY" golden convert golden.yaml --to assay -o golden.json
echo '{"id": "q-4", "doc": "d.md"}
{"id": "n", "query": "New", "doc": "d.md"}' | "$ASSAY" golden add golden.json --from -
"$ASSAY" golden check golden.json --quiet | grep -E 'queries|judgments'
echo '{"query": "First", "doc": "d.md"}' | "$ASSAY" golden add made.yaml
cat made.yaml
