/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of texts are counted side by side, each with a dictionary of its own.  Then the
 * dictionaries are put together block by block, so that the numbers of the terms do not
 * depend on who was first. */
#include "embed/term_matrix.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"

enum { BLOCK = 256 };

typedef struct block {
    assay_dict terms;
    assay_arena arena;
    assay_term_entry *entry;
    size_t n_entries;
    size_t cap;
    uint32_t n_in_row[BLOCK];
    uint32_t *global; /* number of a term in the whole */
} block;

typedef struct counting {
    assay_token_worker *worker[ASSAY_POOL_MOST];
    assay_embed_text *text;
    void *ctx;
    size_t n;
    block *block;
    size_t n_blocks;
    _Atomic int has_failed;
} counting;

static int by_term(const void *a, const void *b)
{
    const assay_term_entry *x = a;
    const assay_term_entry *y = b;

    return x->term > y->term ? 1 : x->term < y->term ? -1 : 0;
}

/* Sort by term and add up those of one term. */
static size_t add_up(assay_term_entry *entry, size_t n)
{
    size_t kept = 0;

    qsort(entry, n, sizeof *entry, by_term);
    for (size_t i = 0; i < n; i++) {
        if (kept && entry[kept - 1].term == entry[i].term)
            entry[kept - 1].weight += entry[i].weight;
        else
            entry[kept++] = entry[i];
    }
    return kept;
}

static bool count_text(counting *c, uint32_t worker, block *b, size_t at)
{
    assay_tokens tokens;
    assay_term_entry *entry;
    size_t n;

    if (!assay_tokenize(c->worker[worker], c->text(c->ctx, at), &tokens))
        return false;
    entry = assay_mem_grow(b->entry, &b->cap, b->n_entries + tokens.n, sizeof *entry);
    if (!entry)
        return false;
    b->entry = entry;
    entry += b->n_entries;
    for (size_t i = 0; i < tokens.n; i++) {
        if (!assay_dict_put(&b->terms, &b->arena, tokens.item[i], &entry[i].term, NULL))
            return false;
        entry[i].weight = 1;
    }
    n = add_up(entry, tokens.n);
    b->n_in_row[at % BLOCK] = (uint32_t)n;
    b->n_entries += n;
    return true;
}

static void count_block(void *ctx, uint32_t worker, size_t item)
{
    counting *c = ctx;
    size_t end = (item + 1) * BLOCK < c->n ? (item + 1) * BLOCK : c->n;

    for (size_t i = item * BLOCK; i < end; i++)
        if (atomic_load(&c->has_failed) || !count_text(c, worker, &c->block[item], i)) {
            atomic_store(&c->has_failed, 1);
            return;
        }
}

/* Numbers for the terms of all blocks, and in how many texts each stands. */
static bool number_terms(counting *c, assay_term_matrix *m)
{
    size_t cap = 0;

    for (size_t i = 0; i < c->n_blocks; i++) {
        block *b = &c->block[i];

        b->global = assay_mem_alloc(b->terms.n * sizeof *b->global);
        if (!b->global)
            return false;
        for (uint32_t t = 0; t < b->terms.n; t++) {
            uint32_t *df;
            bool is_new;

            if (!assay_dict_put_hashed(&m->terms, &m->arena, b->terms.word[t],
                                       b->terms.hash[t], &b->global[t], &is_new))
                return false;
            df = assay_mem_grow(m->df, &cap, m->terms.n, sizeof *df);
            if (!df)
                return false;
            m->df = df;
            if (is_new)
                df[b->global[t]] = 0;
        }
        for (size_t e = 0; e < b->n_entries; e++) {
            b->entry[e].term = b->global[b->entry[e].term];
            m->df[b->entry[e].term]++;
        }
    }
    m->n_terms = m->terms.n;
    return true;
}

/* The least number of texts with which no more than most_terms are left. */
static uint32_t raise_least(const assay_term_matrix *m, uint32_t least_df,
                            uint32_t most_terms)
{
    for (uint32_t least = least_df ? least_df : 1;; least++) {
        size_t n = 0;

        for (uint32_t t = 0; t < m->n_terms; t++)
            n += m->df[t] >= least;
        if (n <= most_terms)
            return least;
    }
}

