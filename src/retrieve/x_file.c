/* SPDX-License-Identifier: Apache-2.0 */
/* file:PATH: what a system gave before, in any run format.  A query is found by its id, else
 * by its text, folded: ids are often made up anew, texts are not. */
#include <string.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "retrieve/system.h"
#include "retrieve/system_reply.h"
#include "run/run_copy.h"
#include "text/fold.h"

#define PREFIX "file:"

typedef struct stored {
    assay_arena arena;
    assay_run *run;
    assay_dict texts;  /* folded texts of queries ... */
    uint32_t *by_text; /* ... and which query each is; ASSAY_NONE = several */
    const char *path;
} stored;

/* Each has room of its own for folding. */
typedef struct looker {
    const stored *file;
    assay_arena scratch;
} looker;

static bool is_mine(assay_slice spelling)
{
    return assay_slice_starts(spelling, PREFIX);
}

static void close_file(void *state)
{
    stored *s = state;

    if (!s)
        return;
    assay_run_free(s->run);
    assay_dict_clear(&s->texts);
    assay_arena_clear(&s->arena);
    assay_mem_free(s);
}

/* A TREC run has no texts. */
static bool list_texts(stored *s)
{
    uint32_t n = s->run->result ? s->run->n_results : 0;

    s->by_text = ASSAY_ARENA_ARRAY(&s->arena, uint32_t, n);
    if (!s->by_text)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        assay_slice text = s->run->result[i].query;
        uint32_t number;
        bool is_new;

        if (!text.len)
            continue;
        if (!assay_fold(text, &s->arena, &text) ||
            !assay_dict_put(&s->texts, NULL, text, &number, &is_new))
            return false;
        s->by_text[number] = is_new ? i : ASSAY_NONE;
    }
    return true;
}

static assay_status open_file(const assay_system_source *source, void **state,
                              assay_error *err)
{
    const char *path = source->spelling + strlen(PREFIX);
    stored *s;
    assay_status st;

    if (!path[0])
        return assay_fail(err, ASSAY_EUSAGE,
                          "a file is missing, as in '" PREFIX "run.jsonl'");
    s = ASSAY_NEW(stored);
    if (!s)
        return assay_fail_memory(err, "opening a run");
    st = assay_run_load(path, NULL, &s->run, err);
    if (!st && s->run->is_scores_only)
        st = assay_fail(err, ASSAY_EINPUT, "'%s' has scores, but no hits", path);
    s->path = assay_arena_string(&s->arena, assay_slice_of(path));
    if (!st && (!s->path || !list_texts(s)))
        st = assay_fail_memory(err, "opening a run");
    if (st) {
        close_file(s);
        return st;
    }
    *state = s;
    return ASSAY_OK;
}

static assay_status open_looker(void *state, void **worker, assay_error *err)
{
    looker *l = ASSAY_NEW(looker);

    if (!l)
        return assay_fail_memory(err, "reading a run");
    l->file = state;
    *worker = l;
    return ASSAY_OK;
}

static void close_looker(void *worker)
{
    looker *l = worker;

    assay_arena_clear(&l->scratch);
    assay_mem_free(l);
}

/* Which result is the question's; ASSAY_NONE: none is.  False: no memory. */
static bool look_up(looker *l, const assay_question *question, uint32_t *out)
{
    const stored *s = l->file;
    assay_slice text;
    uint32_t number;

    *out = assay_dict_find(&s->run->ids, question->id);
    if (*out != ASSAY_NONE || !s->texts.n)
        return true;
    assay_arena_reset(&l->scratch);
    if (!assay_fold(question->query, &l->scratch, &text))
        return false;
    number = assay_dict_find(&s->texts, text);
    if (number != ASSAY_NONE)
        *out = s->by_text[number];
    return true;
}

static assay_status say_missing(const stored *s, const assay_question *question,
                                assay_arena *arena, assay_result *out, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_reply_quote(assay_slice_of(s->path), &b);
    assay_buffer_text(&b, " has no query ");
    assay_reply_quote(question->id, &b);
    assay_buffer_text(&b, s->texts.n ? ", nor one with its text" : "");
    st = assay_reply_fail(&b, arena, out, err);
    assay_buffer_clear(&b);
    return st;
}

/* A line that cannot be read is one query's misfortune. */
static assay_status say_malformed(assay_error *why, assay_arena *arena, assay_result *out)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_buffer_text(&b, why->text);
    st = assay_reply_fail(&b, arena, out, why);
    assay_buffer_clear(&b);
    return st;
}

static assay_status ask_file(void *worker, const assay_question *question,
                             assay_arena *arena, assay_result *out, assay_error *err)
{
    looker *l = worker;
    assay_result found;
    assay_error local;
    assay_status st;
    uint32_t i;

    err = err ? err : &local;
    if (!look_up(l, question, &i))
        return assay_fail_memory(err, "reading a run");
    if (i == ASSAY_NONE)
        return say_missing(l->file, question, arena, out, err);
    st = assay_run_result(l->file->run, i, arena, &found, err);
    if (st == ASSAY_EINPUT)
        return say_malformed(err, arena, out);
    if (st)
        return st;
    if (!assay_run_copy_result(&found, arena, out))
        return assay_fail_memory(err, "reading a run");
    assay_reply_trim(question, out);
    return ASSAY_OK;
}

static void print_file(const void *state, assay_buffer *out)
{
    const stored *s = state;

    assay_buffer_text(out, PREFIX);
    assay_buffer_text(out, s->path);
}

const assay_system assay_system_file = {
    .name = "file",
    .summary = "what a system gave before: a run in any format",
    .is_mine = is_mine,
    .open = open_file,
    .worker = open_looker,
    .ask = ask_file,
    .identity = print_file,
    .worker_close = close_looker,
    .close = close_file,
};
