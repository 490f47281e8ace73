# evalvault's own fixtures: its unpaired t and effect size, and the paired verdict beside it.
dir=$SRC/../shared/data/evalvault/tests/fixtures/e2e/regression_gate
[ -d "$dir" ] || { echo "skipped: no evalvault data"; exit 77; }
for name in fail pass; do
    $ASSAY compare "$dir/runs/${name}_baseline.json" "$dir/runs/${name}_candidate.json" \
        --test student-unpaired --correct none --json --quiet >$name.json || exit 1
done
python3 - "$dir/expected" <<'END'
import json, sys
for name in ("fail", "pass"):
    want = json.load(open("%s/%s.json" % (sys.argv[1], name)))["data"]["results"]
    got = json.load(open(name + ".json"))["deltas"]["metrics"]
    for w in want:
        g = got[w["metric"]]
        assert abs(g["a"] - w["baseline_score"]) < 5e-4 and abs(g["b"] - w["candidate_score"]) < 5e-4
        assert abs(g["delta"] - w["diff"]) < 5e-4
        assert abs(g["p"] - w["p_value"]) < 5e-4 and abs(g["effect"] - w["effect_size"]) < 5e-4
        assert g["effect_level"] == w["effect_level"], (g["effect_level"], w["effect_level"])
        assert 0 < g["p_paired"] <= 1
        print(name, w["metric"], w["effect_level"])
END
$ASSAY compare "$dir/runs/incomplete_baseline.json" "$dir/runs/incomplete_candidate.json" 2>err
echo "exit $?"
grep -o 'incomparable.*have no metric' err | sed "s|'[^']*'|FILE|g"
