/* SPDX-License-Identifier: Apache-2.0 */
/* One file: a header of fixed size, then the arrays as they are in memory, each at a
 * multiple of 64 bytes, so that a mapped file is searched without reading it first.
 *
 *     header   magic, version, checks for byte order and hash, counts, a list of the
 *              sections with place, length and checksum, and a checksum of itself
 *     sections in the order of `table`
 *
 * A file is trusted only after every checksum was compared and every number that is used
 * as an index was seen to lie where it must: a file that was made on purpose must not lead
 * outside of the mapping either. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/slice.h"
#include "index/postings.h"

enum { VERSION = 1, ALIGN = 64, N_SECTIONS = 15, MAGIC = 16 };

static const char magic[MAGIC] = "assay postings\n";

typedef struct section {
    uint64_t at;
    uint64_t len; /* bytes */
    uint64_t sum;
} section;

typedef struct header {
    char magic[MAGIC];
    uint32_t version;
    uint32_t order;      /* 0x01020304 on the machine that wrote it */
    uint64_t hash_check; /* the hash of a fixed string: terms are looked up by it */
    uint64_t n_bytes;    /* of the whole file */
    uint64_t passages;
    uint64_t n_postings;
    uint64_t n_blocks;
    uint64_t n_text;
    uint64_t n_title;
    uint64_t n_many;
    uint32_t n_docs;
    uint32_t n_terms;
    uint32_t bucket_shift;
    uint32_t has_titles;
    section section[N_SECTIONS];
    uint64_t sum; /* of all before it */
} header;

/* ---- sections ---- */

/* How many elements a section has. */
typedef enum counted {
    TERMS,
    TERMS_1,
    BUCKETS,
    BLOCKS,
    POSTINGS,
    TITLES,
    MANY,
    DOCS,
    BYTES
} counted;

static const struct {
    size_t member; /* of assay_postings: the pointer */
    size_t size;   /* of an element */
    counted count;
} table[N_SECTIONS] = {
    {offsetof(assay_postings, term_hash), 8, TERMS},
    {offsetof(assay_postings, term_at), 8, TERMS_1},
    {offsetof(assay_postings, term_bytes), 1, BYTES},
    {offsetof(assay_postings, bucket), 4, BUCKETS},
    {offsetof(assay_postings, post_at), 8, TERMS_1},
    {offsetof(assay_postings, block_at), 8, TERMS_1},
    {offsetof(assay_postings, block_doc), 4, BLOCKS},
    {offsetof(assay_postings, block_pos), 4, BLOCKS},
    {offsetof(assay_postings, delta), 2, POSTINGS},
    {offsetof(assay_postings, tf_text), 1, POSTINGS},
    {offsetof(assay_postings, tf_title), 1, TITLES},
    {offsetof(assay_postings, many), sizeof(assay_tf_many), MANY},
    {offsetof(assay_postings, len_text), 4, DOCS},
    {offsetof(assay_postings, len_title), 4, DOCS},
    {offsetof(assay_postings, tokenizer), 1, BYTES},
};

static const void *get_section(const assay_postings *p, size_t i)
{
    const void *at;

    memcpy(&at, (const char *)p + table[i].member, sizeof at);
    return at;
}

static void set_section(assay_postings *p, size_t i, const void *at)
{
    memcpy((char *)p + table[i].member, &at, sizeof at);
}

/* Elements of section i; of BYTES as many as `bytes`. */
static uint64_t count_of(const header *h, size_t i, uint64_t bytes)
{
    switch (table[i].count) {
    case TERMS: return h->n_terms;
    case TERMS_1: return (uint64_t)h->n_terms + 1;
    case BUCKETS: return (UINT64_C(1) << (64 - h->bucket_shift)) + 1;
    case BLOCKS: return h->n_blocks;
    case POSTINGS: return h->n_postings;
    case TITLES: return h->has_titles ? h->n_postings : 0;
    case MANY: return h->n_many;
    case DOCS: return h->n_docs;
    default: return bytes;
    }
}

static uint64_t hash_check(void)
{
    static const char text[] = "assay postings, version 1";

    return assay_hash(text, sizeof text);
}

