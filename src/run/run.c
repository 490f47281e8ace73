/* SPDX-License-Identifier: Apache-2.0 */
/* The socket for run formats: which there are, which one a file is in, and what all of
 * them have to obey. */
#include "run/run.h"

#include <assert.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "run/ranked.h"
#include "run/run_roster.h"
#include "run/trec_lines.h"

#define X(id) extern const assay_run_format assay_run_format_##id;
ASSAY_RUN_ROSTER(X)
#undef X

#define X(id) &assay_run_format_##id,
static const assay_run_format *const roster[] = {ASSAY_RUN_ROSTER(X)};
#undef X

const assay_run_format *assay_run_format_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_run_format *assay_run_format_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

assay_status assay_run_format_get(const char *name, const assay_run_format **out,
                                  assay_error *err)
{
    const assay_run_format *found = assay_run_format_find(assay_slice_of(name));
    assay_buffer list = ASSAY_BUFFER_EMPTY;
    assay_slice all;

    if (found) {
        *out = found;
        return ASSAY_OK;
    }
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        assay_buffer_printf(&list, "%s%s", i ? ", " : "", roster[i]->name);
    all = assay_buffer_view(&list);
    assay_fail(err, ASSAY_EUSAGE, "no run format '%.80s'; there are: %.*s", name,
               (int)all.len, all.ptr);
    assay_buffer_clear(&list);
    return ASSAY_EUSAGE;
}

/* ---- the noun ---- */

assay_run *assay_run_new(void)
{
    return ASSAY_NEW(assay_run);
}

void assay_run_free(assay_run *run)
{
    if (!run)
        return;
    assay_trec_lines_close(run->trec);
    assay_dict_clear(&run->ids);
    assay_notes_clear(&run->notes);
    assay_mem_free(run->result);
    assay_arena_clear(&run->arena);
    assay_file_close(&run->file);
    assay_mem_free(run);
}

uint32_t assay_run_n(const assay_run *run)
{
    return run->trec ? run->ids.n : run->n_results;
}

assay_slice assay_run_id(const assay_run *run, uint32_t i)
{
    return run->trec ? run->ids.word[i] : run->result[i].query_id;
}

/* The rank field stands behind the document, and is no number in some files. */
static uint32_t rank_behind(const char *at, const char *end)
{
    assay_slice rest = {at, (size_t)(end - at)};
    assay_slice field = {at, 0};
    uint32_t rank = 0;

    while (rest.len && (*rest.ptr == ' ' || *rest.ptr == '\t')) {
        rest.ptr++;
        rest.len--;
    }
    while (field.len < rest.len && (unsigned)(rest.ptr[field.len] - '0') <= 9)
        field.len++;
    field.ptr = rest.ptr;
    return assay_slice_to_u32(field, &rank) ? rank : 0;
}

static assay_status read_trec_result(const assay_run *run, uint32_t i, assay_arena *arena,
                                     assay_result *out, assay_error *err)
{
    uint32_t n = assay_trec_lines_count(run->trec, i);
    assay_ranked *ranked = ASSAY_ARENA_ARRAY(arena, assay_ranked, n);
    assay_hit *hit = ASSAY_ARENA_ARRAY(arena, assay_hit, n);
    uint64_t *hash = ASSAY_ARENA_ARRAY(arena, uint64_t, n);
    const char *end = run->file.text.ptr + run->file.text.len;
    assay_status st;
    bool has_hash;

    if (!ranked || !hit || !hash)
        return assay_fail_memory(err, "reading a TREC run");
    st = assay_trec_lines_read(run->trec, i, ranked, hash, &has_hash, err);
    if (st)
        return st;
    for (uint32_t k = 0; k < n; k++)
        hit[k] = (assay_hit){.chunk = {"", 0},
                             .doc = {ranked[k].id, ranked[k].len},
                             .score = ranked[k].score,
                             .rank = rank_behind(ranked[k].id + ranked[k].len, end),
                             .has_score = true,
                             .text = {"", 0}};
    *out = (assay_result){.query_id = run->ids.word[i],
                          .query = {"", 0},
                          .mode = {"", 0},
                          .hit = hit,
                          .n_hits = n,
                          .elapsed_ms = -1,
                          .error = {"", 0},
                          .seen = ASSAY_SEEN_DONE | ASSAY_SEEN_DOC | ASSAY_SEEN_SCORE};
    return ASSAY_OK;
}

assay_status assay_run_result(const assay_run *run, uint32_t i, assay_arena *arena,
                              assay_result *out, assay_error *err)
{
    assert(i < assay_run_n(run));
    if (run->trec)
        return read_trec_result(run, i, arena, out, err);
    *out = run->result[i];
    return ASSAY_OK;
}

