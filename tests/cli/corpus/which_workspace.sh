# --workspace, else assay.yaml, else $ASSAY_WORKSPACE, else .assay in the project folder.
. "$SRC/tests/cli/corpus/make.inc"
where() { "$ASSAY" corpus list "$@" --json | grep workspace; }
where
export ASSAY_WORKSPACE=from-env
where
echo 'workspace: from-yaml' >assay.yaml
where
where --workspace from-flag
(cd docs/sub && where)
rm assay.yaml
unset ASSAY_WORKSPACE
"$ASSAY" ingest docs --quiet >/dev/null
(cd docs/sub && where)
