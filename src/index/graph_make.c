/* SPDX-License-Identifier: Apache-2.0 */
/* A graph made from the passages themselves.
 *
 *     1. candidates: titles, and the names of every passage (names.c)
 *     2. kept: proper names in at most a tenth of the passages; phrases in two or more
 *        of them besides
 *     3. places: every passage is searched for every kept name
 *     4. relations: names within one sentence, each with the next three
 *
 * 1 and 3 run on all threads, passage by passage; the rest follows the passages' order, so
 * the graph does not depend on the number of threads. */
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "index/graph.h"
#include "index/names.h"
#include "text/fold.h"

enum {
    PHRASE_LEAST = 2,       /* passages that a phrase must stand in */
    PHRASES_UP_TO = 300000, /* passages: beyond, phrases are too many to be counted */
    NEIGHBOURS = 3
};

/* Relations found by being near are guesses. */
static const double NEAR_WEIGHT = 0.5;

typedef struct passage_names {
    assay_names names;
    assay_slice key; /* folded title and text */
    uint32_t *named; /* entities found in it */
    uint32_t n_named;
} passage_names;

typedef struct maker {
    const assay_passages *passages;
    passage_names *part;                /* by passage */
    assay_arena arena[ASSAY_POOL_MOST]; /* by thread */
    bool has_failed[ASSAY_POOL_MOST];
    bool phrases;
    assay_dict keys; /* of all candidates */
    struct tally *tally;
    size_t cap_tally;
    assay_graph_builder builder;
    assay_aho names; /* of those kept */
    uint32_t n_threads;
} maker;

/* What is known of a candidate. */
typedef struct tally {
    uint32_t n_passages;
    uint32_t last; /* passage that was counted last, + 1 */
    bool is_proper;
    uint32_t entity; /* ASSAY_NONE: not kept */
    assay_slice name;
} tally;

/* ---- candidates ---- */

/* "Mercury (planet)" -> "Mercury" */
static assay_slice plain_title(assay_slice title)
{
    const char *open = title.len ? memchr(title.ptr, '(', title.len) : NULL;

    if (open && open > title.ptr)
        title.len = (size_t)(open - title.ptr);
    return assay_slice_trim(title);
}

static bool add_title(assay_slice title, assay_arena *arena, assay_names *out)
{
    assay_slice key;
    assay_name *item = assay_mem_grow(out->item, &out->cap, out->n + 1, sizeof *item);

    if (!item || !assay_fold_key(title, arena, &key))
        return false;
    out->item = item;
    if (key.len)
        item[out->n++] = (assay_name){title, key, UINT32_MAX, ASSAY_NAME_PROPER};
    return true;
}

static bool fold_passage(const assay_passage *p, assay_arena *arena, assay_slice *out)
{
    assay_buffer whole = ASSAY_BUFFER_EMPTY;
    bool ok;

    assay_buffer_slice(&whole, p->title);
    assay_buffer_text(&whole, " . ");
    assay_buffer_slice(&whole, p->text);
    ok = !whole.has_failed && assay_fold_key(assay_buffer_view(&whole), arena, out);
    assay_buffer_clear(&whole);
    return ok;
}

static void collect(void *ctx, uint32_t worker, size_t i)
{
    maker *m = ctx;
    const assay_passage *p = &m->passages->item[i];
    passage_names *part = &m->part[i];
    assay_arena *arena = &m->arena[worker];

    if (!add_title(plain_title(p->title), arena, &part->names) ||
        !assay_names_find(p->text, m->phrases, arena, &part->names) ||
        !fold_passage(p, arena, &part->key))
        m->has_failed[worker] = true;
}

static bool has_failed(const maker *m)
{
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++)
        if (m->has_failed[i])
            return true;
    return false;
}

/* ---- counting ---- */

static bool count_name(maker *m, const assay_name *name, uint32_t passage)
{
    uint32_t number;
    bool is_new;
    tally *t;

    if (!assay_dict_put(&m->keys, NULL, name->key, &number, &is_new))
        return false;
    if (is_new) {
        t = assay_mem_grow(m->tally, &m->cap_tally, number + 1u, sizeof *t);
        if (!t)
            return false;
        m->tally = t;
        t[number] = (tally){.entity = ASSAY_NONE, .name = name->text};
    }
    t = &m->tally[number];
    t->is_proper = t->is_proper || name->kind == ASSAY_NAME_PROPER;
    t->n_passages += t->last != passage + 1;
    t->last = passage + 1;
    return true;
}

