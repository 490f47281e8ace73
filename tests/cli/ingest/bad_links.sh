# Links to folders are not followed, so there are no loops; links to files are.
mkdir -p docs/sub
echo text >docs/a.txt
ln -s . docs/here
ln -s ../.. docs/sub/up
ln -s itself docs/itself
ln -s nowhere docs/dangling
ln -s a.txt docs/link.txt
ln -s ../docs docs/sub/docs
mkfifo docs/pipe
"$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" corpus show --format csv | cut -d, -f1 | tr -d '\r'
ln -s docs named
"$ASSAY" ingest named --corpus named | grep '^read'
"$ASSAY" ingest docs/itself
