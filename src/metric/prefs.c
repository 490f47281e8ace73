/* SPDX-License-Identifier: Apache-2.0 */
/* Preferences of one query over its ranking: number the documents, take the groups one by
 * one, count what is fulfilled. */
#include "metric/prefs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

/* A judgment with its document's number. */
typedef struct entry {
    const assay_pref *pref;
    uint32_t doc;
} entry;

/* A hit, to be found by its id. */
typedef struct place {
    assay_slice doc;
    uint32_t pos;
} place;

typedef struct builder {
    entry *entry; /* by id at first, then by group, subgroup, level, number */
    uint32_t n;
    assay_prefs *prefs;
    uint16_t *count;
    assay_arena *arena;
} builder;

static int by_doc(const void *a, const void *b)
{
    return assay_slice_cmp(((const entry *)a)->pref->doc, ((const entry *)b)->pref->doc);
}

static int by_place(const void *a, const void *b)
{
    return assay_slice_cmp(((const place *)a)->doc, ((const place *)b)->doc);
}

static int by_group(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    int order = assay_slice_cmp(x->pref->group, y->pref->group);

    if (!order)
        order = assay_slice_cmp(x->pref->subgroup, y->pref->subgroup);
    if (order)
        return order;
    if (x->pref->level != y->pref->level)
        return x->pref->level > y->pref->level ? -1 : 1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* ---- numbers of documents ---- */

/* Entry i begins a document; where the next one begins. */
static uint32_t next_doc(const builder *b, uint32_t i)
{
    uint32_t next = i + 1;

    while (next < b->n && assay_slice_eq(b->entry[i].pref->doc, b->entry[next].pref->doc))
        next++;
    return next;
}

/* Mark in judged[] the positions of the ranking that are judged, and leave each entry's
 * position in .doc, UINT32_MAX where it was not retrieved. */
static void find_positions(builder *b, const place *hit, uint32_t n_hits,
                           uint32_t *judged)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const assay_slice doc = b->entry[i].pref->doc;

        while (k < n_hits && assay_slice_cmp(hit[k].doc, doc) < 0)
            k++;
        b->entry[i].doc = UINT32_MAX;
        if (k < n_hits && assay_slice_eq(hit[k].doc, doc)) {
            b->entry[i].doc = hit[k].pos;
            judged[hit[k].pos] = 1;
        }
    }
}

/* Retrieved documents are numbered by rank, the others after them by id. */
static assay_status number_docs(builder *b, const assay_slice *doc, uint32_t n_ranked,
                                assay_error *err)
{
    place *hit = ASSAY_ARENA_ARRAY(b->arena, place, n_ranked + 1);
    uint32_t *number = ASSAY_ARENA_ARRAY(b->arena, uint32_t, n_ranked + 1);
    uint32_t next, unretrieved;

    if (!hit || !number)
        return assay_fail_memory(err, "reading preferences");
    for (uint32_t i = 0; i < n_ranked; i++)
        hit[i] = (place){doc[i], i};
    if (n_ranked)
        qsort(hit, n_ranked, sizeof hit[0], by_place);
    qsort(b->entry, b->n, sizeof b->entry[0], by_doc);
    find_positions(b, hit, n_ranked, number);

    for (uint32_t i = 0; i < n_ranked; i++)
        if (number[i])
            number[i] = b->prefs->n_ret++;
    unretrieved = b->prefs->n_ret;
    for (uint32_t i = 0; i < b->n; i = next) {
        uint32_t pos = b->entry[i].doc;
        uint32_t own = pos == UINT32_MAX ? unretrieved++ : number[pos];

        next = next_doc(b, i);
        for (uint32_t k = i; k < next; k++)
            b->entry[k].doc = own;
    }
    b->prefs->n_docs = unretrieved;
    return ASSAY_OK;
}

/* ---- counting ---- */

