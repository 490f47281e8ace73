cp "$FIX/benchmark/harbour.json" g.json
"$ASSAY" run --golden g.json --method bm25 --quiet >out
id=$(grep -o 'run_[0-9a-f]*' out)
say() { sed -e "s/$id/RUN/g" -e 's/[0-9a-f]\{64\}/HASH/g'; }
sed -i 's/mooring/anchoring/' g.json
"$ASSAY" run --resume latest --quiet 2>&1 | say
cp "$FIX/benchmark/harbour.json" g.json
"$ASSAY" run --resume latest --method 'bm25(k1=2)' --quiet 2>&1 | say
"$ASSAY" run --resume latest --limit 1 2>&1 | say
"$ASSAY" run --resume nobody
