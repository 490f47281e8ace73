# Nothing that is secret reaches the store, a message or a report.
key=sk-very-secret-0123456789
ASSAY_API_KEY=$key "$ASSAY" run --golden "$FIX/benchmark/harbour.json" \
    --system 'http://user:hunter22@127.0.0.1:9/search?token=tttt4444' --retries 0 --timeout 1 >out 2>err
echo "rc $?"
sed 's/after [0-9]* ms/after N ms/' err
for secret in $key hunter22 tttt4444; do
    grep -rqa "$secret" .assay out err 2>/dev/null && echo "found $secret"
done
echo looked
# A run that is kept: addresses with something secret in them are not.
ASSAY_API_KEY=$key "$ASSAY" run --golden "$FIX/benchmark/harbour.json" --method bm25 --quiet \
    --embedding-url 'http://user:hunter22@127.0.0.1:9/v1?token=tttt4444' --metric mrr >out 2>err
echo "rc $?"
"$ASSAY" runs show latest --json >shown
"$ASSAY" runs export latest --as bundle -o bundle
for secret in $key hunter22 tttt4444; do
    grep -rqa "$secret" .assay out err shown bundle && echo "found $secret"
done
grep -c 127.0.0.1 shown || true
