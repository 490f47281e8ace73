# The one that is named, else that of assay.yaml, else the only one, else main.
. "$SRC/tests/cli/corpus/make.inc"
name() { "$ASSAY" corpus show "$@" | head -n 1; }
name
name ../x
"$ASSAY" ingest docs --corpus only --quiet >/dev/null
name
"$ASSAY" ingest docs --corpus second --quiet >/dev/null
name
printf 'corpus: {name: second}\n' >assay.yaml
name
name only
name third
(cd docs/sub && name)
