/* SPDX-License-Identifier: Apache-2.0 */
/* cmd:PROGRAM ARGUMENTS: a program that reads a JSON object a line and writes one for each.
 *
 * Each worker has a process of its own, which stays as long as it behaves.  After a crash or
 * a time-out it is killed and started anew for the next query.  A program with {query} among
 * its arguments is started for each query instead (command_once.c has that).
 *
 * Who asked for what is told by the id of the reply.  Programs may leave it out as long as
 * they answer each query with one line; once one did not, a reply without id cannot be told
 * from a late one any more. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "retrieve/command.h"

static bool is_mine(assay_slice spelling)
{
    return assay_slice_starts(spelling, ASSAY_COMMAND_PREFIX);
}

/* ---- words ---- */

void assay_command_say(assay_buffer *words, assay_talk *talk)
{
    assay_slice complaint = assay_talk_complaint(talk);

    if (!complaint.len)
        return;
    assay_buffer_text(words, "; its last words: ");
    assay_reply_quote(complaint, words);
}

static void say_late(const assay_asker *a, size_t n_others, assay_slice other,
                     assay_buffer *words)
{
    assay_buffer_text(words, "no reply within ");
    assay_buffer_double(words, a->command->config.timeout_s);
    assay_buffer_text(words, " s");
    if (!assay_talk_was_heard(a->talk))
        assay_buffer_text(words, "; it did not read the query");
    if (n_others) {
        assay_buffer_printf(words, "; %zu repl%s came for another id, such as ", n_others,
                            n_others == 1 ? "y" : "ies");
        assay_reply_quote(other, words);
    }
}

/* ---- one attempt ---- */

static void drop(assay_asker *a)
{
    assay_talk_kill(a->talk);
    a->talk = NULL;
}

static assay_outcome fail_gone(assay_asker *a, assay_slice partial, assay_buffer *words,
                               assay_error *err)
{
    bool was_heard = assay_talk_was_heard(a->talk);
    assay_buffer how = ASSAY_BUFFER_EMPTY;
    assay_outcome outcome = ASSAY_OUTCOME_AGAIN;

    if (partial.len) {
        assay_reply_quote(partial, words);
        assay_buffer_text(words, " is no whole line, and then ");
    }
    assay_talk_ended(a->talk, &how);
    assay_buffer_text(words, "the system ended (");
    assay_buffer_slice(words, assay_buffer_view(&how));
    assay_buffer_text(words,
                      was_heard ? ") without a reply" : ") before it read the query");
    assay_command_say(words, a->talk);
    /* It went away after its last reply: nobody's fault, start it again. */
    if (!was_heard && a->n_replies)
        outcome = ASSAY_OUTCOME_FREE;
    /* It never got as far as a query, and none of its kind ever answered. */
    if (!was_heard && !atomic_load(&a->command->n_replies)) {
        assay_slice said = assay_buffer_view(words);

        assay_fail(err, ASSAY_ESYSTEM, "'%s' does not start: %.*s", a->command->argv[0],
                   (int)said.len, said.ptr);
        outcome = ASSAY_OUTCOME_OVER;
    }
    assay_buffer_clear(&how);
    drop(a);
    return outcome;
}

static assay_outcome fail_reply(assay_asker *a, assay_slice line, const assay_error *why,
                                assay_buffer *words)
{
    a->is_out_of_step = true;
    if (why->status == ASSAY_ENOMEM)
        return ASSAY_OUTCOME_OVER;
    if (!assay_slice_trim(line).len) {
        assay_buffer_text(words, "an empty line where a reply belongs");
    } else {
        assay_buffer_text(words, why->text);
        assay_buffer_text(words, "; it wrote ");
        assay_reply_quote(line, words);
    }
    assay_command_say(words, a->talk);
    return ASSAY_OUTCOME_FAILED;
}

/* Whether the reply that was read is this question's. */
static bool is_for(const assay_asker *a, const assay_question *q)
{
    return !a->reply.id.len || assay_slice_eq(a->reply.id, q->id);
}

static assay_outcome take_reply(assay_asker *a, assay_slice line, assay_buffer *raw,
                                assay_buffer *words)
{
    /* Without an id, and some line before it was one too many: whose is it? */
    if (!a->reply.id.len && a->is_out_of_step) {
        assay_buffer_text(words, "a reply without 'id' after lines that were no replies "
                                 "cannot be told from a late one");
        drop(a);
        return ASSAY_OUTCOME_FAILED;
    }
    a->n_replies++;
    atomic_fetch_add(&a->command->n_replies, 1);
    raw->len = 0;
    if (a->command->cassette)
        assay_buffer_slice(raw, line);
    return ASSAY_OUTCOME_DONE;
}

