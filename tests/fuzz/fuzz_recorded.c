/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded scores: an error has words; what loads has its values, and compares with itself
 * without a difference. */
#include <math.h>
#include <stdlib.h>

#include "base/slice.h"
#include "compare/recorded.h"

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_recorded_run *run = NULL;
    assay_error err = {ASSAY_OK, ""};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_bob_comparison bob;
    assay_scores *scores;

    (void)assay_recorded_is(text);
    if (assay_recorded_parse("fuzz", text, &run, &err)) {
        PROMISE(err.text[0] && !run);
        return 0;
    }
    scores = assay_recorded_scores(run, run->queries.word, run->queries.n,
                                   run->metrics.word, run->metrics.n);
    PROMISE(scores != NULL);
    for (uint32_t i = 0; i < scores->n_columns; i++)
        PROMISE(scores->total[i].n + scores->total[i].absent == run->queries.n);
    if (run->is_bob && !assay_bob_compare(run, run, 0, &arena, &bob, &err)) {
        PROMISE(bob.has_passed && !bob.n_fallen && !bob.notes.n);
        assay_notes_clear(&bob.notes);
    }
    assay_scores_free(scores);
    assay_arena_clear(&arena);
    assay_recorded_free(run);
    return 0;
}
