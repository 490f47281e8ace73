/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/qrels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/slice.h"

enum { FIELDS_MOST = 6 };

/* Where the parts of a judgment stand in a line. */
static const struct layout {
    uint32_t n_fields;
    int doc;
    int subgroup; /* -1 = none */
    int value;
    bool has_more; /* groups, levels */
} layouts[] = {
    [ASSAY_QRELS_PLAIN] = {4, 2, -1, 3, false},
    [ASSAY_QRELS_GROUPS] = {4, 2, -1, 3, true},
    [ASSAY_QRELS_PREFS] = {5, 3, 2, 4, true},
    [ASSAY_QRELS_GROUP_PREFS] = {4, 2, -1, 3, true},
};

/* Judgments as they come, before they are sorted by topic. */
typedef struct list {
    assay_qrel *qrel;
    assay_qrel_more *more; /* stays null in plain judgments */
    uint32_t *topic;
    size_t n;
    size_t cap;
} list;

/* As atol: digits up to the first other character, 0 where there are none. */
static int32_t read_rel(assay_slice s)
{
    bool is_negative = s.len && s.ptr[0] == '-';
    int64_t value = 0;

    for (size_t i = s.len && (s.ptr[0] == '-' || s.ptr[0] == '+'); i < s.len; i++) {
        unsigned digit = (unsigned)(s.ptr[i] - '0');

        if (digit > 9)
            break;
        value = value * 10 + digit;
        if (value > INT32_MAX)
            value = INT32_MAX;
    }
    return (int32_t)(is_negative ? -value : value);
}

static bool grow(list *l, bool has_more)
{
    size_t cap = l->cap ? 2 * l->cap : 1024;
    assay_qrel *qrel = assay_mem_resize(l->qrel, cap, sizeof *qrel);
    assay_qrel_more *more = NULL;
    uint32_t *topic;

    if (!qrel)
        return false;
    l->qrel = qrel;
    if (has_more) {
        more = assay_mem_resize(l->more, cap, sizeof *more);
        if (!more)
            return false;
        l->more = more;
    }
    topic = assay_mem_resize(l->topic, cap, sizeof *topic);
    if (!topic)
        return false;
    l->topic = topic;
    l->cap = cap;
    return true;
}

static void add_more(list *l, const struct layout *at, const assay_slice *field)
{
    assay_slice value = field[at->value];
    assay_qrel_more *more = &l->more[l->n];

    *more = (assay_qrel_more){.group = field[1]};
    if (at->subgroup >= 0)
        more->subgroup = field[at->subgroup];
    assay_number_scan(value.ptr, value.ptr + value.len, true, &more->level);
}

static bool add(list *l, assay_qrels *out, const struct layout *at,
                const assay_slice *field)
{
    if (l->n == l->cap && !grow(l, at->has_more))
        return false;
    l->qrel[l->n] =
        (assay_qrel){.doc = field[at->doc], .rel = read_rel(field[at->value])};
    if (at->has_more)
        add_more(l, at, field);
    /* A topic's lines stand together as a rule. */
    if (l->n && assay_slice_eq(field[0], out->ids.word[l->topic[l->n - 1]])) {
        l->topic[l->n] = l->topic[l->n - 1];
        l->n++;
        return true;
    }
    return assay_dict_put(&out->ids, NULL, field[0], &l->topic[l->n++], NULL);
}

/* The fields of a line, by bit masks where it is short enough; returns how many. */
static size_t split(assay_slice line, assay_slice *field)
{
    assay_scan scan;
    uint64_t start;
    uint64_t stop;
    size_t n = 0;

    if (line.len >= ASSAY_SCAN_BYTES)
        return assay_slice_fields(line, field, FIELDS_MOST);
    /* What is behind the line reads as white space. */
    scan = assay_scan_tail(line.ptr, line.ptr + line.len);
    start = ~scan.space & (scan.space << 1 | 1);
    stop = scan.space & ~(scan.space << 1 | 1);
    for (; start; n++) {
        unsigned from = assay_bytes_first(start);

        if (n < FIELDS_MOST)
            field[n] = (assay_slice){line.ptr + from, assay_bytes_first(stop) - from};
        start &= start - 1;
        stop &= stop - 1;
    }
    return n;
}

static assay_status parse(list *l, assay_qrels *out, const char *path,
                          const struct layout *at, bool has_comments, assay_error *err)
{
    assay_lines in = {.path = path, .rest = out->file.text};
    assay_slice field[FIELDS_MOST];
    assay_slice line;

    while (assay_lines_next(&in, &line)) {
        if (has_comments && line.len && line.ptr[0] == '#')
            continue;
        if (split(line, field) != at->n_fields)
            return ASSAY_LINES_FAIL(err, &in, "want %u fields, not '%.*s'", at->n_fields,
                                    ASSAY_QUOTE(line));
        if (!add(l, out, at, field))
            return assay_fail_memory(err, "reading judgments");
    }
    return ASSAY_OK;
}

