# The ranks contradict the scores.
printf 'q1 Q0 d1 2 3 a\nq1 Q0 d2 1 2 a\n' > a.run
"$ASSAY" fuse a.run --to trec
"$ASSAY" fuse a.run --to trec --order score
"$ASSAY" fuse a.run --to trec --method combsum
# Ranks that stand twice are no ranks.
printf 'q1 Q0 d1 1 3 a\nq1 Q0 d2 1 9 a\n' > b.run
"$ASSAY" fuse b.run --to trec
