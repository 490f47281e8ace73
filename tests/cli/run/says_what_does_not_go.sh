g=$FIX/benchmark/harbour.json
"$ASSAY" run --golden "$g" --method bm25 --system 'cmd:true'
"$ASSAY" run --golden "$g" --method nonsense
"$ASSAY" run --golden "$g" -k 200 --depth 100
"$ASSAY" run --golden "$g" --timeout 0
"$ASSAY" run --golden "$g" --rate -1
"$ASSAY" run --golden "$g" --tag novalue
"$ASSAY" run --golden "$g" --system 'gopher:x'
"$ASSAY" run --golden "$g" --record a --replay b
"$ASSAY" run --golden nowhere.yaml
"$ASSAY" run --golden "$g" --store /proc/nowhere/assay.db
ls -A
