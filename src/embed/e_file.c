/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that are in a file already: made elsewhere, by whatever model.
 *
 *     file:corpus.npy(ids=corpus.ids,queries=queries.jsonl)
 *
 * Passages are found by their id, or else by their text; queries by their text. */
#include <math.h>
#include <string.h>

#include "base/dot.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "embed/embed.h"
#include "embed/vector_file.h"

enum { IDS, QUERIES, QUERY_IDS, LENGTH, N_PARAMS };

static const assay_param param[] = {
    [IDS] = {"ids", ASSAY_PARAM_TEXT, 0, 0, NULL, "",
             "of a .npy file: file with one id, or text, a line"},
    [QUERIES] = {"queries", ASSAY_PARAM_TEXT, 0, 0, NULL, "",
                 "file with the vectors of the queries, where it is another one"},
    [QUERY_IDS] = {"query_ids", ASSAY_PARAM_TEXT, 0, 0, NULL, "",
                   "the same as ids, for the queries: their texts, one a line"},
    [LENGTH] = {"length", ASSAY_PARAM_WORD, 0, 0, "one|keep", "one",
                "vectors are brought to length 1, or kept as they are"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL}};

typedef struct lookup {
    assay_arena arena; /* of the names */
    assay_param_value value[N_PARAMS];
    const char *path;
    assay_vector_file passages;
    assay_vector_file queries; /* empty: in the same file */
    bool has_queries;
} lookup;

static void close_file(void *state)
{
    lookup *l = state;

    if (!l)
        return;
    assay_vector_file_clear(&l->passages);
    assay_vector_file_clear(&l->queries);
    assay_arena_clear(&l->arena);
    assay_mem_free(l);
}

static assay_status load_files(lookup *l, assay_error *err)
{
    const char *name[N_PARAMS] = {NULL};
    const char *queries;
    assay_status st;

    for (int i = IDS; i <= QUERY_IDS; i++) {
        if (!l->value[i].text.len)
            continue;
        name[i] = assay_arena_string(&l->arena, l->value[i].text);
        if (!name[i])
            return assay_fail_memory(err, "opening embedder 'file'");
    }
    queries = name[QUERIES];
    st = assay_vector_file_load(l->path, name[IDS], &l->passages, err);
    if (st || !queries)
        return st;
    l->has_queries = true;
    st = assay_vector_file_load(queries, name[QUERY_IDS], &l->queries, err);
    if (!st && l->queries.dims != l->passages.dims)
        return assay_fail(err, ASSAY_EINPUT, "'%s' has vectors of %u numbers, '%s' of %u",
                          queries, l->queries.dims, l->path, l->passages.dims);
    return st;
}

static assay_status open_file(const assay_embed_settings *settings, void **state,
                              assay_error *err)
{
    lookup *l = ASSAY_NEW(lookup);
    assay_slice params;
    assay_status st;

    if (!l)
        return assay_fail_memory(err, "opening embedder 'file'");
    params = assay_arena_copy(&l->arena, settings->params);
    l->path = assay_arena_string(&l->arena, settings->argument);
    if (!params.ptr || !l->path) {
        st = assay_fail_memory(err, "opening embedder 'file'");
        goto failed;
    }
    if (!settings->argument.len) {
        st = assay_fail(err, ASSAY_EUSAGE, "embedder 'file' wants a file: file:NAME");
        goto failed;
    }
    st = assay_params_read("embedder 'file'", param, params, l->value, err);
    if (!st)
        st = load_files(l, err);
    if (st)
        goto failed;
    *state = l;
    return ASSAY_OK;

failed:
    close_file(l);
    return st;
}

static uint32_t dims_file(const void *state)
{
    return ((const lookup *)state)->passages.dims;
}

static assay_status embed_named(void *state, assay_embed_role role,
                                assay_embed_text *text, assay_embed_text *id, void *ctx,
                                size_t n, float *out, assay_error *err)
{
    const lookup *l = state;
    bool is_query = role == ASSAY_EMBED_QUERY;
    const assay_vector_file *file =
        is_query && l->has_queries ? &l->queries : &l->passages;
    assay_slice lost = {"", 0};
    size_t n_lost = 0;

    for (size_t i = 0; i < n; i++) {
        assay_slice name = id ? id(ctx, i) : (assay_slice){"", 0};
        const float *row = assay_vector_file_find(file, name, text(ctx, i));
        float *to = out + i * file->dims;

        if (!row) {
            if (!n_lost++)
                lost = name.len ? name : text(ctx, i);
            continue;
        }
        memcpy(to, row, file->dims * sizeof *to);
        if (l->value[LENGTH].choice == 0)
            assay_dot_normalise(to, file->dims);
    }
    if (!n_lost)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EINPUT, "'%s' has no vector for %s '%.*s'%s", file->path,
                      is_query ? "the query" : "passage", ASSAY_QUOTE(lost),
                      n_lost > 1 ? ", nor for others" : "");
}

static assay_status embed_file(void *state, assay_embed_role role, assay_embed_text *text,
                               void *ctx, size_t n, float *out, assay_error *err)
{
    return embed_named(state, role, text, NULL, ctx, n, out, err);
}

static void identity_file(const void *state, assay_buffer *out)
{
    const lookup *l = state;

    assay_buffer_printf(out, "file:%s", l->path);
    assay_params_print("", param, l->value, out);
    assay_buffer_printf(out, " dims=%u", l->passages.dims);
}

const assay_embedder assay_embedder_file = {
    .name = "file",
    .summary = "vectors made elsewhere: .npy with a file of ids, or JSON lines",
    .param = param,
    .open = open_file,
    .dims = dims_file,
    .embed = embed_file,
    .embed_named = embed_named,
    .identity = identity_file,
    .close = close_file,
};
