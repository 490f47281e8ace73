/* SPDX-License-Identifier: Apache-2.0 */
/* ollama:MODEL: POST /api/embed.
 *
 *     {"model", "input": [...]}  ->  {"embeddings": [[...], ...]} */
#include "embed/embed_server.h"

static assay_status read_item(assay_json *json, const assay_json_token *t,
                              assay_embed_reply *reply, size_t i, assay_error *err)
{
    assay_status st;

    if (t->kind != ASSAY_JSON_LIST)
        return assay_json_fail(json, t->at, err, "'embeddings' must hold lists");
    st = assay_embed_reply_read(json, reply, err);
    return st ? st : assay_embed_reply_place(json, reply, i, err);
}

static const assay_embed_dialect dialect = {
    .name = "ollama",
    .base_url = "http://localhost:11434",
    .path = "/api/embed",
    .list = "embeddings",
    .read_item = read_item,
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
