/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/holds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/named_cuts.h"

/* ---- the list ---- */

bool assay_holds_add(assay_holds *holds, assay_slice chunking, assay_slice who)
{
    assay_hold *grown =
        assay_mem_grow(holds->item, &holds->cap, holds->n + 1, sizeof *grown);
    assay_hold hold;

    if (!grown)
        return false;
    holds->item = grown;
    hold.chunking = assay_arena_copy(holds->arena, chunking);
    hold.who = assay_arena_copy(holds->arena, who);
    if (!hold.chunking.ptr || !hold.who.ptr)
        return false;
    holds->item[holds->n++] = hold;
    return true;
}

static assay_status add_pin(void *ctx, assay_slice chunking, assay_slice who,
                            assay_error *err)
{
    return assay_holds_add(ctx, chunking, who)
               ? ASSAY_OK
               : assay_fail_memory(err, "reading who holds on to chunkings");
}

assay_status assay_holds_read(assay_holds *holds, assay_corpus *corpus, assay_error *err)
{
    return assay_corpus_each_pin(corpus, add_pin, holds, err);
}

static int by_chunking(const void *a, const void *b)
{
    const assay_hold *x = a;
    const assay_hold *y = b;
    int order = assay_slice_cmp(x->chunking, y->chunking);

    return order ? order : assay_slice_cmp(x->who, y->who);
}

void assay_holds_sort(assay_holds *holds)
{
    size_t kept = 0;

    if (holds->n)
        qsort(holds->item, holds->n, sizeof *holds->item, by_chunking);
    for (size_t i = 0; i < holds->n; i++)
        if (!kept || by_chunking(&holds->item[kept - 1], &holds->item[i]) != 0)
            holds->item[kept++] = holds->item[i];
    holds->n = kept;
}

assay_slice assay_holds_who(const assay_holds *holds, assay_slice chunking, size_t i)
{
    for (size_t k = 0; k < holds->n; k++)
        if (assay_slice_eq(holds->item[k].chunking, chunking) && i-- == 0)
            return holds->item[k].who;
    return (assay_slice){NULL, 0};
}

void assay_holds_clear(assay_holds *holds)
{
    assay_mem_free(holds->item);
    *holds = (assay_holds){.arena = holds->arena};
}

/* ---- golden sets ---- */

assay_status assay_hold_name(const assay_workspace *ws, const assay_golden *golden,
                             assay_slice *out, assay_error *err)
{
    assay_arena *arena = &ws->cli->arena;
    assay_slice home;
    assay_status st;

    if (strcmp(golden->path, "-") == 0) {
        *out = golden->name.len ? assay_arena_copy(arena, golden->name) : ASSAY_LIT("");
        return out->ptr ? ASSAY_OK : assay_fail_memory(err, "naming a golden set");
    }
    st = assay_folder_real(golden->path, arena, out, err);
    if (!st)
        st = assay_folder_real(ws->folder, arena, &home, err);
    if (st || out->len <= home.len + 1 || out->ptr[home.len] != '/' ||
        memcmp(out->ptr, home.ptr, home.len) != 0)
        return st;
    out->ptr += home.len + 1;
    out->len -= home.len + 1;
    return ASSAY_OK;
}

assay_status assay_hold_golden(const assay_workspace *ws, const assay_golden *golden,
                               const char *corpus, assay_error *err)
{
    assay_error why;
    assay_slice who;
    assay_status st = assay_hold_name(ws, golden, &who, err);

    if (st || !who.len)
        return st;
    st = assay_golden_pin(golden, corpus, who, &why);
    if (!st)
        return ASSAY_OK;
    if (st != ASSAY_ESYSTEM)
        return assay_fail(err, st, "%s", why.text);
    if (!ws->cli->is_quiet)
        fprintf(stderr,
                "assay: note: %s; 'assay corpus prune' will not know which chunkings "
                "'%.*s' names, unless it is given --golden\n",
                why.text, ASSAY_QUOTE(who));
    return ASSAY_OK;
}

assay_status assay_hold_file(const assay_workspace *ws, const char *path,
                             const char *corpus, assay_error *err)
{
    const assay_golden_options options = {.format = "assay"};
    assay_golden *golden;
    assay_status st = assay_golden_load(path, &options, &golden, err);

    if (st)
        return st;
    st = assay_hold_golden(ws, golden, corpus, err);
    assay_golden_free(golden);
    return st;
}

/* ---- runs ---- */

assay_status assay_hold_run(const assay_workspace *ws, assay_slice run_id,
                            const char *corpus, assay_slice chunking, assay_error *err)
{
    assay_corpus *c = NULL;
    assay_error why = {.status = ASSAY_OK};
    assay_status st = assay_corpus_open(corpus, ASSAY_CORPUS_WRITE, &c, &why);

    if (!st)
        st = assay_corpus_pin(c, chunking, run_id, &why);
    assay_corpus_close(c);
    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "keeping the chunking of a run");
    if (st && !ws->cli->is_quiet)
        fprintf(stderr,
                "assay: note: %s; 'assay corpus prune' will not know that a run names "
                "chunks of it\n",
                why.text);
    return ASSAY_OK;
}

assay_status assay_hold_release(assay_slice run_id, const char *corpus, assay_error *err)
{
    assay_corpus *c = NULL;
    assay_status st = assay_corpus_open(corpus, ASSAY_CORPUS_WRITE, &c, NULL);

    if (!st)
        st = assay_corpus_unpin(c, run_id, NULL);
    assay_corpus_close(c);
    return st == ASSAY_ENOMEM ? assay_fail_memory(err, "removing a run") : ASSAY_OK;
}
