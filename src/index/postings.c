/* SPDX-License-Identifier: Apache-2.0 */
#include "index/postings.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"

void assay_postings_free(assay_postings *postings)
{
    if (!postings)
        return;
    for (size_t i = 0; i < postings->n_owned; i++)
        assay_mem_free(postings->owned[i]);
    assay_mem_free(postings->owned);
    assay_file_close(&postings->file);
    assay_mem_free(postings);
}

uint32_t assay_postings_term(const assay_postings *p, assay_slice term)
{
    uint64_t hash = assay_hash(term.ptr, term.len);
    uint64_t bucket = hash >> p->bucket_shift;

    for (uint32_t i = p->bucket[bucket]; i < p->bucket[bucket + 1]; i++)
        if (p->term_hash[i] == hash && assay_slice_eq(assay_postings_word(p, i), term))
            return i;
    return ASSAY_NONE;
}

assay_tf assay_postings_tf_many(const assay_postings *p, uint64_t posting)
{
    uint64_t low = 0;
    uint64_t high = p->n_many;

    while (low < high) {
        uint64_t mid = (low + high) / 2;

        if (p->many[mid].posting < posting)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < p->n_many && p->many[low].posting == posting)
        return (assay_tf){p->many[low].text, p->many[low].title};
    return (assay_tf){ASSAY_TF_MANY, 0};
}

bool assay_postings_find(const assay_postings *p, uint32_t term, uint32_t doc,
                         uint64_t *posting)
{
    const uint32_t *first = p->block_doc + p->block_at[term];
    uint32_t low = 0;
    uint32_t high = (uint32_t)(p->block_at[term + 1] - p->block_at[term]);
    uint64_t at;
    uint64_t end;

    /* The last block that begins at `doc` or before. */
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (first[mid] <= doc)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || doc - first[low - 1] > UINT16_MAX)
        return false;
    at = p->post_at[term] + p->block_pos[p->block_at[term] + low - 1];
    end = p->post_at[term] + assay_postings_block_end(p, term, low - 1);
    doc -= first[low - 1];
    while (at < end && p->delta[at] < doc)
        at++;
    *posting = at;
    return at < end && p->delta[at] == doc;
}

/* ---- what it was built over ---- */

typedef struct hashing {
    const assay_passages *passages;
    uint64_t *hash; /* one for each part */
} hashing;

enum { AT_ONCE = 1024 };

static void hash_part(void *ctx, uint32_t worker, size_t item)
{
    hashing *h = ctx;
    size_t end = (item + 1) * AT_ONCE;
    uint64_t hash = item;

    (void)worker;
    if (end > h->passages->n)
        end = h->passages->n;
    for (size_t i = item * AT_ONCE; i < end; i++) {
        const assay_passage *p = &h->passages->item[i];

        hash = assay_hash_mix(hash, assay_hash(p->id.ptr, p->id.len));
        hash = assay_hash_mix(hash + 1, assay_hash(p->title.ptr, p->title.len));
        hash = assay_hash_mix(hash + 2, assay_hash(p->text.ptr, p->text.len));
    }
    h->hash[item] = hash;
}

uint64_t assay_postings_hash(const assay_passages *passages, uint32_t n_threads)
{
    size_t n = ((size_t)passages->n + AT_ONCE - 1) / AT_ONCE;
    hashing h = {passages, ASSAY_NEW_ARRAY(uint64_t, n)};
    uint64_t hash = passages->n;

    /* 0 belongs to no passages at all, so a file is built anew for want of memory. */
    if (!h.hash)
        return 0;
    assay_pool_run(n_threads, n, hash_part, &h);
    for (size_t i = 0; i < n; i++)
        hash = assay_hash_mix(hash + i, h.hash[i]);
    assay_mem_free(h.hash);
    return hash ? hash : 1;
}
