# A set with something wrong of most kinds, its documents and a run; twins are mended.
mkdir docs
printf '# A\n\nThe finance lead approves refunds, as the first file says.\n' >docs/a.md
cp docs/a.md docs/b.md
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest docs --quiet >/dev/null || exit
cat >golden.yaml <<END
version: 1
queries:
  - {id: q, query: who approves refunds, tags: [t], group: g, must_contain: [x], relevant: [{doc: a.md, quote: finance lead}]}
  - {id: r, query: Who approves refunds?, group: g, relevant: [{doc: c.md}]}
  - {id: s, query: finance lead approves refunds, relevant: [], should_refuse: true}
END
printf 'q Q0 a.md 1 1 x\n' >one.run
# 1: something was found, as it must be.
look()
{
    "$ASSAY" golden doctor golden.yaml --jobs 1 --quiet "$@"
    rc=$?
    [ $rc -eq 1 ] || exit $rc
}
look --corpus main --runs one.run --runs one.run --runs one.run --fix mended.yaml
look --json
exit 0
