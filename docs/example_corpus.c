/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set looked up in a corpus, and a run of chunk ids measured by bytes:
 *
 *     example_corpus golden.yaml run.jsonl .assay/corpus/main.db */
#include <assay.h>
#include <stdio.h>

static void print_judgments(const assay_golden *golden)
{
    for (uint32_t i = 0; i < assay_golden_n_resolved(golden); i++) {
        assay_resolved_item item;

        assay_golden_resolved(golden, i, &item);
        printf("%.*s: %s %s", (int)item.query_id.len, item.query_id.ptr, item.evidence,
               item.state);
        for (uint32_t k = 0; k < item.n_spans; k++) {
            uint64_t start;
            uint64_t end;

            assay_golden_resolved_span(golden, i, k, &start, &end);
            printf(", bytes %lu-%lu of %.*s", (unsigned long)start, (unsigned long)end,
                   (int)item.doc.len, item.doc.ptr);
        }
        printf("%s%s\n", item.reason ? ": " : "", item.reason ? item.reason : "");
    }
}

static void print_scores(const assay_scores *scores)
{
    for (uint32_t c = 0; c < assay_scores_n_measures(scores); c++) {
        assay_total total = assay_scores_total(scores, c);

        printf("%s: %.4f over %u queries\n", assay_scores_measure(scores, c),
               total.value, total.n);
    }
    printf("%u stale\n", assay_scores_counts(scores).stale);
}

int main(int argc, char **argv)
{
    const assay_eval_options options = {.level = "evidence"};
    assay_golden *golden = NULL;
    assay_run *run = NULL;
    assay_scores *scores = NULL;
    assay_run_placed placed;
    assay_error err;
    assay_status st;

    if (argc != 4)
        return 2;
    st = assay_golden_load(argv[1], NULL, &golden, &err);
    if (!st)
        st = assay_golden_resolve(golden, argv[3], 0, &err);
    if (!st)
        st = assay_run_load(argv[2], NULL, &run, &err);
    if (!st)
        st = assay_run_place(run, argv[3], 0, &placed, &err);
    if (!st)
        st = assay_eval(golden, run, "recall@5,evidence_recall@5", &options, &scores, &err);
    if (st) {
        fprintf(stderr, "%s\n", err.text);
    } else {
        print_judgments(golden);
        printf("%lu of %lu hits placed\n", (unsigned long)(placed.n_hits - placed.n_without),
               (unsigned long)placed.n_hits);
        print_scores(scores);
    }
    assay_scores_free(scores);
    assay_run_free(run);
    assay_golden_free(golden);
    return (int)st;
}
