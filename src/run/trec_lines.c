/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a TREC run; see trec_lines.h for the idea.
 *
 * A place is where a stretch of lines of one query begins and how many they are, in one
 * number: the offset in the upper 48 bits, the lines in the lower 16.  Places are found
 * by parts of the file in parallel, then brought into query order by counting. */
#include "run/trec_lines.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/pool.h"
#include "base/scan.h"
#include "base/slice.h"

enum {
    PART_BYTES = 4 << 20, /* enough work to hide the start of a thread */
    PARTS_MOST = 1024,
    COUNT_BITS = 16,
    COUNT_MOST = (1 << COUNT_BITS) - 1,
    N_FIELDS = 6
};

struct assay_trec_lines {
    const char *path;
    assay_slice text;
    assay_trec_rules rules;
    uint32_t n_queries;
    uint64_t *place;    /* in query order, then file order */
    size_t *first;      /* n_queries + 1: where a query's places begin in place[] */
    uint32_t *n_lines;  /* by query */
    uint32_t depth;
    assay_slice tag;
};

/* What one thread finds in one part of the file. */
typedef struct part {
    assay_slice text;
    const char *file; /* beginning of the whole file: offsets count from here */
    const char *end;  /* of the whole file */
    bool has_comments;
    assay_dict ids;      /* query ids of this part */
    uint32_t *global;    /* by local number: number in the whole file */
    uint64_t *place;
    uint32_t *query;     /* of each place, local number */
    size_t n;
    size_t cap;
    const char *last_line; /* last line with content, or null */
    bool has_failed;     /* out of memory */

    /* The stretch being extended. */
    bool is_open;
    uint32_t current;
    assay_slice qid;
    uint64_t qid_word;   /* up to 7 bytes of qid and the separator behind it */
    uint64_t qid_mask;   /* 0 when the id is too long for that */
} part;

/* ---- finding the queries ---- */

static bool is_here(const part *p, const char *at)
{
    if (ASSAY_LIKELY(p->qid_mask && p->end - at >= 8)) {
        uint64_t word;

        memcpy(&word, at, 8);
        return (word & p->qid_mask) == p->qid_word;
    }
    return (size_t)(p->end - at) > p->qid.len && memcmp(at, p->qid.ptr, p->qid.len) == 0 &&
           assay_scan_is_space(at[p->qid.len]);
}

static void remember_query(part *p, assay_slice qid)
{
    p->qid = qid;
    p->qid_mask = 0;
    if (qid.len <= 7 && p->end - qid.ptr >= 8) {
        uint64_t mask = 0;

        memset(&mask, 0xff, qid.len + 1);
        memcpy(&p->qid_word, qid.ptr, 8);
        p->qid_word &= mask;
        p->qid_mask = mask;
    }
}

static bool grow_places(part *p)
{
    size_t cap = p->cap ? 2 * p->cap : 256;
    uint64_t *place = assay_mem_resize(p->place, cap, sizeof *place);
    uint32_t *query;

    if (!place)
        return false;
    p->place = place;
    query = assay_mem_resize(p->query, cap, sizeof *query);
    if (!query)
        return false;
    p->query = query;
    p->cap = cap;
    return true;
}

static void open_place(part *p, const char *at)
{
    if (p->n == p->cap && !grow_places(p)) {
        p->has_failed = true;
        return;
    }
    p->place[p->n] = (uint64_t)(at - p->file) << COUNT_BITS | 1;
    p->query[p->n++] = p->current;
    p->is_open = true;
}

/* A line that does not go on with the query before it. */
static void begin_line(part *p, const char *at, const char *end)
{
    const char *line = at;
    const char *stop;

    while (at < end && assay_scan_is_space(*at))
        at++;
    if (at == end || (p->has_comments && *at == '#')) {
        p->is_open = false;
        return;
    }
    p->last_line = line;
    stop = at;
    while (stop < end && !assay_scan_is_space(*stop))
        stop++;
    remember_query(p, (assay_slice){at, (size_t)(stop - at)});
    if (!assay_dict_put(&p->ids, NULL, p->qid, &p->current, NULL)) {
        p->has_failed = true;
        return;
    }
    open_place(p, line);
}

