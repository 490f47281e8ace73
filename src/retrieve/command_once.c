/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that are started for each query: {query}, {k} and {id} stand among their
 * arguments.  They print a reply of the protocol, or lines of a document id and perhaps a
 * tab and a score. */
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "retrieve/command.h"

static const char *const marks[] = {"{query}", "{k}", "{id}"};

static bool has_mark(const char *word)
{
    for (size_t i = 0; i < ASSAY_COUNT(marks); i++)
        if (strstr(word, marks[i]))
            return true;
    return false;
}

/* sh, bash, /bin/dash ... */
static bool is_shell(const char *program)
{
    const char *slash = strrchr(program, '/');
    assay_slice name = assay_slice_of(slash ? slash + 1 : program);

    return assay_slice_ends(name, "sh");
}

assay_status assay_command_find_marks(assay_command *c, size_t n, assay_error *err)
{
    c->n_words = n;
    for (size_t i = 1; i < n; i++) {
        if (!has_mark(c->argv[i]))
            continue;
        c->is_once = true;
        /* A query is data.  In the text of a script it would be code. */
        if (is_shell(c->argv[0]) && strcmp(c->argv[i - 1], "-c") == 0)
            return assay_fail(err, ASSAY_EUSAGE,
                              "a query in the text of a script would be run by the "
                              "shell; write cmd:sh -c 'my_search \"$1\"' sh {query}");
    }
    return ASSAY_OK;
}

/* A word with its marks replaced, in the scratch; null: no memory. */
static const char *fill_word(assay_asker *a, const char *word, const assay_question *q)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *out = NULL;

    while (*word) {
        size_t m = 0;

        while (m < ASSAY_COUNT(marks) && strncmp(word, marks[m], strlen(marks[m])) != 0)
            m++;
        switch (m) {
        case 0: assay_buffer_slice(&b, q->query); break;
        case 1: assay_buffer_printf(&b, "%u", q->k); break;
        case 2: assay_buffer_slice(&b, q->id); break;
        default: assay_buffer_char(&b, *word++); continue;
        }
        word += strlen(marks[m]);
    }
    if (!b.has_failed)
        out = assay_arena_string(&a->scratch, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return out;
}

static assay_outcome no_memory(assay_error *err)
{
    assay_fail_memory(err, "asking a system");
    return ASSAY_OUTCOME_OVER;
}

static bool has_zero(assay_slice s)
{
    return s.len && memchr(s.ptr, '\0', s.len);
}

/* Those that print no JSON print lines. */
static bool is_json(const assay_asker *a, assay_slice text)
{
    text = assay_slice_trim(text);
    return a->command->config.is_mapped ||
           (text.len && (text.ptr[0] == '{' || text.ptr[0] == '['));
}

assay_status assay_command_read(assay_asker *a, const assay_question *question,
                                assay_slice text, assay_arena *arena, assay_result *out,
                                assay_error *err)
{
    if (a->command->is_once && !is_json(a, text))
        return assay_reply_read_lines(&a->reply, question, text, arena, out, err);
    return assay_reply_read(&a->reply, &a->command->config, question, text, arena, out,
                            err);
}

/* It has ended: is what it printed a reply? */
static assay_outcome take_output(assay_asker *a, assay_talk *talk,
                                 const assay_question *q, assay_slice text,
                                 assay_arena *arena, assay_result *out, assay_buffer *raw,
                                 assay_buffer *words, assay_error *err)
{
    assay_error why = {.status = ASSAY_OK};

    raw->len = 0;
    assay_buffer_slice(raw, text);
    if (raw->has_failed)
        return no_memory(err);
    if (assay_talk_code(talk) != 0) {
        assay_buffer_text(words, "it ended with ");
        assay_talk_ended(talk, words);
        assay_command_say(words, talk);
        return assay_talk_code(talk) < 0 ? ASSAY_OUTCOME_AGAIN : ASSAY_OUTCOME_FAILED;
    }
    if (assay_command_read(a, q, assay_buffer_view(raw), arena, out, &why)) {
        if (why.status == ASSAY_ENOMEM)
            return no_memory(err);
        assay_buffer_text(words, why.text);
        assay_buffer_text(words, "; it wrote ");
        assay_reply_quote(assay_buffer_view(raw), words);
        assay_command_say(words, talk);
        return ASSAY_OUTCOME_FAILED;
    }
    return ASSAY_OUTCOME_DONE;
}

static assay_outcome hear_all(assay_asker *a, assay_talk *talk, const assay_question *q,
                              assay_arena *arena, assay_result *out, assay_buffer *raw,
                              assay_buffer *words, assay_error *err)
{
    const atomic_int *stop = a->command->talk.stop;
    assay_slice text;
    assay_talk_end end;

    assay_talk_end_input(talk);
    end = assay_talk_all(talk, assay_clock_in(a->command->config.timeout_s), &text);
    if (stop && atomic_load(stop))
        end = ASSAY_TALK_STOPPED;
    switch (end) {
    case ASSAY_TALK_OK:
    case ASSAY_TALK_GONE: break;
    case ASSAY_TALK_LATE:
        assay_buffer_text(words, "did not end within ");
        assay_buffer_double(words, a->command->config.timeout_s);
        assay_buffer_text(words, " s");
        assay_command_say(words, talk);
        return ASSAY_OUTCOME_AGAIN;
    case ASSAY_TALK_TOO_MUCH:
        assay_buffer_printf(words, "more than %zu bytes of output, beginning with ",
                            a->command->config.most_bytes);
        assay_reply_quote(text, words);
        return ASSAY_OUTCOME_FAILED;
    case ASSAY_TALK_STOPPED:
        assay_fail(err, ASSAY_ESYSTEM, "interrupted");
        return ASSAY_OUTCOME_OVER;
    case ASSAY_TALK_NO_MEMORY: return no_memory(err);
    }
    return take_output(a, talk, q, text, arena, out, raw, words, err);
}

assay_outcome assay_command_once(assay_asker *a, const assay_question *q,
                                 assay_arena *arena, assay_result *out, assay_buffer *raw,
                                 assay_buffer *words, assay_error *err)
{
    assay_command *c = a->command;
    assay_talk_settings settings = c->talk;
    assay_talk *talk = NULL;
    assay_error why;
    assay_outcome end;
    const char **argv;

    if (has_zero(q->query) || has_zero(q->id)) {
        assay_buffer_text(words, "a query with a zero byte cannot be an argument");
        return ASSAY_OUTCOME_FAILED;
    }
    assay_arena_reset(&a->scratch);
    argv = ASSAY_ARENA_ARRAY(&a->scratch, const char *, c->n_words + 1);
    if (!argv)
        return no_memory(err);
    for (size_t i = 0; i < c->n_words; i++) {
        argv[i] = i ? fill_word(a, c->argv[i], q) : c->argv[0];
        if (!argv[i])
            return no_memory(err);
    }
    settings.argv = argv;
    if (assay_talk_start(&settings, &talk, &why)) {
        assay_buffer_text(words, why.text);
        if (why.status != ASSAY_ENOMEM && atomic_load(&c->n_replies))
            return ASSAY_OUTCOME_AGAIN;
        /* It never started: going on would only say so again and again. */
        if (err)
            *err = why;
        return ASSAY_OUTCOME_OVER;
    }
    atomic_fetch_add(&c->n_replies, 1);
    end = hear_all(a, talk, q, arena, out, raw, words, err);
    assay_talk_kill(talk);
    return end;
}