/* Wait for the reply to what was said. */
static assay_outcome hear(assay_asker *a, const assay_question *q, assay_arena *arena,
                          assay_result *out, assay_buffer *raw, assay_buffer *words,
                          assay_error *err)
{
    int64_t deadline = assay_clock_in(a->command->config.timeout_s);
    assay_slice other = {"", 0};
    size_t n_others = 0;

    for (;;) {
        assay_slice line;
        assay_error why = {.status = ASSAY_OK};
        assay_talk_end end = assay_talk_line(a->talk, deadline, &line);

        switch (end) {
        case ASSAY_TALK_OK: break;
        case ASSAY_TALK_GONE: return fail_gone(a, line, words, err);
        case ASSAY_TALK_LATE:
            say_late(a, n_others, other, words);
            assay_command_say(words, a->talk);
            drop(a);
            return ASSAY_OUTCOME_AGAIN;
        case ASSAY_TALK_TOO_MUCH:
            assay_buffer_printf(words, "a reply of more than %zu bytes, beginning with ",
                                a->command->config.most_bytes);
            assay_reply_quote(line, words);
            drop(a);
            return ASSAY_OUTCOME_FAILED;
        case ASSAY_TALK_STOPPED:
            assay_fail(err, ASSAY_ESYSTEM, "interrupted");
            return ASSAY_OUTCOME_OVER;
        case ASSAY_TALK_NO_MEMORY:
            assay_fail_memory(err, "reading a reply");
            return ASSAY_OUTCOME_OVER;
        }
        if (assay_command_read(a, q, line, arena, out, &why)) {
            if (why.status == ASSAY_ENOMEM)
                assay_fail_memory(err, "reading a reply");
            return fail_reply(a, line, &why, words);
        }
        if (is_for(a, q))
            return take_reply(a, line, raw, words);
        other = a->reply.id;
        n_others++;
    }
}

/* Ask the process, which is started if there is none. */
static assay_outcome ask_process(assay_asker *a, const assay_question *q,
                                 assay_arena *arena, assay_result *out, assay_buffer *raw,
                                 assay_buffer *words, assay_error *err)
{
    assay_error why;
    assay_status st;

    if (!a->talk) {
        a->is_out_of_step = false;
        a->n_replies = 0;
        st = assay_talk_start(&a->command->talk, &a->talk, &why);
        if (st == ASSAY_ENOMEM) {
            assay_fail_memory(err, "starting a program");
            return ASSAY_OUTCOME_OVER;
        }
        if (st) {
            assay_buffer_text(words, why.text);
            return ASSAY_OUTCOME_AGAIN;
        }
    } else if (assay_talk_discard(a->talk)) {
        a->is_out_of_step = true;
    }
    if (!assay_talk_say(a->talk, assay_buffer_view(&a->request)) ||
        !assay_talk_say(a->talk, ASSAY_LIT("\n"))) {
        assay_fail_memory(err, "asking a system");
        return ASSAY_OUTCOME_OVER;
    }
    return hear(a, q, arena, out, raw, words, err);
}

/* ---- asking ---- */

/* Until it is done, or trying is of no use.  *raw is the reply, for a recording. */
static assay_outcome ask_until(assay_asker *a, const assay_question *q,
                               assay_arena *arena, assay_result *out, assay_buffer *raw,
                               assay_buffer *words, assay_error *err)
{
    enum { BACKOFF_US = 200000 };
    assay_command *c = a->command;
    bool was_free = false;

    for (uint32_t n = 0;; n++) {
        assay_outcome end;

        if (!assay_rate_wait(&c->rate, c->talk.stop)) {
            assay_fail(err, ASSAY_ESYSTEM, "interrupted");
            return ASSAY_OUTCOME_OVER;
        }
        words->len = 0;
        a->began = assay_clock_us();
        end = c->is_once ? assay_command_once(a, q, arena, out, raw, words, err)
                         : ask_process(a, q, arena, out, raw, words, err);
        if (end == ASSAY_OUTCOME_FREE && !was_free) {
            was_free = true;
            n--;
            continue;
        }
        if (end != ASSAY_OUTCOME_AGAIN && end != ASSAY_OUTCOME_FREE)
            return end;
        if (n >= c->config.retries)
            return ASSAY_OUTCOME_FAILED;
        if (!assay_clock_sleep(assay_clock_us() +
                                   ((int64_t)BACKOFF_US << (n < 5 ? n : 5)),
                               c->talk.stop)) {
            assay_fail(err, ASSAY_ESYSTEM, "interrupted");
            return ASSAY_OUTCOME_OVER;
        }
    }
}

