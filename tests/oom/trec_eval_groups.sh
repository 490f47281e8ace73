# Judgment groups, preferences and z-scores.
printf 'q1 map_avgjg 0.25 0.5\n' > z
"$ASSAY" trec_eval --threads 1 -q -R qrels_jg -m qrels_jg -Z z "$FIX/trec/jg.qrels" "$FIX/trec/tiny.run" || exit
"$ASSAY" trec_eval --threads 1 -q -R prefs -m all_prefs "$FIX/trec/prefs.txt" "$FIX/trec/tiny.run"
