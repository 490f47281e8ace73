/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict: one sentence that a reviewer may act on.
 *
 * A measure has moved beyond chance where its corrected p is below alpha.  The rest is
 * counted, never called proof. */
#include <math.h>

#include "base/buffer.h"
#include "base/mem.h"
#include "compare/comparison.h"

const char *assay_verdict_word(assay_verdict verdict)
{
    static const char *const word[] = {"same", "better", "worse", "mixed", "unproved"};

    return word[verdict];
}

void assay_comparison_free(assay_comparison *comparison)
{
    if (!comparison)
        return;
    for (uint32_t i = 0; comparison->scores && i < comparison->n_sides; i++)
        assay_scores_free(comparison->scores[i]);
    assay_notes_clear(&comparison->notes);
    assay_arena_clear(&comparison->arena);
    assay_mem_free(comparison);
}

typedef struct tally {
    uint32_t n_rose;
    uint32_t n_fell;
    const assay_delta *rose; /* the surest one */
    const assay_delta *fell;
    bool has_changed; /* any value of any query */
} tally;

static const assay_delta *surer(const assay_delta *best, const assay_delta *d)
{
    return !best || d->p_corrected < best->p_corrected ? d : best;
}

static tally count(const assay_comparison *c, const assay_run_pair *pair)
{
    tally t = {0};

    for (uint32_t i = 0; i < c->n_measures; i++) {
        const assay_delta *d = &pair->delta[i];

        t.has_changed |= d->n_up || d->n_down || d->direction != 0 || d->n_a != d->n_b;
        if (!(d->p_corrected < c->alpha) || !d->direction)
            continue;
        if (d->direction > 0) {
            t.n_rose++;
            t.rose = surer(t.rose, d);
        } else {
            t.n_fell++;
            t.fell = surer(t.fell, d);
        }
    }
    for (uint32_t q = 0; pair->query && q < c->core.n; q++)
        t.has_changed |= pair->query[q].kind != ASSAY_KIND_DRAW ||
                         pair->query[q].n_lost || pair->query[q].n_found;
    return t;
}

static assay_verdict decide(const tally *t)
{
    if (t->n_rose && t->n_fell)
        return ASSAY_VERDICT_MIXED;
    if (t->n_rose)
        return ASSAY_VERDICT_BETTER;
    if (t->n_fell)
        return ASSAY_VERDICT_WORSE;
    return t->has_changed ? ASSAY_VERDICT_UNPROVED : ASSAY_VERDICT_SAME;
}

static void put_delta(assay_buffer *b, const assay_delta *d, uint32_t n)
{
    assay_buffer_printf(b, "%s %.4f→%.4f (%+.4f, p %.2g)", d->column->name, d->a, d->b,
                        d->delta, d->p_corrected);
    if (n > 1)
        assay_buffer_printf(b, " and %u more", n - 1);
}

static void put_kinds(assay_buffer *b, const assay_comparison *c,
                      const assay_run_pair *pair)
{
    static const struct {
        assay_kind kind;
        const char *one;
        const char *many;
    } kinds[] = {{ASSAY_KIND_WIN, "win", "wins"},
                 {ASSAY_KIND_LOSS, "loss", "losses"},
                 {ASSAY_KIND_REGRESSION, "regression", "regressions"},
                 {ASSAY_KIND_DRAW, "draw", "draws"}};

    for (size_t i = 0; pair->query && i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t n = pair->n_kind[kinds[i].kind];

        assay_buffer_printf(b, "%s%u %s", i ? ", " : "", n,
                            n == 1 ? kinds[i].one : kinds[i].many);
    }
    assay_buffer_printf(b, "%s%u %s", pair->query ? " over " : "", c->core.n,
                        c->core.n == 1 ? "query" : "queries");
}

static void put_sentence(assay_buffer *b, const assay_comparison *c,
                         const assay_run_pair *pair, const tally *t)
{
    const char *name_a = c->side[0].name;
    const char *name_b = c->side[pair->side].name;

    switch (pair->verdict) {
    case ASSAY_VERDICT_SAME:
        assay_buffer_printf(b, "%s and %s are the same on every query: ", name_b, name_a);
        break;
    case ASSAY_VERDICT_BETTER:
        assay_buffer_printf(b, "%s is better than %s: ", name_b, name_a);
        put_delta(b, t->rose, t->n_rose);
        assay_buffer_text(b, " got better beyond chance, nothing worse; ");
        break;
    case ASSAY_VERDICT_WORSE:
        assay_buffer_printf(b, "%s is worse than %s: ", name_b, name_a);
        put_delta(b, t->fell, t->n_fell);
        assay_buffer_text(b, " got worse beyond chance, nothing better; ");
        break;
    case ASSAY_VERDICT_MIXED:
        assay_buffer_printf(
            b, "%s is better than %s in some and worse in others: ", name_b, name_a);
        put_delta(b, t->rose, t->n_rose);
        assay_buffer_text(b, " got better beyond chance, ");
        put_delta(b, t->fell, t->n_fell);
        assay_buffer_text(b, " got worse; ");
        break;
    case ASSAY_VERDICT_UNPROVED:
        assay_buffer_printf(
            b, "%s differs from %s by no more than chance may explain: ", name_b, name_a);
        break;
    }
    put_kinds(b, c, pair);
}

bool assay_verdict_make(assay_comparison *comparison, assay_run_pair *pair)
{
    tally t = count(comparison, pair);
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    pair->verdict = decide(&t);
    put_sentence(&b, comparison, pair, &t);
    pair->sentence = b.has_failed
                         ? NULL
                         : assay_arena_string(&comparison->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return pair->sentence != NULL;
}
