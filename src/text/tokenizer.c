/* SPDX-License-Identifier: Apache-2.0 */
#include "text/tokenizer.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "text/tokenizer_roster.h"
#include "text/tokenizer_work.h"

#define X(id) extern const assay_tokenizer assay_tokenizer_##id;
ASSAY_TOKENIZER_ROSTER(X)
#undef X

#define X(id) &assay_tokenizer_##id,
static const assay_tokenizer *const roster[] = {ASSAY_TOKENIZER_ROSTER(X)};
#undef X

const assay_tokenizer *assay_tokenizer_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_tokenizer *assay_tokenizer_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

/* ---- spelling ---- */

static assay_status fail_unknown(assay_slice name, assay_error *err)
{
    const assay_tokenizer *best = roster[0];

    for (size_t i = 1; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_distance(name, assay_slice_of(roster[i]->name)) <
            assay_slice_distance(name, assay_slice_of(best->name)))
            best = roster[i];
    return assay_fail(err, ASSAY_EUSAGE,
                      "no tokenizer called '%.*s'; did you mean '%s'? "
                      "'assay tokenizer list' shows all",
                      ASSAY_QUOTE(name), best->name);
}

assay_status assay_tokenizing_read(const char *spelling, assay_tokenizing *out,
                                   assay_error *err)
{
    assay_tokenizing got = {.tokenizer = NULL};
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st;
    char what[80];

    st =
        assay_params_split(assay_slice_of(spelling ? spelling : ASSAY_TOKENIZER_STANDARD),
                           &name, &argument, &params, err);
    if (st)
        return st;
    got.tokenizer = assay_tokenizer_find(name);
    if (!got.tokenizer)
        return fail_unknown(name, err);
    if (argument.len)
        return assay_fail(err, ASSAY_EUSAGE, "tokenizer '%s' takes no argument '%.*s'",
                          got.tokenizer->name, ASSAY_QUOTE(argument));
    memcpy(what, "tokenizer '", 11);
    memcpy(what + 11, got.tokenizer->name, strlen(got.tokenizer->name));
    memcpy(what + 11 + strlen(got.tokenizer->name), "'", 2);
    st = assay_params_read(what, got.tokenizer->param, params, got.value, err);
    if (!st)
        *out = got;
    return st;
}

void assay_tokenizing_print(const assay_tokenizing *tokenizing, assay_buffer *out)
{
    assay_params_print(tokenizing->tokenizer->name, tokenizing->tokenizer->param,
                       tokenizing->value, out);
}

/* ---- workers ---- */

assay_status assay_token_worker_new(const assay_tokenizing *tokenizing,
                                    assay_token_worker **out, assay_error *err)
{
    assay_token_worker *worker = ASSAY_NEW(assay_token_worker);
    assay_status st = ASSAY_OK;

    if (!worker)
        return assay_fail_memory(err, "opening a tokenizer");
    worker->tokenizing = *tokenizing;
    if (tokenizing->tokenizer->open)
        st = tokenizing->tokenizer->open(worker, err);
    if (st) {
        assay_token_worker_free(worker);
        return st;
    }
    *out = worker;
    return ASSAY_OK;
}

void assay_token_worker_free(assay_token_worker *worker)
{
    if (!worker)
        return;
    for (size_t i = 0; i < ASSAY_TOKENIZER_STEMS; i++)
        assay_stems_free(worker->stems[i]);
    assay_normal_clear(&worker->normal);
    assay_normal_clear(&worker->other);
    assay_arena_clear(&worker->spill);
    assay_mem_free(worker->item);
    assay_mem_free(worker);
}

bool assay_token_grow(assay_token_worker *worker)
{
    assay_slice *moved =
        assay_mem_grow(worker->item, &worker->cap, worker->n + 1, sizeof *worker->item);

    if (!moved) {
        worker->has_failed = true;
        return false;
    }
    worker->item = moved;
    return true;
}

void assay_token_stemmed(assay_token_worker *worker, assay_stems *stems, char *ptr,
                         size_t len)
{
    assay_slice term = {ptr, len};

    if (stems && !assay_stems_do(stems, (assay_slice){ptr, len}, &term)) {
        worker->has_failed = true;
        return;
    }
    if (!term.len)
        return;
    if (term.len <= len) {
        if (term.ptr != ptr)
            memcpy(ptr, term.ptr, term.len);
    } else {
        term = assay_arena_copy(&worker->spill, term);
        worker->has_failed |= !term.ptr;
        ptr = (char *)(uintptr_t)term.ptr;
    }
    assay_token_emit(worker, ptr, term.len);
}

bool assay_tokenize(assay_token_worker *worker, assay_slice text, assay_tokens *out)
{
    const assay_tokenizer *t = worker->tokenizing.tokenizer;
    assay_slice folded;

    worker->n = 0;
    worker->has_failed = false;
    if (worker->spill.head)
        assay_arena_reset(&worker->spill);
    if (!assay_normal_fold(&worker->normal, text, t->keeps_case, &folded))
        return false;
    t->cut(worker, worker->normal.text, folded.len);
    if (worker->has_failed)
        return false;
    *out = (assay_tokens){worker->item, worker->n};
    return true;
}
