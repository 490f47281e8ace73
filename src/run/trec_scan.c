/* SPDX-License-Identifier: Apache-2.0 */
/* Which query does each line of a TREC run belong to?
 *
 * A query's lines usually stand together: the common case is one comparison of the
 * line's first bytes with the query id before it, and one search for the line's end. */
#include "run/trec_scan.h"

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/scan.h"

enum { COUNT_BITS = ASSAY_TREC_COUNT_BITS, COUNT_MOST = ASSAY_TREC_COUNT_MOST };

static bool is_here(const assay_trec_part *p, const char *at)
{
    if (ASSAY_LIKELY(p->qid_mask && p->end - at >= 8))
        return (assay_bytes_load(at) & p->qid_mask) == p->qid_word;
    return (size_t)(p->end - at) > p->qid.len &&
           memcmp(at, p->qid.ptr, p->qid.len) == 0 && assay_scan_is_space(at[p->qid.len]);
}

static void remember_query(assay_trec_part *p, assay_slice qid)
{
    p->qid = qid;
    p->qid_mask = 0;
    if (qid.len <= 7 && p->end - qid.ptr >= 8) {
        p->qid_mask = ~UINT64_C(0) >> (8 * (7 - qid.len));
        p->qid_word = assay_bytes_load(qid.ptr) & p->qid_mask;
    }
}

/* ---- room ---- */

static bool grow_places(assay_trec_part *p)
{
    size_t cap = p->cap ? 2 * p->cap : 256;
    uint64_t *place = assay_mem_resize(p->place, cap, sizeof *place);
    uint32_t *query;

    if (!place)
        return false;
    p->place = place;
    query = assay_mem_resize(p->query, cap, sizeof *query);
    if (!query)
        return false;
    p->query = query;
    p->cap = cap;
    return true;
}

static uint32_t *grow_zeroed(uint32_t *array, size_t old, size_t cap)
{
    uint32_t *moved = assay_mem_resize(array, cap, sizeof *moved);

    if (moved)
        memset(moved + old, 0, (cap - old) * sizeof *moved);
    return moved;
}

static bool grow_queries(assay_trec_part *p)
{
    size_t cap = p->cap_queries ? 2 * p->cap_queries : 256;
    uint32_t *places = grow_zeroed(p->n_places, p->cap_queries, cap);
    uint32_t *lines;

    if (!places)
        return false;
    p->n_places = places;
    lines = grow_zeroed(p->n_lines, p->cap_queries, cap);
    if (!lines)
        return false;
    p->n_lines = lines;
    p->cap_queries = cap;
    return true;
}

static void open_place(assay_trec_part *p, const char *at)
{
    if ((p->n == p->cap && !grow_places(p)) ||
        (p->current >= p->cap_queries && !grow_queries(p))) {
        p->has_failed = true;
        return;
    }
    p->place[p->n] = (uint64_t)(at - p->file) << COUNT_BITS | 1;
    p->query[p->n++] = p->current;
    p->n_places[p->current]++;
    p->n_lines[p->current]++;
    p->is_open = true;
}

/* ---- short ids ---- */

