printf 'q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\n' > a.run
printf 'q1 Q0 d2 1 3 b\n' > b.run
"$ASSAY" fuse a.run b.run -o fused.jsonl
"$ASSAY" runs convert fused.jsonl --to jsonl | cmp - fused.jsonl && echo same
