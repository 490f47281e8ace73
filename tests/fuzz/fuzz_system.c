/* SPDX-License-Identifier: Apache-2.0 */
/* What a system sends: the first line is a command (cut into words) or the map `system` of an
 * assay.yaml, the rest a reply, read as the protocol has it, through the pointers, and as
 * lines.  Checked: an error has words, a result has its promises (at most k hits, each with
 * something to know it by, finite scores, errors that are UTF-8). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell_words.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "retrieve/system_reply.h"

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static const assay_question question = {
    .id = {"q1", 2}, .query = {"where \"is\" it?", 14}, .k = 5, .wants_answer = true};

static void check_result(assay_status st, const assay_result *r, const assay_error *err)
{
    if (st) {
        PROMISE(err->text[0]);
        return;
    }
    PROMISE(r->n_hits <= question.k);
    PROMISE(!r->error.len || (!r->n_hits && !r->answer));
    for (uint32_t i = 0; i < r->n_hits; i++) {
        const assay_hit *h = &r->hit[i];

        PROMISE(h->doc.len || h->chunk.len || h->text.len);
        PROMISE(!h->has_score || isfinite(h->score));
        for (uint32_t s = 0; s < h->n_spans; s++)
            PROMISE(h->span[s].start < h->span[s].end);
    }
}

static void read_reply(const assay_system_config *config, assay_slice text)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_reply reply = {.id = {"", 0}};
    assay_result result = assay_reply_none();
    assay_error err = {ASSAY_OK, ""};
    assay_status st =
        assay_reply_read(&reply, config, &question, text, &arena, &result, &err);
    assay_buffer quoted = ASSAY_BUFFER_EMPTY;

    check_result(st, &result, &err);
    err.text[0] = '\0';
    result = assay_reply_none();
    st = assay_reply_read_lines(&reply, &question, text, &arena, &result, &err);
    check_result(st, &result, &err);
    assay_reply_quote(text, &quoted);
    PROMISE(assay_utf8_is(assay_buffer_view(&quoted)));
    PROMISE(assay_reply_fail(&quoted, &arena, &result, &err) == ASSAY_OK);
    PROMISE(result.error.len && assay_utf8_is(result.error));
    assay_buffer_clear(&quoted);
    assay_run_reader_clear(&reply.in);
    assay_arena_clear(&arena);
}

static void cut(assay_slice line)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    size_t total = 0;
    char **word = NULL;
    size_t n = 0;

    if (assay_shell_words(line, &arena, &word, &n, &err) == ASSAY_OK) {
        PROMISE(n && !word[n]);
        for (size_t i = 0; i < n; i++)
            total += strlen(word[i]);
        PROMISE(total <= line.len);
    } else {
        PROMISE(err.text[0]);
    }
    assay_arena_clear(&arena);
}

/* What is shown of a spelling is no longer than it is by much, and shown again is the
 * same. */
static void show(assay_slice line)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer once = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;
    const char *text = assay_arena_string(&arena, line);

    assay_system_public(text, &once);
    text = assay_arena_string(&arena, assay_buffer_view(&once));
    assay_system_public(text, &twice);
    PROMISE(assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)));
    assay_buffer_clear(&once);
    assay_buffer_clear(&twice);
    assay_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice rest = {size ? (const char *)data : "", size};
    assay_slice line = {"", 0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer request = ASSAY_BUFFER_EMPTY;
    assay_system_config config;
    assay_node *map = NULL;
    assay_error err = {ASSAY_OK, ""};

    (void)assay_slice_part(&rest, '\n', &line);
    cut(line);
    show(line);
    PROMISE(!assay_system_config_read(NULL, "x", &arena, &config, &err));
    read_reply(&config, rest);
    if (assay_node_yaml("x", line, &arena, &map, NULL) == ASSAY_OK && map &&
        assay_system_config_read(map, "x", &arena, &config, &err) == ASSAY_OK) {
        read_reply(&config, rest);
        assay_system_request(&config, &question, &request);
        PROMISE(request.len && !memchr(request.ptr, '\n', request.len));
        assay_system_config_print(&config, &request);
    }
    assay_buffer_clear(&request);
    assay_arena_clear(&arena);
    return 0;
}
