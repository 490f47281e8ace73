# Every defect that planted.txt of the fixture names is found, and no other error.
. "$FIX/doctor/corpus.sh"
cp "$FIX"/doctor/*.yaml "$FIX"/doctor/*.run .
"$ASSAY" golden doctor spoiled.golden.yaml --corpus h.db --most 0 \
    --runs first.run --runs second.run --runs third.run >out
echo "exit $?"
while read -r level ailment query what; do
    case $query in
    -) found=$(grep -c "^spoiled.golden.yaml: $level: .*${what%% is relevant*}.*\[$ailment\]" out) ;;
    *) found=$(grep -c "^spoiled.golden.yaml:.*: $level: query '$query': .*\[$ailment\]" out) ;;
    esac
    [ "$found" -gt 0 ] && echo "found $ailment $query" || echo "MISSED $level $ailment $query"
done <"$FIX/doctor/planted.txt"
echo "errors: $(grep -c ': error: ' out), two of them lost evidence of h-06"
tail -n 9 out
