# One line in .gitignore, once, and only in a repository.
mkdir -p repo/.git repo/sub
"$ASSAY" init repo/sub | grep gitignore
cat repo/sub/.gitignore
rm repo/sub/*.yaml
"$ASSAY" init repo/sub | grep -c gitignore
printf 'build' >repo/.gitignore
"$ASSAY" init repo --quiet
cat repo/.gitignore
# The tests may themselves run below a repository.
plain=$(mktemp -d /tmp/assay-cli-XXXXXX) && "$ASSAY" init "$plain" --quiet
ls -A "$plain"
rm -rf "$plain"
