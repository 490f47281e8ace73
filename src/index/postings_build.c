/* SPDX-License-Identifier: Apache-2.0 */
/* Building in four steps, each spread over the threads: collect terms and frequencies
 * chunk by chunk; make one dictionary; put every posting in its place, for which each
 * group of chunks knows where its postings of a term begin; cut the blocks.  No step's
 * result depends on who did what. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "index/collect.h"
#include "index/terms_merge.h"

/* Groups of chunks that are placed at once; each costs 4 bytes a term. */
enum { GROUPS_MOST = 8, AHEAD = 12, TERMS_AT_ONCE = 4096, OWNED_MOST = 16 };

/* A posting on its way: document, frequency in the text and in the title. */
typedef struct placed {
    uint32_t doc;
    uint8_t text;
    uint8_t title;
} placed;

typedef struct building {
    assay_collection from;
    assay_terms terms;
    uint32_t n_groups;
    uint32_t *next[GROUPS_MOST]; /* by term: count, then next place within the term */
    placed *placed;
    uint64_t *post_at;
    uint64_t *block_at;
    uint32_t *block_doc;
    uint32_t *block_pos;
    uint16_t *delta;
    uint8_t *tf_text;
    uint8_t *tf_title;
    bool has_titles;
} building;

/* ---- places ---- */

static size_t group_first(const building *b, size_t group)
{
    return b->from.n_chunks * group / b->n_groups;
}

/* Replace the workers' numbers by the dictionary's, and count. */
static void count_group(void *ctx, uint32_t worker, size_t group)
{
    building *b = ctx;
    uint32_t *count = b->next[group];

    (void)worker;
    for (size_t c = group_first(b, group); c < group_first(b, group + 1); c++) {
        assay_collected *chunk = &b->from.chunk[c];
        const uint32_t *map = b->terms.map[chunk->worker];

        for (size_t i = 0; i < chunk->n; i++) {
            chunk->term[i] = map[chunk->term[i]];
            count[chunk->term[i]]++;
        }
    }
}

/* Counts to first places. */
static void sum_counts(building *b)
{
    uint64_t at = 0;

    for (uint32_t t = 0; t < b->terms.n; t++) {
        uint32_t df = 0;

        for (uint32_t g = 0; g < b->n_groups; g++) {
            uint32_t n = b->next[g][t];

            b->next[g][t] = df;
            df += n;
        }
        b->post_at[t] = at;
        at += df;
    }
    b->post_at[b->terms.n] = at;
}

/* Every posting goes somewhere else: fetch the places of those to come. */
static void look_ahead(const building *b, const assay_collected *chunk,
                       const uint32_t *next, size_t i)
{
    if (i + 2 * AHEAD < chunk->n) {
        uint32_t term = chunk->term[i + 2 * AHEAD];

        ASSAY_PREFETCH(&next[term]);
        ASSAY_PREFETCH(&b->post_at[term]);
        term = chunk->term[i + AHEAD];
        ASSAY_PREFETCH(&b->placed[b->post_at[term] + next[term]]);
    }
}

static void place_chunk(building *b, uint32_t *next, size_t c)
{
    assay_collected *chunk = &b->from.chunk[c];
    size_t doc = c * ASSAY_CHUNK_DOCS;
    size_t i = 0;
    size_t many = 0;

    for (; i < chunk->n; doc++) {
        size_t end = i + b->from.n_unique[doc];

        for (; i < end; i++) {
            uint32_t term = chunk->term[i];
            uint64_t at = b->post_at[term] + next[term]++;

            look_ahead(b, chunk, next, i);

            b->placed[at] = (placed){(uint32_t)doc, chunk->text[i], chunk->title[i]};
            if (chunk->text[i] == ASSAY_TF_MANY)
                chunk->many[many++].posting = at;
        }
    }
}

static void place_group(void *ctx, uint32_t worker, size_t group)
{
    building *b = ctx;

    (void)worker;
    for (size_t c = group_first(b, group); c < group_first(b, group + 1); c++)
        place_chunk(b, b->next[group], c);
}

static assay_status place(building *b, uint32_t n_threads, assay_error *err)
{
    b->n_groups = n_threads < GROUPS_MOST ? n_threads : GROUPS_MOST;
    b->post_at = ASSAY_NEW_ARRAY(uint64_t, (size_t)b->terms.n + 1);
    for (uint32_t g = 0; g < b->n_groups; g++) {
        b->next[g] = ASSAY_NEW_ARRAY(uint32_t, b->terms.n);
        if (!b->next[g])
            return assay_fail_memory(err, "building an index");
    }
    if (!b->post_at)
        return assay_fail_memory(err, "building an index");
    assay_pool_run(n_threads, b->n_groups, count_group, b);
    sum_counts(b);
    b->placed =
        assay_mem_alloc_spread((size_t)b->post_at[b->terms.n] * sizeof *b->placed);
    if (!b->placed)
        return assay_fail_memory(err, "building an index");
    assay_pool_run(n_threads, b->n_groups, place_group, b);
    return ASSAY_OK;
}

/* ---- blocks ---- */

