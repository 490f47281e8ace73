# What may not be read is named; the rest is in the corpus, and what was there before stays.
command -v setpriv >/dev/null || { echo 'skipped: no setpriv'; exit 77; }
here=$(mktemp -d /tmp/assay-cli-XXXXXX) && chmod 777 "$here" && cd "$here" || exit
trap 'chmod -R 777 "$here"; rm -rf "$here"' EXIT
mkdir -p docs/closed docs/open
echo a >docs/open/a.md
echo b >docs/closed/b.md
echo c >docs/c.md
# Root may read everything, so nobody is asked.
run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
run "$ASSAY" --version >/dev/null 2>&1 || { echo 'skipped: nobody else may run the program'; exit 77; }
run "$ASSAY" ingest docs | grep -E '^(read|failed)'
chmod 000 docs/closed docs/c.md
run "$ASSAY" ingest docs --all | sed 1,2d | grep -v hash
run "$ASSAY" ingest docs >/dev/null
echo $?
chmod 755 docs/closed docs/c.md
run "$ASSAY" corpus show --format csv | cut -d, -f1 | tr -d '\r'
# A workspace that may only be read can be looked at, and not be written.
chmod 555 .assay/corpus && chmod 444 .assay/corpus/*
run "$ASSAY" corpus list --format csv | cut -d, -f1 | tr -d '\r'
echo d >docs/d.md
run "$ASSAY" ingest docs
