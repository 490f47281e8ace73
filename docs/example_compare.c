/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs of one golden set, compared: measures, queries, verdict, and the whole report.
 *
 *     example_compare GOLDEN OLD NEW */
#include <assay.h>
#include <stdio.h>

static void print(const assay_comparison *c)
{
    printf("match: %s\n", assay_comparison_match(c));
    for (uint32_t i = 0; i < assay_comparison_n_measures(c); i++) {
        assay_compared_measure m;

        assay_comparison_measure(c, i, &m);
        printf("%s: %.4f -> %.4f (%+.4f, %u queries, p %.4f)\n", m.name, m.a, m.b,
               m.delta, m.n, m.p);
    }
    for (uint32_t i = 0; i < assay_comparison_n_queries(c); i++) {
        assay_compared_query q;

        assay_comparison_query(c, i, &q);
        printf("%.*s: %s %s\n", (int)q.id.len, q.id.ptr, q.kind, q.note);
    }
    for (uint32_t i = 0; i < assay_comparison_n_excluded(c); i++) {
        const char *why;
        assay_slice id = assay_comparison_excluded(c, i, &why);

        printf("%.*s: left out: %s\n", (int)id.len, id.ptr, why);
    }
    printf("%s: %s\n", assay_comparison_verdict(c), assay_comparison_sentence(c));
}

int main(int argc, char **argv)
{
    assay_golden *golden = NULL;
    assay_run *old = NULL;
    assay_run *new_run = NULL;
    assay_comparison *c = NULL;
    assay_slice report;
    assay_error err = {ASSAY_OK, "want GOLDEN OLD NEW"};
    assay_status st = argc == 4 ? ASSAY_OK : ASSAY_EUSAGE;

    if (!st)
        st = assay_golden_load(argv[1], NULL, &golden, &err);
    if (!st)
        st = assay_run_load(argv[2], NULL, &old, &err);
    if (!st)
        st = assay_run_load(argv[3], NULL, &new_run, &err);
    if (!st)
        st = assay_compare(golden, old, new_run, "mrr, hit@1", NULL, &c, &err);
    if (!st)
        st = assay_comparison_report(c, "md", &report, &err);
    if (st)
        fprintf(stderr, "%s\n", err.text);
    else {
        print(c);
        printf("report of %s\n", report.len > 0 ? "some length" : "no length");
    }
    assay_comparison_free(c);
    assay_run_free(new_run);
    assay_run_free(old);
    assay_golden_free(golden);
    return (int)st;
}