static uint64_t header_sum(const header *h)
{
    return assay_hash((const char *)h, offsetof(header, sum));
}

/* ---- writing ---- */

static void fill_header(const assay_postings *p, header *h)
{
    uint64_t at = (sizeof *h + ALIGN - 1) / ALIGN * ALIGN;

    *h = (header){.version = VERSION,
                  .order = 0x01020304,
                  .hash_check = hash_check(),
                  .passages = p->passages,
                  .n_postings = p->n_postings,
                  .n_blocks = p->n_blocks,
                  .n_text = p->n_text,
                  .n_title = p->n_title,
                  .n_many = p->n_many,
                  .n_docs = p->n_docs,
                  .n_terms = p->n_terms,
                  .bucket_shift = p->bucket_shift,
                  .has_titles = p->tf_title != NULL};
    memcpy(h->magic, magic, MAGIC);
    for (size_t i = 0; i < N_SECTIONS; i++) {
        uint64_t bytes =
            i + 1 == N_SECTIONS ? strlen(p->tokenizer) + 1 : p->term_at[p->n_terms];

        h->section[i].at = at;
        h->section[i].len = count_of(h, i, bytes) * table[i].size;
        h->section[i].sum = assay_hash(get_section(p, i), (size_t)h->section[i].len);
        at += (h->section[i].len + ALIGN - 1) / ALIGN * ALIGN;
    }
    h->n_bytes = at;
    h->sum = header_sum(h);
}

assay_status assay_postings_save(const assay_postings *p, const char *path,
                                 assay_error *err)
{
    header h;
    char *bytes;
    assay_status st;

    memset(&h, 0, sizeof h);
    fill_header(p, &h);
    bytes = assay_mem_zero((size_t)h.n_bytes, 1);
    if (!bytes)
        return assay_fail(err, ASSAY_ENOMEM, "out of memory while writing '%s'", path);
    memcpy(bytes, &h, sizeof h);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (h.section[i].len)
            memcpy(bytes + h.section[i].at, get_section(p, i), (size_t)h.section[i].len);
    st = assay_file_save(path, (assay_slice){bytes, (size_t)h.n_bytes}, err);
    assay_mem_free(bytes);
    return st;
}

/* ---- reading ---- */

static assay_status check_header(const char *path, assay_slice text, const header *h,
                                 assay_error *err)
{
    if (text.len < MAGIC || memcmp(text.ptr, magic, MAGIC) != 0)
        return assay_fail_at(err, path, 0, "this is no index of assay");
    if (text.len < sizeof *h)
        return assay_fail_at(err, path, 0, "the index is cut short; delete it");
    if (h->order != 0x01020304 || h->version != VERSION || h->hash_check != hash_check())
        return assay_fail_at(err, path, 0,
                             "the index is of version %u, for another version of assay "
                             "or another kind of machine; delete it to have it made anew",
                             h->version);
    if (h->sum != header_sum(h))
        return assay_fail_at(err, path, 0, "the index's header is broken; delete it");
    if (h->n_bytes != text.len)
        return assay_fail_at(err, path, 0,
                             "the index has %zu bytes and should have %llu; delete it",
                             text.len, (unsigned long long)h->n_bytes);
    if (h->bucket_shift < 33 || h->bucket_shift > 63 || h->n_terms == UINT32_MAX ||
        h->n_docs > ASSAY_POSTINGS_DOCS)
        return assay_fail_at(err, path, 0, "the index's header is wrong; delete it");
    return ASSAY_OK;
}

static assay_status check_sections(const char *path, assay_slice text, const header *h,
                                   assay_error *err)
{
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const section *s = &h->section[i];

        if (s->at % ALIGN || s->at > text.len || s->len > text.len - s->at ||
            s->len % table[i].size || s->len / table[i].size != count_of(h, i, s->len))
            return assay_fail_at(err, path, 0,
                                 "the index's part %zu is out of place; "
                                 "delete it",
                                 i);
        if (s->sum != assay_hash(text.ptr + s->at, (size_t)s->len))
            return assay_fail_at(err, path, 0,
                                 "the index's part %zu does not match its checksum; "
                                 "delete it",
                                 i);
    }
    return ASSAY_OK;
}

