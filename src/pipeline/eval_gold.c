/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/eval_gold.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "metric/subtopics.h"

/* ---- order ---- */

typedef struct keyed {
    assay_slice id;
    uint32_t query;
} keyed;

static int by_id(const void *a, const void *b)
{
    const keyed *x = a;
    const keyed *y = b;

    return assay_slice_cmp(x->id, y->id);
}

assay_status assay_eval_gold_open(assay_eval_gold *gold, const assay_golden *golden,
                                  assay_error *err)
{
    keyed *key = ASSAY_NEW_ARRAY(keyed, golden->n_queries + 1);

    *gold = (assay_eval_gold){.golden = golden, .max_grade = 1};
    gold->order = ASSAY_ARENA_ARRAY(&gold->arena, uint32_t, golden->n_queries + 1);
    if (!key || !gold->order) {
        assay_mem_free(key);
        assay_eval_gold_close(gold);
        return assay_fail_memory(err, "ordering the queries");
    }
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];

        for (uint32_t j = 0; j < q->n_judgments; j++)
            if (q->judgment[j].grade > gold->max_grade)
                gold->max_grade = q->judgment[j].grade;
        if (q->is_draft)
            gold->n_drafts += !q->is_unasked;
        else
            key[gold->n_order++] = (keyed){q->id, i};
    }
    qsort(key, gold->n_order, sizeof *key, by_id);
    for (uint32_t i = 0; i < gold->n_order; i++)
        gold->order[i] = key[i].query;
    assay_mem_free(key);
    return ASSAY_OK;
}

void assay_eval_gold_close(assay_eval_gold *gold)
{
    assay_arena_clear(&gold->arena);
    *gold = (assay_eval_gold){0};
}

assay_status assay_eval_gold_only(assay_eval_gold *gold, const uint32_t *query,
                                  uint32_t n, assay_error *err)
{
    uint32_t *order = ASSAY_ARENA_ARRAY(&gold->arena, uint32_t, n + 1);

    if (!order)
        return assay_fail_memory(err, "choosing the queries");
    if (n)
        memcpy(order, query, n * sizeof *order);
    gold->order = order;
    gold->n_order = n;
    return ASSAY_OK;
}

void assay_eval_gold_project(assay_eval_gold *gold, const assay_projection *view)
{
    gold->chunks = view;
    gold->chunk = NULL;
}

/* ---- which judgments speak at a level ---- */

static bool speaks(const assay_eval_gold *gold, const assay_judgment *j,
                   assay_level level)
{
    switch (level) {
    case ASSAY_LEVEL_EVIDENCE: return assay_judgment_is_evidence(j);
    case ASSAY_LEVEL_CHUNK:
        return (j->chunk != ASSAY_NONE && !j->stale) ||
               (gold->chunks && assay_judgment_is_evidence(j));
    case ASSAY_LEVEL_DOC:
    case ASSAY_LEVEL_AUTO: break;
    }
    return j->doc != ASSAY_NONE && j->stale != ASSAY_STALE_LOST;
}

uint32_t assay_eval_gold_covered(const assay_eval_gold *gold, assay_level level,
                                 uint32_t *n_labelled)
{
    uint32_t covered = 0;

    *n_labelled = 0;
    for (uint32_t i = 0; i < gold->n_order; i++) {
        const assay_query *q = &gold->golden->query[gold->order[i]];
        uint32_t j = 0;

        if (q->label != ASSAY_LABEL_LABELLED)
            continue;
        ++*n_labelled;
        while (j < q->n_judgments && !speaks(gold, &q->judgment[j], level))
            j++;
        covered += j < q->n_judgments;
    }
    return covered;
}

/* ---- grades ---- */

typedef struct builder {
    assay_eval_gold *gold;
    assay_level level;
    assay_subtopic_grade *item; /* room for the judgments of the longest query */
    assay_slice *id;
    int32_t *grade;
} builder;