/* The end of the block that begins with posting `from`. */
static uint64_t block_end(const placed *p, uint64_t from, uint64_t end)
{
    uint64_t most = end - from > ASSAY_BLOCK ? from + ASSAY_BLOCK : end;
    uint64_t i = from + 1;

    if (p[most - 1].doc - p[from].doc <= UINT16_MAX)
        return most;
    while (p[i].doc - p[from].doc <= UINT16_MAX)
        i++;
    return i;
}

static size_t terms_end(const building *b, size_t item)
{
    size_t end = (item + 1) * TERMS_AT_ONCE;

    return end < b->terms.n ? end : b->terms.n;
}

/* How many blocks each term has, in block_at. */
static void count_blocks(void *ctx, uint32_t worker, size_t item)
{
    building *b = ctx;

    (void)worker;
    for (size_t t = item * TERMS_AT_ONCE; t < terms_end(b, item); t++) {
        uint64_t end = b->post_at[t + 1];
        uint64_t n = 0;

        for (uint64_t i = b->post_at[t]; i < end; i = block_end(b->placed, i, end))
            n++;
        b->block_at[t] = n;
    }
}

static void cut_term(building *b, size_t t)
{
    uint64_t first = b->post_at[t];
    uint64_t end = b->post_at[t + 1];
    uint64_t block = b->block_at[t];

    for (uint64_t i = first; i < end; block++) {
        uint64_t to = block_end(b->placed, i, end);
        uint32_t doc = b->placed[i].doc;

        b->block_doc[block] = doc;
        b->block_pos[block] = (uint32_t)(i - first);
        for (; i < to; i++) {
            b->delta[i] = (uint16_t)(b->placed[i].doc - doc);
            b->tf_text[i] = b->placed[i].text;
            if (b->has_titles)
                b->tf_title[i] = b->placed[i].title;
        }
    }
}

static void cut_blocks(void *ctx, uint32_t worker, size_t item)
{
    building *b = ctx;

    (void)worker;
    for (size_t t = item * TERMS_AT_ONCE; t < terms_end(b, item); t++)
        cut_term(b, t);
}

static assay_status cut(building *b, uint32_t n_threads, uint64_t *n_blocks,
                        assay_error *err)
{
    size_t n_items = ((size_t)b->terms.n + TERMS_AT_ONCE - 1) / TERMS_AT_ONCE;
    size_t n_postings = (size_t)b->post_at[b->terms.n];
    uint64_t at = 0;

    b->block_at = ASSAY_NEW_ARRAY(uint64_t, (size_t)b->terms.n + 1);
    if (!b->block_at)
        return assay_fail_memory(err, "building an index");
    assay_pool_run(n_threads, n_items, count_blocks, b);
    for (uint32_t t = 0; t <= b->terms.n; t++) {
        uint64_t n = b->block_at[t];

        b->block_at[t] = at;
        at += n;
    }
    b->block_doc = assay_mem_alloc((size_t)at * sizeof *b->block_doc);
    b->block_pos = assay_mem_alloc((size_t)at * sizeof *b->block_pos);
    b->delta = assay_mem_alloc_spread(n_postings * sizeof *b->delta);
    b->tf_text = assay_mem_alloc_spread(n_postings);
    b->tf_title = b->has_titles ? assay_mem_alloc_spread(n_postings) : NULL;
    if (!b->block_doc || !b->block_pos || !b->delta || !b->tf_text ||
        (b->has_titles && !b->tf_title))
        return assay_fail_memory(err, "building an index");
    assay_pool_run(n_threads, n_items, cut_blocks, b);
    *n_blocks = at;
    return ASSAY_OK;
}

/* ---- the rest ---- */

static int by_posting(const void *a, const void *b)
{
    const assay_tf_many *x = a;
    const assay_tf_many *y = b;

    return (x->posting > y->posting) - (x->posting < y->posting);
}

static assay_status take_many(building *b, assay_postings *out, assay_error *err)
{
    assay_tf_many *many;
    size_t n = 0;

    for (size_t c = 0; c < b->from.n_chunks; c++)
        n += b->from.chunk[c].n_many;
    many = ASSAY_NEW_ARRAY(assay_tf_many, n);
    if (!many)
        return assay_fail_memory(err, "building an index");
    out->owned[out->n_owned++] = many;
    out->many = many;
    for (size_t c = 0; c < b->from.n_chunks; c++) {
        const assay_collected *chunk = &b->from.chunk[c];

        if (chunk->n_many)
            memcpy(many + out->n_many, chunk->many, chunk->n_many * sizeof *many);
        out->n_many += chunk->n_many;
    }
    qsort(many, n, sizeof *many, by_posting);
    return ASSAY_OK;
}

