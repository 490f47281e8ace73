/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/slicing.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

static const struct {
    const char *key;
    size_t offset; /* of the slice in assay_query */
} fields[] = {
    {"lang", offsetof(assay_query, lang)},
    {"difficulty", offsetof(assay_query, difficulty)},
    {"category", offsetof(assay_query, category)},
    {"group", offsetof(assay_query, group)},
};

/* A value and a row that has it. */
typedef struct pair {
    assay_slice value;
    uint32_t row;
} pair;

typedef struct pairs {
    pair *item;
    size_t n;
    size_t cap;
    bool has_failed;
    bool is_known; /* some query has the key */
} pairs;

static void add_pair(pairs *p, assay_slice value, uint32_t row)
{
    void *grown = assay_mem_grow(p->item, &p->cap, p->n + 1, sizeof *p->item);

    if (!grown) {
        p->has_failed = true;
        return;
    }
    p->item = grown;
    p->item[p->n++] = (pair){value, row};
    p->is_known = true;
}

static void add_values(pairs *p, const assay_query *q, const char *key, uint32_t row)
{
    size_t before = p->n;

    for (size_t i = 0; i < ASSAY_COUNT(fields); i++)
        if (strcmp(fields[i].key, key) == 0) {
            const assay_slice *s = (const void *)((const char *)q + fields[i].offset);

            if (s->len)
                add_pair(p, *s, row);
        }
    if (strcmp(key, "label") == 0)
        add_pair(p, assay_slice_of(assay_label_name((assay_label)q->label)), row);
    if (strcmp(key, "tag") == 0 || strcmp(key, "tags") == 0)
        for (uint32_t i = 0; i < q->tags.n; i++)
            add_pair(p, q->tags.item[i], row);
    for (uint32_t i = 0; i < q->n_meta; i++)
        if (assay_slice_is(q->meta[i].key, key))
            add_pair(p, q->meta[i].value, row);
    if (p->n == before && !p->has_failed) {
        bool was_known = p->is_known;

        add_pair(p, ASSAY_LIT("(none)"), row);
        p->is_known = was_known;
    }
}

static int by_value(const void *a, const void *b)
{
    const pair *x = a;
    const pair *y = b;
    int order = assay_slice_cmp(x->value, y->value);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Room that adding up needs. */
typedef struct room {
    bool *keep;
    double *value;
} room;

/* The totals of one value, into the next free place of *out, or withheld. */
static void add_slice(const assay_scores *scores, const pairs *p, size_t first,
                      size_t end, const room *r, assay_slices *out)
{
    assay_total *total = &out->total[(size_t)out->n * scores->n_columns];
    uint32_t most = 0;
    uint32_t n_rows = 0;

    memset(r->keep, 0, scores->n_rows);
    for (size_t i = first; i < end; i++) {
        n_rows += !r->keep[p->item[i].row];
        r->keep[p->item[i].row] = true;
    }
    for (uint32_t c = 0; c < scores->n_columns; c++) {
        total[c] = assay_scores_add(scores, c, r->keep, r->value);
        most = total[c].n > most ? total[c].n : most;
        if (total[c].n < out->min_n)
            total[c].value = total[c].spread = (double)NAN;
    }
    if (most < out->min_n) {
        out->n_withheld++;
        out->rows_withheld += n_rows;
        return;
    }
    out->value[out->n] = p->item[first].value;
    out->n_rows[out->n++] = n_rows;
}

static bool add_all(const assay_scores *scores, const pairs *p, assay_arena *arena,
                    assay_slices *out)
{
    room r = {ASSAY_ARENA_ARRAY(arena, bool, scores->n_rows + 1),
              ASSAY_ARENA_ARRAY(arena, double, scores->n_rows + 1)};
    size_t n_values = 0;

    for (size_t i = 0; i < p->n; i++)
        n_values += !i || !assay_slice_eq(p->item[i].value, p->item[i - 1].value);
    out->value = ASSAY_ARENA_ARRAY(arena, assay_slice, n_values + 1);
    out->n_rows = ASSAY_ARENA_ARRAY(arena, uint32_t, n_values + 1);
    out->total =
        ASSAY_ARENA_ARRAY(arena, assay_total, (n_values + 1) * scores->n_columns);
    if (!r.keep || !r.value || !out->value || !out->n_rows || !out->total)
        return false;
    for (size_t i = 0; i < p->n;) {
        size_t end = i + 1;

        while (end < p->n && assay_slice_eq(p->item[end].value, p->item[i].value))
            end++;
        add_slice(scores, p, i, end, &r, out);
        i = end;
    }
    return true;
}

assay_status assay_slices_make(const assay_golden *golden, const assay_scores *scores,
                               const char *key, uint32_t min_n, assay_arena *arena,
                               assay_slices *out, assay_error *err)
{
    assay_slices s = {.key = key, .min_n = min_n};
    pairs p = {0};
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < scores->n_rows && !p.has_failed; i++)
        add_values(&p, &golden->query[scores->row[i].query], key, i);
    if (!p.has_failed && !p.is_known) {
        st = assay_fail(
            err, ASSAY_EUSAGE,
            "no query of the golden set has a '%s'; --by takes lang, difficulty, "
            "category, group, tag, label, or a key under meta",
            key);
        goto done;
    }
    if (!p.has_failed && p.n)
        qsort(p.item, p.n, sizeof *p.item, by_value);
    if (p.has_failed || !add_all(scores, &p, arena, &s)) {
        st = assay_fail_memory(err, "slicing the scores");
        goto done;
    }
    *out = s;

done:
    assay_mem_free(p.item);
    return st;
}