static uint32_t collect(const builder *b, const assay_query *q)
{
    const assay_golden *g = b->gold->golden;
    uint32_t n = 0;

    for (uint32_t j = 0; j < q->n_judgments; j++) {
        const assay_judgment *judgment = &q->judgment[j];

        if (!speaks(b->gold, judgment, b->level))
            continue;
        b->item[n++] = (assay_subtopic_grade){.id = b->level == ASSAY_LEVEL_CHUNK
                                                        ? g->chunks.word[judgment->chunk]
                                                        : g->docs.word[judgment->doc],
                                              .subtopic = judgment->subtopic,
                                              .grade = judgment->grade};
    }
    return n;
}

/* The same for chunks of the run's chunking that find the evidence. */
static uint32_t collect_chunks(const builder *b, const assay_query *q)
{
    const assay_projection *view = b->gold->chunks;
    uint32_t at = view->query[q - b->gold->golden->query];
    uint32_t n = 0;

    for (uint32_t j = 0; j < q->n_judgments; j++)
        for (uint32_t i = view->first[at + j]; i < view->first[at + j + 1]; i++)
            b->item[n++] = (assay_subtopic_grade){.id = view->id[i],
                                                  .subtopic = q->judgment[j].subtopic,
                                                  .grade = q->judgment[j].grade};
    return n;
}

/* Grades of one query; with subtopics where its judgments name some. */
static bool build_one(const builder *b, const assay_query *q, assay_grades *out)
{
    bool is_viewed = b->level == ASSAY_LEVEL_CHUNK && b->gold->chunks;
    uint32_t n = is_viewed ? collect_chunks(b, q) : collect(b, q);
    bool has_subtopics = false;

    for (uint32_t i = 0; i < n; i++)
        has_subtopics |= b->item[i].subtopic != ASSAY_NONE;
    if (!n)
        return true;
    if (has_subtopics)
        return assay_subtopics_build(out, &b->gold->arena, b->item, n);
    for (uint32_t i = 0; i < n; i++) {
        b->id[i] = b->item[i].id;
        b->grade[i] = b->item[i].grade;
    }
    return assay_grades_build(out, &b->gold->arena, b->id, b->grade, n, NULL);
}

static assay_grades *build_grades(builder *b)
{
    const assay_golden *g = b->gold->golden;
    assay_grades *all =
        ASSAY_ARENA_ARRAY(&b->gold->arena, assay_grades, g->n_queries + 1);

    for (uint32_t i = 0; all && i < g->n_queries; i++)
        if (!build_one(b, &g->query[i], &all[i]))
            return NULL;
    return all;
}

static assay_anchors *build_anchors(assay_eval_gold *gold)
{
    const assay_golden *g = gold->golden;
    assay_anchors *all = ASSAY_ARENA_ARRAY(&gold->arena, assay_anchors, g->n_queries + 1);

    for (uint32_t i = 0; all && i < g->n_queries; i++)
        if (!assay_anchors_of_query(&all[i], &gold->arena, g, &g->query[i]))
            return NULL;
    return all;
}

static bool builder_room(builder *b)
{
    const assay_golden *g = b->gold->golden;
    uint32_t most = b->gold->chunks && b->gold->chunks->most ? b->gold->chunks->most : 1;

    for (uint32_t i = 0; i < g->n_queries; i++)
        if (g->query[i].n_judgments > most)
            most = g->query[i].n_judgments;
    b->id = ASSAY_NEW_ARRAY(assay_slice, most);
    b->grade = ASSAY_NEW_ARRAY(int32_t, most);
    b->item = ASSAY_NEW_ARRAY(assay_subtopic_grade, most);
    return b->id && b->grade && b->item;
}

assay_status assay_eval_gold_level(assay_eval_gold *gold, assay_level level,
                                   assay_error *err)
{
    builder b = {.gold = gold, .level = level};
    bool is_evidence = level == ASSAY_LEVEL_EVIDENCE;
    assay_grades **grades = level == ASSAY_LEVEL_CHUNK ? &gold->chunk : &gold->doc;

    if (is_evidence ? gold->anchors != NULL : *grades != NULL)
        return ASSAY_OK;
    if (is_evidence)
        gold->anchors = build_anchors(gold);
    else if (builder_room(&b))
        *grades = build_grades(&b);
    assay_mem_free(b.id);
    assay_mem_free(b.grade);
    assay_mem_free(b.item);
    if (is_evidence ? !gold->anchors : !*grades)
        return assay_fail_memory(err, "indexing the judgments");
    return ASSAY_OK;
}
