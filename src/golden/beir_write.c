/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set as a BEIR folder; g_beir.c reads it. */
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/slice.h"
#include "golden/beir.h"
#include "golden/lost.h"

const char *assay_beir_path(assay_arena *arena, const char *folder, const char *name,
                            const char *ending)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *path = NULL;

    assay_buffer_printf(&b, "%s/%s%s", folder, name, ending);
    if (!b.has_failed)
        path = assay_arena_string(arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return path;
}

static assay_status make_folder(const char *path, assay_error *err)
{
    if (assay_file_is_folder(path) || mkdir(path, 0777) == 0)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM, "cannot make the folder '%.300s'", path);
}

static assay_status save_part(const assay_golden_target *target, const char *name,
                              const assay_buffer *text, assay_error *err)
{
    const char *path = assay_beir_path(target->arena, target->path, name, "");

    if (!path || text->has_failed)
        return assay_fail_memory(err, "writing a golden set");
    return assay_file_save(path, assay_buffer_view(text), err);
}

/* The title is left out where it is null. */
static void put_record(assay_buffer *out, assay_slice id, const assay_slice *title,
                       assay_slice text)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "_id");
    assay_json_string(&w, id);
    if (title) {
        assay_json_key(&w, "title");
        assay_json_string(&w, *title);
    }
    assay_json_key(&w, "text");
    assay_json_string(&w, text);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static bool is_field(assay_slice s)
{
    return !memchr(s.ptr, '\t', s.len) && !memchr(s.ptr, '\n', s.len) &&
           !memchr(s.ptr, '\r', s.len);
}

/* Lines of one query; *n_left counts those whose ids have a tab or line break. */
static bool put_qrels(const assay_golden *golden, const assay_query *q,
                      const assay_golden_target *target, assay_buffer *out,
                      uint32_t *n_left)
{
    uint32_t n;
    const assay_doc_grade *d = assay_golden_docs_of(q, false, target, &n);

    for (uint32_t i = 0; d && i < n; i++) {
        assay_slice id = golden->docs.word[d[i].doc];

        if (!is_field(q->id) || !is_field(id)) {
            (*n_left)++;
            continue;
        }
        assay_buffer_slice(out, q->id);
        assay_buffer_char(out, '\t');
        assay_buffer_slice(out, id);
        assay_buffer_printf(out, "\t%d\n", d[i].grade);
    }
    return d != NULL;
}

static assay_status save_qrels(const assay_golden *golden,
                               const assay_golden_target *target, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    const char *name = assay_beir_path(target->arena, "qrels",
                                       target->split ? target->split : "test", ".tsv");
    bool has_memory = name != NULL;
    uint32_t n_left = 0;
    assay_status st;

    assay_buffer_text(&out, "query-id\tcorpus-id\tscore\n");
    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++)
        if (!golden->query[i].is_draft)
            has_memory = put_qrels(golden, &golden->query[i], target, &out, &n_left);
    if (has_memory && n_left)
        has_memory = assay_notes_add(
            target->lost, target->arena,
            "%u %s an id with a tab or line break, which a BEIR folder cannot hold",
            n_left, n_left == 1 ? "judgment has" : "judgments have");
    st = has_memory ? save_part(target, name, &out, err)
                    : assay_fail_memory(err, "writing a golden set");
    assay_buffer_clear(&out);
    return st;
}

static assay_status save_queries(const assay_golden *golden,
                                 const assay_golden_target *target, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];

        if (!q->is_draft)
            put_record(&out, q->id, NULL, q->text);
    }
    st = save_part(target, "queries.jsonl", &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status save_corpus(const assay_golden *golden,
                                const assay_golden_target *target, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (uint32_t i = 0; i < golden->n_docs; i++) {
        const assay_golden_doc *d = &golden->doc[i];

        put_record(&out, d->id, &d->title, d->text);
    }
    st = save_part(target, "corpus.jsonl", &out, err);
    assay_buffer_clear(&out);
    return st;
}

assay_status assay_beir_write(const assay_golden *golden,
                              const assay_golden_target *target, assay_error *err)
{
    const char *qrels = assay_beir_path(target->arena, target->path, "qrels", "");
    assay_status st = qrels ? make_folder(target->path, err)
                            : assay_fail_memory(err, "writing a golden set");

    if (!st)
        st = make_folder(qrels, err);
    if (!st)
        st = save_qrels(golden, target, err);
    if (!st)
        st = save_queries(golden, target, err);
    if (!st && golden->n_docs)
        st = save_corpus(golden, target, err);
    return st;
}
