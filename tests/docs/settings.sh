#!/usr/bin/env bash
# The example of assay.yaml in docs/FORMATS.md is one that assay reads, and it has every key.
set -u
passed=0 failed=0
page=$SRC/docs/FORMATS.md
awk '/^<!-- settings -->/ { wanted = 1; next }
     /^```/ && wanted { if (is_open) exit; is_open = 1; next }
     is_open { print }' "$page" >assay.yaml
check()
{
    if [ $? -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "docs/FORMATS.md: $1"; fi
}

[ -s assay.yaml ]; check 'no example of assay.yaml'
cp "$FIX/golden/assay/good.yaml" golden.yaml
printf 'q1\tone\n' >topics.tsv
# What was said is printed after the check: a $(cat out) in its words would be what $? is of.
"$ASSAY" golden check >out 2>&1; grep -q '(from assay.yaml)' out
check 'the example of assay.yaml is not read by golden check'; cat out >>said
"$ASSAY" corpus list >out 2>&1; check 'the example of assay.yaml is not read by corpus list'; cat out >>said
[ $failed -eq 0 ] || cat said

# What keys there are is told when one is unknown.
mkdir other && echo 'nonsensical_key: 1' >other/assay.yaml
for key in $("$ASSAY" corpus list --project other 2>&1 | sed 's/.*the keys here are //; s/,//g'); do
    grep -q "^$key:" assay.yaml; check "the example of assay.yaml lacks '$key'"
done
[ $passed -gt 30 ]; check 'the keys were not listed'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