static void scan_part(part *p)
{
    const char *at = p->text.ptr;
    const char *end = at + p->text.len;

    while (at < end && !p->has_failed) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            stop = end;
        if (p->is_open && is_here(p, at)) {
            p->last_line = at;
            if ((p->place[p->n - 1] & COUNT_MOST) < COUNT_MOST)
                p->place[p->n - 1]++;
            else
                open_place(p, at);
        } else {
            begin_line(p, at, stop);
        }
        at = stop + 1;
    }
}

static void scan_item(void *ctx, uint32_t worker, size_t item)
{
    (void)worker;
    scan_part((part *)ctx + item);
}

static void part_clear(part *p)
{
    assay_dict_clear(&p->ids);
    assay_mem_free(p->global);
    assay_mem_free(p->place);
    assay_mem_free(p->query);
}

/* Cut the text into parts that end at line ends; returns how many there are. */
static size_t cut(assay_slice text, bool has_comments, part *parts, size_t most)
{
    const char *end = text.ptr + text.len;
    const char *at = text.ptr;
    size_t step = text.len / most + 1 > PART_BYTES ? text.len / most + 1 : PART_BYTES;
    size_t n = 0;

    while (at < end) {
        const char *stop = (size_t)(end - at) > step ? at + step : end;

        if (stop < end) {
            stop = memchr(stop, '\n', (size_t)(end - stop));
            stop = stop ? stop + 1 : end;
        }
        parts[n++] = (part){.text = {at, (size_t)(stop - at)},
                            .file = text.ptr,
                            .end = end,
                            .has_comments = has_comments};
        at = stop;
    }
    return n;
}

/* ---- into query order ---- */

/* Give the part's queries their numbers in the whole file. */
static bool number_queries(part *p, assay_dict *ids)
{
    p->global = ASSAY_NEW_ARRAY(uint32_t, p->ids.n);
    if (!p->global)
        return false;
    for (uint32_t i = 0; i < p->ids.n; i++)
        if (!assay_dict_put(ids, NULL, p->ids.word[i], &p->global[i], NULL))
            return false;
    return true;
}

static bool gather(assay_trec_lines *lines, part *parts, size_t n_parts, uint32_t n_queries)
{
    size_t n_places = 0;
    size_t sum = 0;

    lines->n_queries = n_queries;
    lines->first = ASSAY_NEW_ARRAY(size_t, (size_t)n_queries + 2);
    lines->n_lines = ASSAY_NEW_ARRAY(uint32_t, (size_t)n_queries + 1);
    if (!lines->first || !lines->n_lines)
        return false;
    for (size_t i = 0; i < n_parts; i++) {
        for (size_t j = 0; j < parts[i].n; j++) {
            uint32_t q = parts[i].global[parts[i].query[j]];

            lines->first[q + 1]++;
            lines->n_lines[q] += (uint32_t)(parts[i].place[j] & COUNT_MOST);
        }
        n_places += parts[i].n;
    }
    lines->place = assay_mem_alloc(n_places * sizeof *lines->place);
    if (!lines->place)
        return false;
    /* first[q + 1] becomes the place to fill next, and in the end where q + 1 begins. */
    for (uint32_t q = 0; q <= n_queries; q++) {
        size_t count = lines->first[q + 1];

        lines->first[q + 1] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n_parts; i++)
        for (size_t j = 0; j < parts[i].n; j++) {
            uint32_t q = parts[i].global[parts[i].query[j]];

            lines->place[lines->first[q + 1]++] = parts[i].place[j];
        }
    for (uint32_t q = 0; q < n_queries; q++)
        if (lines->n_lines[q] > lines->depth)
            lines->depth = lines->n_lines[q];
    return true;
}

/* ---- reading lines ---- */

/* Where the fields of a line are. */
typedef struct fields {
    const char *start[N_FIELDS];
    const char *end[N_FIELDS];
    const char *next; /* the line after it */
} fields;