static bool count_all(maker *m)
{
    for (uint32_t i = 0; i < m->passages->n; i++)
        for (size_t j = 0; j < m->part[i].names.n; j++)
            if (!count_name(m, &m->part[i].names.item[j], i))
                return false;
    return true;
}

static bool keep_some(maker *m)
{
    uint32_t most = m->passages->n / 10 > 2 ? m->passages->n / 10 : 2;

    for (uint32_t i = 0; i < m->keys.n; i++) {
        tally *t = &m->tally[i];

        if (t->n_passages > most || (!t->is_proper && t->n_passages < PHRASE_LEAST))
            continue;
        if (!assay_graph_entity(&m->builder, m->keys.word[i], t->name, 1, &t->entity) ||
            !assay_aho_add(&m->names, m->keys.word[i], t->entity))
            return false;
    }
    return assay_aho_finish(&m->names);
}

/* ---- places and relations ---- */

static void search(void *ctx, uint32_t worker, size_t i)
{
    maker *m = ctx;
    passage_names *part = &m->part[i];

    if (!assay_graph_named(&m->names, part->key, true, &m->arena[worker], &part->named,
                           &part->n_named))
        m->has_failed[worker] = true;
}

static bool put_places(maker *m)
{
    for (uint32_t i = 0; i < m->passages->n; i++)
        for (uint32_t j = 0; j < m->part[i].n_named; j++)
            if (!assay_graph_put(&m->builder, m->part[i].named[j], i, 1))
                return false;
    return true;
}

static uint32_t entity_of(const maker *m, const assay_name *name)
{
    uint32_t number = assay_dict_find(&m->keys, name->key);

    return number == ASSAY_NONE ? ASSAY_NONE : m->tally[number].entity;
}

/* Proper names of a sentence stand one behind the other in the list. */
static bool relate(maker *m, const assay_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        const assay_name *a = &names->item[i];
        uint32_t x = a->kind == ASSAY_NAME_PROPER ? entity_of(m, a) : ASSAY_NONE;
        int near = 0;

        for (size_t j = i + 1; x != ASSAY_NONE && j < names->n && near < NEIGHBOURS;
             j++) {
            const assay_name *b = &names->item[j];
            uint32_t y;

            if (b->sentence != a->sentence)
                break;
            y = b->kind == ASSAY_NAME_PROPER ? entity_of(m, b) : ASSAY_NONE;
            near += y != ASSAY_NONE;
            if (y != ASSAY_NONE && !assay_graph_relate(&m->builder, x, y, NEAR_WEIGHT))
                return false;
        }
    }
    return true;
}

static bool relate_all(maker *m)
{
    for (uint32_t i = 0; i < m->passages->n; i++)
        if (!relate(m, &m->part[i].names))
            return false;
    return true;
}

/* ---- all of it ---- */

static bool make(maker *m)
{
    uint32_t n = m->passages->n;

    m->part = ASSAY_NEW_ARRAY(passage_names, n + 1u);
    if (!m->part)
        return false;
    assay_pool_run(m->n_threads, n, collect, m);
    if (has_failed(m) || !count_all(m) || !keep_some(m))
        return false;
    assay_pool_run(m->n_threads, n, search, m);
    return !has_failed(m) && put_places(m) && relate_all(m);
}

static void clear(maker *m)
{
    for (uint32_t i = 0; m->part && i < m->passages->n; i++)
        assay_names_clear(&m->part[i].names);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_arena_clear(&m->arena[i]);
    assay_mem_free(m->part);
    assay_mem_free(m->tally);
    assay_dict_clear(&m->keys);
    assay_aho_clear(&m->names);
    assay_graph_builder_clear(&m->builder);
    assay_mem_free(m);
}

assay_status assay_graph_make(const assay_passages *passages, uint32_t n_threads,
                              assay_graph **out, assay_error *err)
{
    maker *m = ASSAY_NEW(maker);
    assay_status st;

    if (!m)
        return assay_fail_memory(err, "making the graph");
    m->passages = passages;
    m->n_threads = n_threads;
    m->phrases = passages->n <= PHRASES_UP_TO;
    m->builder.n_passages = passages->n;
    st = make(m) ? assay_graph_build(&m->builder, out, err)
                 : assay_fail_memory(err, "making the graph");
    clear(m);
    return st;
}
