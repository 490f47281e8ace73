# Golden sets hold on to the chunkings whose chunk ids they name, as long as they do.
. "$SRC/tests/cli/golden/corpus.inc"
calm() { sed -n '/^chunking/,/^$/p'; }
md=$(id refunds.md 2)
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
whole=$(id faq.md 1)
"$ASSAY" ingest docs --chunker 'chars(size=20,overlap=0)' --quiet >/dev/null
"$ASSAY" ingest docs --chunker sentence --quiet >/dev/null
mkdir sets
golden() { printf 'version: 1\nqueries:\n  - {id: q, query: who, relevant: [%s]}\n' "$1"; }
golden "{chunk: $md}" >golden.yaml
golden "{doc: faq.md, quote: Ten days, chunk: $whole}, {chunk: $md}" >sets/b.yaml
"$ASSAY" golden check golden.yaml --corpus main --quiet >/dev/null
(cd sets && "$ASSAY" golden check b.yaml --corpus main --quiet >/dev/null)
"$ASSAY" corpus show | calm
"$ASSAY" corpus show --json | grep held_by
"$ASSAY" corpus prune --dry-run
"$ASSAY" corpus prune --json
"$ASSAY" golden check golden.yaml --corpus main --quiet | grep resolved
echo '-- a set that names it no longer lets it go'
golden '{doc: faq.md}' >sets/b.yaml
"$ASSAY" corpus prune --dry-run --golden sets/b.yaml
"$ASSAY" corpus prune --golden sets/b.yaml
echo '-- anchored, it names words'
"$ASSAY" golden anchor golden.yaml --corpus main --write --dry-run --quiet
"$ASSAY" corpus show | grep md-heading
"$ASSAY" golden anchor golden.yaml --corpus main --write --quiet
"$ASSAY" corpus show | calm
echo '-- adding a chunk'
"$ASSAY" golden add golden.yaml --query what --chunk "$(id faq.md 1)" --corpus main --quiet
"$ASSAY" corpus show | calm
