#!/usr/bin/env bash
# Whenever ingest is stopped, by Ctrl-C or by kill -9, the corpus can be used, and the same
# command goes on to the same result. On a terminal there is a progress line.
set -u
passed=0 failed=0

check()
{
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        [ ! -e out ] || head -c 2000 out
    fi
}

hash_of() { "$ASSAY" corpus list --json | grep '"hash"'; }

mkdir -p docs
for i in $(seq 1 16); do
    seq "$i" 60000 | sed 's/$/ words of a line/; s/^\(.*00\) words/\n# Heading \1\n/' >docs/$i.md
done
"$ASSAY" ingest docs --quiet >/dev/null || exit 1
want=$(hash_of)
chunks=$("$ASSAY" corpus list --json | grep '"chunks"')

for signal in INT TERM KILL; do
    for pause in 0.05 0.3; do
        rm -rf .assay
        # Shells let background jobs ignore Ctrl-C; this one is to notice it.
        env --default-signal=INT "$ASSAY" ingest docs >out 2>&1 &
        pid=$!
        sleep $pause
        kill -$signal $pid 2>/dev/null
        wait $pid 2>/dev/null
        if [ -e .assay/corpus/main.db ]; then
            # Killed before its first transaction it is an empty file, and that is said.
            "$ASSAY" corpus stats >out 2>&1 || grep -q 'it is empty' out
            check "the corpus can be read after $signal at $pause s"
        fi
        "$ASSAY" ingest docs --quiet >out 2>&1
        check "it goes on after $signal at $pause s"
        [ "$(hash_of)" = "$want" ] && [ "$("$ASSAY" corpus list --json | grep '"chunks"')" = "$chunks" ]
        check "and ends up the same after $signal at $pause s"
    done
done

if command -v script >/dev/null; then
    rm -rf .assay
    TERM=xterm script -qec "stty cols 70; $ASSAY ingest docs" /dev/null </dev/null >out
    tr '\r' '\n' <out | sed 's/\x1b\[[0-9;]*[mK]//g' >frames
    grep -q '^reading .*%.*[0-9]\.md' frames
    check 'there is a line with the share and the name'
    ! grep '^reading' frames | grep -q '.\{70\}'
    check 'no line is as wide as the terminal'
    grep -q '^documents 16' frames
    check 'the summary is on lines of its own'
fi
"$ASSAY" ingest docs --all >out 2>err
[ ! -s err ]
check 'nothing of it in a pipe'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
