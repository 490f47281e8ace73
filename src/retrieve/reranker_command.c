/* SPDX-License-Identifier: Apache-2.0 */
/* A reranker that is a program: a line goes in, a line comes out.
 *
 * Replies have no id, so a process that was late, or wrote what nobody had asked for, cannot
 * be trusted with the next query: it is killed and started anew. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/slice.h"
#include "retrieve/command.h"
#include "retrieve/reranker_own.h"

enum { MOST_BYTES = 64 << 20, BACKOFF_US = 200000 };

/* ---- opening ---- */

static assay_status fail_start(const assay_reranker *r, assay_talk *talk,
                               assay_error *err)
{
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_slice said;
    assay_status st;

    assay_talk_ended(talk, &words);
    assay_command_say(&words, talk);
    said = assay_buffer_view(&words);
    st = assay_fail(err, ASSAY_ESYSTEM, "reranker '%s' ended at once: %.*s", r->argv[0],
                    (int)said.len, said.ptr);
    assay_buffer_clear(&words);
    assay_talk_kill(talk);
    return st;
}

assay_status assay_reranker_open_command(assay_reranker *r, assay_error *err)
{
    /* The key is for servers that assay itself talks to. */
    static const char *const withheld[] = {"ASSAY_API_KEY", NULL};
    const char *line = r->settings.spelling + strlen(ASSAY_COMMAND_PREFIX);
    assay_talk *talk = NULL;
    size_t n;
    assay_status st =
        assay_shell_words(assay_slice_of(line), &r->arena, &r->argv, &n, err);

    if (st)
        return st;
    r->talk = (assay_talk_settings){.argv = (const char *const *)(uintptr_t)r->argv,
                                    .withheld = withheld,
                                    .most_bytes = MOST_BYTES,
                                    .stop = r->settings.stop};
    if (r->settings.cassette && assay_cassette_is_replay(r->settings.cassette))
        return ASSAY_OK;
    st = assay_talk_start(&r->talk, &talk, err);
    if (st)
        return st;
    /* It is there a moment later; what is wrong after that shows at the first query. */
    if (!assay_talk_is_alive(talk, assay_clock_in(0.02)))
        return fail_start(r, talk, err);
    atomic_store(&r->first, talk);
    return ASSAY_OK;
}

/* ---- one attempt ---- */

static void drop(assay_rerank_worker *w)
{
    assay_talk_kill(w->talk);
    w->talk = NULL;
}

static assay_outcome hear(assay_rerank_worker *w, assay_buffer *words, assay_error *err)
{
    const assay_reranker *r = w->reranker;
    assay_slice line = {"", 0};
    assay_outcome outcome = ASSAY_OUTCOME_AGAIN;

    switch (assay_talk_line(w->talk, assay_clock_in(r->settings.timeout_s), &line)) {
    case ASSAY_TALK_OK:
        w->reply.len = 0;
        assay_buffer_slice(&w->reply, line);
        return ASSAY_OUTCOME_DONE;
    case ASSAY_TALK_GONE:
        assay_buffer_text(words, "the reranker ended without a reply (");
        assay_talk_ended(w->talk, words);
        assay_buffer_char(words, ')');
        break;
    case ASSAY_TALK_LATE:
        assay_buffer_text(words, "no reply within ");
        assay_buffer_double(words, r->settings.timeout_s);
        assay_buffer_text(words, " s");
        break;
    case ASSAY_TALK_TOO_MUCH:
        assay_buffer_printf(words, "a reply of more than %d bytes", (int)MOST_BYTES);
        outcome = ASSAY_OUTCOME_FAILED;
        break;
    case ASSAY_TALK_STOPPED:
        assay_fail(err, ASSAY_ESYSTEM, "interrupted");
        return ASSAY_OUTCOME_OVER;
    case ASSAY_TALK_NO_MEMORY:
        assay_fail_memory(err, "reading a reply");
        return ASSAY_OUTCOME_OVER;
    }
    assay_command_say(words, w->talk);
    drop(w);
    return outcome;
}

