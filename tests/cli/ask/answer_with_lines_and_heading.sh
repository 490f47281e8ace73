cat > refunds.md <<'END'
# Refunds

Parking is free.

## Approval

Refunds above 500 euros are approved
by the finance lead.
END
"$ASSAY" ingest refunds.md >ingest.log 2>&1 || cat ingest.log
"$ASSAY" ask 'who approves refunds above 500 euros?' -m bm25
"$ASSAY" ask 'who approves refunds above 500 euros?' -m bm25 --json |
    sed '/"elapsed_ms"/d; /"score"/d; s/"[0-9a-f]\{32\}"/"CHUNK"/'
# The span is that of the sentence in the file.
"$ASSAY" ask 'who approves refunds above 500 euros?' -m bm25 --json |
    sed -n 's/.*"span": \[\([0-9]*\), \([0-9]*\)\].*/\1 \2/p' |
    while read -r start end; do
        tail -c +$((start + 1)) refunds.md | head -c $((end - start))
        echo
    done
