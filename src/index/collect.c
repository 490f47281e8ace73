/* SPDX-License-Identifier: Apache-2.0 */
#include "index/collect.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"

enum { TEXT, TITLE };

/* ---- room ---- */

static bool room_for_terms(assay_collected *chunk, size_t more)
{
    size_t cap = chunk->cap;
    size_t need = chunk->n + more;
    uint32_t *term;
    uint8_t *bytes;

    if (need <= cap)
        return true;
    if (need < 2 * cap)
        need = 2 * cap;
    term = assay_mem_resize(chunk->term, need, sizeof *term);
    if (term)
        chunk->term = term;
    bytes = assay_mem_resize(chunk->text, need, 1);
    if (bytes)
        chunk->text = bytes;
    if (!term || !bytes)
        return false;
    bytes = assay_mem_resize(chunk->title, need, 1);
    if (!bytes)
        return false;
    chunk->title = bytes;
    chunk->cap = need;
    return true;
}

static bool room_for_tokens(assay_collector *c, size_t n, size_t n_unique)
{
    uint64_t *hash = assay_mem_grow(c->hash, &c->cap_hash, n + 1, sizeof *hash);
    uint32_t *count;

    if (!hash)
        return false;
    c->hash = hash;
    count =
        assay_mem_grow(c->count, &c->cap_count, 2 * (n_unique + n) + 2, sizeof *count);
    if (!count)
        return false;
    c->count = count;
    return true;
}

/* ---- documents ---- */

/* Count the terms of one field; count[2 * slot + field] belongs to term[first + slot]. */
static bool count_field(assay_collector *c, assay_collected *chunk, uint32_t doc,
                        assay_slice text, int field, size_t first, uint32_t *len)
{
    size_t n_unique = chunk->n - first;
    assay_tokens tokens;

    *len = 0;
    if (!text.len)
        return true;
    if (!assay_tokenize(c->tokens, text, &tokens) || tokens.n > UINT32_MAX ||
        !room_for_tokens(c, tokens.n, n_unique) || !room_for_terms(chunk, tokens.n))
        return false;
    /* All hashes first: their entries are on the way while the next are worked out. */
    for (size_t i = 0; i < tokens.n; i++) {
        c->hash[i] = assay_hash(tokens.item[i].ptr, tokens.item[i].len);
        assay_vocabulary_prefetch(&c->terms, c->hash[i]);
    }
    for (size_t i = 0; i < tokens.n; i++) {
        assay_vocabulary_entry *e =
            assay_vocabulary_put(&c->terms, tokens.item[i], c->hash[i]);

        if (!e)
            return false;
        if (e->doc != doc + 1) {
            e->doc = doc + 1;
            e->slot = (uint32_t)n_unique;
            c->count[2 * n_unique] = 0;
            c->count[2 * n_unique + 1] = 0;
            chunk->term[first + n_unique++] = e->number;
        }
        c->count[2 * (size_t)e->slot + (size_t)field]++;
    }
    chunk->n = first + n_unique;
    *len = (uint32_t)tokens.n;
    return true;
}

/* Put the counts of a document behind its terms. */
static bool keep_counts(assay_collector *c, assay_collected *chunk, size_t first)
{
    for (size_t i = first; i < chunk->n; i++) {
        const uint32_t *count = c->count + 2 * (i - first);
        assay_tf_many *moved;

        chunk->text[i] = (uint8_t)count[TEXT];
        chunk->title[i] = (uint8_t)count[TITLE];
        if (count[TEXT] < ASSAY_TF_MANY && count[TITLE] < ASSAY_TF_MANY)
            continue;
        chunk->text[i] = ASSAY_TF_MANY;
        moved = assay_mem_grow(chunk->many, &chunk->cap_many, chunk->n_many + 1,
                               sizeof *moved);
        if (!moved)
            return false;
        chunk->many = moved;
        moved[chunk->n_many++] = (assay_tf_many){i, count[TEXT], count[TITLE]};
    }
    return true;
}

static bool collect_doc(assay_collection *all, assay_collector *c, assay_collected *chunk,
                        uint32_t doc)
{
    const assay_passage *passage = &all->passages->item[doc];
    size_t first = chunk->n;

    if (!count_field(c, chunk, doc, passage->title, TITLE, first, &all->len_title[doc]) ||
        !count_field(c, chunk, doc, passage->text, TEXT, first, &all->len_text[doc]) ||
        !keep_counts(c, chunk, first))
        return false;
    c->n_title += all->len_title[doc];
    c->n_text += all->len_text[doc];
    all->n_unique[doc] = (uint32_t)(chunk->n - first);
    return true;
}

static void collect_chunk(void *ctx, uint32_t worker, size_t item)
{
    assay_collection *all = ctx;
    assay_collector *c = &all->collector[worker];
    assay_collected *chunk = &all->chunk[item];
    size_t doc = item * ASSAY_CHUNK_DOCS;
    size_t end = doc + ASSAY_CHUNK_DOCS;

    chunk->worker = worker;
    if (end > all->passages->n)
        end = all->passages->n;
    for (; doc < end && !c->has_failed; doc++)
        c->has_failed = !collect_doc(all, c, chunk, (uint32_t)doc);
}

assay_status assay_collect(const assay_passages *passages,
                           const assay_tokenizing *tokenizing, uint32_t n_threads,
                           assay_collection *out, assay_error *err)
{
    bool has_failed = false;

    out->passages = passages;
    out->n_chunks = ((size_t)passages->n + ASSAY_CHUNK_DOCS - 1) / ASSAY_CHUNK_DOCS;
    out->chunk = ASSAY_NEW_ARRAY(assay_collected, out->n_chunks);
    out->n_unique = ASSAY_NEW_ARRAY(uint32_t, passages->n);
    if (!out->chunk || !out->n_unique)
        return assay_fail_memory(err, "building an index");
    for (uint32_t i = 0; i < n_threads; i++) {
        assay_status st =
            assay_token_worker_new(tokenizing, &out->collector[i].tokens, err);

        if (st)
            return st;
    }
    assay_pool_run(n_threads, out->n_chunks, collect_chunk, out);
    for (uint32_t i = 0; i < n_threads; i++)
        has_failed |= out->collector[i].has_failed;
    return has_failed ? assay_fail_memory(err, "building an index") : ASSAY_OK;
}

/* ---- release ---- */

void assay_collected_clear(assay_collected *chunk)
{
    assay_mem_free(chunk->term);
    assay_mem_free(chunk->text);
    assay_mem_free(chunk->title);
    assay_mem_free(chunk->many);
    *chunk = (assay_collected){.term = NULL};
}

void assay_collection_clear(assay_collection *collection)
{
    for (size_t i = 0; collection->chunk && i < collection->n_chunks; i++)
        assay_collected_clear(&collection->chunk[i]);
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++) {
        assay_collector *c = &collection->collector[i];

        assay_token_worker_free(c->tokens);
        assay_vocabulary_clear(&c->terms);
        assay_mem_free(c->hash);
        assay_mem_free(c->count);
    }
    assay_mem_free(collection->chunk);
    assay_mem_free(collection->n_unique);
}
