/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/corpus_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "corpus/corpus_db.h"

const char *assay_doc_change_name(assay_doc_change change)
{
    static const char *const name[ASSAY_DOC_N] = {"same", "added", "removed", "changed"};

    return name[change];
}

/* Today's version of one document. */
typedef struct row {
    assay_corpus_doc doc;
    uint8_t hash[ASSAY_SHA256_BYTES];
} row;

typedef uint8_t key[ASSAY_CHUNK_ID_BYTES];

/* One of the two that are compared. */
typedef struct side {
    assay_corpus *corpus;
    const assay_chunking *chunking; /* null = the corpus's own cuts */
    row *row;                       /* in byte order of the ids */
    size_t n;
    size_t cap;
    assay_arena ids;
    assay_arena scratch;
    assay_buffer text;
    key *chunk; /* of the document at hand, sorted */
    uint32_t n_chunks;
    size_t cap_chunks;
} side;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "comparing corpora");
}

/* ---- documents ---- */

static assay_status take_row(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    side *s = ctx;
    row *moved = assay_mem_grow(s->row, &s->cap, s->n + 1, sizeof *moved);

    if (!moved)
        return no_memory(err);
    s->row = moved;
    s->row[s->n].doc = *doc;
    s->row[s->n].doc.id = assay_arena_copy(&s->ids, doc->id);
    /* Needed when it is cut again. */
    s->row[s->n].doc.title = assay_arena_copy(&s->ids, doc->title);
    s->row[s->n].doc.lang = assay_arena_copy(&s->ids, doc->lang);
    s->row[s->n].doc.extractor = ASSAY_LIT("");
    s->row[s->n].doc.source = ASSAY_LIT("");
    if (!s->row[s->n].doc.id.ptr || !s->row[s->n].doc.title.ptr ||
        !s->row[s->n].doc.lang.ptr)
        return no_memory(err);
    s->n++;
    return ASSAY_OK;
}

/* The hash of a version stands for its text, title, form and extractor. */
static assay_status take_hashes(side *s, assay_error *err)
{
    assay_stmt *stmt = NULL;
    assay_status st = assay_stmt_new(
        s->corpus->sql, "SELECT hash FROM versions WHERE version = ?1", &stmt, err);

    for (size_t i = 0; !st && i < s->n; i++) {
        bool has_row = false;

        assay_stmt_put_int(stmt, 1, s->row[i].doc.version);
        st = assay_stmt_step(stmt, &has_row, err);
        if (!st && has_row && assay_stmt_slice(stmt, 0).len == ASSAY_SHA256_BYTES)
            memcpy(s->row[i].hash, assay_stmt_slice(stmt, 0).ptr, ASSAY_SHA256_BYTES);
        if (!st)
            assay_stmt_reset(stmt);
    }
    assay_stmt_free(stmt);
    return st;
}

static assay_status load_side(side *s, assay_error *err)
{
    assay_status st = assay_corpus_each(s->corpus, take_row, s, err);

    return st ? st : take_hashes(s, err);
}

static void clear_side(side *s)
{
    assay_mem_free(s->row);
    assay_arena_clear(&s->ids);
    assay_arena_clear(&s->scratch);
    assay_buffer_clear(&s->text);
    assay_mem_free(s->chunk);
}

/* ---- chunks ---- */

static void hash_text(const assay_chunk *chunk, const char *text, key out)
{
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;

    assay_sha256_init(&sha);
    for (uint32_t i = 0; i < chunk->n_spans; i++)
        assay_sha256_add(&sha, text + chunk->span[i].start,
                         (size_t)(chunk->span[i].end - chunk->span[i].start));
    assay_sha256_end(&sha, digest);
    memcpy(out, digest, ASSAY_CHUNK_ID_BYTES);
}

static int by_key(const void *a, const void *b)
{
    return memcmp(a, b, ASSAY_CHUNK_ID_BYTES);
}

/* The keys of the document's chunks, sorted. */
static assay_status load_chunks(side *s, const row *r, bool is_by_text, assay_error *err)
{
    assay_slice text;
    assay_document doc;
    assay_chunks chunks = {.n = 0};
    void *moved;
    assay_status st = assay_corpus_text(s->corpus, r->doc.version, &s->text, err);

    if (st)
        return st;
    text = assay_buffer_view(&s->text);
    doc = assay_corpus_document(&r->doc, text);
    assay_arena_reset(&s->scratch);
    st = s->chunking ? assay_chunking_cut(s->chunking, &doc, &s->scratch, &chunks, err)
                     : assay_corpus_chunks(s->corpus, r->doc.version, text, &s->scratch,
                                           &chunks, err);
    if (st)
        return st;
    moved = assay_mem_grow(s->chunk, &s->cap_chunks, chunks.n + (size_t)1, sizeof(key));
    if (!moved)
        return no_memory(err);
    s->chunk = moved;
    s->n_chunks = chunks.n;
    for (uint32_t i = 0; i < chunks.n; i++) {
        if (is_by_text)
            hash_text(&chunks.chunk[i], text.ptr, s->chunk[i]);
        else
            memcpy(s->chunk[i], chunks.chunk[i].id, sizeof(key));
    }
    qsort(s->chunk, chunks.n, sizeof(key), by_key);
    return ASSAY_OK;
}

