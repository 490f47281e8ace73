/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what hits_block.c writes.  Everything is checked: a block that lies gives an
 * error, never a read outside of it. */
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "store/hits_block.h"
#include "store/hits_format.h"

/* The first fault sticks: `end` is moved to where nothing more can be read. */
typedef struct reading {
    const char *p;
    const char *end;
    assay_arena *arena;
    assay_hit *hit;
    uint32_t n;
    bool is_bad;
    bool is_full;      /* no memory */
    bool is_mixed[2];  /* some ids are there and some are not: chunks, docs */
    bool is_there[2];  /* ids are there */
    unsigned n_scores; /* 0 none, 1 all, 2 some */
} reading;

static size_t left(const reading *in)
{
    return (size_t)(in->end - in->p);
}

static void spoil(reading *in)
{
    in->is_bad = true;
    in->p = in->end;
}

static const char *take(reading *in, uint64_t bytes)
{
    const char *at = in->p;

    if (bytes > left(in)) {
        spoil(in);
        return NULL;
    }
    in->p += bytes;
    return at;
}

static uint64_t read_long_number(reading *in)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && in->p < in->end; shift += 7) {
        uint64_t digit = (unsigned char)*in->p++;

        if (shift == 63 && digit > 1)
            break;
        value |= (digit & 127) << shift;
        if (digit < 128)
            return value;
    }
    spoil(in);
    return 0;
}

/* Most numbers have three bytes at most. */
static inline uint64_t read_number(reading *in)
{
    const unsigned char *p = (const unsigned char *)in->p;

    if (ASSAY_UNLIKELY(left(in) < 3))
        return read_long_number(in);
    if (p[0] < 128) {
        in->p += 1;
        return p[0];
    }
    if (p[1] < 128) {
        in->p += 2;
        return (p[0] & 127U) | (uint32_t)p[1] << 7;
    }
    if (p[2] < 128) {
        in->p += 3;
        return (p[0] & 127U) | (p[1] & 127U) << 7 | (uint32_t)p[2] << 14;
    }
    return read_long_number(in);
}

