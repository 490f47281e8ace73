/* SPDX-License-Identifier: Apache-2.0 */
/* What all golden formats share once a file has been read: no id twice, no judgment
 * twice, and the label of each query. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "golden/golden.h"

const char *assay_label_name(assay_label label)
{
    static const char *const name[] = {
        [ASSAY_LABEL_LABELLED] = "labelled",
        [ASSAY_LABEL_UNLABELLED] = "unlabelled",
        [ASSAY_LABEL_SHOULD_REFUSE] = "should_refuse",
        [ASSAY_LABEL_NEGATIVE] = "negative",
        [ASSAY_LABEL_STALE] = "stale",
    };

    return name[label];
}

/* What messages call the set; one that was built by calls has no path. */
static const char *path_of(const assay_golden *golden)
{
    if (golden->judged_path)
        return golden->judged_path;
    return golden->path ? golden->path : "golden set";
}

/* ---- query ids ---- */

/* Name every id that stands more than once, with its lines. */
static assay_status fail_ids(const assay_golden *golden, assay_error *err)
{
    uint32_t *first = ASSAY_NEW_ARRAY(uint32_t, golden->ids.n);
    assay_name_list list = {{0}, 0, 0, 0};
    uint32_t line = 0;

    if (!first)
        return assay_fail_memory(err, "reading a golden set");
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];
        uint32_t number = assay_dict_find(&golden->ids, q->id);

        if (!first[number]) {
            first[number] = i + 1;
            continue;
        }
        if (!list.n)
            line = q->line;
        if (q->line)
            assay_name_list_printf(&list, "'%.*s' (lines %u and %u)", ASSAY_QUOTE(q->id),
                                   golden->query[first[number] - 1].line, q->line);
        else
            assay_name_list_add(&list, q->id);
    }
    assay_mem_free(first);
    return assay_fail_at(err, path_of(golden), line, "query ids that come twice: %s",
                         assay_name_list_text(&list));
}

/* ---- judgments ---- */

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By what is judged; equal means the same thing. */
static int compare_object(const assay_judgment *a, const assay_judgment *b)
{
    const uint64_t x[] = {a->doc,   a->chunk,       a->subtopic, a->heading,
                          a->place, a->where.start, a->where.end};
    const uint64_t y[] = {b->doc,   b->chunk,       b->subtopic, b->heading,
                          b->place, b->where.start, b->where.end};

    for (size_t i = 0; i < ASSAY_COUNT(x); i++)
        if (x[i] != y[i])
            return compare_u64(x[i], y[i]);
    return assay_slice_cmp(a->quote, b->quote);
}

/* Sorts pointers, so that equal ones keep the order of the file. */
static int compare_pointers(const void *a, const void *b)
{
    const assay_judgment *x = *(const assay_judgment *const *)a;
    const assay_judgment *y = *(const assay_judgment *const *)b;
    int order = compare_object(x, y);

    return order ? order : (x > y) - (x < y);
}

/* What one pass over all queries needs. */
typedef struct checker {
    assay_golden *golden;
    uint32_t *seen_doc; /* by document: the last query + 1 that judged it */
    uint32_t *seen_chunk;
    assay_judgment **sorted; /* scratch */
    size_t cap_sorted;
    assay_name_list twice; /* judgments that contradict or repeat */
    uint32_t first_line;   /* of the first in that list */
    uint32_t n_dropped;    /* repeats that were dropped quietly */
} checker;

/* Quick: false when no id is named twice in the query. */
static bool may_repeat(checker *c, uint32_t number)
{
    const assay_query *q = &c->golden->query[number];
    bool found = false;

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];
        uint32_t *seen =
            j->doc != ASSAY_NONE ? &c->seen_doc[j->doc] : &c->seen_chunk[j->chunk];

        found = found || *seen == number + 1;
        *seen = number + 1;
    }
    return found;
}

static void say_twice(checker *c, const assay_query *q, const assay_judgment *a,
                      const assay_judgment *b)
{
    bool is_doc = a->doc != ASSAY_NONE;
    assay_slice id =
        is_doc ? c->golden->docs.word[a->doc] : c->golden->chunks.word[a->chunk];
    char lines[40] = "";

    if (b->line)
        snprintf(lines, sizeof lines, " (lines %u and %u)", a->line, b->line);
    if (!c->twice.n)
        c->first_line = b->line;
    assay_name_list_printf(&c->twice, "%s '%.*s' of query '%.*s'%s",
                           is_doc ? "document" : "chunk",
                           (int)(id.len < 50 ? id.len : 50), id.ptr,
                           (int)(q->id.len < 50 ? q->id.len : 50), q->id.ptr, lines);
}

