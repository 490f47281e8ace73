/* SPDX-License-Identifier: Apache-2.0 */
/* Writing; hits_unpack.c reads. */
#include "store/hits_block.h"

#include <string.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/hits_format.h"

/* ---- small parts ---- */

static void put_number(assay_buffer *out, uint64_t value)
{
    unsigned char digits[10];
    size_t n = 0;

    for (; value > 127; value >>= 7)
        digits[n++] = (unsigned char)(value | 128);
    digits[n++] = (unsigned char)value;
    assay_buffer_add(out, digits, n);
}

static void put_word(unsigned char *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void put_double(assay_buffer *out, double value)
{
    unsigned char bytes[8];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_word(bytes, bits, 8);
    assay_buffer_add(out, bytes, sizeof bytes);
}

#define BAD 0xFF
/* Values of lower hex digits. */
static unsigned nibble_of(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10U : BAD;
}

static bool is_hex(assay_slice id)
{
    unsigned all = 0;

    if (id.len != 2 * HITS_ID_BYTES)
        return false;
    for (size_t i = 0; i < id.len; i++)
        all |= nibble_of((unsigned char)id.ptr[i]);
    return all < 16;
}

static void put_hex(assay_buffer *out, assay_slice id)
{
    unsigned char bytes[HITS_ID_BYTES];

    for (size_t i = 0; i < HITS_ID_BYTES; i++)
        bytes[i] = (unsigned char)(nibble_of((unsigned char)id.ptr[2 * i]) << 4 |
                                   nibble_of((unsigned char)id.ptr[2 * i + 1]));
    assay_buffer_add(out, bytes, sizeof bytes);
}

/* ---- different words of a column ---- */

static bool begin_words(assay_hits_packer *p, size_t most)
{
    size_t n_slots = p->n_slots ? p->n_slots : 64;
    assay_slice *word;
    uint32_t *number;

    word = assay_mem_grow(p->word, &p->cap_words, most, sizeof *word);
    if (!word)
        return false;
    p->word = word;
    number = assay_mem_grow(p->number, &p->cap_numbers, most, sizeof *number);
    if (!number)
        return false;
    p->number = number;
    while (n_slots < 2 * most)
        n_slots *= 2;
    if (n_slots != p->n_slots) {
        uint32_t *slot = assay_mem_resize(p->slot, n_slots, sizeof *slot);

        if (!slot)
            return false;
        p->slot = slot;
        p->n_slots = n_slots;
    }
    memset(p->slot, 0, p->n_slots * sizeof *p->slot);
    p->n_words = 0;
    return true;
}

static uint32_t number_of(assay_hits_packer *p, assay_slice word)
{
    size_t at = assay_hash(word.ptr, word.len) & (p->n_slots - 1);

    while (p->slot[at]) {
        uint32_t number = p->slot[at] - 1;

        if (assay_slice_eq(p->word[number], word))
            return number;
        at = (at + 1) & (p->n_slots - 1);
    }
    p->word[p->n_words] = word;
    p->slot[at] = ++p->n_words;
    return p->n_words - 1;
}

static void put_words(const assay_hits_packer *p, assay_buffer *out)
{
    put_number(out, p->n_words);
    for (uint32_t i = 0; i < p->n_words; i++)
        put_number(out, p->word[i].len);
    for (uint32_t i = 0; i < p->n_words; i++)
        assay_buffer_slice(out, p->word[i]);
}

static void put_numbers(const assay_hits_packer *p, uint32_t n, assay_buffer *out)
{
    unsigned width = assay_hits_width(p->n_words);
    char *to = assay_buffer_reserve(out, (size_t)n * width);

    if (!to)
        return;
    for (uint32_t i = 0; i < n; i++)
        put_word((unsigned char *)to + (size_t)i * width, p->number[i], width);
    out->len += (size_t)n * width;
}

/* ---- columns ---- */

static assay_slice id_at(const assay_hit *hit, uint32_t i, size_t offset)
{
    return *(const assay_slice *)((const char *)&hit[i] + offset);
}

/* Whether any id is there, and whether all are of 32 hex digits. */
static void look_at_ids(const assay_hit *hit, uint32_t n, size_t offset, bool *is_any,
                        bool *is_all_hex)
{
    *is_any = false;
    *is_all_hex = n > 0;
    for (uint32_t i = 0; i < n; i++) {
        assay_slice id = id_at(hit, i, offset);

        *is_any |= id.len > 0;
        *is_all_hex = *is_all_hex && is_hex(id);
    }
}

/* The column of the ids at `offset` in a hit; *kind is how it is kept.  `must` wants one
 * even where all are empty. */
static bool put_ids(assay_hits_packer *p, const assay_hit *hit, uint32_t n, size_t offset,
                    bool must, assay_buffer *out, unsigned *kind)
{
    bool is_any;
    bool is_all_hex;

    look_at_ids(hit, n, offset, &is_any, &is_all_hex);
    *kind = HITS_ID_NONE;
    if (!is_any && !must)
        return true;
    if (!begin_words(p, n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        p->number[i] = number_of(p, id_at(hit, i, offset));
    *kind = is_all_hex ? HITS_ID_HEX_TABLE : HITS_ID_TABLE;
    if (is_all_hex &&
        (size_t)p->n_words * HITS_ID_BYTES + (size_t)n * assay_hits_width(p->n_words) >=
            (size_t)n * HITS_ID_BYTES) {
        *kind = HITS_ID_HEX;
        for (uint32_t i = 0; i < n; i++)
            put_hex(out, id_at(hit, i, offset));
        return true;
    }
    if (is_all_hex) {
        put_number(out, p->n_words);
        for (uint32_t i = 0; i < p->n_words; i++)
            put_hex(out, p->word[i]);
    } else {
        put_words(p, out);
    }
    put_numbers(p, n, out);
    return true;
}

static unsigned put_ranks(const assay_hit *hit, uint32_t n, assay_buffer *out)
{
    bool is_count = true;
    bool is_none = true;

    for (uint32_t i = 0; i < n; i++) {
        is_count = is_count && hit[i].rank == i + 1;
        is_none = is_none && hit[i].rank == 0;
    }
    if (is_count)
        return HITS_RANK_COUNT;
    if (is_none)
        return HITS_RANK_NONE;
    for (uint32_t i = 0; i < n; i++)
        put_number(out, hit[i].rank);
    return HITS_RANK_LIST;
}

static unsigned put_scores(const assay_hit *hit, uint32_t n, assay_buffer *out)
{
    uint32_t n_scores = 0;

    for (uint32_t i = 0; i < n; i++)
        n_scores += hit[i].has_score;
    if (n_scores == 0 && n > 0)
        return HITS_SCORE_NONE;
    for (uint32_t i = 0; n_scores < n && i < n; i++)
        assay_buffer_char(out, (char)hit[i].has_score);
    for (uint32_t i = 0; i < n; i++)
        if (hit[i].has_score)
            put_double(out, hit[i].score);
    return n_scores < n ? HITS_SCORE_SOME : HITS_SCORE_ALL;
}

static unsigned put_spans(const assay_hit *hit, uint32_t n, assay_buffer *out)
{
    bool is_any = false;
    bool is_one = true;

    for (uint32_t i = 0; i < n; i++) {
        is_any |= hit[i].n_spans > 0;
        is_one = is_one && hit[i].n_spans == 1;
    }
    if (!is_any)
        return 0;
    for (uint32_t i = 0; !is_one && i < n; i++)
        put_number(out, hit[i].n_spans);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t s = 0; s < hit[i].n_spans; s++) {
            put_number(out, hit[i].span[s].start);
            put_number(out, hit[i].span[s].end - hit[i].span[s].start);
        }
    }
    return HITS_HAS_SPANS | (is_one ? HITS_ONE_SPAN : 0U);
}

/* For each hit the first line, 0 = none, and how many follow it. */
static unsigned put_lines(const assay_hit *hit, uint32_t n, assay_buffer *out)
{
    bool is_any = false;

    for (uint32_t i = 0; i < n; i++)
        is_any |= hit[i].has_lines;
    for (uint32_t i = 0; is_any && i < n; i++) {
        put_number(out, hit[i].has_lines ? hit[i].span->start : 0);
        if (hit[i].has_lines)
            put_number(out, hit[i].span->end - hit[i].span->start);
    }
    return is_any ? HITS_HAS_LINES : 0;
}

static void put_leg(const assay_leg_place *leg, uint32_t name, assay_buffer *out)
{
    put_number(out, name);
    put_number(out, (uint64_t)leg->rank << 1 | leg->has_score);
    if (leg->has_score)
        put_double(out, leg->score);
}

static bool put_legs(assay_hits_packer *p, const assay_hit *hit, uint32_t n,
                     assay_buffer *out, unsigned *parts)
{
    size_t n_legs = 0;

    for (uint32_t i = 0; i < n; i++)
        n_legs += hit[i].n_legs;
    if (n_legs == 0)
        return true;
    if (!begin_words(p, n_legs))
        return false;
    *parts |= HITS_HAS_LEGS;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < hit[i].n_legs; k++)
            (void)number_of(p, hit[i].leg[k].name);
    put_words(p, out);
    for (uint32_t i = 0; i < n; i++)
        assay_buffer_char(out, (char)hit[i].n_legs);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < hit[i].n_legs; k++)
            put_leg(&hit[i].leg[k], number_of(p, hit[i].leg[k].name), out);
    return true;
}