static double double_at(const char *at)
{
    uint64_t bits = assay_bytes_load(at);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* NaN and infinite compare so. */
static bool is_finite(double value)
{
    return value - value == 0;
}

static void *get_room(reading *in, size_t count, size_t size)
{
    void *room =
        count <= SIZE_MAX / size ? assay_arena_alloc(in->arena, count * size) : NULL;

    if (!room) {
        in->is_full = true;
        spoil(in);
    }
    return room;
}

/* ---- ids ---- */

#define ROW(h)                                                                      \
    h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" h "8" h "9" h "a" h "b" h "c" h \
      "d" h "e" h "f"
static const char hex_pairs[] =
    ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7") ROW("8")
        ROW("9") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f");
#undef ROW

/* `n` packed ids as text, 32 bytes each. */
static char *read_hex(reading *in, uint64_t n)
{
    const char *from;
    char *text;

    if (n > left(in)) {
        spoil(in);
        return NULL;
    }
    from = take(in, n * HITS_ID_BYTES);
    if (!from)
        return NULL;
    text = get_room(in, (size_t)n, 2 * HITS_ID_BYTES);
    if (!text)
        return NULL;
    for (size_t i = 0; i < n * HITS_ID_BYTES; i++)
        memcpy(text + 2 * i, hex_pairs + 2 * (size_t)(unsigned char)from[i], 2);
    return text;
}

static assay_slice *slot_of(const reading *in, uint32_t i, size_t offset)
{
    return (assay_slice *)((char *)&in->hit[i] + offset);
}

/* The bytes of some words that stand one behind the other, in the arena. */
static const char *copy_bytes(reading *in, uint64_t len)
{
    const char *from = take(in, len);
    char *copy = from ? get_room(in, (size_t)len, 1) : NULL;

    if (copy && len)
        memcpy(copy, from, (size_t)len);
    return copy;
}

/* A table of words, whose number is *n. */
static assay_slice *read_words(reading *in, uint64_t *n)
{
    assay_slice *word;
    const char *bytes;
    uint64_t all = 0;

    *n = read_number(in);
    if (*n > left(in)) {
        spoil(in);
        return NULL;
    }
    word = get_room(in, (size_t)*n, sizeof *word);
    for (uint64_t i = 0; word && i < *n; i++) {
        word[i].len = (size_t)read_number(in);
        if (word[i].len > left(in)) {
            spoil(in);
            return NULL;
        }
        all += word[i].len;
    }
    bytes = word ? copy_bytes(in, all) : NULL;
    if (!bytes)
        return NULL;
    for (uint64_t i = 0; i < *n; i++) {
        word[i].ptr = bytes;
        bytes += word[i].len;
    }
    return in->is_bad ? NULL : word;
}

static assay_slice *read_hex_words(reading *in, uint64_t *n)
{
    assay_slice *word;
    const char *text;

    *n = read_number(in);
    text = read_hex(in, *n);
    word = text ? get_room(in, (size_t)*n, sizeof *word) : NULL;
    for (uint64_t i = 0; word && i < *n; i++)
        word[i] = (assay_slice){text + i * 2 * HITS_ID_BYTES, 2 * HITS_ID_BYTES};
    return word;
}

/* Each hit's number in the table, `width` bytes. */
static void read_numbers(reading *in, const assay_slice *word, uint64_t n_words,
                         size_t offset)
{
    unsigned width = assay_hits_width(n_words);
    const unsigned char *at = (const unsigned char *)take(in, (uint64_t)in->n * width);

    for (uint32_t i = 0; at && i < in->n; i++, at += width) {
        uint32_t number = at[0];

        for (unsigned b = 1; b < width; b++)
            number |= (uint32_t)at[b] << 8 * b;
        if (number >= n_words) {
            spoil(in);
            return;
        }
        *slot_of(in, i, offset) = word[number];
    }
}

static void note_empty(reading *in, const assay_slice *word, uint64_t n, bool is_doc)
{
    bool is_empty = false;

    for (uint64_t i = 0; i < n; i++)
        is_empty |= word[i].len == 0;
    in->is_there[is_doc] = true;
    in->is_mixed[is_doc] = is_empty;
}

static void read_ids(reading *in, unsigned kind, size_t offset)
{
    bool is_doc = offset == offsetof(assay_hit, doc);
    assay_slice *word;
    const char *text;
    uint64_t n_words = 0;

    if (kind == HITS_ID_NONE) {
        for (uint32_t i = 0; i < in->n; i++)
            *slot_of(in, i, offset) = (assay_slice){"", 0};
        return;
    }
    if (kind == HITS_ID_HEX) {
        in->is_there[is_doc] = true;
        text = read_hex(in, in->n);
        for (uint32_t i = 0; text && i < in->n; i++)
            *slot_of(in, i, offset) =
                (assay_slice){text + (size_t)i * 2 * HITS_ID_BYTES, 2 * HITS_ID_BYTES};
        return;
    }
    word =
        kind == HITS_ID_TABLE ? read_words(in, &n_words) : read_hex_words(in, &n_words);
    if (!word)
        return;
    note_empty(in, word, n_words, is_doc);
    read_numbers(in, word, n_words, offset);
}

/* ---- other columns ---- */

static void read_ranks(reading *in, unsigned kind)
{
    for (uint32_t i = 0; kind == HITS_RANK_COUNT && i < in->n; i++)
        in->hit[i].rank = i + 1;
    for (uint32_t i = 0; kind == HITS_RANK_LIST && i < in->n; i++) {
        uint64_t rank = read_number(in);

        if (rank > UINT32_MAX)
            spoil(in);
        in->hit[i].rank = (uint32_t)rank;
    }
    if (kind > HITS_RANK_LIST)
        spoil(in);
}

static void read_all_scores(reading *in)
{
    const char *at = take(in, (uint64_t)in->n * 8);
    bool is_bad = false;

    for (uint32_t i = 0; at && i < in->n; i++, at += 8) {
        in->hit[i].has_score = true;
        in->hit[i].score = double_at(at);
        is_bad |= !is_finite(in->hit[i].score);
    }
    if (is_bad)
        spoil(in);
}

static void read_some_scores(reading *in)
{
    const char *has = take(in, in->n);

    for (uint32_t i = 0; has && i < in->n; i++) {
        const char *at = has[i] ? take(in, 8) : NULL;

        if (!at)
            continue;
        in->hit[i].has_score = true;
        in->hit[i].score = double_at(at);
        if (!is_finite(in->hit[i].score))
            spoil(in);
    }
}

static void read_scores(reading *in, unsigned kind)
{
    in->n_scores = kind == HITS_SCORE_ALL ? 1 : kind == HITS_SCORE_NONE ? 0 : 2;
    if (kind == HITS_SCORE_ALL)
        read_all_scores(in);
    else if (kind == HITS_SCORE_SOME)
        read_some_scores(in);
    else if (kind != HITS_SCORE_NONE)
        spoil(in);
}

/* How many spans each hit has; the sum. */
static uint64_t read_span_counts(reading *in, bool is_one)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < in->n; i++) {
        uint64_t n = is_one ? 1 : read_number(in);

        /* Each takes two bytes at least. */
        if (n > left(in)) {
            spoil(in);
            return 0;
        }
        in->hit[i].n_spans = (uint32_t)n;
        all += n;
    }
    return all;
}

