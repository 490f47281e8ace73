printf 'q1 Q0 d1 1 3 a\n' > a.run
"$ASSAY" fuse a.run --method 'rrf(weights=1:2)'
