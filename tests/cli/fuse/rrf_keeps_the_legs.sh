# a: 1 2 3; b: 3 1; the query q2 is in one run only
printf 'q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq1 Q0 d3 3 1 a\nq2 Q0 d9 1 5 a\n' > a.run
printf 'q1 Q0 d3 1 .9 b\nq1 Q0 d1 2 .8 b\n' > b.run
"$ASSAY" fuse a.run b.run --method 'rrf(k=60)'