static assay_outcome attempt(assay_rerank_worker *w, assay_buffer *words,
                             assay_error *err)
{
    assay_error why = {.status = ASSAY_OK};
    assay_status st;

    if (w->talk && assay_talk_discard(w->talk))
        drop(w);
    if (!w->talk) {
        st = assay_talk_start(&w->reranker->talk, &w->talk, &why);
        if (st == ASSAY_ENOMEM) {
            assay_fail_memory(err, "starting a program");
            return ASSAY_OUTCOME_OVER;
        }
        if (st) {
            assay_buffer_text(words, why.text);
            return ASSAY_OUTCOME_AGAIN;
        }
    }
    if (!assay_talk_say(w->talk, assay_buffer_view(&w->request)) ||
        !assay_talk_say(w->talk, ASSAY_LIT("\n"))) {
        assay_fail_memory(err, "asking a reranker");
        return ASSAY_OUTCOME_OVER;
    }
    return hear(w, words, err);
}

/* Until there is a reply, or trying is of no use. */
static assay_outcome ask_until(assay_rerank_worker *w, assay_buffer *words,
                               assay_error *err)
{
    const assay_reranker_settings *s = &w->reranker->settings;

    for (uint32_t n = 0;; n++) {
        assay_outcome end;

        words->len = 0;
        end = attempt(w, words, err);
        if (end != ASSAY_OUTCOME_AGAIN)
            return end;
        if (n >= s->retries)
            return ASSAY_OUTCOME_FAILED;
        if (!assay_clock_sleep(
                assay_clock_us() + ((int64_t)BACKOFF_US << (n < 5 ? n : 5)), s->stop)) {
            assay_fail(err, ASSAY_ESYSTEM, "interrupted");
            return ASSAY_OUTCOME_OVER;
        }
    }
}

/* ---- recordings ---- */

static assay_call call_of(const assay_rerank_worker *w)
{
    return (assay_call){.kind = "cmd",
                        .target = assay_buffer_view(&w->reranker->target),
                        .request = assay_buffer_view(&w->request)};
}

/* What was recorded is what the caller sees, so that a replay goes the same way. */
static assay_status record(assay_rerank_worker *w, bool has_failed, double ms,
                           assay_error *err)
{
    assay_cassette *cassette = w->reranker->settings.cassette;
    const assay_call_reply how = {.has_failed = has_failed, .ms = ms};
    const assay_call call = call_of(w);
    assay_status st = assay_cassette_clean(cassette, &w->reply, err);

    return st ? st
              : assay_cassette_add(cassette, &call, assay_buffer_view(&w->reply), &how,
                                   err);
}

static assay_status fail_words(const assay_rerank_worker *w, assay_error *err)
{
    assay_slice said = assay_buffer_view(&w->reply);

    return assay_fail(err, ASSAY_ESYSTEM, "%s: %.*s", w->reranker->where, (int)said.len,
                      said.ptr);
}

static assay_status replay(assay_rerank_worker *w, assay_error *err)
{
    assay_call_reply how = {.has_failed = false};
    const assay_call call = call_of(w);
    assay_status st =
        assay_cassette_play(w->reranker->settings.cassette, &call, &w->reply, &how, err);

    return st || !how.has_failed ? st : fail_words(w, err);
}

assay_status assay_reranker_converse(assay_rerank_worker *w, assay_error *err)
{
    assay_cassette *cassette = w->reranker->settings.cassette;
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_error local = {.status = ASSAY_OK};
    int64_t began = assay_clock_us();
    assay_outcome end;
    assay_status st = ASSAY_OK;

    if (cassette && assay_cassette_is_replay(cassette))
        return replay(w, err);
    end = ask_until(w, &words, &local);
    if (end == ASSAY_OUTCOME_FAILED) {
        w->reply.len = 0;
        assay_buffer_slice(&w->reply, assay_buffer_view(&words));
    }
    if (end == ASSAY_OUTCOME_OVER) {
        st = local.status;
        if (err)
            *err = local;
    } else if (words.has_failed || w->reply.has_failed) {
        st = assay_fail_memory(err, "asking a reranker");
    } else if (cassette) {
        st = record(w, end == ASSAY_OUTCOME_FAILED, assay_clock_ms_since(began), err);
    }
    assay_buffer_clear(&words);
    return st || end == ASSAY_OUTCOME_DONE ? st : fail_words(w, err);
}
