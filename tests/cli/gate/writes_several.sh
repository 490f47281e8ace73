$ASSAY gate $FIX/gate/better.jsonl -g $FIX/gate/golden.yaml --write junit=a.xml --write md=b.md --write json=c.json --write github=d.txt -o e.xml --quiet || exit 1
cmp a.xml e.xml && head -n 1 b.md d.txt && head -n 3 c.json
