g=$FIX/benchmark/harbour.json
"$ASSAY" sweep --golden "$g"
"$ASSAY" sweep --golden "$g" --vary 'rrf.k'
"$ASSAY" sweep --golden "$g" --vary 'colour=red,blue' --quiet
"$ASSAY" sweep --golden "$g" --vary 'chunker=lines,whole' --quiet
"$ASSAY" sweep --golden "$g" --vary 'k=10,20' --holdout 2 --quiet
