/* SPDX-License-Identifier: Apache-2.0 */
/* A BEIR folder:
 *
 *     corpus.jsonl       {"_id": "d1", "title": "...", "text": "..."}
 *     queries.jsonl      {"_id": "q1", "text": "..."}
 *     qrels/test.tsv     query-id <TAB> corpus-id <TAB> score, header line optional
 *
 * each perhaps with .gz or .zst behind its name.  queries.jsonl holds the queries of all
 * splits; only those of the split asked for are taken.  The corpus is large and golden
 * sets seldom need it, so it is read only on request. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "golden/beir.h"
#include "golden/golden.h"
#include "golden/golden_text.h"

enum { QUERY, DOC, GRADE, N_FIELDS };

static const char *const endings[] = {"", ".gz", ".zst"};

/* ---- finding files ---- */

/* The path of a file that exists, packed or not.  *out stays null when there is none. */
static assay_status find_part(assay_arena *arena, const char *folder, const char *name,
                              const char **out, assay_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < ASSAY_COUNT(endings); i++) {
        const char *path = assay_beir_path(arena, folder, name, endings[i]);

        if (!path)
            return assay_fail_memory(err, "reading a golden set");
        if (assay_file_exists(path)) {
            *out = path;
            return ASSAY_OK;
        }
    }
    return ASSAY_OK;
}

/* On the stack: a guess must not fail for want of memory. */
static bool has_part(const char *folder, const char *name, const char *ending)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);

    return n > 0 && (size_t)n < sizeof path && assay_file_exists(path);
}

static int sniff_beir(const assay_golden_source *source)
{
    for (size_t i = 0; i < ASSAY_COUNT(endings); i++)
        if (has_part(source->path, "queries.jsonl", endings[i]))
            return 90;
    return has_part(source->path, "qrels", "") ? 60 : 0;
}

/* Name the splits that are there. */
static assay_status fail_split(const assay_golden_source *source, const char *split,
                               assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_name_list list = {{0}, 0, 0, 0};
    const char *path = assay_beir_path(&arena, source->path, "qrels", "");
    DIR *dir = path ? opendir(path) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        const char *dot = strstr(entry->d_name, ".tsv");

        if (dot)
            assay_name_list_add(
                &list, (assay_slice){entry->d_name, (size_t)(dot - entry->d_name)});
    }
    if (dir)
        closedir(dir);
    assay_arena_clear(&arena);
    return assay_fail(err, ASSAY_EUSAGE, "'%.300s' has no qrels/%.80s.tsv; %s%s",
                      source->path, split,
                      list.n ? "there are splits " : "there are none",
                      list.n ? assay_name_list_text(&list) : "");
}

/* ---- judgments ---- */

static bool split_fields(assay_slice line, assay_slice *field)
{
    size_t n = 0;
    assay_slice part;

    while (assay_slice_part(&line, '\t', &part)) {
        if (n == N_FIELDS)
            return false;
        field[n++] = part;
    }
    return n == N_FIELDS && field[QUERY].len && field[DOC].len;
}

static bool is_header(const assay_lines *in, const assay_slice *field)
{
    return in->line == 1 && (assay_slice_is_nocase(field[GRADE], "score") ||
                             assay_slice_is_nocase(field[QUERY], "query-id"));
}

static assay_status read_judgment(assay_golden *golden, const assay_lines *in,
                                  const assay_slice *field, assay_error *err)
{
    assay_judgment j = assay_judgment_none();
    uint32_t number = assay_dict_find(&golden->ids, field[QUERY]);
    assay_query *q;
    assay_status st = ASSAY_OK;

    if (!assay_slice_to_i32(assay_slice_trim(field[GRADE]), &j.grade))
        return ASSAY_LINES_FAIL(err, in, "score '%.*s' is not a whole number",
                                ASSAY_QUOTE(field[GRADE]));
    j.line = (uint32_t)in->line;
    if (number == ASSAY_NONE)
        st = assay_golden_add(golden, field[QUERY], j.line, &q, err);
    else
        q = &golden->query[number];
    if (st)
        return st;
    q->has_relevant_key = true;
    if (!assay_dict_put(&golden->docs, NULL, field[DOC], &j.doc, NULL))
        return assay_fail_memory(err, "reading a golden set");
    return assay_golden_judge(golden, q, &j, err);
}

static assay_status read_qrels(assay_golden *golden, const char *path, assay_error *err)
{
    assay_lines in = assay_lines_of(path, golden->file.text);
    assay_slice field[N_FIELDS];
    assay_slice line;

    while (assay_lines_next(&in, &line)) {
        assay_status st;

        if (!assay_slice_trim(line).len)
            continue;
        if (!split_fields(line, field))
            return ASSAY_LINES_FAIL(err, &in,
                                    "want query, tab, document, tab, score: '%.*s'",
                                    ASSAY_QUOTE(line));
        if (is_header(&in, field))
            continue;
        st = read_judgment(golden, &in, field, err);
        if (st)
            return st;
    }
    return ASSAY_OK;
}

