/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and lines of chunks.
 *
 * An id is the first 16 bytes of SHA-256 over five fields, each with its length before it
 * in eight bytes, lowest first: document id, full spelling of the chunking, heading path,
 * text, and the ordinal among equals, itself eight bytes, lowest first.  Most chunks have
 * no equal, so each is first hashed as number 0; only where that id is there already the
 * chunk is hashed again. */
#include "corpus/chunk_ids.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/sha256.h"

/* ---- hashing ---- */

static void put_u64(uint8_t out[8], uint64_t n)
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(n >> (8 * i));
}

static void add_length(assay_sha256 *sha, uint64_t n)
{
    uint8_t bytes[8];

    put_u64(bytes, n);
    assay_sha256_add(sha, bytes, sizeof bytes);
}

static void add_field(assay_sha256 *sha, assay_slice field)
{
    add_length(sha, field.len);
    assay_sha256_add(sha, field.ptr, field.len);
}

static void add_text(assay_sha256 *sha, const assay_chunk *chunk, assay_slice text)
{
    uint64_t len = chunk->n_spans - 1;

    for (uint32_t i = 0; i < chunk->n_spans; i++)
        len += chunk->span[i].end - chunk->span[i].start;
    add_length(sha, len);
    for (uint32_t i = 0; i < chunk->n_spans; i++) {
        if (i)
            assay_sha256_add(sha, "\n", 1);
        assay_sha256_add(sha, text.ptr + chunk->span[i].start,
                         chunk->span[i].end - chunk->span[i].start);
    }
}

/* The id of what is in `sha` as number `ordinal`; `sha` itself stays as it is. */
static void end_id(const assay_sha256 *sha, uint64_t ordinal,
                   uint8_t id[ASSAY_CHUNK_ID_BYTES])
{
    assay_sha256 copy = *sha;
    uint8_t digest[ASSAY_SHA256_BYTES];

    add_length(&copy, 8);
    add_length(&copy, ordinal);
    assay_sha256_end(&copy, digest);
    memcpy(id, digest, ASSAY_CHUNK_ID_BYTES);
}

/* ---- equals ---- */

typedef struct slot {
    uint32_t chunk; /* number + 1 of the first of its equals, 0 = free */
    uint32_t n;     /* of them so far */
} slot;

static slot *slots_of(uint32_t n_chunks, size_t *n_slots)
{
    size_t n = 16;

    while (n < (size_t)n_chunks * 2)
        n *= 2;
    *n_slots = n;
    return ASSAY_NEW_ARRAY(slot, n);
}

/* The ordinal of chunk i, whose id as number 0 is set. */
static uint32_t count_equal(slot *table, size_t n_slots, const assay_chunks *chunks,
                            uint32_t i)
{
    const uint8_t *id = chunks->chunk[i].id;
    uint64_t hash;
    size_t at;

    memcpy(&hash, id, sizeof hash);
    for (at = (size_t)hash & (n_slots - 1); table[at].chunk;
         at = (at + 1) & (n_slots - 1))
        if (memcmp(chunks->chunk[table[at].chunk - 1].id, id, ASSAY_CHUNK_ID_BYTES) == 0)
            return table[at].n++;
    table[at] = (slot){i + 1, 1};
    return 0;
}

/* ---- all chunks ---- */

typedef struct hashing {
    const assay_chunking *chunking;
    const assay_document *doc;
    assay_chunks *chunks;
    assay_buffer words; /* spelling, then heading paths */
    assay_sha256 whole; /* document and spelling */
    assay_sha256 head;  /* and the heading path of chunks below `heading` */
    uint32_t heading;
} hashing;

static void begin_heading(hashing *h, uint32_t heading)
{
    h->words.len = 0;
    assay_heading_path(h->chunks, heading, &h->words);
    h->head = h->whole;
    add_field(&h->head, assay_buffer_view(&h->words));
    h->heading = heading;
}

static void hash_chunk(hashing *h, slot *table, size_t n_slots, uint32_t i)
{
    assay_chunk *chunk = &h->chunks->chunk[i];
    uint32_t ordinal;
    assay_sha256 sha;

    if (i == 0 || chunk->heading != h->heading)
        begin_heading(h, chunk->heading);
    sha = h->head;
    add_text(&sha, chunk, h->doc->text);
    end_id(&sha, 0, chunk->id);
    ordinal = count_equal(table, n_slots, h->chunks, i);
    if (ordinal)
        end_id(&sha, ordinal, chunk->id);
}

bool assay_chunk_ids_set(const assay_chunking *chunking, const assay_document *doc,
                         assay_chunks *chunks)
{
    hashing h = {.chunking = chunking, .doc = doc, .chunks = chunks};
    size_t n_slots;
    slot *table = slots_of(chunks->n, &n_slots);
    bool is_ok;

    assay_chunking_print(chunking, &h.words);
    assay_sha256_init(&h.whole);
    add_field(&h.whole, doc->id);
    add_field(&h.whole, assay_buffer_view(&h.words));
    for (uint32_t i = 0; table && i < chunks->n && !h.words.has_failed; i++)
        hash_chunk(&h, table, n_slots, i);
    is_ok = table && !h.words.has_failed;
    assay_mem_free(table);
    assay_buffer_clear(&h.words);
    return is_ok;
}

/* ---- lines ---- */

static unsigned count_bits(uint64_t bits)
{
    unsigned n = 0;

    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static uint64_t count_feeds(const char *p, const char *end)
{
    uint64_t n = 0;

    for (; end - p >= ASSAY_SCAN_BYTES; p += ASSAY_SCAN_BYTES)
        n += count_bits(assay_scan_block(p).line);
    for (; p < end; p++)
        n += *p == '\n';
    return n;
}

/* Line of the byte at `to`, where the byte at `from` <= to stands in `line`. */
static uint64_t line_at(assay_slice text, uint64_t from, uint64_t line, uint64_t to)
{
    return line + count_feeds(text.ptr + from, text.ptr + to);
}

void assay_chunk_lines_set(assay_slice text, assay_chunks *chunks)
{
    uint64_t start = 0, start_line = 1;
    uint64_t last = 0, last_line = 1;

    for (uint32_t i = 0; i < chunks->n; i++) {
        assay_chunk *chunk = &chunks->chunk[i];
        uint64_t first = chunk->span[0].start;
        uint64_t end = chunk->span[chunk->n_spans - 1].end - 1;

        /* Most chunks begin behind the end of the one before: count from there. */
        if (first >= last) {
            start = last;
            start_line = last_line;
        }
        start_line = line_at(text, start, start_line, first);
        start = first;
        if (end < last || last < first) {
            last = start;
            last_line = start_line;
        }
        last_line = line_at(text, last, last_line, end);
        last = end;
        chunk->first_line = start_line;
        chunk->last_line = last_line;
    }
}
