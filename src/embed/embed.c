/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/embed.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "embed/embed_roster.h"

#define X(id) extern const assay_embedder assay_embedder_##id;
ASSAY_EMBEDDER_ROSTER(X)
#undef X

#define X(id) &assay_embedder_##id,
static const assay_embedder *const roster[] = {ASSAY_EMBEDDER_ROSTER(X)};
#undef X

const assay_embedder *assay_embedder_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_embedder *assay_embedder_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

assay_slice assay_embed_slice_at(void *ctx, size_t i)
{
    return ((const assay_slice *)ctx)[i];
}

static assay_status unknown(assay_slice name, assay_error *err)
{
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        assay_buffer_printf(&names, "%s%s", i ? ", " : "", roster[i]->name);
    st = assay_fail(err, ASSAY_EUSAGE, "no embedder called '%.*s'; there are %.*s",
                    ASSAY_QUOTE(name), ASSAY_QUOTE(assay_buffer_view(&names)));
    assay_buffer_clear(&names);
    return st;
}

assay_status assay_embedding_open(const char *spelling,
                                  const assay_embed_settings *settings,
                                  assay_embedding *out, assay_error *err)
{
    assay_embed_settings own = *settings;
    const assay_embedder *embedder;
    void *state = NULL;
    assay_slice name;
    assay_status st;

    st = assay_params_split(assay_slice_of(spelling ? spelling : ASSAY_EMBEDDER_STANDARD),
                            &name, &own.argument, &own.params, err);
    if (st)
        return st;
    embedder = assay_embedder_find(name);
    if (!embedder)
        return unknown(name, err);
    st = embedder->open(&own, &state, err);
    if (!st)
        *out = (assay_embedding){embedder, state};
    return st;
}

void assay_embedding_close(assay_embedding *embedding)
{
    if (embedding->embedder)
        embedding->embedder->close(embedding->state);
    *embedding = (assay_embedding){NULL, NULL};
}