/* Close the gaps that dropped judgments (marked by a line of UINT32_MAX) leave. */
static void close_up(assay_query *q)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].line != UINT32_MAX)
            q->judgment[kept++] = q->judgment[i];
    q->n_judgments = kept;
}

static bool check_query(checker *c, uint32_t number)
{
    assay_query *q = &c->golden->query[number];
    assay_judgment **sorted;
    uint32_t dropped = 0;

    if (!may_repeat(c, number))
        return true;
    sorted = assay_mem_grow(c->sorted, &c->cap_sorted, q->n_judgments, sizeof *sorted);
    if (!sorted)
        return false;
    c->sorted = sorted;
    for (uint32_t i = 0; i < q->n_judgments; i++)
        sorted[i] = &q->judgment[i];
    qsort(sorted, q->n_judgments, sizeof *sorted, compare_pointers);
    for (uint32_t i = 1, first = 0; i < q->n_judgments; i++) {
        if (compare_object(sorted[first], sorted[i]) != 0) {
            first = i;
        } else if (c->golden->format && c->golden->format->has_sets &&
                   sorted[i]->grade == sorted[first]->grade) {
            sorted[i]->line = UINT32_MAX;
            dropped++;
        } else {
            say_twice(c, q, sorted[first], sorted[i]);
        }
    }
    if (dropped)
        close_up(q);
    c->n_dropped += dropped;
    return true;
}

static assay_status check_judgments(assay_golden *golden, assay_error *err)
{
    checker c = {.golden = golden};
    bool has_memory;

    c.seen_doc = ASSAY_NEW_ARRAY(uint32_t, golden->docs.n);
    c.seen_chunk = ASSAY_NEW_ARRAY(uint32_t, golden->chunks.n);
    has_memory = c.seen_doc && c.seen_chunk;
    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++)
        has_memory = check_query(&c, i);
    assay_mem_free(c.seen_doc);
    assay_mem_free(c.seen_chunk);
    assay_mem_free(c.sorted);
    if (has_memory && c.n_dropped)
        has_memory = assay_notes_add(&golden->notes, &golden->arena,
                                     "%u %s twice in a list and %s once", c.n_dropped,
                                     c.n_dropped == 1 ? "id stands" : "ids stand",
                                     c.n_dropped == 1 ? "counts" : "count");
    if (!has_memory)
        return assay_fail_memory(err, "reading a golden set");
    if (c.twice.n)
        return assay_fail_at(err, path_of(golden), c.first_line, "judged twice: %s",
                             assay_name_list_text(&c.twice));
    return ASSAY_OK;
}

/* ---- labels ---- */

/* Readers have said what is explicit; the rest follows from the judgments.  A pooled
 * document that nobody judged says nothing. */
static void set_label(assay_query *q)
{
    if (q->label == ASSAY_LABEL_SHOULD_REFUSE)
        return;
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        if (q->judgment[i].grade >= 0) {
            q->label = ASSAY_LABEL_LABELLED;
            return;
        }
    }
}

static bool add_notes(assay_golden *golden)
{
    uint32_t n = golden->n_queries;
    uint32_t without = 0;

    for (uint32_t i = 0; i < n; i++)
        without += golden->query[i].text.len == 0;
    if (without && without < n &&
        !assay_notes_add(&golden->notes, &golden->arena, "%u of %u queries have no text",
                         without, n))
        return false;
    if (golden->n_unknown_keys &&
        !assay_notes_add(&golden->notes, &golden->arena, "%u unknown %s ignored",
                         golden->n_unknown_keys,
                         golden->n_unknown_keys == 1 ? "key was" : "keys were"))
        return false;
    return !golden->format || !golden->format->says_few || n >= ASSAY_GOLDEN_FEW ||
           assay_notes_add(&golden->notes, &golden->arena,
                           "only %u %s: nothing can be concluded from so few", n,
                           n == 1 ? "query" : "queries");
}

assay_status assay_golden_finish(assay_golden *golden, assay_error *err)
{
    assay_status st;

    if (!golden->n_queries)
        return assay_fail_at(err, path_of(golden), 0, "no queries in it");
    if (golden->ids.n != golden->n_queries)
        return fail_ids(golden, err);
    st = check_judgments(golden, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        set_label(&golden->query[i]);
    if (!add_notes(golden))
        return assay_fail_memory(err, "reading a golden set");
    return ASSAY_OK;
}
