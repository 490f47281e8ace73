/* SPDX-License-Identifier: Apache-2.0 */
/* ollama:MODEL: POST /api/embed.
 *
 *     {"model", "input": [...]}  ->  {"embeddings": [[...], ...]} */
#include "base/slice.h"
#include "embed/embed_server.h"

static assay_status read_vectors(assay_json *json, assay_embed_reply *reply,
                                 assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(json, &t, err);

    for (size_t i = 0; !st && t.kind != ASSAY_JSON_LIST_END; i++) {
        if (t.kind != ASSAY_JSON_LIST)
            return assay_json_fail(json, t.at, err, "'embeddings' must hold lists");
        st = assay_embed_reply_read(json, reply, err);
        if (!st)
            st = assay_embed_reply_place(json, reply, i, err);
        if (!st)
            st = assay_json_next(json, &t, err);
    }
    return st;
}

static assay_status read_reply(assay_json *json, assay_embed_reply *reply,
                               assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(json, &t, err);

    while (!st && t.kind == ASSAY_JSON_KEY) {
        bool is_data = assay_slice_is(t.text, "embeddings");
        bool is_error = assay_slice_is(t.text, "error");

        st = assay_json_next(json, &t, err);
        if (!st && is_error && t.kind != ASSAY_JSON_NULL)
            return assay_embed_reply_refused(json, &t, err);
        if (!st)
            st = is_data && t.kind == ASSAY_JSON_LIST ? read_vectors(json, reply, err)
                                                      : assay_json_skip(json, t, err);
        if (!st)
            st = assay_json_next(json, &t, err);
    }
    return st;
}

static const assay_embed_dialect dialect = {
    .name = "ollama",
    .base_url = "http://localhost:11434",
    .path = "/api/embed",
    .read = read_reply,
};

static assay_status open_ollama(const assay_embed_settings *settings, void **state,
                                assay_error *err)
{
    return assay_embed_server_open(&dialect, settings, state, err);
}

const assay_embedder assay_embedder_ollama = {
    .name = "ollama",
    .summary = "an Ollama server: ollama:MODEL(dims=256)",
    .param = assay_embed_server_params,
    .open = open_ollama,
    .dims = assay_embed_server_dims,
    .embed = assay_embed_server_embed,
    .identity = assay_embed_server_identity,
    .close = assay_embed_server_close,
};
