/* SPDX-License-Identifier: Apache-2.0 */
/* The judge lays the golden set over a ranking.
 *
 * Most rankings come sorted, so that order is checked before anything is moved.  Each id
 * is hashed once: the hash finds duplicates and then the grade. */
#include "metric/judge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"

/* ---- the golden set's side ---- */

static int higher_first(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (y > x) - (y < x);
}

/* Grades, highest first.  Nearly all golden sets grade from 0 to a few: then counting
 * them is enough. */
static void sort_ideal(int32_t *ideal, uint32_t n)
{
    enum { FEW = 16 };
    uint32_t count[FEW] = {0};
    uint32_t n_few = 0;

    for (uint32_t i = 0; i < n; i++)
        if (ideal[i] < FEW) {
            count[ideal[i]]++;
            n_few++;
        }
    if (n_few < n) {
        qsort(ideal, n, sizeof *ideal, higher_first);
        return;
    }
    for (int32_t grade = FEW - 1; grade >= 0; grade--)
        for (uint32_t left = count[grade]; left; left--)
            *ideal++ = grade;
}

static uint32_t slots_for(uint32_t n)
{
    uint32_t slots = 4;

    /* A quarter full: most look-ups are of ids that nobody judged, and end at the first
     * slot. */
    while (slots < 4 * (uint64_t)n && slots < UINT32_MAX / 2)
        slots *= 2;
    return slots;
}

uint32_t assay_grades_find(const assay_grades *grades, const char *id, uint32_t len,
                           uint64_t hash)
{
    uint32_t at;

    if (!grades->n)
        return ASSAY_NONE;
    at = (uint32_t)hash & grades->mask;
    while (grades->slot[at]) {
        uint32_t i = grades->slot[at] - 1;

        if (grades->hash[i] == hash && grades->id[i].len == len &&
            memcmp(grades->id[i].ptr, id, len) == 0)
            return i;
        at = (at + 1) & grades->mask;
    }
    return ASSAY_NONE;
}

/* Arrays of a table under construction: the same as assay_grades, writable. */
typedef struct table {
    assay_slice *id;
    int32_t *grade;
    uint64_t *hash;
    uint32_t *slot;
    int32_t *ideal;
} table;

static bool table_alloc(table *t, assay_arena *arena, uint32_t n, uint32_t n_slots)
{
    t->id = ASSAY_ARENA_ARRAY(arena, assay_slice, n);
    t->grade = ASSAY_ARENA_ARRAY(arena, int32_t, n);
    t->hash = ASSAY_ARENA_ARRAY(arena, uint64_t, n);
    t->slot = ASSAY_ARENA_ARRAY(arena, uint32_t, n_slots);
    t->ideal = ASSAY_ARENA_ARRAY(arena, int32_t, n);
    return t->id && t->grade && t->hash && t->slot && t->ideal;
}

static void table_insert(table *t, assay_grades *g, assay_slice id, int32_t grade)
{
    uint64_t hash = assay_hash(id.ptr, id.len);
    uint32_t found = assay_grades_find(g, id.ptr, (uint32_t)id.len, hash);
    uint32_t at = (uint32_t)hash & g->mask;

    if (found != ASSAY_NONE) {
        if (grade > t->grade[found])
            t->grade[found] = grade;
        return;
    }
    while (t->slot[at])
        at = (at + 1) & g->mask;
    t->id[g->n] = id;
    t->grade[g->n] = grade;
    t->hash[g->n] = hash;
    t->slot[at] = ++g->n;
}

bool assay_grades_build(assay_grades *out, assay_arena *arena, const assay_slice *id,
                        const int32_t *grade, uint32_t n, uint32_t *n_repeated)
{
    uint32_t n_slots = slots_for(n);
    assay_grades g = {.mask = n_slots - 1};
    table t;

    if (!table_alloc(&t, arena, n, n_slots))
        return false;
    g.id = t.id;
    g.grade = t.grade;
    g.hash = t.hash;
    g.slot = t.slot;
    g.ideal = t.ideal;
    for (uint32_t i = 0; i < n; i++)
        table_insert(&t, &g, id[i], grade[i] < 0 ? ASSAY_POOLED : grade[i]);
    for (uint32_t i = 0; i < g.n; i++) {
        if (t.grade[i] >= 0)
            t.ideal[g.n_ideal++] = t.grade[i];
        else
            g.n_pooled++;
    }
    sort_ideal(t.ideal, g.n_ideal);
    if (n_repeated)
        *n_repeated = n - g.n;
    *out = g;
    return true;
}