/* Leave rare terms out and close the gaps; *number maps old to new. */
static bool choose_terms(assay_term_matrix *m, uint32_t least, uint32_t **number)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_dict kept = {0};
    uint32_t *map = assay_mem_alloc(m->n_terms * sizeof *map);

    if (!map)
        return false;
    for (uint32_t t = 0; t < m->n_terms; t++) {
        map[t] = ASSAY_NONE;
        if (m->df[t] < least)
            continue;
        if (!assay_dict_put_hashed(&kept, &arena, m->terms.word[t], m->terms.hash[t],
                                   &map[t], NULL)) {
            assay_dict_clear(&kept);
            assay_arena_clear(&arena);
            assay_mem_free(map);
            return false;
        }
        m->df[map[t]] = m->df[t];
    }
    assay_dict_clear(&m->terms);
    assay_arena_clear(&m->arena);
    m->terms = kept;
    m->arena = arena;
    m->n_terms = kept.n;
    *number = map;
    return true;
}

static bool put_together(counting *c, const uint32_t *number, assay_term_matrix *m)
{
    size_t n_entries = 0;
    size_t at = 0;
    size_t row = 0;

    for (size_t i = 0; i < c->n_blocks; i++)
        n_entries += c->block[i].n_entries;
    m->first = ASSAY_NEW_ARRAY(size_t, c->n + 1);
    m->entry = assay_mem_alloc(n_entries * sizeof *m->entry);
    m->n_rows = c->n;
    if (!m->first || !m->entry)
        return false;
    for (size_t i = 0; i < c->n_blocks; i++) {
        const assay_term_entry *e = c->block[i].entry;

        for (size_t r = 0; r < BLOCK && row < c->n; r++, row++) {
            size_t begin = at;

            for (uint32_t j = 0; j < c->block[i].n_in_row[r]; j++, e++)
                if (number[e->term] != ASSAY_NONE)
                    m->entry[at++] = (assay_term_entry){number[e->term], e->weight};
            qsort(m->entry + begin, at - begin, sizeof *m->entry, by_term);
            m->first[row + 1] = at;
        }
    }
    return true;
}

static void free_counting(counting *c)
{
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_token_worker_free(c->worker[i]);
    for (size_t i = 0; c->block && i < c->n_blocks; i++) {
        assay_dict_clear(&c->block[i].terms);
        assay_arena_clear(&c->block[i].arena);
        assay_mem_free(c->block[i].entry);
        assay_mem_free(c->block[i].global);
    }
    assay_mem_free(c->block);
}

assay_status assay_term_matrix_count(const assay_tokenizing *tokenizing,
                                     assay_embed_text *text, void *ctx, size_t n,
                                     uint32_t least_df, uint32_t most_terms,
                                     uint32_t n_threads, assay_term_matrix *out,
                                     assay_error *err)
{
    counting c = {.text = text, .ctx = ctx, .n = n, .n_blocks = (n + BLOCK - 1) / BLOCK};
    assay_term_matrix m = {0};
    uint32_t *number = NULL;
    assay_status st = ASSAY_OK;

    n_threads = n_threads ? n_threads : assay_pool_cores();
    n_threads = n_threads > ASSAY_POOL_MOST ? ASSAY_POOL_MOST : n_threads;
    c.block = ASSAY_NEW_ARRAY(block, c.n_blocks);
    if (!c.block)
        st = assay_fail_memory(err, "counting terms");
    for (uint32_t i = 0; i < n_threads && !st; i++)
        st = assay_token_worker_new(tokenizing, &c.worker[i], err);
    if (st)
        goto done;
    assay_pool_run(n_threads, c.n_blocks, count_block, &c);
    if (atomic_load(&c.has_failed) || !number_terms(&c, &m) ||
        !choose_terms(&m, raise_least(&m, least_df, most_terms), &number) ||
        !put_together(&c, number, &m)) {
        st = assay_fail_memory(err, "counting terms");
        goto done;
    }
    *out = m;
    m = (assay_term_matrix){0};

done:
    assay_mem_free(number);
    assay_term_matrix_clear(&m);
    free_counting(&c);
    return st;
}

size_t assay_term_matrix_row(const assay_dict *terms, const assay_tokens *tokens,
                             assay_term_entry *entry)
{
    size_t n = 0;

    for (size_t i = 0; i < tokens->n; i++) {
        uint32_t term = assay_dict_find(terms, tokens->item[i]);

        if (term != ASSAY_NONE)
            entry[n++] = (assay_term_entry){term, 1};
    }
    return add_up(entry, n);
}

void assay_term_matrix_clear(assay_term_matrix *m)
{
    assay_mem_free(m->first);
    assay_mem_free(m->entry);
    assay_mem_free(m->df);
    assay_dict_clear(&m->terms);
    assay_arena_clear(&m->arena);
    *m = (assay_term_matrix){0};
}