/* Document `a` is preferred to `c` by group g. */
static void count_pref(builder *b, assay_pref_group *g, uint32_t a, uint32_t c)
{
    uint32_t n_ret = b->prefs->n_ret;

    b->count[(size_t)a * b->prefs->n_docs + c]++;
    if (a < n_ret && c < n_ret) {
        g->poss_ret++;
        g->ful_ret += a < c;
    } else if (a < n_ret || c < n_ret) {
        g->poss_imp++;
        g->ful_imp += a < n_ret;
    } else {
        g->poss_none++;
    }
}

static void count_doc(const builder *b, assay_pref_group *g, double level, uint32_t doc)
{
    bool is_ret = doc < b->prefs->n_ret;

    if (level > 0.0) {
        g->n_rel++;
        g->n_rel_ret += is_ret;
    } else {
        g->n_nonrel++;
        g->n_nonrel_ret += is_ret;
    }
}

/* ---- one subgroup: classes ---- */

static assay_status count_classes(builder *b, assay_pref_group *g, assay_error *err)
{
    for (uint32_t i = 0; i < g->n_classes; i++) {
        const assay_pref_class *high = &g->cls[i];

        for (uint32_t x = 0; x < high->n; x++)
            count_doc(b, g, high->level, high->doc[x]);
        for (uint32_t k = i + 1; k < g->n_classes; k++) {
            const assay_pref_class *low = &g->cls[k];

            for (uint32_t x = 0; x < high->n; x++) {
                for (uint32_t y = 0; y < low->n; y++) {
                    if (high->doc[x] == low->doc[y])
                        return assay_fail(err, ASSAY_EINPUT,
                                          "a document has two levels in one subgroup");
                    count_pref(b, g, high->doc[x], low->doc[y]);
                }
            }
        }
    }
    return ASSAY_OK;
}

static assay_status build_classes(builder *b, const entry *e, uint32_t n,
                                  assay_pref_group *g, assay_error *err)
{
    assay_pref_class *cls = ASSAY_ARENA_ARRAY(b->arena, assay_pref_class, n);
    uint32_t *doc = ASSAY_ARENA_ARRAY(b->arena, uint32_t, n);

    if (!cls || !doc)
        return assay_fail_memory(err, "reading preferences");
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || e[i].pref->level != e[i - 1].pref->level)
            cls[g->n_classes++] = (assay_pref_class){e[i].pref->level, &doc[i], 0};
        doc[i] = e[i].doc;
        cls[g->n_classes - 1].n++;
    }
    g->cls = cls;
    return count_classes(b, g, err);
}

/* ---- several subgroups: a matrix ---- */

/* What is preferred to something is preferred to all that this is preferred to. */
static void close_transitively(uint8_t *better, uint32_t n)
{
    for (uint32_t via = 0; via < n; via++)
        for (uint32_t a = 0; a < n; a++)
            if (better[(size_t)a * n + via])
                for (uint32_t c = 0; c < n; c++)
                    better[(size_t)a * n + c] |= better[(size_t)via * n + c];
}

static assay_status fill_matrix(const entry *e, uint32_t n, uint32_t n_docs,
                                double *level, uint8_t *better, assay_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        const assay_pref *p = e[i].pref;
        double *known = &level[e[i].doc];

        if ((*known > 0.0 && p->level == 0.0) || (*known == 0.0 && p->level > 0.0))
            return assay_fail(err, ASSAY_EINPUT,
                              "document '%.*s' is both relevant and not in one group",
                              ASSAY_QUOTE(p->doc));
        *known = p->level;
        for (uint32_t k = i + 1; k < n; k++) {
            if (!assay_slice_eq(p->subgroup, e[k].pref->subgroup))
                break;
            if (p->level != e[k].pref->level)
                better[(size_t)e[i].doc * n_docs + e[k].doc] = 1;
        }
    }
    return ASSAY_OK;
}