/* ---- records ---- */

/* What queries.jsonl and corpus.jsonl have in common. */
typedef struct record {
    assay_slice id;
    assay_slice title;
    assay_slice text;
} record;

static const struct {
    const char *name;
    size_t at;
} members[] = {
    {"_id", offsetof(record, id)},
    {"title", offsetof(record, title)},
    {"text", offsetof(record, text)},
};

static assay_slice *find_member(record *r, assay_slice key)
{
    for (size_t i = 0; i < ASSAY_COUNT(members); i++)
        if (assay_slice_is(key, members[i].name))
            return (assay_slice *)(void *)((char *)r + members[i].at);
    return NULL;
}

static assay_status read_member(assay_json *json, assay_slice key, record *out,
                                assay_error *err)
{
    assay_slice *place = find_member(out, key);
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, err);

    if (st)
        return st;
    if (!place)
        return assay_json_skip(json, token, err);
    if (token.kind == ASSAY_JSON_NULL)
        return ASSAY_OK;
    if (token.kind != ASSAY_JSON_STRING && token.kind != ASSAY_JSON_NUMBER)
        return assay_json_fail(json, token.at, err, "'%.*s' must be a string",
                               ASSAY_QUOTE(key));
    *place = token.text;
    return ASSAY_OK;
}

static assay_status read_record(assay_json *json, record *out, assay_error *err)
{
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, err);

    *out = (record){ASSAY_LIT(""), ASSAY_LIT(""), ASSAY_LIT("")};
    if (st)
        return st;
    if (token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(json, token.at, err, "want an object with _id and text");
    for (;;) {
        st = assay_json_next(json, &token, err);
        if (st)
            return st;
        if (token.kind == ASSAY_JSON_OBJECT_END)
            break;
        st = read_member(json, token.text, out, err);
        if (st)
            return st;
    }
    if (!out->id.len)
        return assay_json_fail(json, token.at, err, "a record has no '_id'");
    return assay_json_next(json, &token, err);
}

typedef assay_status take_record(void *ctx, const record *r, uint32_t line,
                                 const char *path, assay_error *err);

/* Hand every record of a JSONL text to `take`; its slices live until `take` returns. */
static assay_status each_record(const char *path, assay_slice text, take_record *take,
                                void *ctx, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_lines in = assay_lines_of(path, text);
    assay_json json = {0};
    assay_status st = ASSAY_OK;
    assay_slice line;

    while (!st && assay_lines_next(&in, &line)) {
        record r;

        if (!assay_slice_trim(line).len)
            continue;
        assay_json_init(&json, path, in.line, line, &scratch);
        st = read_record(&json, &r, err);
        if (!st)
            st = take(ctx, &r, (uint32_t)in.line, path, err);
        assay_arena_reset(&scratch);
    }
    assay_json_clear(&json);
    assay_arena_clear(&scratch);
    return st;
}

/* Open `path`, check it, and hand out its records. */
static assay_status read_records(const char *path, const assay_golden_options *options,
                                 take_record *take, void *ctx, assay_error *err)
{
    assay_file file = {.mapped = NULL};
    assay_status st = assay_file_open(&file, path, err);

    if (st)
        return st;
    st = assay_golden_check_text(path, file.text, options, err);
    if (!st)
        st = each_record(path, file.text, take, ctx, err);
    assay_file_close(&file);
    return st;
}

/* ---- queries ---- */

typedef struct query_taker {
    assay_golden *golden;
    uint32_t *line; /* by query: where its text stands, 0 = not yet */
} query_taker;

static assay_status take_query(void *ctx, const record *r, uint32_t line,
                               const char *path, assay_error *err)
{
    query_taker *t = ctx;
    uint32_t number = assay_dict_find(&t->golden->ids, r->id);
    assay_slice text;

    if (number == ASSAY_NONE) {
        t->golden->n_left_out++;
        return ASSAY_OK;
    }
    if (t->line[number])
        return assay_fail_at(err, path, line,
                             "query '%.*s' comes twice; first in line %u",
                             ASSAY_QUOTE(r->id), t->line[number]);
    t->line[number] = line;
    text = assay_arena_copy(&t->golden->arena, r->text);
    if (!text.ptr)
        return assay_fail_memory(err, "reading a golden set");
    t->golden->query[number].text = text;
    return ASSAY_OK;
}

