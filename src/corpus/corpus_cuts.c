/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/corpus_cuts.h"

#include "base/error.h"

enum {
    FORMAT = 1,
    LEAST_HEADING = 6, /* bytes that one takes at least: bounds what a count may claim */
    LEAST_CHUNK = 6,   /* besides its id */
    LEAST_SPAN = 2
};

/* ---- writing ---- */

static void put(assay_buffer *out, uint64_t value)
{
    char digits[10];
    size_t n = 0;

    for (; value > 127; value >>= 7)
        digits[n++] = (char)(value | 128);
    digits[n++] = (char)value;
    assay_buffer_add(out, digits, n);
}

/* `value` as a step from `from`, which may lead back. */
static void put_step(assay_buffer *out, uint64_t from, uint64_t value)
{
    if (value >= from)
        put(out, (value - from) << 1);
    else
        put(out, (from - value) << 1 | 1);
}

static void put_heading(assay_buffer *out, const assay_chunks *chunks, uint32_t i,
                        const char *text)
{
    const assay_heading *h = &chunks->heading[i];
    const assay_heading *before = i ? h - 1 : NULL;
    uint64_t at = h->text.len ? (uint64_t)(h->text.ptr - text) : h->section.start;
    uint64_t from = before ? before->section.start : 0;

    put(out, h->level);
    put(out, h->parent == ASSAY_NONE ? 0 : i - h->parent);
    put_step(out, from, h->section.start);
    put(out, h->section.end - h->section.start);
    put_step(out, h->section.start, at);
    put(out, h->text.len);
}

static void put_chunk(assay_buffer *out, const assay_chunk *chunk,
                      const assay_chunk *before)
{
    uint64_t from = before ? before->span[0].start : 0;

    put(out, chunk->n_spans);
    put_step(out, from, chunk->span[0].start);
    for (uint32_t s = 0; s < chunk->n_spans; s++) {
        if (s)
            put(out, chunk->span[s].start - chunk->span[s - 1].end);
        put(out, chunk->span[s].end - chunk->span[s].start);
    }
    put(out, chunk->heading == ASSAY_NONE ? 0 : (uint64_t)chunk->heading + 1);
    put_step(out, before ? before->first_line : 0, chunk->first_line);
    put(out, chunk->last_line - chunk->first_line);
}

void assay_cut_encode(const assay_chunks *chunks, assay_slice text, assay_buffer *out)
{
    uint64_t n_spans = 0;

    put(out, FORMAT);
    put(out, chunks->n);
    for (uint32_t i = 0; i < chunks->n; i++) {
        assay_buffer_add(out, chunks->chunk[i].id, ASSAY_CHUNK_ID_BYTES);
        n_spans += chunks->chunk[i].n_spans;
    }
    put(out, n_spans);
    put(out, chunks->n_headings);
    for (uint32_t i = 0; i < chunks->n_headings; i++)
        put_heading(out, chunks, i, text.ptr);
    for (uint32_t i = 0; i < chunks->n; i++)
        put_chunk(out, &chunks->chunk[i], i ? &chunks->chunk[i - 1] : NULL);
}

/* ---- reading ---- */

/* The first fault sticks: p is null from then on, and all numbers read are 0. */
typedef struct reader {
    const uint8_t *p;
    const uint8_t *end;
    uint64_t limit; /* length of the text */
} reader;

static uint64_t fault(reader *r)
{
    r->p = NULL;
    return 0;
}

static uint64_t get(reader *r)
{
    uint64_t value = 0;

    for (unsigned shift = 0; r->p && r->p < r->end && shift < 64; shift += 7) {
        uint8_t digit = *r->p++;

        value |= (uint64_t)(digit & 127) << shift;
        if (digit < 128)
            return shift == 63 && digit > 1 ? fault(r) : value;
    }
    return fault(r);
}

/* A number that may be `most` at most. */
static uint64_t get_most(reader *r, uint64_t most)
{
    uint64_t value = get(r);

    return value <= most ? value : fault(r);
}

/* What put_step wrote; the result is `most` at most. */
static uint64_t get_step(reader *r, uint64_t from, uint64_t most)
{
    uint64_t step = get(r);
    uint64_t size = step >> 1;

    if (step & 1)
        return size <= from ? from - size : fault(r);
    return from <= most && size <= most - from ? from + size : fault(r);
}

/* How many items of at least `least` bytes are claimed to follow. */
static uint32_t get_count(reader *r, size_t least)
{
    uint64_t n = get(r);

    if (!r->p || n > (uint64_t)(r->end - r->p) / least || n >= ASSAY_NONE)
        return (uint32_t)fault(r);
    return (uint32_t)n;
}

/* From `start`, at least one byte, inside the text. */
static assay_span get_span(reader *r, uint64_t start)
{
    uint64_t len = get_most(r, r->limit - start);

    if (len == 0)
        fault(r);
    return (assay_span){start, start + len};
}

