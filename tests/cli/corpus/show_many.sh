mkdir docs
for i in 1 2 3 4 5; do for j in 0 1 2 3 4 5 6 7 8; do echo "$i$j" >docs/$i$j.md; done; done
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus show | tail -n 2
"$ASSAY" corpus show --all | tail -n 1
