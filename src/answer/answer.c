/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer.h"

#include "answer/answer_roster.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"

#define X(id) extern const assay_answerer assay_answerer_##id;
ASSAY_ANSWERER_ROSTER(X)
#undef X

#define X(id) &assay_answerer_##id,
static const assay_answerer *const roster[] = {ASSAY_ANSWERER_ROSTER(X)};
#undef X

const assay_answerer *assay_answerer_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_answerer *assay_answerer_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

static assay_status unknown(assay_slice name, assay_error *err)
{
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        assay_buffer_printf(&names, "%s%s", i ? ", " : "", roster[i]->name);
    st = assay_fail(err, ASSAY_EUSAGE, "no answerer called '%.*s'; known: %.*s",
                    ASSAY_QUOTE(name), ASSAY_QUOTE(assay_buffer_view(&names)));
    assay_buffer_clear(&names);
    return st;
}

assay_status assay_answerer_open(const char *spelling,
                                 const assay_answer_settings *settings,
                                 assay_answering_by *out, assay_error *err)
{
    assay_answer_settings own = *settings;
    const assay_answerer *answerer;
    void *state = NULL;
    assay_slice name;
    assay_status st;

    if (!spelling || !spelling[0])
        spelling = ASSAY_ANSWERER_STANDARD;
    st = assay_params_split(assay_slice_of(spelling), &name, &own.argument, &own.params,
                            err);
    if (st)
        return st;
    answerer = assay_answerer_find(name);
    if (!answerer)
        return unknown(name, err);
    st = answerer->open(&own, &state, err);
    if (!st)
        *out = (assay_answering_by){answerer, state};
    return st;
}

void assay_answerer_close(assay_answering_by *by)
{
    if (by->answerer)
        by->answerer->close(by->state);
    *by = (assay_answering_by){NULL, NULL};
}