/* Any line, byte by byte; false when it has too few fields. */
static bool split_slow(const char *at, const char *end, fields *f)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    int n = 0;

    if (!stop)
        stop = end;
    f->next = stop + 1;
    while (n < N_FIELDS) {
        while (at < stop && assay_scan_is_space(*at))
            at++;
        if (at == stop)
            return false;
        f->start[n] = at;
        while (at < stop && !assay_scan_is_space(*at))
            at++;
        f->end[n++] = at;
    }
    return true;
}

/* A line of up to 63 bytes, from bit masks; others go the slow way. */
static bool split(const char *at, const char *end, fields *f)
{
    assay_scan scan = assay_scan_tail(at, end);
    uint64_t start;
    uint64_t stop;
    unsigned feed;

    if (ASSAY_UNLIKELY(!scan.line))
        return split_slow(at, end, f);
    feed = assay_scan_first(scan.line);
    /* Fields begin behind white space and end before it, all of it before the feed. */
    start = ~scan.space & (scan.space << 1 | 1) & ((UINT64_C(1) << feed) - 1);
    stop = scan.space & ~(scan.space << 1 | 1);
    f->next = at + feed + 1;
    for (int n = 0; n < N_FIELDS; n++) {
        if (ASSAY_UNLIKELY(!start))
            return false;
        f->start[n] = at + assay_scan_first(start);
        f->end[n] = at + assay_scan_first(stop);
        start &= start - 1;
        stop &= stop - 1;
    }
    return true;
}

static assay_slice line_text(const assay_trec_lines *lines, const char *at)
{
    const char *end = lines->text.ptr + lines->text.len;
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    return assay_slice_trim((assay_slice){at, (size_t)((stop ? stop : end) - at)});
}

static assay_status fail_fields(const assay_trec_lines *lines, const char *at,
                                assay_error *err)
{
    assay_slice text = line_text(lines, at);

    return assay_fail_at(err, lines->path, assay_lines_number(lines->text, at),
                         "want query, Q0, document, rank, score, tag, not '%.*s'",
                         ASSAY_QUOTE(text));
}

static assay_status read_score(const assay_trec_lines *lines, const fields *f,
                               double *score, assay_error *err)
{
    const char *start = f->start[4];
    const char *end = f->end[4];
    assay_slice text = {start, (size_t)(end - start)};
    const char *stop;

    *score = 0;
    stop = assay_number_scan(start, end, lines->rules.is_lenient, score);
    if (ASSAY_LIKELY(lines->rules.is_lenient || (stop == end && isfinite(*score))))
        return ASSAY_OK;
    return assay_fail_at(err, lines->path, assay_lines_number(lines->text, start),
                         "score '%.*s' is not a finite number", ASSAY_QUOTE(text));
}

/* Walk the lines of a query; `out` may be null (check only). */
static assay_status walk(const assay_trec_lines *lines, uint32_t query, assay_ranked *out,
                         assay_error *err)
{
    const char *end = lines->text.ptr + lines->text.len;
    uint32_t n = 0;

    for (size_t i = lines->first[query]; i < lines->first[query + 1]; i++) {
        const char *at = lines->text.ptr + (lines->place[i] >> COUNT_BITS);
        uint64_t left = lines->place[i] & COUNT_MOST;

        if (i + 8 < lines->first[query + 1])
            ASSAY_PREFETCH(lines->text.ptr + (lines->place[i + 8] >> COUNT_BITS));
        for (; left; left--) {
            fields f;
            double score;
            assay_status st;

            if (!split(at, end, &f))
                return fail_fields(lines, at, err);
            st = read_score(lines, &f, &score, err);
            if (st)
                return st;
            if (out)
                out[n] = (assay_ranked){f.start[2], (uint32_t)(f.end[2] - f.start[2]), n,
                                        score};
            n++;
            at = f.next;
        }
    }
    return ASSAY_OK;
}

assay_status assay_trec_lines_read(const assay_trec_lines *lines, uint32_t query,
                                   assay_ranked *out, assay_error *err)
{
    return walk(lines, query, out, err);
}

