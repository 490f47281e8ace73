mkdir .git
# Names that YAML would take for something else are quoted; those that are no text are left out.
mkdir -p 'p: #1/a: b' 'p: #1/true' "p: #1/$(printf 'b\377d')" "p: #1/$(printf 'n\nl')"
for d in 'p: #1'/*; do echo x >"$d/x.md"; done
"$ASSAY" init 'p: #1' --quiet
cat 'p: #1/assay.yaml'
cp "$FIX/golden/assay/good.yaml" 'p: #1/golden.yaml'
cd 'p: #1' && "$ASSAY" golden check --quiet | head -n 1
