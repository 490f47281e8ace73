/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/fusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"

/* ---- methods ---- */

enum { MOST_WEIGHT = 1000000 };

#define WEIGHTS                                      \
    {                                                \
        "weights", ASSAY_PARAM_TEXT, 0, 0, NULL, "", \
            "one a leg, as 0.4:0.6; empty: all 1"    \
    }
#define NORM                                                                     \
    {                                                                            \
        "norm", ASSAY_PARAM_WORD, 0, 0, "minmax|max|zscore|rank|none", "minmax", \
            "what makes the scores of different legs comparable"                 \
    }
#define END                                            \
    {                                                  \
        NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL \
    }

static const assay_param rrf_params[] = {
    {"k", ASSAY_PARAM_REAL, 0, 1e9, NULL, "60", "the larger, the less the top counts"},
    WEIGHTS,
    END,
};
static const assay_param sum_params[] = {NORM, WEIGHTS, END};

/* In the order of the enum below. */
static const assay_fusion_method methods[] = {
    {"rrf", "reciprocal ranks: sum of weight / (k + rank)", rrf_params},
    {"wsum", "weighted sum of normalised scores", sum_params},
    {"combsum", "sum of normalised scores", sum_params},
    {"combmnz", "sum of normalised scores, times the number of legs", sum_params},
};
enum { RRF, WSUM, COMBSUM, COMBMNZ, N_METHODS };
enum { NORM_MINMAX, NORM_MAX, NORM_ZSCORE, NORM_RANK, NORM_NONE };

const assay_fusion_method *assay_fusion_method_at(size_t i)
{
    return i < N_METHODS ? &methods[i] : NULL;
}

/* ---- spelling ---- */

static assay_status read_weights(assay_slice text, assay_fusion *out, assay_error *err)
{
    assay_slice part;

    out->n_weights = 0;
    while (assay_slice_part(&text, ':', &part)) {
        double w;

        if (out->n_weights == ASSAY_LEGS_MOST)
            return assay_fail(err, ASSAY_EUSAGE, "fusion takes at most %d weights",
                              ASSAY_LEGS_MOST);
        if (!assay_number_read(part, &w) || !(w >= 0 && w <= MOST_WEIGHT))
            return assay_fail(err, ASSAY_EUSAGE,
                              "fusion weight '%.*s' is not a number from 0 to %d",
                              ASSAY_QUOTE(part), MOST_WEIGHT);
        out->weight[out->n_weights++] = w;
    }
    return ASSAY_OK;
}

static assay_status find_method(assay_slice name, const assay_fusion_method **out,
                                assay_error *err)
{
    for (size_t i = 0; i < N_METHODS; i++) {
        if (assay_slice_is(name, methods[i].name)) {
            *out = &methods[i];
            return ASSAY_OK;
        }
    }
    return assay_fail(err, ASSAY_EUSAGE,
                      "no fusion called '%.*s'; there are rrf, wsum, combsum, combmnz",
                      ASSAY_QUOTE(name));
}

assay_status assay_fusion_read(assay_slice spelling, assay_fusion *out, assay_error *err)
{
    assay_fusion fusion = {.n_weights = 0};
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    char what[40];
    assay_status st = assay_params_split(spelling, &name, &argument, &params, err);
    size_t i = 0;

    if (!st)
        st = find_method(name, &fusion.method, err);
    if (st)
        return st;
    if (argument.len)
        return assay_fail(err, ASSAY_EUSAGE, "fusion '%s' takes nothing after a colon",
                          fusion.method->name);
    snprintf(what, sizeof what, "fusion '%s'", fusion.method->name);
    st = assay_params_read(what, fusion.method->param, params, fusion.value, err);
    while (!st &&
           !assay_slice_is(assay_slice_of(fusion.method->param[i].name), "weights"))
        i++;
    if (!st)
        st = read_weights(fusion.value[i].text, &fusion, err);
    if (!st)
        *out = fusion;
    return st;
}

void assay_fusion_print(const assay_fusion *fusion, assay_buffer *out)
{
    assay_params_print(fusion->method->name, fusion->method->param, fusion->value, out);
}

assay_status assay_fusion_check(const assay_fusion *fusion, uint32_t n_legs,
                                assay_error *err)
{
    if (fusion->n_weights && fusion->n_weights != n_legs)
        return assay_fail(err, ASSAY_EUSAGE, "fusion has %u weights for %u leg%s",
                          fusion->n_weights, n_legs, n_legs == 1 ? "" : "s");
    return ASSAY_OK;
}

/* ---- one query ---- */

/* An item as one leg has it. */
typedef struct assay_fuse_entry {
    uint32_t item;
    uint32_t leg;
    uint32_t rank;
    double score;
    double part; /* what the leg adds to the item's score */
} entry;

/* How a leg's scores become comparable: (score - shift) * scale. */
typedef struct line {
    double shift;
    double scale;
    double absent; /* of an item that the leg does not have */
} line;

