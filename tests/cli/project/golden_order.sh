# --golden, else assay.yaml, else $ASSAY_GOLDEN, else golden.yaml in the project folder.
cp "$FIX/golden/assay/good.yaml" golden.yaml
for name in flag yaml env; do cp golden.yaml $name.yaml; done
mkdir deep
export ASSAY_GOLDEN=env.yaml
file() { "$ASSAY" golden check "$@" | head -n 1; }
echo 'golden: yaml.yaml' >assay.yaml
file flag.yaml
file
(cd deep && file)
echo >assay.yaml
file
unset ASSAY_GOLDEN
file
(cd deep && file)
rm golden.yaml
file
