# A system that never answers the same twice is recorded. Replayed, without the system, the run is
# the same to the byte; another one is not. A run that is killed and gone on with goes on with its
# recording, which then replays the whole.
cat > noisy.sh <<'EOF'
while IFS= read -r line; do
    n=$(($(cat n 2>/dev/null || echo 0) + 1))
    echo $n > n
    id=$(printf '%s' "$line" | sed 's/.*"id": *"\([^"]*\)".*/\1/')
    printf '{"id":"%s","hits":[{"doc_id":"fees","score":%d.5},{"doc_id":"d%d","score":0.25}]}\n' "$id" $n $n
    [ "$n" != "$STOP_AT" ] || kill -9 $PPID
done
EOF
golden=$FIX/benchmark/harbour.json
try() { "$ASSAY" run --golden "$golden" --system 'cmd:sh noisy.sh' --jobs 1 --quiet "$@" > out 2> err || { echo "exit $?"; cat err; }; }
show() { "$ASSAY" runs export latest --as jsonl --no-times --store "$1"; }

try --store rec.db --record calls.jsonl
show rec.db > rec.out
try --store other.db
show other.db > other.out
cmp -s rec.out other.out || echo 'another run is another run'
mv noisy.sh away.sh
try --store rep.db --replay calls.jsonl
show rep.db > rep.out
cmp rec.out rep.out && echo 'a replayed run is the same'
grep -c '"kind":"cmd"' calls.jsonl

mv away.sh noisy.sh
echo 0 > n
STOP_AT=3 "$ASSAY" run --golden "$golden" --system 'cmd:sh noisy.sh' --jobs 1 --quiet --store kill.db \
    --record killed.jsonl > out 2> err
ls killed.jsonl* 
try --resume latest --store kill.db --record killed.jsonl
show kill.db > kill.out
rm noisy.sh
try --store again.db --replay killed.jsonl
show again.db > again.out
cmp kill.out again.out && echo 'so is one that was killed and gone on with'
ls killed.jsonl*
