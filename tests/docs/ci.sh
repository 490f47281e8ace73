#!/usr/bin/env bash
# The settings and the shell example of docs/CI.md do what the page says.
set -u
passed=0 failed=0
page=$SRC/docs/CI.md
check()
{
    if [ $? -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "docs/CI.md: $1"; fi
}
# The first block of the page whose first line begins with $1.
block()
{
    awk -v first="$1" '/^```/ { if (is_open) { if (hit) exit; is_open = 0; text = "" } else is_open = 1; next }
        is_open && text == "" && index($0, first) == 1 { hit = 1 }
        is_open { text = text "\n"; if (hit) print }' "$page"
}

cp "$FIX"/gate/*.jsonl "$FIX/gate/golden.yaml" .
sed -i 's/q1$/q-001/; s/q7$/q-017/' golden.yaml
for run in before after; do sed -i 's/"q1"/"q-001"/; s/"q7"/"q-017"/' $run.jsonl; done
# The runs are five hits deep.
block 'golden: golden.yaml' | sed 's/ndcg@10/ndcg@5/' >assay.yaml
[ -s assay.yaml ]; check 'no settings'
"$ASSAY" baseline export before.jsonl -g golden.yaml -o baseline.txt; check 'the baseline is not written'
"$ASSAY" gate after.jsonl >out 2>err; [ $? -le 1 ]; check 'the settings are not read'
grep -q 'ndcg@5 margin 0.02' out && grep -q 'protect 2 queries' out; check 'rules are missing'

block 'assay gate run.jsonl' | sed "s|^assay|$ASSAY|" >example.sh
mv assay.yaml saved.yaml
cp after.jsonl run.jsonl
sh example.sh >out 2>err; check 'the shell example fails'
grep -q 'may pass' out; check 'the shell example does not say that it may pass'
grep -q assay.gate/1 gate.json; check 'no JSON'
sed -i 's/doc: d/doc: e/' golden.yaml
sh example.sh >out 2>err; [ $? -eq 1 ] && grep -q 'cannot be compared' out; check 'incomparable is not told'
for key in $("$ASSAY" gate before.jsonl -g "$FIX/gate/golden.yaml" --json 2>/dev/null | sed -n 's/^  "\([a-z_]*\)".*/\1/p'); do
    [ "$key" = schema ] || [ "$key" = strict ] || grep -q "\`$key" "$page"; check "the JSON key '$key' is not described"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
