"$ASSAY" trec_eval -R prefs -m prefs "$FIX/trec/prefs.txt" "$FIX/trec/tiny.run"