static void read_spans(reading *in, unsigned parts)
{
    uint64_t all;
    assay_span *span;

    if (!(parts & HITS_HAS_SPANS))
        return;
    all = read_span_counts(in, (parts & HITS_ONE_SPAN) != 0);
    if (in->is_bad || all > left(in) / 2) {
        spoil(in);
        return;
    }
    span = get_room(in, (size_t)all, sizeof *span);
    for (uint32_t i = 0; span && i < in->n; i++) {
        if (in->hit[i].n_spans)
            in->hit[i].span = span;
        for (uint32_t s = 0; s < in->hit[i].n_spans; s++, span++) {
            span->start = read_number(in);
            span->end = span->start + read_number(in);
        }
    }
}

static void read_lines(reading *in, unsigned parts)
{
    assay_span *lines;

    if (!(parts & HITS_HAS_LINES))
        return;
    lines = get_room(in, in->n, sizeof *lines);
    for (uint32_t i = 0; lines && i < in->n; i++) {
        lines[i].start = read_number(in);
        if (!lines[i].start)
            continue;
        lines[i].end = lines[i].start + read_number(in);
        if (in->hit[i].n_spans || lines[i].end < lines[i].start) {
            spoil(in);
            return;
        }
        in->hit[i].span = &lines[i];
        in->hit[i].has_lines = true;
    }
}

static void read_leg(reading *in, const assay_slice *name, uint64_t n_names,
                     assay_leg_place *leg)
{
    uint64_t number = read_number(in);
    uint64_t rank = read_number(in);
    const char *at;

    if (number >= n_names || rank >> 1 > UINT32_MAX) {
        spoil(in);
        return;
    }
    *leg = (assay_leg_place){.name = name[number],
                             .rank = (uint32_t)(rank >> 1),
                             .has_score = (rank & 1) != 0};
    if (!leg->has_score)
        return;
    at = take(in, 8);
    leg->score = at ? double_at(at) : 0;
    if (!is_finite(leg->score))
        spoil(in);
}

static void read_legs(reading *in, unsigned parts)
{
    assay_slice *name;
    assay_leg_place *leg;
    const char *count;
    uint64_t n_names = 0;
    uint64_t all = 0;

    if (!(parts & HITS_HAS_LEGS))
        return;
    name = read_words(in, &n_names);
    count = name ? take(in, in->n) : NULL;
    for (uint32_t i = 0; count && i < in->n; i++)
        all += (unsigned char)count[i];
    if (!count || all > left(in) / 2) {
        spoil(in);
        return;
    }
    leg = get_room(in, (size_t)all, sizeof *leg);
    for (uint32_t i = 0; leg && i < in->n; i++) {
        in->hit[i].n_legs = (unsigned char)count[i];
        if (in->hit[i].n_legs)
            in->hit[i].leg = leg;
        for (uint32_t k = 0; k < in->hit[i].n_legs; k++)
            read_leg(in, name, n_names, leg++);
    }
}

