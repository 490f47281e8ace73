/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a TREC run; see trec_lines.h for the idea.
 *
 * Parts of the file are scanned in parallel (trec_scan.c).  Where a query's lines stand
 * together, their places are brought into query order by counting, and lines are parsed
 * when they are read.  Where they do not, reading them then would jump about in the
 * file, a cache miss for each: such a file is parsed once from front to back, into one
 * record for each line, in query order. */
#include "run/trec_lines.h"

#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/pool.h"
#include "run/trec_parse.h"
#include "run/trec_scan.h"

enum {
    PART_BYTES = 8 << 20, /* enough work to hide the start of a thread */
    PARTS_MOST = 1024,
    COUNT_BITS = ASSAY_TREC_COUNT_BITS,
    COUNT_MOST = ASSAY_TREC_COUNT_MOST
};

typedef assay_trec_part part;

/* A parsed line of a scattered file. */
typedef struct record {
    double score;
    uint64_t hash;  /* of the document id: nobody has to look at the text again */
    uint64_t place; /* of the document id: offset << 16 | length, up to 65,535 */
} record;

struct assay_trec_lines {
    assay_trec_text file;
    assay_trec_rules rules;
    uint32_t n_queries;
    uint64_t *place;   /* in query order, then file order; null when scattered */
    record *record;    /* the same for scattered files; null otherwise */
    size_t *first;     /* n_queries + 1: where a query begins in place[] or record[] */
    uint32_t *n_lines; /* by query */
    uint32_t depth;
    assay_slice tag;
};

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

static void scan_item(void *ctx, uint32_t worker, size_t item)
{
    (void)worker;
    assay_trec_part_scan((part *)ctx + item);
}

/* Give the part's queries their numbers in the whole file. */
static bool number_queries(part *p, assay_dict *ids)
{
    p->global = ASSAY_NEW_ARRAY(uint32_t, p->ids.n);
    p->next = ASSAY_NEW_ARRAY(size_t, p->ids.n);
    if (!p->global || !p->next)
        return false;
    for (uint32_t i = 0; i < p->ids.n; i++)
        if (!assay_dict_put(ids, NULL, p->ids.word[i], &p->global[i], NULL))
            return false;
    return true;
}

/* Where each query begins in place[] or record[], and within it where each part's go.
 * Returns the length of that array. */
static size_t share_out(assay_trec_lines *lines, part *parts, size_t n_parts,
                        bool is_scattered)
{
    size_t sum = 0;

    for (size_t i = 0; i < n_parts; i++)
        for (uint32_t l = 0; l < parts[i].ids.n; l++) {
            uint32_t q = parts[i].global[l];

            lines->n_lines[q] += parts[i].n_lines[l];
            lines->first[q] += is_scattered ? parts[i].n_lines[l] : parts[i].n_places[l];
        }
    for (uint32_t q = 0; q < lines->n_queries; q++) {
        size_t count = lines->first[q];

        lines->first[q] = sum;
        sum += count;
        if (lines->n_lines[q] > lines->depth)
            lines->depth = lines->n_lines[q];
    }
    for (size_t i = 0; i < n_parts; i++)
        for (uint32_t l = 0; l < parts[i].ids.n; l++) {
            size_t *first = &lines->first[parts[i].global[l]];

            parts[i].next[l] = *first;
            *first += is_scattered ? parts[i].n_lines[l] : parts[i].n_places[l];
        }
    /* Now first[q] is where q ends: move all by one. */
    memmove(lines->first + 1, lines->first, lines->n_queries * sizeof *lines->first);
    lines->first[0] = 0;
    return sum;
}

/* ---- reading lines ---- */

/* Walk the lines of a query; `out` may be null (check only). */
static assay_status walk(const assay_trec_lines *lines, uint32_t query, assay_ranked *out,
                         assay_error *err)
{
    const char *end = lines->file.text.ptr + lines->file.text.len;
    size_t last = lines->first[query + 1];
    uint32_t n = 0;

    for (size_t i = lines->first[query]; i < last; i++) {
        const char *at = lines->file.text.ptr + (lines->place[i] >> COUNT_BITS);
        uint64_t left = lines->place[i] & COUNT_MOST;

        for (; left; left--) {
            assay_trec_want w;
            double score;
            assay_status st;

            if (!assay_trec_want_line(at, end, &w))
                return assay_trec_fail_fields(&lines->file, at, err);
            st = assay_trec_score(&lines->file, &w, &score, err);
            if (st)
                return st;
            if (out)
                out[n] = (assay_ranked){w.doc, (uint32_t)(w.doc_end - w.doc), n, score};
            n++;
            at = w.next;
        }
    }
    return ASSAY_OK;
}