/* ---- room ---- */

/* `array` is the address of a pointer of any type, hence the copying. */
static bool resize(void *array, size_t n, size_t size)
{
    void *old;
    void *moved;

    memcpy(&old, array, sizeof old);
    moved = assay_mem_resize(old, n, size);
    if (!moved)
        return false;
    memcpy(array, &moved, sizeof moved);
    return true;
}

bool assay_judge_reserve(assay_judge *judge, size_t n)
{
    size_t want = judge->cap ? judge->cap : 1024;

    if (n <= judge->cap)
        return true;
    if (n >= UINT32_MAX / 2)
        return false;
    while (want < n)
        want *= 2;
    if (!resize(&judge->ranked, want, sizeof *judge->ranked) ||
        !resize(&judge->hash, want, sizeof *judge->hash) ||
        !resize(&judge->given, want, sizeof *judge->given) ||
        !resize(&judge->grade, want, sizeof *judge->grade) ||
        !resize(&judge->rel_pos, want, sizeof *judge->rel_pos) ||
        !resize(&judge->pool_pos, want, sizeof *judge->pool_pos) ||
        !resize(&judge->judged, want, sizeof *judge->judged) ||
        !resize(&judge->found_grade, want, sizeof *judge->found_grade) ||
        !resize(&judge->table, 4 * want, sizeof *judge->table))
        return false;
    judge->cap_table = 4 * want;
    judge->cap = want;
    return true;
}

void assay_judge_clear(assay_judge *judge)
{
    assay_mem_free(judge->ranked);
    assay_mem_free(judge->hash);
    assay_mem_free(judge->given);
    assay_mem_free(judge->grade);
    assay_mem_free(judge->rel_pos);
    assay_mem_free(judge->pool_pos);
    assay_mem_free(judge->judged);
    assay_mem_free(judge->found_grade);
    assay_mem_free(judge->scratch);
    assay_mem_free(judge->log2_rank);
    assay_mem_free(judge->table);
    assay_mem_free(judge->sort_room);
    *judge = (assay_judge){0};
}

/* log2_rank and scratch for a view of n things. */
static bool reserve_view(assay_judge *judge, size_t n)
{
    if (n > judge->n_log2) {
        size_t want = judge->n_log2 ? judge->n_log2 : 1024;

        while (want < n)
            want *= 2;
        if (!resize(&judge->log2_rank, want, sizeof *judge->log2_rank))
            return false;
        for (size_t i = judge->n_log2; i < want; i++)
            judge->log2_rank[i] = log2((double)(i + 2));
        judge->n_log2 = want;
    }
    if (n > judge->cap_scratch) {
        if (!resize(&judge->scratch, 2 * n, sizeof *judge->scratch))
            return false;
        judge->cap_scratch = 2 * n;
    }
    return true;
}

/* ---- order ---- */

/* What is sorted: the score as an integer that ascends where the score descends. */
typedef struct sort_item {
    uint64_t key;
    uint32_t from;
} sort_item;

static uint64_t sort_key(double score)
{
    uint64_t bits;

    score += 0.0; /* -0 and 0 are equal */
    memcpy(&bits, &score, sizeof bits);
    /* Positive numbers order as their bits do, negative ones the other way round. */
    bits = bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
    return ~bits;
}

static int id_cmp(const assay_ranked *a, const assay_ranked *b)
{
    uint32_t shorter = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->id, b->id, shorter);

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Whether b may not stand directly behind a, whose score is the same. */
static bool is_tie_wrong(const assay_ranked *a, const assay_ranked *b, assay_order order)
{
    if (order == ASSAY_ORDER_STABLE)
        return a->index > b->index;
    return order == ASSAY_ORDER_SCORE_UP ? id_cmp(a, b) > 0 : id_cmp(a, b) < 0;
}