static void read_texts(reading *in, unsigned parts)
{
    bool has = (parts & HITS_HAS_TEXTS) != 0;
    const char *bytes;
    uint64_t all = 0;

    for (uint32_t i = 0; i < in->n; i++)
        in->hit[i].text = (assay_slice){"", 0};
    for (uint32_t i = 0; has && i < in->n; i++) {
        uint64_t len = read_number(in);

        if (len > left(in)) {
            spoil(in);
            return;
        }
        in->hit[i].text.len = (size_t)len;
        all += len;
    }
    bytes = has ? copy_bytes(in, all) : NULL;
    for (uint32_t i = 0; bytes && i < in->n; i++) {
        if (in->hit[i].text.len)
            in->hit[i].text.ptr = bytes;
        bytes += in->hit[i].text.len;
    }
}

/* ---- the whole ---- */

static uint8_t seen_of(const reading *in, unsigned parts)
{
    static const uint8_t ids[2][2] = {
        {ASSAY_SEEN_NEITHER, ASSAY_SEEN_DOC},
        {ASSAY_SEEN_CHUNK, ASSAY_SEEN_BOTH},
    };
    unsigned seen = ASSAY_SEEN_DONE;
    bool is_plain = !in->is_mixed[0] && !in->is_mixed[1] && in->n_scores < 2 &&
                    (parts & (HITS_HAS_SPANS | HITS_ONE_SPAN)) != HITS_HAS_SPANS;

    if (in->n && is_plain)
        return (uint8_t)(seen | ids[in->is_there[0]][in->is_there[1]] |
                         (in->n_scores ? ASSAY_SEEN_SCORE : ASSAY_SEEN_NO_SCORE) |
                         (parts & HITS_HAS_SPANS ? ASSAY_SEEN_SPANS : 0U));
    for (uint32_t i = 0; i < in->n; i++)
        seen |= assay_run_seen(&in->hit[i]);
    return (uint8_t)seen;
}

static void read_columns(reading *in, unsigned kinds, unsigned parts)
{
    read_ids(in, kinds >> HITS_CHUNK_AT & 3, offsetof(assay_hit, chunk));
    read_ids(in, kinds >> HITS_DOC_AT & 3, offsetof(assay_hit, doc));
    read_ranks(in, kinds >> HITS_RANK_AT & 3);
    read_scores(in, kinds >> HITS_SCORE_AT & 3);
    read_spans(in, parts);
    read_lines(in, parts);
    read_legs(in, parts);
    read_texts(in, parts);
}

static assay_status check_header(assay_slice block, assay_error *err)
{
    if (block.len > 0 && (unsigned char)block.ptr[0] > HITS_VERSION)
        return assay_fail(err, ASSAY_EINPUT,
                          "the hits were written by a newer assay (format %u, this "
                          "program knows %d)",
                          (unsigned char)block.ptr[0], HITS_VERSION);
    if (block.len < HITS_HEADER || block.ptr[0] != HITS_VERSION ||
        assay_hits_sum(block.ptr, block.len) !=
            (uint32_t)(assay_bytes_load(block.ptr) >> 32))
        return assay_fail(err, ASSAY_EINPUT, "the hits are damaged");
    return ASSAY_OK;
}

assay_status assay_hits_unpack(assay_slice block, assay_arena *arena, assay_hit **hit,
                               uint32_t *n, uint8_t *seen, assay_error *err)
{
    assay_status st = check_header(block, err);
    reading in = {.arena = arena};
    unsigned kinds;
    unsigned parts;
    uint64_t count;

    if (st)
        return st;
    kinds = (unsigned char)block.ptr[HITS_AT_KINDS];
    parts = (unsigned char)block.ptr[HITS_AT_PARTS];
    in.p = block.ptr + HITS_HEADER;
    in.end = block.ptr + block.len;
    count = read_number(&in);
    if (count > left(&in) || count >= UINT32_MAX)
        return assay_fail(err, ASSAY_EINPUT, "the hits are damaged");
    in.n = (uint32_t)count;
    in.hit = get_room(&in, in.n, sizeof *in.hit);
    if (in.hit) {
        memset(in.hit, 0, in.n * sizeof *in.hit);
        read_columns(&in, kinds, parts);
    }
    if (in.is_full)
        return assay_fail_memory(err, "reading hits");
    if (in.is_bad || in.p != in.end)
        return assay_fail(err, ASSAY_EINPUT, "the hits are damaged");
    *hit = in.hit;
    *n = in.n;
    *seen = seen_of(&in, parts);
    return ASSAY_OK;
}
