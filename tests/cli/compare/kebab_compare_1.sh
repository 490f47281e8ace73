# kebab's own example of a comparison, number by number, at four decimals.
want=$SRC/../shared/data/kebab/crates/kebab-eval/tests/fixtures/eval/compare-1.json
[ -f "$want" ] || { echo "skipped: no kebab data"; exit 77; }
$ASSAY compare $FIX/compare/kebab_a.jsonl $FIX/compare/kebab_b.jsonl --golden $FIX/compare/kebab.golden.yaml \
    --conventions kebab --json --quiet >got.json || exit 1
python3 - "$want" got.json <<'END'
import json, sys
want, got = (json.load(open(p)) for p in sys.argv[1:])
n = 0
def same(w, g, path):
    global n
    if isinstance(w, dict):
        for k in w:
            same(w[k], g[k], path + "." + k)
    elif isinstance(w, list):
        assert len(w) == len(g), path
        for i, (x, y) in enumerate(zip(w, g)):
            same(x, y, "%s[%d]" % (path, i))
    else:
        n += 1
        if isinstance(w, float):
            w, g = round(w, 4), round(g, 4)
        assert w == g, (path, w, g)
for key in ("run_a", "run_b"):
    del want[key]
same(want, got, "")
print(n, "values agree")
END