static void copy_records(const assay_trec_lines *lines, uint32_t query, assay_ranked *out,
                         uint64_t *hash)
{
    const record *r = lines->record + lines->first[query];

    for (uint32_t i = 0; i < lines->n_lines[query]; i++) {
        out[i] = (assay_ranked){lines->file.text.ptr + (r[i].place >> COUNT_BITS),
                                (uint32_t)(r[i].place & COUNT_MOST), i, r[i].score};
        hash[i] = r[i].hash;
    }
}

assay_status assay_trec_lines_read(const assay_trec_lines *lines, uint32_t query,
                                   assay_ranked *out, uint64_t *hash, bool *has_hash,
                                   assay_error *err)
{
    *has_hash = lines->record != NULL;
    if (!lines->record)
        return walk(lines, query, out, err);
    copy_records(lines, query, out, hash);
    return ASSAY_OK;
}

assay_status assay_trec_lines_check(const assay_trec_lines *lines, uint32_t query,
                                    assay_error *err)
{
    return lines->record ? ASSAY_OK : walk(lines, query, NULL, err);
}

static assay_slice field(const assay_trec_split *f, int i)
{
    return (assay_slice){f->start[i], (size_t)(f->end[i] - f->start[i])};
}

/* Where line i of a query begins. */
static const char *find_line(const assay_trec_lines *lines, uint32_t query, uint32_t i)
{
    const char *end = lines->file.text.ptr + lines->file.text.len;
    size_t p = lines->first[query];
    const char *at;

    if (lines->record) {
        at = lines->file.text.ptr + (lines->record[p + i].place >> COUNT_BITS);
        while (at > lines->file.text.ptr && at[-1] != '\n')
            at--;
        return at;
    }
    while (i >= (lines->place[p] & COUNT_MOST))
        i -= (uint32_t)(lines->place[p++] & COUNT_MOST);
    at = lines->file.text.ptr + (lines->place[p] >> COUNT_BITS);
    for (; i; i--)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    return at;
}

assay_status assay_trec_lines_get(const assay_trec_lines *lines, uint32_t query,
                                  uint32_t i, assay_trec_line *out, assay_error *err)
{
    const char *at = find_line(lines, query, i);
    assay_trec_split f;

    if (!assay_trec_split_line(at, lines->file.text.ptr + lines->file.text.len, &f))
        return assay_trec_fail_fields(&lines->file, at, err);
    *out = (assay_trec_line){.query = field(&f, 0),
                             .iteration = field(&f, 1),
                             .doc = field(&f, 2),
                             .rank = field(&f, 3),
                             .score = field(&f, 4),
                             .tag = field(&f, 5),
                             .number = assay_lines_number(lines->file.text, f.start[0])};
    return ASSAY_OK;
}

/* ---- filling place[] and record[] ---- */

typedef struct filling {
    assay_trec_lines *lines;
    part *parts;
} filling;

static void place_item(void *ctx, uint32_t worker, size_t item)
{
    const filling *f = ctx;
    part *p = &f->parts[item];

    (void)worker;
    for (size_t j = 0; j < p->n; j++)
        f->lines->place[p->next[p->query[j]]++] = p->place[j];
}

/* Parse one line into the record of its query; false when it is malformed. */
static bool record_line(assay_trec_lines *lines, const char *at, size_t *next)
{
    const char *end = lines->file.text.ptr + lines->file.text.len;
    uint64_t len;
    double score;
    assay_trec_want w;

    if (!assay_trec_want_line(at, end, &w) ||
        assay_trec_score(&lines->file, &w, &score, NULL))
        return false;
    len = (uint64_t)(w.doc_end - w.doc);
    if (len > COUNT_MOST)
        return false;
    lines->record[(*next)++] = (record){
        .score = score,
        .hash = assay_hash(w.doc, len),
        .place = (uint64_t)(w.doc - lines->file.text.ptr) << COUNT_BITS | len,
    };
    return true;
}

