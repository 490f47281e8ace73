/* SPDX-License-Identifier: Apache-2.0 */
#include "index/terms_merge.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

enum { PARTS = 256, PART_SHIFT = 56 };

typedef struct record {
    uint64_t hash;
    assay_slice text;
    uint32_t worker;
    uint32_t number;
} record;

typedef struct merging {
    record *item;
    size_t part[PARTS + 1]; /* where the records of a part begin */
} merging;

static int by_hash(const void *a, const void *b)
{
    const record *x = a;
    const record *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return assay_slice_cmp(x->text, y->text);
}

static void sort_part(void *ctx, uint32_t worker, size_t item)
{
    merging *m = ctx;

    (void)worker;
    qsort(m->item + m->part[item], m->part[item + 1] - m->part[item], sizeof *m->item,
          by_hash);
}

/* All entries, part by part of the hash's first byte. */
static bool gather(const assay_collection *from, merging *m)
{
    size_t next[PARTS] = {0};
    size_t n = 0;

    for (uint32_t w = 0; w < ASSAY_POOL_MOST; w++) {
        const assay_vocabulary *v = &from->collector[w].terms;

        for (size_t i = 0; i < v->n_slots; i++)
            if (v->entry[i].len)
                next[v->entry[i].hash >> PART_SHIFT]++;
    }
    for (size_t p = 0; p < PARTS; p++) {
        m->part[p] = n;
        n += next[p];
        next[p] = m->part[p];
    }
    m->part[PARTS] = n;
    m->item = ASSAY_NEW_ARRAY(record, n);
    if (!m->item)
        return false;
    for (uint32_t w = 0; w < ASSAY_POOL_MOST; w++) {
        const assay_vocabulary *v = &from->collector[w].terms;

        for (size_t i = 0; i < v->n_slots; i++) {
            const assay_vocabulary_entry *e = &v->entry[i];

            if (e->len)
                m->item[next[e->hash >> PART_SHIFT]++] =
                    (record){e->hash, {assay_vocabulary_text(e), e->len}, w, e->number};
        }
    }
    return true;
}

/* How many different terms, and their bytes. */
static void measure(const merging *m, size_t *n_terms, size_t *n_bytes)
{
    *n_terms = 0;
    *n_bytes = 0;
    for (size_t i = 0; i < m->part[PARTS]; i++)
        if (i == 0 || by_hash(&m->item[i - 1], &m->item[i]) != 0) {
            ++*n_terms;
            *n_bytes += m->item[i].text.len;
        }
}

static bool allocate(const assay_collection *from, assay_terms *out, size_t n_terms,
                     size_t n_bytes)
{
    uint32_t bits = 1;

    while (bits < 31 && (UINT64_C(2) << bits) < n_terms)
        bits++;
    out->bucket_shift = 64 - bits;
    out->hash = ASSAY_NEW_ARRAY(uint64_t, n_terms);
    out->at = ASSAY_NEW_ARRAY(uint64_t, n_terms + 1);
    out->bytes = assay_mem_alloc(n_bytes);
    out->bucket = ASSAY_NEW_ARRAY(uint32_t, ((size_t)1 << bits) + 1);
    if (!out->hash || !out->at || !out->bytes || !out->bucket)
        return false;
    for (uint32_t w = 0; w < ASSAY_POOL_MOST; w++) {
        uint32_t n = from->collector[w].terms.n;

        out->map[w] = n ? ASSAY_NEW_ARRAY(uint32_t, n) : NULL;
        if (n && !out->map[w])
            return false;
    }
    return true;
}

static void fill(const merging *m, assay_terms *out)
{
    uint64_t at = 0;
    uint64_t bucket = 0;
    uint64_t n_buckets = UINT64_C(1) << (64 - out->bucket_shift);

    for (size_t i = 0; i < m->part[PARTS]; i++) {
        const record *r = &m->item[i];

        if (i == 0 || by_hash(&m->item[i - 1], r) != 0) {
            for (; bucket <= r->hash >> out->bucket_shift; bucket++)
                out->bucket[bucket] = out->n;
            out->hash[out->n] = r->hash;
            out->at[out->n++] = at;
            memcpy(out->bytes + at, r->text.ptr, r->text.len);
            at += r->text.len;
        }
        out->map[r->worker][r->number] = out->n - 1;
    }
    out->at[out->n] = at;
    for (; bucket <= n_buckets; bucket++)
        out->bucket[bucket] = out->n;
}

assay_status assay_terms_merge(const assay_collection *from, uint32_t n_threads,
                               assay_terms *out, assay_error *err)
{
    merging m = {.item = NULL};
    size_t n_terms;
    size_t n_bytes;
    assay_status st = ASSAY_OK;

    if (!gather(from, &m))
        return assay_fail_memory(err, "building an index");
    assay_pool_run(n_threads, PARTS, sort_part, &m);
    measure(&m, &n_terms, &n_bytes);
    if (n_terms >= UINT32_MAX)
        st = assay_fail(err, ASSAY_EINPUT, "more than %u different terms", UINT32_MAX);
    else if (!allocate(from, out, n_terms, n_bytes))
        st = assay_fail_memory(err, "building an index");
    else
        fill(&m, out);
    assay_mem_free(m.item);
    return st;
}

void assay_terms_clear(assay_terms *terms)
{
    assay_mem_free(terms->hash);
    assay_mem_free(terms->at);
    assay_mem_free(terms->bytes);
    assay_mem_free(terms->bucket);
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_mem_free(terms->map[i]);
}