static assay_status count_matrix(builder *b, assay_pref_group *g, assay_error *err)
{
    uint32_t n = b->prefs->n_docs;

    for (uint32_t i = 0; i < n; i++)
        if (g->level[i] >= 0.0)
            count_doc(b, g, g->level[i], i);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t c = 0; c < n; c++) {
            if (!g->better[(size_t)a * n + c] || a == c)
                continue;
            if (g->better[(size_t)c * n + a])
                return assay_fail(err, ASSAY_EINPUT,
                                  "the preferences of one group contradict each other");
            count_pref(b, g, a, c);
        }
    }
    return ASSAY_OK;
}

static assay_status build_matrix(builder *b, const entry *e, uint32_t n,
                                 assay_pref_group *g, assay_error *err)
{
    uint32_t n_docs = b->prefs->n_docs;
    double *level = ASSAY_ARENA_ARRAY(b->arena, double, n_docs);
    uint8_t *better = ASSAY_ARENA_ARRAY(b->arena, uint8_t, (size_t)n_docs * n_docs);
    assay_status st;

    if (!level || !better)
        return assay_fail_memory(err, "reading preferences");
    for (uint32_t i = 0; i < n_docs; i++)
        level[i] = -1.0;
    st = fill_matrix(e, n, n_docs, level, better, err);
    if (st)
        return st;
    close_transitively(better, n_docs);
    for (uint32_t i = 0; i < n_docs; i++)
        better[(size_t)i * n_docs + i] = 0;
    g->level = level;
    g->better = better;
    return count_matrix(b, g, err);
}

/* ---- all groups ---- */

static assay_status build_groups(builder *b, assay_pref_group *group, assay_error *err)
{
    uint32_t end;

    for (uint32_t start = 0; start < b->n; start = end) {
        const entry *e = &b->entry[start];
        bool is_one = true;
        assay_status st;

        for (end = start + 1; end < b->n; end++) {
            if (!assay_slice_eq(e->pref->group, b->entry[end].pref->group))
                break;
            is_one =
                is_one && assay_slice_eq(e->pref->subgroup, b->entry[end].pref->subgroup);
        }
        st = is_one ? build_classes(b, e, end - start, group, err)
                    : build_matrix(b, e, end - start, group, err);
        if (st)
            return st;
        group++;
        b->prefs->n_groups++;
    }
    return ASSAY_OK;
}

static uint32_t count_groups(const builder *b)
{
    uint32_t groups = b->n > 0;

    for (uint32_t i = 1; i < b->n; i++)
        groups += !assay_slice_eq(b->entry[i - 1].pref->group, b->entry[i].pref->group);
    return groups;
}

assay_status assay_prefs_build(const assay_slice *doc, uint32_t n_ranked,
                               const assay_pref *pref, uint32_t n_prefs,
                               assay_arena *arena, const assay_prefs **out,
                               assay_error *err)
{
    builder b = {.n = n_prefs, .arena = arena};
    assay_pref_group *group;
    assay_status st;

    b.prefs = ASSAY_ARENA_ARRAY(arena, assay_prefs, 1);
    b.entry = ASSAY_ARENA_ARRAY(arena, entry, (size_t)n_prefs + 1);
    if (!b.prefs || !b.entry)
        return assay_fail_memory(err, "reading preferences");
    for (uint32_t i = 0; i < n_prefs; i++)
        b.entry[i].pref = &pref[i];
    st = number_docs(&b, doc, n_ranked, err);
    if (st)
        return st;

    qsort(b.entry, b.n, sizeof b.entry[0], by_group);
    b.count =
        ASSAY_ARENA_ARRAY(arena, uint16_t, (size_t)b.prefs->n_docs * b.prefs->n_docs + 1);
    group = ASSAY_ARENA_ARRAY(arena, assay_pref_group, count_groups(&b) + 1);
    if (!b.count || !group)
        return assay_fail_memory(err, "reading preferences");
    st = build_groups(&b, group, err);
    if (st)
        return st;
    b.prefs->group = group;
    b.prefs->count = b.count;
    *out = b.prefs;
    return ASSAY_OK;
}