static assay_status ask_command(void *worker, const assay_question *question,
                                assay_arena *arena, assay_result *out, assay_error *err)
{
    assay_asker *a = worker;
    assay_buffer raw = ASSAY_BUFFER_EMPTY;
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_error local = {.status = ASSAY_OK};
    assay_outcome end;
    assay_status st;
    double ms;

    a->request.len = 0;
    assay_system_request(&a->command->config, question, &a->request);
    if (a->request.has_failed)
        return assay_fail_memory(err, "asking a system");
    if (a->command->cassette && assay_cassette_is_replay(a->command->cassette))
        return assay_command_replay(a, question, arena, out, err);
    end = ask_until(a, question, arena, out, &raw, &words, &local);
    ms = assay_clock_ms_since(a->began);
    if (end == ASSAY_OUTCOME_OVER) {
        st = local.status;
        if (err)
            *err = local;
    } else {
        st = end == ASSAY_OUTCOME_DONE ? ASSAY_OK
                                       : assay_reply_fail(&words, arena, out, err);
        out->elapsed_ms = ms;
        if (!st && a->command->cassette)
            st = assay_command_record(a, question, &raw, ms, arena, out, err);
    }
    assay_buffer_clear(&raw);
    assay_buffer_clear(&words);
    return st;
}

/* ---- opening ---- */

static void close_command(void *state)
{
    assay_command *c = state;

    if (!c)
        return;
    assay_talk_close(atomic_exchange(&c->first, NULL), 0.5);
    assay_buffer_clear(&c->target);
    assay_arena_clear(&c->arena);
    assay_mem_free(c);
}

/* It starts, and is there a moment later; what is wrong after that shows at the first
 * query. */
static assay_status check_start(assay_command *c, assay_error *err)
{
    assay_talk *talk = NULL;
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_talk_start(&c->talk, &talk, err);

    if (st)
        return st;
    if (assay_talk_is_alive(talk, assay_clock_in(0.02))) {
        atomic_store(&c->first, talk);
        return ASSAY_OK;
    }
    assay_talk_ended(talk, &words);
    assay_command_say(&words, talk);
    assay_talk_kill(talk);
    st = assay_fail(err, ASSAY_ESYSTEM, "'%s' ended at once: %.*s", c->argv[0],
                    (int)words.len, words.ptr ? words.ptr : "");
    assay_buffer_clear(&words);
    return st;
}

static assay_status prepare(assay_command *c, const assay_system_source *source,
                            assay_error *err)
{
    /* The key is for servers that assay itself talks to. */
    static const char *const withheld[] = {"ASSAY_API_KEY", NULL};
    assay_slice line = assay_slice_of(source->spelling + strlen(ASSAY_COMMAND_PREFIX));
    assay_status st = assay_system_settle(source, 1, &c->arena, &c->config, err);
    size_t n = 0;

    if (st)
        return st;
    st = assay_shell_words(line, &c->arena, &c->argv, &n, err);
    if (st)
        return st;
    assay_system_public(source->spelling, &c->target);
    if (c->target.has_failed)
        return assay_fail_memory(err, "opening a system");
    c->cassette = source->cassette;
    c->talk = (assay_talk_settings){.argv = (const char *const *)(uintptr_t)c->argv,
                                    .withheld = withheld,
                                    .most_bytes = c->config.most_bytes,
                                    .stop = source->stop};
    assay_rate_init(&c->rate, c->config.per_second);
    return assay_command_find_marks(c, n, err);
}

static assay_status open_command(const assay_system_source *source, void **state,
                                 assay_error *err)
{
    assay_command *c = ASSAY_NEW(assay_command);
    assay_status st;

    if (!c)
        return assay_fail_memory(err, "opening a system");
    atomic_init(&c->first, NULL);
    atomic_init(&c->n_replies, 0);
    st = prepare(c, source, err);
    if (!st && !c->is_once && !(c->cassette && assay_cassette_is_replay(c->cassette)))
        st = check_start(c, err);
    if (st) {
        close_command(c);
        return st;
    }
    *state = c;
    return ASSAY_OK;
}

static assay_status open_asker(void *state, void **worker, assay_error *err)
{
    assay_asker *a = ASSAY_NEW(assay_asker);

    if (!a)
        return assay_fail_memory(err, "opening a system");
    a->command = state;
    a->talk = atomic_exchange(&a->command->first, NULL);
    *worker = a;
    return ASSAY_OK;
}

static void close_asker(void *worker)
{
    assay_asker *a = worker;
    const atomic_int *stop = a->command->talk.stop;

    assay_talk_close(a->talk, stop && atomic_load(stop) ? 0.05 : 1);
    assay_run_reader_clear(&a->reply.in);
    assay_buffer_clear(&a->request);
    assay_arena_clear(&a->scratch);
    assay_mem_free(a);
}

static void print_command(const void *state, assay_buffer *out)
{
    const assay_command *c = state;

    assay_buffer_slice(out, assay_buffer_view(&c->target));
    assay_system_config_print(&c->config, out);
}

const assay_system assay_system_command = {
    .name = "cmd",
    .summary =
        "a program that speaks one JSON object a line, or is started for each query",
    .is_mine = is_mine,
    .open = open_command,
    .worker = open_asker,
    .ask = ask_command,
    .identity = print_command,
    .worker_close = close_asker,
    .close = close_command,
};
