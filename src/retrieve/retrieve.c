/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/retrieve.h"

#include "base/compiler.h"
#include "base/slice.h"
#include "retrieve/retrieve_roster.h"

#define X(id) extern const assay_retriever assay_retriever_##id;
ASSAY_RETRIEVE_ROSTER(X)
#undef X

#define X(id) &assay_retriever_##id,
static const assay_retriever *const roster[] = {ASSAY_RETRIEVE_ROSTER(X)};
#undef X

static const struct {
    const char *other;
    const char *name;
} aliases[] = {
    {"graph", "graphrag"},
    {"graph-rag", "graphrag"},
};

const assay_retriever *assay_retriever_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_retriever *assay_retriever_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(aliases); i++)
        if (assay_slice_is(name, aliases[i].other))
            name = assay_slice_of(aliases[i].name);
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}