/* Ascending from 0 to `most`. */
static bool is_ascending(const uint64_t *at, uint64_t n, uint64_t most)
{
    if (at[0] != 0 || at[n] != most)
        return false;
    for (uint64_t i = 0; i < n; i++)
        if (at[i] > at[i + 1])
            return false;
    return true;
}

static bool has_sound_dictionary(const assay_postings *p, uint64_t n_term_bytes)
{
    uint64_t n_buckets = UINT64_C(1) << (64 - p->bucket_shift);

    if (!is_ascending(p->term_at, p->n_terms, n_term_bytes) ||
        !is_ascending(p->post_at, p->n_terms, p->n_postings) ||
        !is_ascending(p->block_at, p->n_terms, p->n_blocks) ||
        p->bucket[n_buckets] != p->n_terms)
        return false;
    for (uint64_t i = 0; i < n_buckets; i++)
        if (p->bucket[i] > p->bucket[i + 1])
            return false;
    return true;
}

/* One term's blocks: begin with posting 0, ascend, are not empty, and all documents are
 * there and ascend. */
static bool has_sound_blocks(const assay_postings *p, uint32_t term)
{
    uint64_t n = p->block_at[term + 1] - p->block_at[term];
    uint64_t df = p->post_at[term + 1] - p->post_at[term];
    const uint16_t *delta = p->delta + p->post_at[term];
    uint64_t least = 0;

    if (df > p->n_docs || (n == 0) != (df == 0) || n > df)
        return false;
    for (uint64_t b = 0; b < n; b++) {
        uint64_t block = p->block_at[term] + b;
        uint64_t from = p->block_pos[block];
        uint64_t to = b + 1 < n ? p->block_pos[block + 1] : df;

        if ((b == 0 && from != 0) || from >= to || to > df || delta[from] != 0 ||
            p->block_doc[block] < least)
            return false;
        for (uint64_t i = from + 1; i < to; i++)
            if (delta[i] <= delta[i - 1])
                return false;
        least = (uint64_t)p->block_doc[block] + delta[to - 1] + 1;
        if (least > p->n_docs)
            return false;
    }
    return true;
}

static bool is_sound(const assay_postings *p, uint64_t n_term_bytes, uint64_t n_tokenizer)
{
    if (!n_tokenizer || p->tokenizer[n_tokenizer - 1] != '\0' ||
        !has_sound_dictionary(p, n_term_bytes))
        return false;
    for (uint32_t t = 0; t < p->n_terms; t++)
        if (!has_sound_blocks(p, t))
            return false;
    return true;
}

static void connect(assay_postings *p, const header *h)
{
    p->n_docs = h->n_docs;
    p->n_terms = h->n_terms;
    p->n_postings = h->n_postings;
    p->n_blocks = h->n_blocks;
    p->n_text = h->n_text;
    p->n_title = h->n_title;
    p->n_many = h->n_many;
    p->passages = h->passages;
    p->bucket_shift = h->bucket_shift;
    for (size_t i = 0; i < N_SECTIONS; i++)
        set_section(p, i, p->file.text.ptr + h->section[i].at);
    if (!h->has_titles)
        p->tf_title = NULL;
}

assay_status assay_postings_load(const char *path, assay_postings **out, assay_error *err)
{
    assay_postings *p = ASSAY_NEW(assay_postings);
    header h;
    assay_status st;

    if (!p)
        return assay_fail_memory(err, "opening an index");
    st = assay_file_open(&p->file, path, err);
    memset(&h, 0, sizeof h);
    if (!st)
        memcpy(&h, p->file.text.ptr,
               p->file.text.len < sizeof h ? p->file.text.len : sizeof h);
    if (!st)
        st = check_header(path, p->file.text, &h, err);
    if (!st)
        st = check_sections(path, p->file.text, &h, err);
    if (!st) {
        connect(p, &h);
        if (!is_sound(p, h.section[2].len, h.section[N_SECTIONS - 1].len))
            st = assay_fail_at(err, path, 0, "the index contradicts itself; delete it");
    }
    if (st) {
        assay_postings_free(p);
        return st;
    }
    *out = p;
    return ASSAY_OK;
}