/* How many both have, each as often as it stands in both. */
static uint32_t count_kept(const side *a, const side *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0, j = 0; i < a->n_chunks && j < b->n_chunks;) {
        int order = by_key(a->chunk[i], b->chunk[j]);

        n += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return n;
}

/* ---- both ---- */

typedef struct comparison {
    side a;
    side b;
    assay_corpus_diff total;
    assay_doc_diff_visit *visit;
    void *ctx;
} comparison;

static assay_status compare_chunks(comparison *c, const row *a, const row *b,
                                   assay_doc_diff *diff, assay_error *err)
{
    assay_status st;

    /* The same text cut the same way, at no cost. */
    if (diff->change == ASSAY_DOC_SAME && !c->total.is_by_text) {
        diff->n_kept = a->doc.n_chunks;
        return ASSAY_OK;
    }
    st = load_chunks(&c->a, a, c->total.is_by_text, err);
    if (!st)
        st = load_chunks(&c->b, b, c->total.is_by_text, err);
    if (st)
        return st;
    diff->n_kept = count_kept(&c->a, &c->b);
    diff->n_gone = c->a.n_chunks - diff->n_kept;
    diff->n_new = c->b.n_chunks - diff->n_kept;
    return ASSAY_OK;
}

/* How many chunks a document has that only b has. */
static assay_status count_new(comparison *c, const row *b, assay_doc_diff *diff,
                              assay_error *err)
{
    assay_status st = ASSAY_OK;

    diff->n_new = b->doc.n_chunks;
    if (c->b.chunking) {
        st = load_chunks(&c->b, b, true, err);
        diff->n_new = c->b.n_chunks;
    }
    return st;
}

/* One document; a or b is null where it is not there. */
static assay_status compare_doc(comparison *c, const row *a, const row *b,
                                assay_error *err)
{
    assay_doc_diff diff = {.id = a ? a->doc.id : b->doc.id,
                           .a_bytes = a ? a->doc.bytes : 0,
                           .b_bytes = b ? b->doc.bytes : 0};
    assay_status st = ASSAY_OK;

    if (!a) {
        diff.change = ASSAY_DOC_ADDED;
        st = count_new(c, b, &diff, err);
    } else if (!b) {
        diff.change = ASSAY_DOC_REMOVED;
        diff.n_gone = a->doc.n_chunks;
    } else {
        diff.change =
            memcmp(a->hash, b->hash, sizeof a->hash) ? ASSAY_DOC_CHANGED : ASSAY_DOC_SAME;
        st = compare_chunks(c, a, b, &diff, err);
    }
    if (st)
        return st;
    c->total.n_docs[diff.change]++;
    c->total.n_kept += diff.n_kept;
    c->total.n_gone += diff.n_gone;
    c->total.n_new += diff.n_new;
    if (diff.change == ASSAY_DOC_SAME && !diff.n_gone && !diff.n_new)
        return ASSAY_OK;
    return c->visit(c->ctx, &diff, err);
}

static assay_status merge(comparison *c, assay_error *err)
{
    size_t i = 0;
    size_t j = 0;
    assay_status st = ASSAY_OK;

    while (!st && (i < c->a.n || j < c->b.n)) {
        int order = i == c->a.n ? 1
                    : j == c->b.n
                        ? -1
                        : assay_slice_cmp(c->a.row[i].doc.id, c->b.row[j].doc.id);

        st = compare_doc(c, order <= 0 ? &c->a.row[i] : NULL,
                         order >= 0 ? &c->b.row[j] : NULL, err);
        i += order <= 0;
        j += order >= 0;
    }
    return st;
}

assay_status assay_corpus_compare(assay_corpus *a, assay_corpus *b,
                                  const assay_chunking *chunking,
                                  assay_doc_diff_visit *visit, void *ctx,
                                  assay_corpus_diff *out, assay_error *err)
{
    comparison c = {.a = {.corpus = a},
                    .b = {.corpus = chunking ? a : b, .chunking = chunking},
                    .visit = visit,
                    .ctx = ctx};
    assay_buffer spelling = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (chunking)
        assay_chunking_print(chunking, &spelling);
    else
        assay_buffer_slice(&spelling, assay_corpus_chunking(b));
    c.total.is_by_text =
        !assay_slice_eq(assay_buffer_view(&spelling), assay_corpus_chunking(a));
    st = spelling.has_failed ? no_memory(err) : load_side(&c.a, err);
    if (!st)
        st = load_side(&c.b, err);
    if (!st)
        st = merge(&c, err);
    if (!st)
        *out = c.total;
    clear_side(&c.a);
    clear_side(&c.b);
    assay_buffer_clear(&spelling);
    return st;
}
