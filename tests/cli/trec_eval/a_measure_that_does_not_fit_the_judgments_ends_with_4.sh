"$ASSAY" trec_eval -R prefs -m map "$FIX/trec/prefs.txt" "$FIX/trec/tiny.run"