static void record_item(void *ctx, uint32_t worker, size_t item)
{
    const filling *f = ctx;
    part *p = &f->parts[item];
    const char *at = p->text.ptr;
    const char *end = at + p->text.len;
    size_t j = 0;      /* in query[] */
    uint64_t left = 0; /* lines left of place j */

    (void)worker;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            stop = end;
        if (!assay_trec_part_is_blank(p, at, stop)) {
            if (!left)
                left = p->is_scattered ? 1 : p->place[j] & COUNT_MOST;
            if (!record_line(f->lines, at, &p->next[p->query[j]])) {
                p->bad_line = at;
                return;
            }
            j += --left == 0;
        }
        at = stop + 1;
    }
}

/* The words for a line that record_line refused. */
static assay_status fail_record(const assay_trec_lines *lines, const char *at,
                                assay_error *err)
{
    const char *end = lines->file.text.ptr + lines->file.text.len;
    double score;
    assay_trec_want w;

    if (!assay_trec_want_line(at, end, &w))
        return assay_trec_fail_fields(&lines->file, at, err);
    if (w.doc_end - w.doc > COUNT_MOST)
        return assay_fail_at(err, lines->file.path,
                             assay_lines_number(lines->file.text, at),
                             "document id of %zu bytes; the most is %d",
                             (size_t)(w.doc_end - w.doc), COUNT_MOST);
    return assay_trec_score(&lines->file, &w, &score, err);
}

static assay_status fill(assay_trec_lines *lines, part *parts, size_t n_parts,
                         assay_error *err)
{
    filling f = {lines, parts};
    bool is_scattered = false;
    size_t n;

    for (size_t i = 0; i < n_parts; i++)
        is_scattered = is_scattered || parts[i].is_scattered;
    lines->first = ASSAY_NEW_ARRAY(size_t, (size_t)lines->n_queries + 1);
    lines->n_lines = ASSAY_NEW_ARRAY(uint32_t, (size_t)lines->n_queries + 1);
    if (!lines->first || !lines->n_lines)
        return assay_fail_memory(err, "reading a TREC run");
    n = share_out(lines, parts, n_parts, is_scattered);
    if (is_scattered)
        lines->record = assay_mem_alloc_spread(n * sizeof *lines->record);
    else
        lines->place = assay_mem_alloc(n * sizeof *lines->place);
    if (!lines->record && !lines->place)
        return assay_fail_memory(err, "reading a TREC run");
    assay_pool_run(lines->rules.n_threads, n_parts,
                   is_scattered ? record_item : place_item, &f);
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].bad_line)
            return fail_record(lines, parts[i].bad_line, err);
    return ASSAY_OK;
}

/* ---- the whole ---- */

static assay_status find_tag(assay_trec_lines *lines, const part *parts, size_t n_parts,
                             assay_error *err)
{
    const char *last = NULL;
    assay_trec_split f;

    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].last_line)
            last = parts[i].last_line;
    if (!last)
        return ASSAY_OK;
    if (!assay_trec_split_line(last, lines->file.text.ptr + lines->file.text.len, &f))
        return assay_trec_fail_fields(&lines->file, last, err);
    lines->tag = field(&f, 5);
    return ASSAY_OK;
}

static assay_status build(assay_trec_lines *lines, part *parts, assay_dict *ids,
                          assay_error *err)
{
    size_t n_parts =
        cut(lines->file.text, lines->rules.has_comments, parts, PARTS_MOST - 1);
    bool is_good = true;
    assay_status st;

    assay_pool_run(lines->rules.n_threads, n_parts, scan_item, parts);
    for (size_t i = 0; i < n_parts; i++)
        is_good = is_good && !parts[i].has_failed && number_queries(&parts[i], ids);
    lines->n_queries = ids->n;
    st = is_good ? fill(lines, parts, n_parts, err)
                 : assay_fail_memory(err, "reading a TREC run");
    if (!st)
        st = find_tag(lines, parts, n_parts, err);
    for (size_t i = 0; i < n_parts; i++)
        assay_trec_part_clear(&parts[i]);
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
    lines->file = (assay_trec_text){path, text, rules->is_lenient};
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
    assay_mem_free(lines->record);
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