static line minmax_line(const assay_leg *leg)
{
    double low = leg->score[0];
    double high = leg->score[0];

    for (uint32_t i = 1; i < leg->n; i++) {
        low = fmin(low, leg->score[i]);
        high = fmax(high, leg->score[i]);
    }
    /* All equal: all are the best. */
    return high > low ? (line){low, 1 / (high - low), 0} : (line){low - 1, 1, 0};
}

static line max_line(const assay_leg *leg)
{
    double high = 0;

    for (uint32_t i = 0; i < leg->n; i++)
        high = fmax(high, fabs(leg->score[i]));
    return (line){0, high > 0 ? 1 / high : 0, 0};
}

static line zscore_line(const assay_leg *leg)
{
    double mean = 0;
    double squares = 0;
    double low = leg->score[0];
    line z;

    for (uint32_t i = 0; i < leg->n; i++) {
        mean += leg->score[i];
        low = fmin(low, leg->score[i]);
    }
    mean /= leg->n;
    for (uint32_t i = 0; i < leg->n; i++)
        squares += (leg->score[i] - mean) * (leg->score[i] - mean);
    z = (line){mean, squares > 0 ? 1 / sqrt(squares / leg->n) : 0, 0};
    z.absent = (low - mean) * z.scale;
    return z;
}

static line line_of(const assay_leg *leg, uint32_t norm)
{
    if (leg->n == 0)
        return (line){0, 0, 0};
    switch (norm) {
    case NORM_MINMAX: return minmax_line(leg);
    case NORM_MAX: return max_line(leg);
    case NORM_ZSCORE: return zscore_line(leg);
    default: return (line){0, 1, 0};
    }
}

static uint32_t norm_of(const assay_fusion *f)
{
    return f->method == &methods[RRF] ? NORM_NONE : f->value[0].choice;
}

static double part_of(const assay_fusion *f, double weight, const assay_leg *leg,
                      const line *z, uint32_t pos)
{
    if (f->method == &methods[RRF])
        return weight / (f->value[0].number + (pos + 1));
    if (norm_of(f) == NORM_RANK)
        return weight * ((double)(leg->n - pos) / leg->n);
    return weight * ((leg->score[pos] - z->shift) * z->scale);
}

static int by_item(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;

    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return x->leg < y->leg ? -1 : 1;
}

static int by_score(const void *a, const void *b)
{
    const assay_retrieved *x = a;
    const assay_retrieved *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->passage > y->passage ? -1 : 1;
}

/* All entries of one item, legs ascending, into one hit; returns how many there were. */
static size_t merge(const assay_fusion *f, const entry *e, size_t n, const double *absent,
                    uint32_t n_legs, assay_retrieved *out)
{
    double sum = 0;
    uint32_t n_in = 0;

    *out = (assay_retrieved){.passage = e->item};
    for (uint32_t leg = 0; leg < n_legs; leg++) {
        bool is_in = n_in < n && e[n_in].item == out->passage && e[n_in].leg == leg;

        sum += is_in ? e[n_in].part : absent[leg];
        if (!is_in)
            continue;
        out->leg_rank[leg] = e[n_in].rank;
        out->leg_score[leg] = e[n_in].score;
        n_in++;
    }
    out->score = f->method == &methods[COMBMNZ] ? sum * n_in : sum;
    return n_in;
}

static bool reserve(assay_fuser *fuser, size_t n)
{
    entry *e = assay_mem_grow(fuser->entry, &fuser->cap_entries, n + 1, sizeof *e);
    assay_retrieved *r;

    if (!e)
        return false;
    fuser->entry = e;
    r = assay_mem_grow(fuser->fused, &fuser->cap_fused, n + 1, sizeof *r);
    if (!r)
        return false;
    fuser->fused = r;
    return true;
}

bool assay_fuse(assay_fuser *fuser, const assay_fusion *fusion, const assay_leg *leg,
                uint32_t n_legs, const assay_retrieved **out, uint32_t *n)
{
    double absent[ASSAY_LEGS_MOST];
    size_t total = 0;
    size_t at = 0;

    for (uint32_t l = 0; l < n_legs; l++)
        total += leg[l].n;
    if (!reserve(fuser, total))
        return false;
    for (uint32_t l = 0; l < n_legs; l++) {
        line z = line_of(&leg[l], norm_of(fusion));
        double weight = fusion->n_weights ? fusion->weight[l] : 1;

        absent[l] = weight * z.absent;
        for (uint32_t i = 0; i < leg[l].n; i++)
            fuser->entry[at++] = (entry){leg[l].item[i], l, i + 1, leg[l].score[i],
                                         part_of(fusion, weight, &leg[l], &z, i)};
    }
    qsort(fuser->entry, total, sizeof *fuser->entry, by_item);
    *n = 0;
    for (size_t i = 0; i < total;)
        i += merge(fusion, &fuser->entry[i], total - i, absent, n_legs,
                   &fuser->fused[(*n)++]);
    qsort(fuser->fused, *n, sizeof *fuser->fused, by_score);
    *out = fuser->fused;
    return true;
}

void assay_fuser_clear(assay_fuser *fuser)
{
    assay_mem_free(fuser->entry);
    assay_mem_free(fuser->fused);
    *fuser = (assay_fuser){0};
}
