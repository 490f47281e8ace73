"$ASSAY" runs import --quiet "$FIX/run/jsonl/good_full.jsonl" --suite s --tag k=v --store s.db >imported &&
    "$ASSAY" runs export k=v --as jsonl --store s.db &&
    "$ASSAY" runs tag latest k=w --store s.db >tagged &&
    "$ASSAY" runs rm latest --yes --store s.db >removed