static size_t word_slot(const assay_trec_part *p, uint64_t word)
{
    size_t at = (size_t)((word * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (p->n_words - 1);

    while (p->word[at] && p->word[at] != word)
        at = (at + 1) & (p->n_words - 1);
    return at;
}

static bool grow_words(assay_trec_part *p)
{
    assay_trec_part bigger = *p;

    bigger.n_words = p->n_words ? 2 * p->n_words : 1024;
    bigger.word = ASSAY_NEW_ARRAY(uint64_t, bigger.n_words);
    bigger.number = ASSAY_NEW_ARRAY(uint32_t, bigger.n_words);
    if (!bigger.word || !bigger.number) {
        assay_mem_free(bigger.word);
        assay_mem_free(bigger.number);
        return false;
    }
    for (size_t i = 0; i < p->n_words; i++)
        if (p->word[i]) {
            size_t at = word_slot(&bigger, p->word[i]);

            bigger.word[at] = p->word[i];
            bigger.number[at] = p->number[i];
        }
    assay_mem_free(p->word);
    assay_mem_free(p->number);
    *p = bigger;
    return true;
}

/* The number of an id of 1 to 7 bytes.  In a shuffled file every line asks, so that
 * short ids are compared as one machine word instead of going through the dictionary. */
static bool find_short(assay_trec_part *p, uint64_t word)
{
    size_t at;

    if (2 * (size_t)p->ids.n >= p->n_words && !grow_words(p))
        return false;
    at = word_slot(p, word);
    if (!p->word[at]) {
        if (!assay_dict_put(&p->ids, NULL, p->qid, &p->number[at], NULL))
            return false;
        p->word[at] = word;
    }
    p->current = p->number[at];
    return true;
}

/* ---- lines ---- */

bool assay_trec_part_is_blank(const assay_trec_part *part, const char *at,
                              const char *end)
{
    while (at < end && assay_scan_is_space(*at))
        at++;
    return at == end || (part->has_comments && *at == '#');
}

/* A line that does not go on with the query before it. */
static void begin_line(assay_trec_part *p, const char *line, const char *end)
{
    const char *at = line;
    const char *stop;
    bool is_good;

    if (assay_trec_part_is_blank(p, line, end)) {
        p->is_open = false;
        return;
    }
    p->last_line = line;
    while (assay_scan_is_space(*at))
        at++;
    stop = at;
    while (stop < end && !assay_scan_is_space(*stop))
        stop++;
    remember_query(p, (assay_slice){at, (size_t)(stop - at)});
    if (p->qid_mask)
        is_good = find_short(p, p->qid_word & (p->qid_mask >> 8));
    else
        is_good = assay_dict_put(&p->ids, NULL, p->qid, &p->current, NULL);
    if (is_good)
        open_place(p, line);
    else
        p->has_failed = true;
}

static void extend_place(assay_trec_part *p, const char *at)
{
    p->last_line = at;
    if (ASSAY_UNLIKELY((p->place[p->n - 1] & COUNT_MOST) == COUNT_MOST)) {
        open_place(p, at);
        return;
    }
    p->place[p->n - 1]++;
    p->n_lines[p->current]++;
}

/* One query number for each line instead of places: 4 bytes a line instead of 12. */
static void scatter(assay_trec_part *p, size_t n_lines)
{
    uint32_t *query = assay_mem_alloc(n_lines * sizeof *query);
    size_t n = 0;

    if (!query) {
        p->has_failed = true;
        return;
    }
    for (size_t i = 0; i < p->n; i++)
        for (uint64_t left = p->place[i] & COUNT_MOST; left; left--)
            query[n++] = p->query[i];
    assay_mem_free(p->place);
    assay_mem_free(p->query);
    p->place = NULL;
    p->query = query;
    p->n = n;
    p->is_scattered = true;
}

void assay_trec_part_scan(assay_trec_part *part)
{
    const char *at = part->text.ptr;
    const char *end = at + part->text.len;
    size_t n_lines = 0;

    while (at < end && !part->has_failed) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            stop = end;
        if (part->is_open && is_here(part, at))
            extend_place(part, at);
        else
            begin_line(part, at, stop);
        n_lines++;
        at = stop + 1;
    }
    if (!part->has_failed && 4 * part->n > n_lines && part->n > 1000)
        scatter(part, n_lines);
    assay_mem_free(part->word);
    assay_mem_free(part->number);
    part->word = NULL;
    part->number = NULL;
}

void assay_trec_part_clear(assay_trec_part *part)
{
    assay_dict_clear(&part->ids);
    assay_mem_free(part->place);
    assay_mem_free(part->query);
    assay_mem_free(part->n_places);
    assay_mem_free(part->n_lines);
    assay_mem_free(part->word);
    assay_mem_free(part->number);
    assay_mem_free(part->global);
    assay_mem_free(part->next);
}