assay_status assay_trec_lines_check(const assay_trec_lines *lines, uint32_t query,
                                    assay_error *err)
{
    return walk(lines, query, NULL, err);
}

static assay_slice field(const fields *f, int i)
{
    return (assay_slice){f->start[i], (size_t)(f->end[i] - f->start[i])};
}

assay_status assay_trec_lines_get(const assay_trec_lines *lines, uint32_t query, uint32_t i,
                                  assay_trec_line *out, assay_error *err)
{
    const char *end = lines->text.ptr + lines->text.len;
    size_t p = lines->first[query];
    const char *at;
    fields f;

    while (i >= (lines->place[p] & COUNT_MOST))
        i -= (uint32_t)(lines->place[p++] & COUNT_MOST);
    at = lines->text.ptr + (lines->place[p] >> COUNT_BITS);
    for (;; i--) {
        if (!split_slow(at, end, &f))
            return fail_fields(lines, at, err);
        if (i == 0)
            break;
        at = f.next;
    }
    *out = (assay_trec_line){.query = field(&f, 0),
                             .iteration = field(&f, 1),
                             .doc = field(&f, 2),
                             .rank = field(&f, 3),
                             .score = field(&f, 4),
                             .tag = field(&f, 5),
                             .number = assay_lines_number(lines->text, f.start[0])};
    return ASSAY_OK;
}

/* ---- the whole ---- */

static assay_status find_tag(assay_trec_lines *lines, const part *parts, size_t n_parts,
                             assay_error *err)
{
    const char *last = NULL;
    fields f;

    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].last_line)
            last = parts[i].last_line;
    if (!last)
        return ASSAY_OK;
    if (!split_slow(last, lines->text.ptr + lines->text.len, &f))
        return fail_fields(lines, last, err);
    lines->tag = field(&f, 5);
    return ASSAY_OK;
}

static assay_status build(assay_trec_lines *lines, part *parts, assay_dict *ids,
                          assay_error *err)
{
    size_t n_parts = cut(lines->text, lines->rules.has_comments, parts, PARTS_MOST - 1);
    bool is_good = true;
    assay_status st = ASSAY_OK;

    assay_pool_run(lines->rules.n_threads, n_parts, scan_item, parts);
    for (size_t i = 0; i < n_parts; i++)
        is_good = is_good && !parts[i].has_failed && number_queries(&parts[i], ids);
    if (!is_good || !gather(lines, parts, n_parts, ids->n))
        st = assay_fail_memory(err, "reading a TREC run");
    if (!st)
        st = find_tag(lines, parts, n_parts, err);
    for (size_t i = 0; i < n_parts; i++)
        part_clear(&parts[i]);
    return st;
}

assay_status assay_trec_lines_open(const char *path, assay_slice text,
                                   const assay_trec_rules *rules, assay_dict *ids,
                                   assay_trec_lines **out, assay_error *err)
{
    assay_trec_lines *lines = ASSAY_NEW(assay_trec_lines);
    part *parts = ASSAY_NEW_ARRAY(part, PARTS_MOST);
    assay_status st;

    if (!lines || !parts) {
        st = assay_fail_memory(err, "reading a TREC run");
        goto done;
    }
    lines->path = path;
    lines->text = text;
    lines->rules = *rules;
    st = build(lines, parts, ids, err);
    if (st)
        goto done;
    *out = lines;
    lines = NULL; /* handed over */

done:
    assay_mem_free(parts);
    assay_trec_lines_close(lines);
    return st;
}

void assay_trec_lines_close(assay_trec_lines *lines)
{
    if (!lines)
        return;
    assay_mem_free(lines->place);
    assay_mem_free(lines->first);
    assay_mem_free(lines->n_lines);
    assay_mem_free(lines);
}

uint32_t assay_trec_lines_count(const assay_trec_lines *lines, uint32_t query)
{
    return lines->n_lines[query];
}

uint32_t assay_trec_lines_depth(const assay_trec_lines *lines)
{
    return lines->depth;
}

assay_slice assay_trec_lines_tag(const assay_trec_lines *lines)
{
    return lines->tag;
}