static bool has_texts(const assay_hit *hit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (hit[i].text.len)
            return true;
    return false;
}

static void put_texts(const assay_hit *hit, uint32_t n, assay_buffer *out)
{
    for (uint32_t i = 0; i < n; i++)
        put_number(out, hit[i].text.len);
    for (uint32_t i = 0; i < n; i++)
        assay_buffer_slice(out, hit[i].text);
}

/* ---- the whole ---- */

static bool put_columns(assay_hits_packer *p, const assay_hit *hit, uint32_t n,
                        assay_buffer *out, unsigned *kinds, unsigned *parts)
{
    bool is_texts = has_texts(hit, n);
    unsigned chunk;
    unsigned doc;

    if (!put_ids(p, hit, n, offsetof(assay_hit, chunk), false, out, &chunk))
        return false;
    /* So that each hit has a byte at least, by which a reader knows that n can be. */
    if (!put_ids(p, hit, n, offsetof(assay_hit, doc),
                 n > 0 && chunk == HITS_ID_NONE && !is_texts, out, &doc))
        return false;
    *kinds = chunk << HITS_CHUNK_AT | doc << HITS_DOC_AT;
    *kinds |= put_ranks(hit, n, out) << HITS_RANK_AT;
    *kinds |= put_scores(hit, n, out) << HITS_SCORE_AT;
    *parts = put_spans(hit, n, out);
    *parts |= put_lines(hit, n, out);
    if (!put_legs(p, hit, n, out, parts))
        return false;
    if (is_texts) {
        *parts |= HITS_HAS_TEXTS;
        put_texts(hit, n, out);
    }
    return true;
}

bool assay_hits_pack(assay_hits_packer *packer, const assay_hit *hit, uint32_t n,
                     assay_buffer *out)
{
    static const char header[HITS_HEADER] = {HITS_VERSION};
    size_t begin = out->len;
    unsigned kinds = 0;
    unsigned parts = 0;
    unsigned char *block;

    assay_buffer_add(out, header, sizeof header);
    put_number(out, n);
    if (!put_columns(packer, hit, n, out, &kinds, &parts) || out->has_failed)
        return false;
    block = (unsigned char *)out->ptr + begin;
    block[HITS_AT_KINDS] = (unsigned char)kinds;
    block[HITS_AT_PARTS] = (unsigned char)parts;
    put_word(block + HITS_AT_SUM, assay_hits_sum(out->ptr + begin, out->len - begin), 4);
    return true;
}

void assay_hits_packer_clear(assay_hits_packer *packer)
{
    assay_mem_free(packer->word);
    assay_mem_free(packer->slot);
    assay_mem_free(packer->number);
    *packer = (assay_hits_packer){.n_words = 0};
}
