cd "$FIX/golden/evalvault" && "$ASSAY" golden relevance-map good_legacy.json --quiet -o "$OLDPWD/map.json" && cat "$OLDPWD/map.json" && "$ASSAY" golden check "$OLDPWD/map.json" --quiet | sed 1d
