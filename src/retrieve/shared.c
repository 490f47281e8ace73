/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/shared.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/slice.h"

typedef struct assay_shared_item {
    const assay_retriever *retriever;
    assay_buffer key; /* name, parameters, and what else decides the answers */
    void *state;
} item;

static void make_key(assay_buffer *out, const assay_retriever *r, assay_slice params,
                     const assay_retrieve_source *source)
{
    const char *const other[] = {source->tokenizer, source->embedder, source->graph_path,
                                 source->reranker};

    assay_buffer_text(out, r->name);
    assay_buffer_char(out, '\0');
    assay_buffer_slice(out, params);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assay_buffer_char(out, '\0');
        assay_buffer_text(out, other[i] ? other[i] : "");
    }
}

static assay_status unknown(assay_slice name, assay_error *err)
{
    assay_name_list list = {.n = 0};
    const assay_retriever *r;

    for (size_t i = 0; (r = assay_retriever_at(i)) != NULL; i++)
        assay_name_list_add(&list, assay_slice_of(r->name));
    return assay_fail(err, ASSAY_EUSAGE, "no retriever called '%.*s'; there are %s",
                      ASSAY_QUOTE(name), assay_name_list_text(&list));
}

static assay_status open_new(assay_shared *shared, item *made, assay_slice params,
                             const assay_retrieve_source *source, assay_error *err)
{
    assay_retrieve_source own = *source;
    item *grown;
    assay_status st;

    own.params = params;
    own.shared = shared;
    if (made->key.has_failed)
        return assay_fail_memory(err, "opening a retriever");
    st = made->retriever->open(&own, &made->state, err);
    if (st)
        return st;
    /* Only now: what it was built on has come before it. */
    grown = assay_mem_grow(shared->item, &shared->cap, shared->n + 1, sizeof *grown);
    if (!grown) {
        made->retriever->close(made->state);
        return assay_fail_memory(err, "opening a retriever");
    }
    shared->item = grown;
    grown[shared->n++] = *made;
    return ASSAY_OK;
}

assay_status assay_shared_open(assay_shared *shared, assay_slice name, assay_slice params,
                               const assay_retrieve_source *source,
                               const assay_retriever **retriever, void **state,
                               assay_error *err)
{
    item made = {.retriever = assay_retriever_find(name)};
    assay_status st;

    if (!made.retriever)
        return unknown(name, err);
    make_key(&made.key, made.retriever, params, source);
    *retriever = made.retriever;
    for (size_t i = 0; i < shared->n; i++) {
        if (!assay_slice_eq(assay_buffer_view(&shared->item[i].key),
                            assay_buffer_view(&made.key)))
            continue;
        assay_buffer_clear(&made.key);
        *state = shared->item[i].state;
        return ASSAY_OK;
    }
    st = open_new(shared, &made, params, source, err);
    if (st)
        assay_buffer_clear(&made.key);
    else
        *state = made.state;
    return st;
}

void assay_shared_clear(assay_shared *shared)
{
    while (shared->n > 0) {
        item *last = &shared->item[--shared->n];

        last->retriever->close(last->state);
        assay_buffer_clear(&last->key);
    }
    assay_mem_free(shared->item);
    *shared = (assay_shared){.n = 0};
}