static int by_id(const void *a, const void *b)
{
    const assay_qrels_topic *x = a;
    const assay_qrels_topic *y = b;

    return assay_slice_cmp(x->id, y->id);
}

/* Whether each topic's lines stand together: then they can stay where they are. */
static bool is_grouped(const list *l)
{
    uint32_t next = 0;

    for (size_t i = 0; i < l->n; i++) {
        if (l->topic[i] > next)
            return false;
        if (l->topic[i] + 1 < next)
            return false;
        if (l->topic[i] == next)
            next++;
    }
    return true;
}

/* Copy the list in topic order. */
static bool sort_list(list *l, const assay_qrels *out)
{
    list sorted = {.n = l->n};
    size_t *next = ASSAY_NEW_ARRAY(size_t, (size_t)out->n + 1);
    bool is_good = next != NULL;

    sorted.qrel = ASSAY_NEW_ARRAY(assay_qrel, l->n);
    sorted.more = l->more ? ASSAY_NEW_ARRAY(assay_qrel_more, l->n) : NULL;
    is_good = is_good && sorted.qrel && (sorted.more || !l->more);
    for (uint32_t t = 0; is_good && t + 1 < out->n; t++)
        next[t + 1] = next[t] + out->topic[t].n;
    for (size_t i = 0; is_good && i < l->n; i++) {
        size_t to = next[l->topic[i]]++;

        sorted.qrel[to] = l->qrel[i];
        if (l->more)
            sorted.more[to] = l->more[i];
    }
    assay_mem_free(next);
    assay_mem_free(is_good ? l->qrel : sorted.qrel);
    assay_mem_free(is_good ? l->more : sorted.more);
    if (is_good) {
        l->qrel = sorted.qrel;
        l->more = sorted.more;
    }
    return is_good;
}

/* Point the topics at their judgments, topics by id.  The list's arrays go to `out`. */
static bool gather(list *l, assay_qrels *out)
{
    size_t at = 0;

    out->n = out->ids.n;
    out->topic = ASSAY_ARENA_ARRAY(&out->arena, assay_qrels_topic, out->n);
    if (!out->topic)
        return false;
    for (size_t i = 0; i < l->n; i++)
        out->topic[l->topic[i]].n++;
    if (!is_grouped(l) && !sort_list(l, out))
        return false;
    for (uint32_t t = 0; t < out->n; t++) {
        out->topic[t].id = out->ids.word[t];
        out->topic[t].qrel = l->qrel + at;
        out->topic[t].more = l->more ? l->more + at : NULL;
        at += out->topic[t].n;
    }
    if (out->n > 1)
        qsort(out->topic, out->n, sizeof *out->topic, by_id);
    out->qrel = l->qrel;
    out->more = l->more;
    l->qrel = NULL; /* handed over */
    l->more = NULL;
    return true;
}

static assay_status parse_file(assay_qrels *out, const char *path,
                               assay_qrels_layout layout, bool has_comments,
                               assay_error *err)
{
    list l = {0};
    assay_status st;

    if (!out->file.text.len)
        return assay_fail_at(err, path, 0, "the file is empty");
    st = parse(&l, out, path, &layouts[layout], has_comments, err);
    if (!st && !gather(&l, out))
        st = assay_fail_memory(err, "reading judgments");
    assay_mem_free(l.qrel);
    assay_mem_free(l.more);
    assay_mem_free(l.topic);
    return st;
}

assay_status assay_qrels_load(assay_qrels *out, const char *path,
                              assay_qrels_layout layout, bool has_comments,
                              assay_error *err)
{
    assay_status st = assay_file_open(&out->file, path, err);

    return st ? st : parse_file(out, path, layout, has_comments, err);
}

assay_status assay_qrels_parse(assay_qrels *out, const char *name, assay_slice text,
                               assay_qrels_layout layout, bool has_comments,
                               assay_error *err)
{
    assay_status st = assay_file_copy(&out->file, text, name, err);

    return st ? st : parse_file(out, name, layout, has_comments, err);
}

void assay_qrels_clear(assay_qrels *qrels)
{
    assay_mem_free(qrels->qrel);
    assay_mem_free(qrels->more);
    assay_dict_clear(&qrels->ids);
    assay_arena_clear(&qrels->arena);
    assay_file_close(&qrels->file);
    *qrels = (assay_qrels){0};
}
