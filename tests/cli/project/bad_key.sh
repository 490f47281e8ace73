printf 'golden: g.yaml\nmetrcs: [mrr]\n' >assay.yaml
"$ASSAY" golden check