assay_status assay_run_add(assay_run *run, assay_slice query_id, uint32_t line,
                           assay_result **out, assay_error *err)
{
    assay_result *result = assay_mem_grow(run->result, &run->cap_results,
                                          (size_t)run->n_results + 1, sizeof *result);
    uint32_t number;
    bool is_new;

    if (!result)
        return assay_fail_memory(err, "reading a run");
    run->result = result;
    if (!assay_dict_put(&run->ids, NULL, query_id, &number, &is_new))
        return assay_fail_memory(err, "reading a run");
    if (!is_new)
        return assay_fail_at(err, run->path, line,
                             "query '%.*s' stands in line %u already",
                             ASSAY_QUOTE(query_id), result[number].line);
    *out = &result[run->n_results++];
    **out = (assay_result){.query_id = query_id, .elapsed_ms = -1, .line = line};
    return ASSAY_OK;
}

/* ---- what all formats share ---- */

bool assay_run_hit_id(const assay_hit *hit, assay_arena *arena, assay_slice *out)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    *out = hit->chunk.len ? hit->chunk : hit->doc;
    if (hit->chunk.len || (hit->doc.len && !hit->n_spans))
        return true;
    assay_buffer_slice(&b, hit->doc);
    if (!hit->doc.len && !hit->n_spans) {
        assay_buffer_char(&b, ' ');
        assay_buffer_slice(&b, hit->text);
    }
    for (uint32_t i = 0; i < hit->n_spans; i++)
        assay_buffer_printf(&b, "%c%llu-%llu", i ? ',' : ' ',
                            (unsigned long long)hit->span[i].start,
                            (unsigned long long)hit->span[i].end);
    *out = assay_arena_copy(arena, assay_buffer_view(&b));
    if (b.has_failed)
        out->ptr = NULL;
    assay_buffer_clear(&b);
    return out->ptr != NULL;
}

uint8_t assay_run_seen(const assay_hit *hit)
{
    static const uint8_t ids[2][2] = {
        {ASSAY_SEEN_NEITHER, ASSAY_SEEN_DOC},
        {ASSAY_SEEN_CHUNK, ASSAY_SEEN_BOTH},
    };

    return (uint8_t)(ids[hit->chunk.len > 0][hit->doc.len > 0] |
                     (hit->has_score ? ASSAY_SEEN_SCORE : ASSAY_SEEN_NO_SCORE) |
                     (hit->n_spans ? ASSAY_SEEN_SPANS : 0));
}

enum {
    SEEN_IDS = ASSAY_SEEN_CHUNK | ASSAY_SEEN_DOC | ASSAY_SEEN_BOTH,
    SEEN_SCORES = ASSAY_SEEN_SCORE | ASSAY_SEEN_NO_SCORE
};

static bool is_one_bit(unsigned bits)
{
    return (bits & (bits - 1)) == 0;
}

static void look_at(assay_result *result)
{
    unsigned seen = ASSAY_SEEN_DONE;

    if (result->seen & ASSAY_SEEN_DONE)
        return;
    for (uint32_t i = 0; i < result->n_hits; i++)
        seen |= assay_run_seen(&result->hit[i]);
    result->seen = (uint8_t)seen;
}

/* Position of the first hit whose bits among `mask` are not `known`; n_hits = none. */
static uint32_t find_other(const assay_result *result, unsigned mask, unsigned known)
{
    for (uint32_t i = 0; i < result->n_hits; i++) {
        unsigned bits = assay_run_seen(&result->hit[i]) & mask;

        if (bits && bits != known)
            return i;
    }
    return result->n_hits;
}

static const char *ids_name(unsigned bits)
{
    if (bits & ASSAY_SEEN_BOTH)
        return "a chunk and a doc id";
    return bits & ASSAY_SEEN_CHUNK ? "a chunk id only" : "a doc id only";
}

/* Hits that name chunks among hits that name documents can be measured at no level. */
static assay_status check_ids(const assay_run *run, const assay_result *result,
                              unsigned known, uint32_t known_line, assay_error *err)
{
    uint32_t pos = find_other(result, SEEN_IDS, known);

    if (pos == result->n_hits)
        return ASSAY_OK;
    return assay_fail_at(
        err, run->path, result->line,
        "hit %u of query '%.*s' has %s, but the hits before it (line %u) "
        "have %s; a run has one level",
        pos + 1, ASSAY_QUOTE(result->query_id),
        ids_name(assay_run_seen(&result->hit[pos])), known_line, ids_name(known));
}

/* Scores decide the order, so either all hits of a query have one or none has. */
static assay_status check_scores(const assay_run *run, const assay_result *result,
                                 assay_error *err)
{
    uint32_t pos;

    if (is_one_bit(result->seen & SEEN_SCORES))
        return ASSAY_OK;
    pos = find_other(result, SEEN_SCORES, ASSAY_SEEN_SCORE);
    return assay_fail_at(err, run->path, result->line,
                         "hit %u of query '%.*s' has no score, but others have", pos + 1,
                         ASSAY_QUOTE(result->query_id));
}

static assay_status check_results(assay_run *run, unsigned *all, assay_error *err)
{
    unsigned known = 0;
    uint32_t known_line = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < run->n_results && !st; i++) {
        assay_result *result = &run->result[i];
        unsigned ids;

        look_at(result);
        ids = result->seen & SEEN_IDS;
        if (!known && ids) {
            uint32_t first = find_other(result, SEEN_IDS, 0);

            known = assay_run_seen(&result->hit[first]) & SEEN_IDS;
            known_line = result->line;
        }
        if (ids && ids != known)
            st = check_ids(run, result, known, known_line, err);
        if (!st)
            st = check_scores(run, result, err);
        *all |= result->seen;
        run->has_answers |= result->answer != NULL;
        if (result->n_hits > run->depth)
            run->depth = result->n_hits;
    }
    return st;
}

