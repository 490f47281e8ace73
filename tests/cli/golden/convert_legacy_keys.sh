# relevant_docs becomes relevant_doc_ids.
cd "$FIX/golden/evalvault" && "$ASSAY" golden convert good_legacy.json --to evalvault --quiet