static void insertion_sort(sort_item *item, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        sort_item moving = item[i];
        size_t j = i;

        for (; j > 0 && item[j - 1].key > moving.key; j--)
            item[j] = item[j - 1];
        item[j] = moving;
    }
}

static void merge(const sort_item *a, size_t n_a, const sort_item *b, size_t n_b,
                  sort_item *out)
{
    while (n_a && n_b) {
        bool take_b = b->key < a->key;

        *out++ = take_b ? *b : *a;
        a += !take_b;
        n_a -= !take_b;
        b += take_b;
        n_b -= take_b;
    }
    memcpy(out, n_a ? a : b, (n_a + n_b) * sizeof *out);
}

/* Bottom-up merge sort, stable; the result ends up in `item`. */
static void merge_sort(sort_item *item, sort_item *room, size_t n)
{
    enum { RUN = 16 };
    sort_item *from = item;
    sort_item *to = room;

    for (size_t i = 0; i < n; i += RUN)
        insertion_sort(item + i, n - i < RUN ? n - i : RUN);
    for (size_t width = RUN; width < n; width *= 2) {
        sort_item *swap = from;

        for (size_t i = 0; i < n; i += 2 * width) {
            size_t n_a = n - i < width ? n - i : width;
            size_t n_b = n - i - n_a < width ? n - i - n_a : width;

            merge(from + i, n_a, from + i + n_a, n_b, to + i);
        }
        from = to;
        to = swap;
    }
    if (from != item)
        memcpy(item, from, n * sizeof *item);
}

enum { DIGIT_BITS = 11, DIGITS = 3, LOW_BITS = 64 - DIGIT_BITS * DIGITS };

