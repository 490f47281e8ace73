# A path of 3,800 bytes, about all that a system takes; then a tree that is deeper: its top is
# read, and that the rest cannot be reached is said.
d=docs
i=0
while [ $i -lt 190 ]; do d=$d/twenty-letters-long; i=$((i + 1)); done
mkdir -p "$d" && echo deep >"$d/deep.md"
"$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" corpus show | tail -n 1
"$ASSAY" corpus text "${d#docs/}/deep.md"

mkdir deeper && echo top >deeper/top.md
(
    cd deeper
    i=0
    while [ $i -lt 300 ]; do
        mkdir twenty-letters-long && cd -P twenty-letters-long || exit
        i=$((i + 1))
    done
    echo deep >deep.md
)
"$ASSAY" ingest deeper --corpus deeper >out
echo $?
grep -o '^failed.*\|File name too long' out
"$ASSAY" corpus text top.md --corpus deeper
