/* SPDX-License-Identifier: Apache-2.0 */
/* openai:MODEL: POST /v1/embeddings, at OpenAI or at any server that speaks the same.
 *
 *     {"model", "input": [...]}  ->  {"data": [{"index", "embedding": [...]}]}
 *
 * Vectors are cut by us, not by the server ("dimensions"), since not all servers can and
 * the result is the same. */
#include "base/slice.h"
#include "embed/embed_server.h"

/* A member of an item: its key was the last token. */
static assay_status read_member(assay_json *json, assay_slice key,
                                assay_embed_reply *reply, size_t *at, bool *has_vector,
                                assay_error *err)
{
    assay_json_token t;
    uint32_t index;
    assay_status st = assay_json_next(json, &t, err);

    if (st)
        return st;
    if (assay_slice_is(key, "embedding")) {
        if (t.kind != ASSAY_JSON_LIST)
            return assay_json_fail(json, t.at, err, "'embedding' must be a list");
        *has_vector = true;
        return assay_embed_reply_read(json, reply, err);
    }
    if (assay_slice_is(key, "index") && t.kind == ASSAY_JSON_NUMBER &&
        assay_slice_to_u32(t.text, &index))
        *at = index;
    return assay_json_skip(json, t, err);
}

/* The index tells the place; where there is none, that in the list. */
static assay_status read_item(assay_json *json, const assay_json_token *first,
                              assay_embed_reply *reply, size_t i, assay_error *err)
{
    bool has_vector = false;
    assay_json_token t;
    assay_status st;

    if (first->kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(json, first->at, err, "'data' must hold objects");
    st = assay_json_next(json, &t, err);
    while (!st && t.kind == ASSAY_JSON_KEY) {
        st = read_member(json, t.text, reply, &i, &has_vector, err);
        if (!st)
            st = assay_json_next(json, &t, err);
    }
    if (!st && !has_vector)
        st = assay_json_fail(json, json->p, err, "an item without 'embedding'");
    return st ? st : assay_embed_reply_place(json, reply, i, err);
}

static const assay_embed_dialect dialect = {
    .name = "openai",
    .base_url = "https://api.openai.com",
    .path = "/v1/embeddings",
    .asks_for_floats = true,
    .list = "data",
    .read_item = read_item,
};

static assay_status open_openai(const assay_embed_settings *settings, void **state,
                                assay_error *err)
{
    return assay_embed_server_open(&dialect, settings, state, err);
}

const assay_embedder assay_embedder_openai = {
    .name = "openai",
    .summary = "a server with /v1/embeddings: openai:MODEL(url=http://host:port)",
    .param = assay_embed_server_params,
    .open = open_openai,
    .dims = assay_embed_server_dims,
    .embed = assay_embed_server_embed,
    .identity = assay_embed_server_identity,
    .close = assay_embed_server_close,
};