static void get_heading(reader *r, assay_heading *h, uint32_t i, assay_slice text)
{
    uint64_t from = i ? h[-1].section.start : 0;
    uint64_t up;
    uint64_t at;
    uint64_t len;

    h->level = (uint32_t)get_most(r, UINT32_MAX);
    up = get_most(r, i);
    h->parent = up ? (uint32_t)(i - up) : ASSAY_NONE;
    h->section.start = get_step(r, from, r->limit);
    h->section.end = h->section.start + get_most(r, r->limit - h->section.start);
    at = get_step(r, h->section.start, r->limit);
    len = get_most(r, r->limit - at);
    h->text = text.ptr ? (assay_slice){text.ptr + at, (size_t)len} : (assay_slice){"", 0};
}

/* `n_left` spans are there for this chunk and those behind it. */
static void get_chunk(reader *r, assay_chunk *chunk, uint32_t i, assay_span *span,
                      uint32_t n_left, uint32_t n_headings)
{
    const assay_chunk *before = i ? chunk - 1 : NULL;
    uint64_t start;
    uint64_t heading;

    chunk->n_spans = (uint32_t)get_most(r, n_left);
    chunk->span = span;
    if (chunk->n_spans == 0)
        fault(r);
    start = get_step(r, before ? before->span[0].start : 0, r->limit);
    for (uint32_t s = 0; s < chunk->n_spans && r->p; s++) {
        if (s)
            start = span[s - 1].end + get_most(r, r->limit - span[s - 1].end);
        span[s] = get_span(r, start);
    }
    heading = get_most(r, n_headings);
    chunk->heading = heading ? (uint32_t)(heading - 1) : ASSAY_NONE;
    chunk->first_line = get_step(r, before ? before->first_line : 0, UINT64_MAX >> 1);
    chunk->last_line = chunk->first_line + get_most(r, UINT64_MAX >> 1);
}

static const uint8_t *get_ids(reader *r, uint32_t *n)
{
    const uint8_t *ids;

    if (get(r) != FORMAT)
        fault(r);
    *n = get_count(r, ASSAY_CHUNK_ID_BYTES);
    ids = r->p;
    if (r->p)
        r->p += (size_t)*n * ASSAY_CHUNK_ID_BYTES;
    return ids;
}

bool assay_cut_ids(assay_slice cut, const uint8_t **ids, uint32_t *n)
{
    reader r = {(const uint8_t *)cut.ptr, (const uint8_t *)cut.ptr + cut.len, 0};

    *ids = get_ids(&r, n);
    return *ids != NULL;
}

/* Everything behind the ids; false: no memory. */
static bool get_rest(reader *r, const uint8_t *ids, assay_slice text, assay_arena *arena,
                     assay_chunks *out)
{
    uint32_t n_spans = get_count(r, LEAST_SPAN);
    uint32_t used = 0;
    assay_span *span;

    out->n_headings = get_count(r, LEAST_HEADING);
    if (!r->p || out->n > (uint64_t)(r->end - r->p) / LEAST_CHUNK) {
        fault(r);
        return true;
    }
    out->chunk = ASSAY_ARENA_ARRAY(arena, assay_chunk, out->n);
    out->heading = ASSAY_ARENA_ARRAY(arena, assay_heading, out->n_headings);
    span = ASSAY_ARENA_ARRAY(arena, assay_span, n_spans);
    if (!out->chunk || !out->heading || !span)
        return false;
    for (uint32_t i = 0; i < out->n_headings && r->p; i++)
        get_heading(r, &out->heading[i], i, text);
    for (uint32_t i = 0; i < out->n && r->p; i++) {
        assay_chunk *chunk = &out->chunk[i];

        memcpy(chunk->id, ids + (size_t)i * ASSAY_CHUNK_ID_BYTES, ASSAY_CHUNK_ID_BYTES);
        get_chunk(r, chunk, i, span + used, n_spans - used, out->n_headings);
        used += chunk->n_spans;
    }
    if (used != n_spans || r->p != r->end)
        fault(r);
    return true;
}

assay_status assay_cut_decode(assay_slice cut, assay_slice text, const char *what,
                              assay_arena *arena, assay_chunks *out, assay_error *err)
{
    const uint8_t *begin = (const uint8_t *)cut.ptr;
    reader r = {begin, begin + cut.len, text.len};
    assay_chunks chunks = {0};
    const uint8_t *ids = get_ids(&r, &chunks.n);

    if (!get_rest(&r, ids, text, arena, &chunks))
        return assay_fail_memory(err, "reading chunks");
    if (!r.p)
        return assay_fail(err, ASSAY_EINPUT, "%s is damaged", what);
    *out = chunks;
    return ASSAY_OK;
}
