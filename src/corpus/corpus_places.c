/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of the corpus: of one document, or found by their ids among all there ever
 * were. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus_cuts.h"
#include "corpus/corpus_db.h"

assay_status assay_corpus_chunks(assay_corpus *corpus, int64_t version, assay_slice text,
                                 assay_arena *arena, assay_chunks *out, assay_error *err)
{
    assay_stmt *stmt;
    bool has_row = false;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_CUT, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, version);
    assay_stmt_put_int(stmt, 2, corpus->chunking_number);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st && has_row)
        st = assay_cut_decode(assay_stmt_slice(stmt, 0), text, "a cut of the corpus",
                              arena, out, err);
    else if (!st)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "version %lld of the corpus was never cut by '%s'; if somebody "
                        "ingests just now, try again",
                        (long long)version, corpus->chunking);
    assay_stmt_reset(stmt);
    return st;
}

/* ---- by id ---- */

/* The ids that are looked for, each once, and the best place so far. */
typedef struct search {
    assay_dict wanted; /* 16 bytes each */
    assay_chunk_place *best;
    assay_arena *arena;  /* the caller's */
    assay_arena scratch; /* for one cut */
    uint32_t *hit;       /* numbers of chunks in the cut at hand that are wanted */
    size_t cap;
    const assay_corpus *corpus;
} search;

/* One row of the pass over all cuts. */
typedef struct row {
    int64_t version;
    bool is_today;
    int64_t chunking;
    assay_slice body;
    assay_slice doc;
    assay_slice spelling;
    uint64_t bytes; /* of the version's text */
} row;

/* Versions in the order in which they were stored; the joins stay in this order. */
static const char pass_text[] =
    "SELECT v.version, v.is_today, c.chunking, c.body, v.doc, k.spelling, v.bytes"
    " FROM versions v CROSS JOIN cuts c USING (version)"
    " CROSS JOIN chunkings k USING (chunking)"
    " WHERE v.is_today = ?1 ORDER BY v.version";

static bool keep_place(search *s, const row *r, const assay_chunk *chunk,
                       assay_chunk_place *best)
{
    assay_span *span = ASSAY_ARENA_ARRAY(s->arena, assay_span, chunk->n_spans);
    assay_slice doc = assay_arena_copy(s->arena, r->doc);
    assay_slice spelling = assay_arena_copy(s->arena, r->spelling);

    if (!span || !doc.ptr || !spelling.ptr)
        return false;
    memcpy(span, chunk->span, chunk->n_spans * sizeof *span);
    *best = (assay_chunk_place){.is_there = true,
                                .is_today = r->is_today &&
                                            r->chunking == s->corpus->chunking_number,
                                .version = r->version,
                                .doc = doc,
                                .chunking = spelling,
                                .span = span,
                                .n_spans = chunk->n_spans};
    return true;
}

static assay_slice id_at(const uint8_t *ids, uint32_t i)
{
    return (assay_slice){(const char *)ids + (size_t)i * ASSAY_CHUNK_ID_BYTES,
                         ASSAY_CHUNK_ID_BYTES};
}

/* The chunks of this cut whose ids are wanted. */
static assay_status collect(search *s, const row *r, size_t *n_hits, assay_error *err)
{
    const uint8_t *ids;
    uint32_t n;

    *n_hits = 0;
    if (!assay_cut_ids(r->body, &ids, &n))
        return assay_fail(err, ASSAY_EINPUT, "a cut of '%.*s' is damaged",
                          ASSAY_QUOTE(r->doc));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = assay_dict_find(&s->wanted, id_at(ids, i));
        uint32_t *moved;

        if (number == ASSAY_NONE)
            continue;
        moved = assay_mem_grow(s->hit, &s->cap, *n_hits + 1, sizeof *s->hit);
        if (!moved)
            return assay_fail_memory(err, "looking for chunks");
        s->hit = moved;
        s->hit[(*n_hits)++] = i;
    }
    return ASSAY_OK;
}

static assay_status look_into(search *s, const row *r, assay_error *err)
{
    assay_chunks chunks;
    size_t n_hits;
    assay_status st = collect(s, r, &n_hits, err);

    if (st || n_hits == 0)
        return st;
    assay_arena_reset(&s->scratch);
    st = assay_cut_decode(r->body, (assay_slice){NULL, (size_t)r->bytes},
                          "a cut of the corpus", &s->scratch, &chunks, err);
    for (size_t i = 0; i < n_hits && !st; i++) {
        const assay_chunk *chunk = &chunks.chunk[s->hit[i]];
        uint32_t number = assay_dict_find(&s->wanted, id_at(chunk->id, 0));

        if (!keep_place(s, r, chunk, &s->best[number]))
            st = assay_fail_memory(err, "looking for chunks");
    }
    return st;
}

/* Over the cuts of today's versions, or of the archived ones.  What is found later takes
 * the place of what was found before: the archive goes first, older before newer. */
static assay_status pass(search *s, assay_sql *sql, bool is_today, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(sql, pass_text, &stmt, err);
    bool has_row;

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, is_today);
    while (!st) {
        row r;

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        r = (row){.version = assay_stmt_int(stmt, 0),
                  .is_today = assay_stmt_int(stmt, 1) != 0,
                  .chunking = assay_stmt_int(stmt, 2),
                  .body = assay_stmt_slice(stmt, 3),
                  .doc = assay_stmt_slice(stmt, 4),
                  .spelling = assay_stmt_slice(stmt, 5),
                  .bytes = (uint64_t)assay_stmt_int(stmt, 6)};
        st = look_into(s, &r, err);
    }
    assay_stmt_free(stmt);
    return st;
}

/* Number what is asked for; what is no id at all has number ASSAY_NONE. */
static bool number_ids(search *s, const assay_slice *id, size_t n, uint32_t *number,
                       assay_arena *keys)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[ASSAY_CHUNK_ID_BYTES];

        number[i] = ASSAY_NONE;
        if (assay_chunk_id_read(id[i], bytes) &&
            !assay_dict_put(&s->wanted, keys, id_at(bytes, 0), &number[i], NULL))
            return false;
    }
    s->best = ASSAY_NEW_ARRAY(assay_chunk_place, s->wanted.n);
    return s->best != NULL;
}

assay_status assay_corpus_places(assay_corpus *corpus, const assay_slice *id, size_t n,
                                 assay_arena *arena, assay_chunk_place *place,
                                 assay_error *err)
{
    search s = {.arena = arena, .corpus = corpus};
    assay_arena keys = ASSAY_ARENA_EMPTY;
    uint32_t *number = ASSAY_NEW_ARRAY(uint32_t, n);
    assay_status st = ASSAY_OK;

    if (!number || !number_ids(&s, id, n, number, &keys))
        st = assay_fail_memory(err, "looking for chunks");
    if (!st && s.wanted.n)
        st = pass(&s, corpus->sql, false, err);
    if (!st && s.wanted.n)
        st = pass(&s, corpus->sql, true, err);
    for (size_t i = 0; i < n && !st; i++)
        place[i] = number[i] == ASSAY_NONE ? (assay_chunk_place){0} : s.best[number[i]];
    assay_mem_free(number);
    assay_mem_free(s.best);
    assay_mem_free(s.hit);
    assay_dict_clear(&s.wanted);
    assay_arena_clear(&s.scratch);
    assay_arena_clear(&keys);
    return st;
}
