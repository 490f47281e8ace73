# One line in .gitignore, once, and only in a repository.
mkdir -p repo/.git repo/sub plain
"$ASSAY" init repo/sub | grep gitignore
cat repo/sub/.gitignore
rm repo/sub/*.yaml
"$ASSAY" init repo/sub | grep -c gitignore
printf 'build' >repo/.gitignore
"$ASSAY" init repo --quiet
cat repo/.gitignore
"$ASSAY" init plain --quiet
ls -A plain
