# Looking into a corpus, which is made with memory enough.
mkdir docs
printf '# A\n\nWords.\n\n## B\n\nMore words.\n' >docs/a.md
printf '# A\n\nWords.\n\n## B\n\nMore words.\n' >docs/b.md
printf 'int x;\n' >docs/c.c
printf 'corpus: {paths: [docs]}\n' >assay.yaml
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest --quiet >/dev/null
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest --chunker whole --quiet >/dev/null
look() { "$ASSAY" corpus "$@" --quiet >out || exit $?; grep -v read out; }
look list --json
look show
look show --json
look stats
look stats --json
look text a.md:L1-3
look text a.md:#B --json
look chunks a.md
look chunks a.md --json
look diff --chunker md-heading
look diff --json
id=$(env -u ASSAY_FAIL_ALLOC "$ASSAY" corpus chunks a.md --format csv | sed -n '2s/,.*//p')
printf 'version: 1\nqueries:\n  - {id: q, query: a, relevant: [{chunk: %s}]}\n' "$id" >golden.yaml
look prune --dry-run --golden golden.yaml