assay_status assay_run_finish(assay_run *run, assay_error *err)
{
    unsigned all = 0;
    assay_status st;

    if (run->trec)
        return ASSAY_OK;
    st = check_results(run, &all, err);
    if (st)
        return st;
    run->has_chunks = (all & (ASSAY_SEEN_CHUNK | ASSAY_SEEN_BOTH)) != 0;
    run->has_docs = (all & (ASSAY_SEEN_DOC | ASSAY_SEEN_BOTH)) != 0;
    run->has_scores = (all & ASSAY_SEEN_SCORE) != 0;
    run->has_spans = (all & ASSAY_SEEN_SPANS) != 0;
    if (run->n_unknown_keys &&
        !assay_notes_add(&run->notes, &run->arena, "%u unknown keys in '%s' were ignored",
                         run->n_unknown_keys, run->path))
        return assay_fail_memory(err, "reading a run");
    return ASSAY_OK;
}

/* ---- loading ---- */

static const assay_run_format *sniff(const assay_run_source *source)
{
    const assay_run_format *best = NULL;
    int surest = 0;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        int sure = roster[i]->sniff(source);

        if (sure > surest) {
            surest = sure;
            best = roster[i];
        }
    }
    return best;
}

static assay_status choose(const assay_run_source *source, const assay_run_format **out,
                           assay_error *err)
{
    if (source->options->format)
        return assay_run_format_get(source->options->format, out, err);
    *out = sniff(source);
    if (*out)
        return ASSAY_OK;
    if (assay_slice_trim(source->text).len == 0)
        return assay_fail(err, ASSAY_EINPUT, "'%s' is empty, so there is no run in it",
                          source->path);
    return assay_fail(err, ASSAY_EINPUT,
                      "'%s' is in no run format I know; 'assay format list' shows them, "
                      "--from names one",
                      source->path);
}

/* The file's name without its folder and endings. */
static assay_slice name_of(const char *path)
{
    static const char *const packed[] = {".gz", ".zst"};
    assay_slice name = assay_slice_of(path);

    if (assay_slice_is(name, "-"))
        return assay_slice_of("stdin");
    for (size_t i = name.len; i > 0; i--) {
        if (name.ptr[i - 1] == '/') {
            name = (assay_slice){name.ptr + i, name.len - i};
            break;
        }
    }
    for (size_t i = 0; i < ASSAY_COUNT(packed); i++)
        if (assay_slice_ends(name, packed[i]))
            name.len -= assay_slice_of(packed[i]).len;
    for (size_t i = name.len; i > 1; i--) {
        if (name.ptr[i - 1] == '.') {
            name.len = i - 1;
            break;
        }
    }
    return name;
}

/* Everything behind the opening of run->file. */
static assay_status fill(assay_run *run, const char *path,
                         const assay_run_options *options, assay_error *err)
{
    static const assay_run_options none;
    assay_run_source source = {.options = options ? options : &none};
    assay_run_head head;
    assay_status st;

    run->path = assay_arena_string(&run->arena, assay_slice_of(path));
    if (!run->path)
        return assay_fail_memory(err, "reading a run");
    source.path = run->path;
    source.text = run->file.text;
    if (assay_slice_starts(source.text, "\xef\xbb\xbf")) {
        source.text.ptr += 3;
        source.text.len -= 3;
    }
    st = assay_run_look(run->path, source.text, &run->arena, &head, err);
    source.head = &head;
    if (!st)
        st = choose(&source, &run->format, err);
    if (st)
        return st;
    st = run->format->read(&source, run, err);
    if (st)
        return st;
    if (!run->name.len)
        run->name = name_of(run->path);
    return assay_run_finish(run, err);
}

/* Hand a freshly opened run over, or take it apart. */
static assay_status settle(assay_run *run, assay_status st, assay_run **out)
{
    if (st)
        assay_run_free(run);
    else
        *out = run;
    return st;
}

assay_status assay_run_load(const char *path, const assay_run_options *options,
                            assay_run **out, assay_error *err)
{
    assay_run *run = assay_run_new();
    assay_status st;

    if (!run)
        return assay_fail_memory(err, "reading a run");
    st = assay_file_open(&run->file, path, err);
    if (!st)
        st = fill(run, path, options, err);
    return settle(run, st, out);
}

assay_status assay_run_parse(const char *name, assay_slice text,
                             const assay_run_options *options, assay_run **out,
                             assay_error *err)
{
    assay_run *run = assay_run_new();
    assay_status st;

    if (!run)
        return assay_fail_memory(err, "reading a run");
    st = assay_file_copy(&run->file, text, name, err);
    if (!st)
        st = fill(run, name, options, err);
    return settle(run, st, out);
}
