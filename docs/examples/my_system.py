# assay run --golden golden.yaml --system 'cmd:python3 my_system.py FOLDER'
import json, pathlib, re, sys

words = lambda text: set(re.findall(r"\w+", text.lower()))
root = pathlib.Path(sys.argv[1])
docs = {p.relative_to(root).as_posix(): words(p.read_text("utf-8")) for p in root.rglob("*.md")}

for line in sys.stdin:
    ask = json.loads(line)
    scored = sorted(((len(words(ask["query"]) & has), name) for name, has in docs.items()), reverse=True)
    hits = [{"doc_id": name, "score": score} for score, name in scored[: ask["k"]] if score]
    print(json.dumps({"id": ask["id"], "hits": hits}), flush=True)
