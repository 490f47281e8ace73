/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks, and the socket for chunkers (k_*.c, listed in chunker_roster.h).
 *
 * A chunking is a chunker with its version and its whole policy.  Its spelling,
 * `md-heading@1(target=500,overlap=80,max=4000)`, is its identity: parameters in the
 * chunker's own order, all of them, so that a changed default changes the name.
 *
 * Guarantees of every chunker, tested over random documents: spans lie inside the text on
 * UTF-8 boundaries, ascend, do not overlap within a chunk; together the chunks cover every
 * byte that is not white space; the same input gives the same chunks and ids; structural
 * chunkers give the same ids to sections that did not change. */
#ifndef ASSAY_CORPUS_CHUNKER_H
#define ASSAY_CORPUS_CHUNKER_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/dict.h"
#include "base/span.h"
#include "corpus/document.h"

enum { ASSAY_CHUNK_ID_BYTES = 16, ASSAY_CHUNK_ID_CHARS = 32, ASSAY_CHUNKER_PARAMS = 8 };

typedef struct assay_chunk {
    uint8_t id[ASSAY_CHUNK_ID_BYTES]; /* printed as 32 hexadecimal digits */
    const assay_span *span;           /* ascending; at least one */
    uint32_t n_spans;
    uint32_t heading; /* number in assay_chunks.heading of the innermost, or ASSAY_NONE */
    uint64_t first_line; /* from 1; of the first byte */
    uint64_t last_line;  /* of the last byte */
} assay_chunk;

/* A heading of the document; paths are followed through `parent`. */
typedef struct assay_heading {
    assay_slice text;   /* points into the document's text */
    uint32_t parent;    /* number, smaller than its own, or ASSAY_NONE */
    uint32_t level;     /* 1 to 6 */
    assay_span section; /* from the heading's line to the next of its level or above */
} assay_heading;

/* All chunks of one document, in the order of their first bytes. */
typedef struct assay_chunks {
    assay_chunk *chunk;
    uint32_t n;
    assay_heading *heading;
    uint32_t n_headings;
} assay_chunks;

typedef struct assay_chunker_param {
    const char *name; /* "target" */
    uint32_t standard;
    uint32_t least;
    uint32_t most;
    const char *help; /* what it counts, with its unit */
} assay_chunker_param;

/* A chunker with its policy. */
typedef struct assay_chunking {
    const struct assay_chunker *chunker;
    uint32_t value[ASSAY_CHUNKER_PARAMS]; /* in the order of chunker->param */
} assay_chunking;

typedef struct assay_chunker {
    const char *name;
    const char *summary;
    uint32_t version;
    bool is_structural; /* editing one section leaves the ids of the others alone */
    assay_chunker_param param[ASSAY_CHUNKER_PARAMS]; /* ends with a null name */

    /* Set the spans and headings of all chunks; ids and lines are filled in by the
     * socket.  Everything lives in `arena`.  Cannot fail but for memory: false. */
    bool (*cut)(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out);

    /* Null, or whether the values fit each other; the error names what does not. */
    assay_status (*check)(const assay_chunking *chunking, assay_error *err);
} assay_chunker;

/* Null past the end. */
const assay_chunker *assay_chunker_at(size_t i);
const assay_chunker *assay_chunker_find(assay_slice name);

/* The default of `assay ingest`. */
#define ASSAY_CHUNKING_STANDARD "md-heading"

/* Read `md-heading`, `md-heading@1`, `md-heading(target=300)` ...  Unknown names and
 * parameters are ASSAY_EUSAGE and name the nearest known; so is a version that this
 * program does not have. */
ASSAY_MUST_USE assay_status assay_chunking_read(assay_slice spelling, assay_chunking *out,
                                                assay_error *err);

/* The full spelling. */
void assay_chunking_print(const assay_chunking *chunking, assay_buffer *out);

/* Cut `doc`; all of *out lives in `arena`.
 *
 * id = first 16 bytes of SHA-256 over document id, full spelling, heading path, the
 * chunk's text, and its ordinal among the chunks of the document for which all these are
 * equal; each with its length before it. */
ASSAY_MUST_USE assay_status assay_chunking_cut(const assay_chunking *chunking,
                                               const assay_document *doc,
                                               assay_arena *arena, assay_chunks *out,
                                               assay_error *err);

/* The headings of a document, for anchors by heading: as the structural chunker sees
 * them; none where the form is not Markdown.  False: no memory. */
bool assay_headings_find(const assay_document *doc, assay_arena *arena,
                         assay_chunks *out);

/* "Refunds > Approval": the path of heading `number`; nothing for ASSAY_NONE. */
void assay_heading_path(const assay_chunks *chunks, uint32_t number, assay_buffer *out);

/* The chunk's text: its spans, one after the other, joined by a line feed. */
void assay_chunk_text(const assay_chunk *chunk, assay_slice text, assay_buffer *out);

/* 32 digits, not terminated; and back: false when it is not such an id. */
void assay_chunk_id_print(const uint8_t id[ASSAY_CHUNK_ID_BYTES], char *out);
bool assay_chunk_id_read(assay_slice text, uint8_t id[ASSAY_CHUNK_ID_BYTES]);

#endif
