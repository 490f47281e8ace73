/* SPDX-License-Identifier: Apache-2.0 */
/* A stemmer behind a small cache.  Words follow Zipf's law, so that a few thousand places
 * answer nine of ten questions, and stemming costs ten times as much as looking there.
 * The cache cannot change an answer: a place holds the whole word. */
#include "text/stems.h"

#include <libstemmer.h>
#include <stdint.h>
#include <string.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/slice.h"

enum { PLACES = 1 << 13, LONGEST = 27 };

/* 64 bytes, most often one line of the processor's cache. */
typedef struct place {
    uint32_t hash;
    uint8_t n_word; /* 0 = free */
    uint8_t n_stem;
    char word[LONGEST + 2];
    char stem[LONGEST + 2];
} place;

struct assay_stems {
    struct sb_stemmer *stemmer; /* null: words stay what they are */
    assay_dict stop;            /* points into the caller's constant */
    place *cache;
};

const char assay_stop_lucene[] =
    "a an and are as at be but by for if in into is it no not of on or such that the "
    "their then there these they this to was will with";

static assay_status add_stops(assay_stems *stems, const char *stop, assay_error *err)
{
    assay_slice rest = assay_slice_of(stop);
    assay_slice word;
    uint32_t number;

    while (assay_slice_part(&rest, ' ', &word))
        if (!assay_dict_put(&stems->stop, NULL, word, &number, NULL))
            return assay_fail_memory(err, "opening a stemmer");
    return ASSAY_OK;
}

assay_status assay_stems_new(const char *algorithm, const char *stop, assay_stems **out,
                             assay_error *err)
{
    assay_stems *stems = ASSAY_NEW(assay_stems);
    assay_status st = ASSAY_OK;

    if (stems)
        stems->cache = ASSAY_NEW_ARRAY(place, PLACES);
    if (!stems || !stems->cache) {
        assay_stems_free(stems);
        return assay_fail_memory(err, "opening a stemmer");
    }
    if (algorithm) {
        stems->stemmer = sb_stemmer_new(algorithm, NULL);
        if (!stems->stemmer)
            st = assay_fail(err, ASSAY_ENOMEM, "no stemmer for '%s'", algorithm);
    }
    if (!st && stop)
        st = add_stops(stems, stop, err);
    if (st) {
        assay_stems_free(stems);
        return st;
    }
    *out = stems;
    return ASSAY_OK;
}

void assay_stems_free(assay_stems *stems)
{
    if (!stems)
        return;
    sb_stemmer_delete(stems->stemmer);
    assay_dict_clear(&stems->stop);
    assay_mem_free(stems->cache);
    assay_mem_free(stems);
}

static bool work_out(assay_stems *stems, assay_slice word, assay_slice *stem)
{
    const sb_symbol *got;

    *stem = ASSAY_LIT("");
    if (stems->stop.n && assay_dict_find(&stems->stop, word) != ASSAY_NONE)
        return true;
    *stem = word;
    if (!stems->stemmer || word.len > INT32_MAX)
        return true;
    got = sb_stemmer_stem(stems->stemmer, (const sb_symbol *)word.ptr, (int)word.len);
    if (!got)
        return false;
    *stem = (assay_slice){(const char *)got, (size_t)sb_stemmer_length(stems->stemmer)};
    /* A stemmer may leave nothing of a word; then the word itself is the term. */
    if (!stem->len)
        *stem = word;
    return true;
}

bool assay_stems_do(assay_stems *stems, assay_slice word, assay_slice *stem)
{
    uint64_t hash;
    place *p;

    if (word.len > LONGEST || !word.len)
        return work_out(stems, word, stem);
    hash = assay_hash(word.ptr, word.len);
    p = &stems->cache[hash >> 40 & (PLACES - 1)];
    if (p->n_word == word.len && p->hash == (uint32_t)hash &&
        memcmp(p->word, word.ptr, word.len) == 0) {
        *stem = (assay_slice){p->stem, p->n_stem};
        return true;
    }
    if (!work_out(stems, word, stem))
        return false;
    if (stem->len > LONGEST)
        return true;
    p->hash = (uint32_t)hash;
    p->n_word = (uint8_t)word.len;
    p->n_stem = (uint8_t)stem->len;
    memcpy(p->word, word.ptr, word.len);
    memcpy(p->stem, stem->ptr, stem->len);
    return true;
}
