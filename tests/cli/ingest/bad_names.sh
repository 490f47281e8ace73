# Any byte but / and zero may be in a name.
mkdir docs
for name in 'new\nline' 'tab\there' 'esc\033[2Jape' 'bad\377utf8' '-rf' ' blank ' 'quo"te' "it's" '%%s%%n' 'back\\\\slash' \
    '설정'; do
    f=$(printf -- "$name.md")
    printf 'text of %s\n' "$name" >"docs/$f"
done
"$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" corpus show | sed -n '/^document /,$p'
"$ASSAY" corpus text "$(printf 'new\nline').md"
"$ASSAY" corpus text "$(printf 'bad\377utf8').md"
"$ASSAY" corpus text -- -rf.md
printf '{"id": 1, "text": "x"}\n{"id": \n' >"docs/$(printf 'bad\376\n').jsonl"
"$ASSAY" ingest docs | grep -A1 failed