static assay_status read_queries(const assay_golden_source *source, assay_golden *golden,
                                 assay_error *err)
{
    query_taker t = {.golden = golden};
    const char *path;
    assay_status st =
        find_part(&golden->arena, source->path, "queries.jsonl", &path, err);

    if (st)
        return st;
    if (!path)
        return assay_fail(err, ASSAY_EINPUT, "'%.300s' has no queries.jsonl",
                          source->path);
    t.line = ASSAY_ARENA_ARRAY(&golden->arena, uint32_t, golden->n_queries);
    if (!t.line)
        return assay_fail_memory(err, "reading a golden set");
    return read_records(path, source->options, take_query, &t, err);
}

/* ---- documents ---- */

typedef struct doc_taker {
    assay_golden *golden;
    assay_dict ids;
    assay_golden_doc *doc; /* on the heap while it grows */
    size_t n;
    size_t cap;
} doc_taker;

static assay_status take_doc(void *ctx, const record *r, uint32_t line, const char *path,
                             assay_error *err)
{
    doc_taker *t = ctx;
    assay_arena *arena = &t->golden->arena;
    assay_golden_doc *moved = assay_mem_grow(t->doc, &t->cap, t->n + 1, sizeof *moved);
    assay_golden_doc doc = {assay_arena_copy(arena, r->id),
                            assay_arena_copy(arena, r->title),
                            assay_arena_copy(arena, r->text)};
    uint32_t number;
    bool is_new;

    if (moved)
        t->doc = moved;
    if (!moved || !doc.id.ptr || !doc.title.ptr || !doc.text.ptr ||
        !assay_dict_put(&t->ids, NULL, doc.id, &number, &is_new))
        return assay_fail_memory(err, "reading a corpus");
    if (!is_new)
        return assay_fail_at(err, path, line, "document '%.*s' comes twice",
                             ASSAY_QUOTE(doc.id));
    t->doc[t->n++] = doc;
    return ASSAY_OK;
}

/* Whoever needs documents sees that there are none. */
static assay_status note_corpus(assay_golden *golden, assay_error *err)
{
    if (!assay_notes_add(&golden->notes, &golden->arena,
                         "no corpus.jsonl in it, so no documents came along"))
        return assay_fail_memory(err, "reading a golden set");
    return ASSAY_OK;
}

static assay_status read_corpus(const assay_golden_source *source, assay_golden *golden,
                                assay_error *err)
{
    doc_taker t = {.golden = golden};
    const char *path;
    assay_status st = find_part(&golden->arena, source->path, "corpus.jsonl", &path, err);

    if (st)
        return st;
    if (!path)
        return note_corpus(golden, err);
    st = read_records(path, source->options, take_doc, &t, err);
    golden->doc = st ? NULL : ASSAY_ARENA_ARRAY(&golden->arena, assay_golden_doc, t.n);
    if (!st && !golden->doc)
        st = assay_fail_memory(err, "reading a corpus");
    if (!st && t.n)
        memcpy(golden->doc, t.doc, t.n * sizeof *t.doc);
    golden->n_docs = st ? 0 : (uint32_t)t.n;
    assay_dict_clear(&t.ids);
    assay_mem_free(t.doc);
    return st;
}

static assay_status open_split(const assay_golden_source *source, assay_golden *golden,
                               const char **path, assay_error *err)
{
    const char *split = source->options->split ? source->options->split : "test";
    const char *folder = assay_beir_path(&golden->arena, source->path, "qrels", "");
    const char *name = assay_beir_path(&golden->arena, ".", split, ".tsv");
    assay_status st;

    if (!folder || !name)
        return assay_fail_memory(err, "reading a golden set");
    st = find_part(&golden->arena, folder, name + strlen("./"), path, err);
    if (st)
        return st;
    if (!*path)
        return fail_split(source, split, err);
    st = assay_file_open(&golden->file, *path, err);
    return st ? st
              : assay_golden_check_text(*path, golden->file.text, source->options, err);
}

static assay_status read_beir(const assay_golden_source *source, assay_golden *into,
                              assay_error *err)
{
    const char *path = into->path;
    assay_status st = open_split(source, into, &path, err);

    into->drop_self_hits = true;
    into->judged_path = path;
    if (!st)
        st = read_qrels(into, path, err);
    if (!st)
        st = read_queries(source, into, err);
    if (!st && source->options->with_documents)
        st = read_corpus(source, into, err);
    return st;
}

const assay_golden_format assay_golden_format_beir = {
    .name = "beir",
    .title = "a BEIR folder",
    .summary = "a BEIR folder: queries.jsonl, qrels/<split>.tsv, corpus.jsonl",
    .holds = ASSAY_HOLDS(TEXT) | ASSAY_HOLDS(DOC) | ASSAY_HOLDS(GRADE) |
             ASSAY_HOLDS(ZERO) | ASSAY_HOLDS(POOLED) | ASSAY_HOLDS(DOCUMENTS) |
             ASSAY_HOLDS(SELF_HITS),
    .is_folder = true,
    .sniff = sniff_beir,
    .read = read_beir,
    .write = assay_beir_write,
};
