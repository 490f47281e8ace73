/* SPDX-License-Identifier: Apache-2.0 */
/* Both layouts that TREC topics come in.
 *
 *     <top>                          301<TAB>international organized crime
 *     <num> Number: 301
 *     <title> International Organized Crime
 *     ...
 *     </top>
 */
#include "golden/topics.h"

#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/slice.h"
#include "golden/golden_text.h"

typedef struct reading {
    assay_golden *golden;
    assay_lines in;
    uint32_t n_unused; /* topics of no query */
} reading;

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static assay_status take_topic(reading *r, uint32_t line, assay_slice id,
                               assay_slice text, assay_error *err)
{
    assay_golden *golden = r->golden;
    uint32_t number = assay_dict_find(&golden->ids, id);

    if (!id.len || !text.len)
        return assay_fail_at(err, r->in.path, line, "topic '%.*s' has no %s",
                             ASSAY_QUOTE(id), id.len ? "text" : "id");
    if (number == ASSAY_NONE) {
        r->n_unused++;
        return ASSAY_OK;
    }
    if (golden->query[number].text.len)
        return assay_fail_at(err, r->in.path, line, "topic '%.*s' comes twice",
                             ASSAY_QUOTE(id));
    text = assay_arena_copy(&golden->arena, text);
    if (!text.ptr)
        return assay_fail_memory(err, "reading topics");
    golden->query[number].text = text;
    return ASSAY_OK;
}

static assay_status read_tabs(reading *r, assay_error *err)
{
    assay_slice line;

    while (assay_lines_next(&r->in, &line)) {
        assay_slice rest = line;
        assay_slice id;
        assay_status st;

        if (!assay_slice_trim(line).len)
            continue;
        if (!assay_slice_part(&rest, '\t', &id) || !rest.ptr)
            return ASSAY_LINES_FAIL(err, &r->in, "want query id, tab, text: '%.*s'",
                                    ASSAY_QUOTE(line));
        st = take_topic(r, (uint32_t)r->in.line, assay_slice_trim(id),
                        assay_slice_trim(rest), err);
        if (st)
            return st;
    }
    return ASSAY_OK;
}

/* ---- <top> ---- */

/* `s` without the word that some years put before the value: "Number:". */
static assay_slice without(assay_slice s, const char *word)
{
    size_t len = assay_slice_of(word).len;

    s = assay_slice_trim(s);
    if (s.len < len || !assay_slice_is_nocase((assay_slice){s.ptr, len}, word))
        return s;
    return assay_slice_trim((assay_slice){s.ptr + len, s.len - len});
}

/* What follows the tag "<name>" in `record`, up to the next tag. */
static assay_slice value_of(assay_slice record, const char *tag)
{
    size_t len = assay_slice_of(tag).len;

    for (size_t i = 0; i + len <= record.len; i++) {
        size_t end = i + len;

        if (!assay_slice_is_nocase((assay_slice){record.ptr + i, len}, tag))
            continue;
        while (end < record.len && record.ptr[end] != '<')
            end++;
        return (assay_slice){record.ptr + i + len, end - i - len};
    }
    return ASSAY_LIT("");
}

/* Line breaks within a title become blanks. */
static assay_status take_record(reading *r, uint32_t line, assay_slice record,
                                assay_error *err)
{
    assay_slice id = without(value_of(record, "<num>"), "number:");
    assay_slice title = without(value_of(record, "<title>"), "topic:");
    char *copy = assay_arena_string(&r->golden->arena, title);

    if (!copy)
        return assay_fail_memory(err, "reading topics");
    for (size_t i = 0; i < title.len; i++)
        if (is_break(copy[i]))
            copy[i] = ' ';
    return take_topic(r, line, id, (assay_slice){copy, title.len}, err);
}

static assay_status read_tops(reading *r, assay_error *err)
{
    const char *begin = NULL; /* of the open record */
    uint32_t first = 0;       /* its line */
    assay_slice line;

    while (assay_lines_next(&r->in, &line)) {
        assay_slice tag = assay_slice_trim(line);
        assay_status st;

        if (assay_slice_is_nocase(tag, "<top>") && !begin) {
            begin = line.ptr;
            first = (uint32_t)r->in.line;
        } else if (assay_slice_is_nocase(tag, "</top>") && begin) {
            st = take_record(r, first, (assay_slice){begin, (size_t)(line.ptr - begin)},
                             err);
            if (st)
                return st;
            begin = NULL;
        } else if (tag.len && !begin) {
            return ASSAY_LINES_FAIL(err, &r->in, "want <top>: '%.*s'", ASSAY_QUOTE(tag));
        }
    }
    if (begin)
        return assay_fail_at(err, r->in.path, first, "<top> without </top>");
    return ASSAY_OK;
}

/* ---- the whole ---- */

static bool say_notes(reading *r)
{
    assay_golden *g = r->golden;

    return !r->n_unused ||
           assay_notes_add(&g->notes, &g->arena, "%u %s no judgments and %s left out",
                           r->n_unused, r->n_unused == 1 ? "topic has" : "topics have",
                           r->n_unused == 1 ? "was" : "were");
}

static assay_status read_all(reading *r, assay_error *err)
{
    assay_slice top = assay_slice_trim(r->in.rest);
    assay_status st =
        assay_slice_starts(top, "<") ? read_tops(r, err) : read_tabs(r, err);

    if (!st && !say_notes(r))
        return assay_fail_memory(err, "reading topics");
    return st;
}

assay_status assay_topics_load(assay_golden *golden, const assay_golden_options *options,
                               assay_error *err)
{
    reading r = {.golden = golden};
    assay_file file = {.mapped = NULL};
    assay_status st = assay_file_open(&file, options->topics, err);

    if (st)
        return st;
    r.in = assay_lines_of(options->topics, file.text);
    st = assay_golden_check_text(options->topics, file.text, options, err);
    if (!st)
        st = read_all(&r, err);
    assay_file_close(&file);
    return st;
}

/* ---- writing ---- */

assay_status assay_golden_write_topics(const assay_golden *golden,
                                       const assay_golden_target *target,
                                       assay_error *err)
{
    assay_buffer *out = target->out;

    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];

        if (q->is_draft || !q->text.len)
            continue;
        assay_buffer_slice(out, q->id);
        assay_buffer_char(out, '\t');
        for (size_t c = 0; c < q->text.len; c++)
            assay_buffer_char(out, is_break(q->text.ptr[c]) ? ' ' : q->text.ptr[c]);
        assay_buffer_char(out, '\n');
    }
    if (out->has_failed)
        return assay_fail_memory(err, "writing topics");
    return ASSAY_OK;
}