/* Hand everything over to `out`; what is null was not needed. */
static void take(building *b, assay_postings *out)
{
    void *all[] = {b->terms.hash, b->terms.at, b->terms.bytes, b->terms.bucket,
                   b->post_at,    b->block_at, b->block_doc,   b->block_pos,
                   b->delta,      b->tf_text,  b->tf_title};

    out->n_terms = b->terms.n;
    out->n_postings = b->post_at[b->terms.n];
    out->term_hash = b->terms.hash;
    out->term_at = b->terms.at;
    out->term_bytes = b->terms.bytes;
    out->bucket = b->terms.bucket;
    out->bucket_shift = b->terms.bucket_shift;
    out->post_at = b->post_at;
    out->block_at = b->block_at;
    out->block_doc = b->block_doc;
    out->block_pos = b->block_pos;
    out->delta = b->delta;
    out->tf_text = b->tf_text;
    out->tf_title = b->tf_title;
    for (size_t i = 0; i < ASSAY_COUNT(all); i++)
        if (all[i])
            out->owned[out->n_owned++] = all[i];
    b->terms.hash = NULL;
    b->terms.at = NULL;
    b->terms.bytes = NULL;
    b->terms.bucket = NULL;
    b->post_at = NULL;
    b->block_at = NULL;
    b->block_doc = NULL;
    b->block_pos = NULL;
    b->delta = NULL;
    b->tf_text = NULL;
    b->tf_title = NULL;
}

static void clear(building *b)
{
    assay_collection_clear(&b->from);
    assay_terms_clear(&b->terms);
    for (size_t i = 0; i < GROUPS_MOST; i++)
        assay_mem_free(b->next[i]);
    assay_mem_free(b->placed);
    assay_mem_free(b->post_at);
    assay_mem_free(b->block_at);
    assay_mem_free(b->block_doc);
    assay_mem_free(b->block_pos);
    assay_mem_free(b->delta);
    assay_mem_free(b->tf_text);
    assay_mem_free(b->tf_title);
}

/* An index with room for what it will own, its tokenizer and its lengths. */
static assay_postings *start(const assay_passages *passages,
                             const assay_tokenizing *tokenizing, building *b)
{
    assay_postings *out = ASSAY_NEW(assay_postings);
    assay_buffer spelling = ASSAY_BUFFER_EMPTY;

    if (!out)
        return NULL;
    out->owned = ASSAY_NEW_ARRAY(void *, OWNED_MOST);
    assay_tokenizing_print(tokenizing, &spelling);
    assay_buffer_char(&spelling, '\0');
    b->from.len_text = ASSAY_NEW_ARRAY(uint32_t, passages->n);
    b->from.len_title = ASSAY_NEW_ARRAY(uint32_t, passages->n);
    if (!out->owned || spelling.has_failed || !b->from.len_text || !b->from.len_title) {
        assay_buffer_clear(&spelling);
        assay_mem_free(b->from.len_text);
        assay_mem_free(b->from.len_title);
        assay_postings_free(out);
        return NULL;
    }
    out->n_docs = passages->n;
    out->tokenizer = spelling.ptr;
    out->len_text = b->from.len_text;
    out->len_title = b->from.len_title;
    out->owned[out->n_owned++] = spelling.ptr;
    out->owned[out->n_owned++] = b->from.len_text;
    out->owned[out->n_owned++] = b->from.len_title;
    return out;
}

static assay_status build(building *b, const assay_tokenizing *tokenizing,
                          const assay_passages *passages, uint32_t n_threads,
                          assay_postings *out, assay_error *err)
{
    assay_status st = assay_collect(passages, tokenizing, n_threads, &b->from, err);

    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        out->n_text += b->from.collector[i].n_text;
        out->n_title += b->from.collector[i].n_title;
    }
    b->has_titles = out->n_title > 0;
    if (!st)
        st = assay_terms_merge(&b->from, n_threads, &b->terms, err);
    if (!st)
        st = place(b, n_threads, err);
    if (!st)
        st = take_many(b, out, err);
    if (!st) {
        for (size_t c = 0; c < b->from.n_chunks; c++)
            assay_collected_clear(&b->from.chunk[c]);
        st = cut(b, n_threads, &out->n_blocks, err);
    }
    if (!st)
        take(b, out);
    return st;
}

assay_status assay_postings_build(const assay_passages *passages,
                                  const assay_tokenizing *tokenizing, uint32_t n_threads,
                                  assay_postings **out, assay_error *err)
{
    building *b;
    assay_postings *got;
    assay_status st;

    if (passages->n > ASSAY_POSTINGS_DOCS)
        return assay_fail(err, ASSAY_EINPUT, "%u passages are too many for one index",
                          passages->n);
    b = ASSAY_NEW(building);
    got = b ? start(passages, tokenizing, b) : NULL;
    if (!got) {
        assay_mem_free(b);
        return assay_fail_memory(err, "building an index");
    }
    if (passages->n < ASSAY_CHUNK_DOCS)
        n_threads = 1; /* starting threads takes longer */
    if (!n_threads)
        n_threads = assay_pool_cores();
    if (n_threads > ASSAY_POOL_MOST)
        n_threads = ASSAY_POOL_MOST;
    st = build(b, tokenizing, passages, n_threads, got, err);
    clear(b);
    assay_mem_free(b);
    if (st) {
        assay_postings_free(got);
        return st;
    }
    *out = got;
    return ASSAY_OK;
}