/* One pass of a radix sort, by the digit at `shift`. */
static void radix_pass(const sort_item *from, sort_item *to, size_t n, unsigned shift)
{
    uint32_t start[1 << DIGIT_BITS] = {0};
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++)
        start[from[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++;
    for (size_t d = 0; d < ASSAY_COUNT(start); d++) {
        uint32_t count = start[d];

        start[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[start[from[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++] = from[i];
}

/* Sort by key, stable; returns which of the two arrays holds the result.  Three passes
 * over the upper 33 bits leave little to do: what is still equal there, mostly ties, is
 * sorted by comparison. */
static sort_item *radix_sort(sort_item *item, sort_item *room, size_t n)
{
    for (unsigned d = 0; d < DIGITS; d++) {
        sort_item *swap = item;

        radix_pass(item, room, n, LOW_BITS + d * DIGIT_BITS);
        item = room;
        room = swap;
    }
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;

        while (end < n && item[end].key >> LOW_BITS == item[i].key >> LOW_BITS)
            end++;
        if (end - i > 1)
            merge_sort(item + i, room + i, end - i);
        i = end;
    }
    return item;
}

static sort_item *sort_items(sort_item *item, sort_item *room, size_t n)
{
    enum { FEW = 200 }; /* below this the digits' counters cost more than they save */

    if (n >= FEW)
        return radix_sort(item, room, n);
    merge_sort(item, room, n);
    return item;
}

static int by_id_down(const void *a, const void *b)
{
    return id_cmp(b, a);
}

static int by_id_up(const void *a, const void *b)
{
    return id_cmp(a, b);
}

/* Hits of one score, by id.  Two or three as a rule. */
static void sort_tie(assay_ranked *r, uint32_t n, assay_order order)
{
    enum { FEW = 8 };

    if (n > FEW) {
        qsort(r, n, sizeof *r, order == ASSAY_ORDER_SCORE_UP ? by_id_up : by_id_down);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        assay_ranked moving = r[i];
        uint32_t j = i;

        for (; j > 0 && is_tie_wrong(&r[j - 1], &moving, order); j--)
            r[j] = r[j - 1];
        r[j] = moving;
    }
}

/* Where hits of one score begin at i: bring them into order, return where they end. */
static uint32_t order_tie(assay_judge *judge, uint32_t i, assay_order order)
{
    assay_ranked *r = judge->ranked;
    uint32_t end = i + 1;

    while (end < judge->n && r[end].score == r[i].score)
        end++;
    sort_tie(r + i, end - i, order);
    return end;
}

static void sort_ties(assay_judge *judge, assay_order order)
{
    if (order == ASSAY_ORDER_STABLE)
        return;
    for (uint32_t i = 0; i < judge->n;)
        i = order_tie(judge, i, order);
}

static bool sort_by_score(assay_judge *judge, assay_order order)
{
    size_t n = judge->n;
    size_t item_bytes = 2 * n * sizeof(sort_item);
    size_t bytes = item_bytes + n * sizeof(assay_ranked);
    sort_item *item;
    assay_ranked *copy;

    if (bytes > judge->cap_sort) {
        if (!resize(&judge->sort_room, bytes, 1))
            return false;
        judge->cap_sort = bytes;
    }
    item = judge->sort_room;
    copy = (void *)((char *)judge->sort_room + item_bytes);
    for (uint32_t i = 0; i < n; i++)
        item[i] = (sort_item){sort_key(judge->ranked[i].score), i};
    item = sort_items(item, item + n, n);
    memcpy(copy, judge->ranked, n * sizeof *copy);
    for (uint32_t i = 0; i < n; i++)
        judge->ranked[i] = copy[item[i].from];
    sort_ties(judge, order);
    return true;
}

bool assay_judge_order(assay_judge *judge, assay_order order)
{
    const assay_ranked *r = judge->ranked;
    uint32_t i = 1;

    if (order == ASSAY_ORDER_LISTED || judge->n < 2)
        return true;
    if (order == ASSAY_ORDER_FLOAT)
        for (uint32_t j = 0; j < judge->n; j++)
            judge->ranked[j].score = (double)(float)judge->ranked[j].score;
    /* Files are mostly sorted by score; many leave only the ties to us. */
    while (i < judge->n) {
        if (ASSAY_LIKELY(r[i - 1].score > r[i].score))
            i++;
        else if (!(r[i - 1].score == r[i].score))
            return sort_by_score(judge, order);
        else if (order == ASSAY_ORDER_STABLE)
            i++;
        else
            i = order_tie(judge, i - 1, order);
    }
    return true;
}

/* ---- duplicates ---- */

void assay_judge_hash(assay_judge *judge)
{
    for (uint32_t i = 0; i < judge->n; i++) {
        const assay_ranked *r = &judge->ranked[i];

        judge->hash[i] =
            judge->has_given ? judge->given[r->index] : assay_hash(r->id, r->len);
    }
}

static bool is_same(const assay_judge *judge, uint32_t i, uint32_t j)
{
    return judge->hash[i] == judge->hash[j] &&
           judge->ranked[i].len == judge->ranked[j].len &&
           memcmp(judge->ranked[i].id, judge->ranked[j].id, judge->ranked[i].len) == 0;
}

/* An empty table for n ids; returns its mask. */
static uint32_t clear_table(assay_judge *judge, uint32_t n)
{
    uint32_t slots = 16;

    while (slots < 2 * (uint64_t)n)
        slots *= 2;
    assert(slots <= judge->cap_table);
    memset(judge->table, 0, slots * sizeof *judge->table);
    return slots - 1;
}

/* Whether an earlier hit has the id of hit i; otherwise it is entered.  A slot holds the
 * upper half of the hash, so that other ids need no further look, and the position. */
static inline bool seen_before(assay_judge *judge, uint32_t mask, uint32_t i)
{
    uint64_t tag = judge->hash[i] & ~(uint64_t)UINT32_MAX;
    uint32_t at = (uint32_t)judge->hash[i] & mask;
    uint64_t held;

    for (;;) {
        held = judge->table[at];
        if (!held)
            break;
        if ((held & ~(uint64_t)UINT32_MAX) == tag &&
            is_same(judge, (uint32_t)held - 1, i))
            return true;
        at = (at + 1) & mask;
    }
    judge->table[at] = tag | (i + 1);
    return false;
}

uint32_t assay_judge_duplicates(assay_judge *judge, bool drop)
{
    uint32_t mask;
    uint32_t kept = 0;
    uint32_t dropped;

    if (!judge->n)
        return drop ? 0 : ASSAY_NONE;
    assay_judge_hash(judge);
    mask = clear_table(judge, judge->n);
    for (uint32_t i = 0; i < judge->n; i++) {
        if (kept != i) {
            judge->ranked[kept] = judge->ranked[i];
            judge->hash[kept] = judge->hash[i];
        }
        if (!seen_before(judge, mask, kept))
            kept++;
        else if (!drop)
            return i;
    }
    dropped = judge->n - kept;
    judge->n = kept;
    return drop ? dropped : ASSAY_NONE;
}

/* ---- grades ---- */

/* Grades by position; returns how many hits are left. */
static uint32_t look_up(assay_judge *judge, const assay_grades *grades,
                        const assay_look *look)
{
    uint32_t mask = look->mark_repeats ? clear_table(judge, judge->n) : 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < judge->n; i++) {
        const assay_ranked *r = &judge->ranked[i];
        uint32_t row = ASSAY_NONE;
        int32_t grade;

        /* Few ids are judged: most meet a free slot at once. */
        if (grades->n && grades->slot[(uint32_t)judge->hash[i] & grades->mask])
            row = assay_grades_find(grades, r->id, r->len, judge->hash[i]);
        grade = row == ASSAY_NONE ? ASSAY_UNPOOLED : grades->grade[row];

        if (look->judged_only && grade < 0)
            continue;
        if (look->mark_repeats && seen_before(judge, mask, i)) {
            grade = ASSAY_REPEATED;
            row = ASSAY_NONE;
        }
        judge->grade[n] = grade;
        judge->judged[n] = row;
        n++;
    }
    return n;
}

static void list_positions(assay_judge *judge, int32_t threshold, assay_judged *out)
{
    for (uint32_t i = 0; i < out->n_ranked; i++) {
        int32_t grade = judge->grade[i];

        if (ASSAY_LIKELY(grade < ASSAY_POOLED))
            continue;
        judge->pool_pos[out->n_pool_pos++] = i;
        /* A negative threshold (trec_eval -l-1) must not make the unpooled relevant. */
        if (grade >= threshold) {
            judge->found_grade[out->n_rel_pos] = grade;
            judge->rel_pos[out->n_rel_pos++] = i;
        }
    }
}

static void count_relevant(const assay_grades *grades, int32_t threshold,
                           assay_judged *out)
{
    uint32_t n = 0;

    while (n < grades->n_ideal && grades->ideal[n] >= threshold)
        n++;
    out->n_relevant = n;
    out->n_nonrel = grades->n_ideal - n;
}

bool assay_judge_look(assay_judge *judge, const assay_grades *grades,
                      const assay_look *look, assay_judged *out)
{
    assay_judged q = {.threshold = look->threshold, .max_grade = look->max_grade};
    const assay_subtopics *by = grades->subtopics;
    size_t longest = judge->n > grades->n_ideal ? judge->n : grades->n_ideal;
    size_t diverse = by ? 2 * (size_t)by->n + by->n_docs : 0;

    if (!assay_judge_reserve(judge, 1) ||
        !reserve_view(judge, longest + grades->n_ideal + 2 + diverse))
        return false;
    q.n_ranked = look_up(judge, grades, look);
    list_positions(judge, look->threshold, &q);
    count_relevant(grades, look->threshold, &q);
    q.grade = judge->grade;
    q.rel_pos = judge->rel_pos;
    q.pool_pos = judge->pool_pos;
    q.judged = judge->judged;
    q.found_pos = q.cover_pos = judge->rel_pos;
    q.found_grade = judge->found_grade;
    q.n_found = q.n_rel_pos;
    q.ideal = grades->ideal;
    q.n_ideal = grades->n_ideal;
    q.n_pooled = grades->n_pooled;
    q.log2_rank = judge->log2_rank;
    q.scratch = judge->scratch;
    q.subtopics = by;
    *out = q;
    return true;
}
