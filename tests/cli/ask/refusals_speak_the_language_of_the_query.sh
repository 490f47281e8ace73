for q in '몽골의 수도는 어디인가요?' '蒙古的首都是哪里？' 'モンゴルの首都はどこですか？'; do
    "$ASSAY" ask "$q" --documents "$FIX/benchmark/harbour.json" -m bm25
done
