cd "$FIX/golden/beir" && "$ASSAY" golden check good --split dev
