/* SPDX-License-Identifier: Apache-2.0 */
/* Files of one JSON object a line, read on several threads.
 *
 * The text is cut at line ends into parts of about a megabyte, so that where it is cut
 * depends on the text alone.  Each part counts its lines from 1, since nobody knows how
 * many come before it; the sums are taken afterwards.  Only a part that failed is read
 * a second time, now with the right numbers, to get the words of its message. */
#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "run/run_json.h"

enum { PART = 1 << 20 };

typedef struct part {
    assay_slice text;
    assay_result *result; /* lines counted from 1 within the part */
    uint32_t n_results;
    uint64_t n_lines;
    assay_status status;
} part;

typedef struct job {
    const assay_run_source *source;
    assay_run_read_line *read_line;
    part *part;
    size_t n_parts;
    assay_run_reader *reader; /* one for each worker */
    size_t max_line;
} job;

/* Results of a part while it is read. */
typedef struct pile {
    assay_result *result;
    size_t n;
    size_t cap;
} pile;

static assay_status read_one(job *j, assay_run_reader *in, uint64_t number,
                             assay_slice line, assay_result *result, assay_error *err)
{
    const char *path = j->source->path;
    assay_json_token token;
    assay_status st;

    if (line.len > j->max_line)
        return assay_fail_at(err, path, number,
                             "a line of %zu bytes; %zu are allowed (--max-line)",
                             line.len, j->max_line);
    *result = (assay_result){.query_id = {"", 0},
                             .query = {"", 0},
                             .mode = {"", 0},
                             .error = {"", 0},
                             .elapsed_ms = -1,
                             .line = (uint32_t)number};
    in->n_hits = 0;
    assay_json_init(&in->json, path, number, line, &in->arena);
    st = assay_json_next(&in->json, &token, err);
    if (st)
        return st;
    if (token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&in->json, token.at, err, "want an object, one a line");
    st = j->read_line(in, result, err);
    if (st)
        return st;
    st = assay_json_next(&in->json, &token, err);
    if (st)
        return st;
    if (result->query_id.len == 0)
        return assay_json_fail(&in->json, in->json.begin, err, "no 'query_id'");
    return ASSAY_OK;
}

/* All lines of a part, the first of which has the number `first`. */
static assay_status read_part(job *j, assay_run_reader *in, part *p, uint64_t first,
                              pile *done, assay_error *err)
{
    assay_slice rest = p->text;
    assay_slice line;
    uint64_t number = first;
    assay_status st = ASSAY_OK;

    for (; !st && assay_slice_part(&rest, '\n', &line); number++) {
        assay_result *result;

        if (assay_slice_trim(line).len == 0)
            continue;
        result = assay_mem_grow(done->result, &done->cap, done->n + 1, sizeof *result);
        if (!result)
            return assay_fail_memory(err, "reading a run");
        done->result = result;
        st = read_one(j, in, number, line, &result[done->n], err);
        done->n += st == ASSAY_OK;
    }
    p->n_lines = number - first;
    return st;
}

static void work(void *ctx, uint32_t worker, size_t item)
{
    job *j = ctx;
    assay_run_reader *in = &j->reader[worker];
    part *p = &j->part[item];
    pile done = {NULL, 0, 0};

    p->status = read_part(j, in, p, 1, &done, NULL);
    p->result = assay_arena_alloc(&in->arena, done.n * sizeof *p->result);
    if (p->result && done.n) {
        memcpy(p->result, done.result, done.n * sizeof *p->result);
        p->n_results = (uint32_t)done.n;
    }
    if (!p->result)
        p->status = ASSAY_ENOMEM;
    assay_mem_free(done.result);
}

/* Cut the text behind line breaks. */
static assay_status cut(job *j, assay_error *err)
{
    assay_slice rest = j->source->text;
    size_t most = rest.len / PART + 1;

    j->part = ASSAY_NEW_ARRAY(part, most);
    if (!j->part)
        return assay_fail_memory(err, "reading a run");
    while (rest.len) {
        const char *lf = NULL;
        size_t len = rest.len;

        if (rest.len > PART)
            lf = memchr(rest.ptr + PART, '\n', rest.len - PART);
        if (lf)
            len = (size_t)(lf - rest.ptr) + 1;
        j->part[j->n_parts++].text = (assay_slice){rest.ptr, len};
        rest = (assay_slice){rest.ptr + len, rest.len - len};
    }
    return ASSAY_OK;
}

/* Append the results of parts up to and including the first that failed. */
static assay_status gather(job *j, assay_run *into, uint64_t *first_line, part **failed,
                           assay_error *err)
{
    uint64_t line = 0;

    for (size_t i = 0; i < j->n_parts; i++) {
        part *p = &j->part[i];

        for (uint32_t r = 0; r < p->n_results; r++) {
            uint64_t number = p->result[r].line + line;
            assay_result *to;
            assay_status st =
                assay_run_add(into, p->result[r].query_id, (uint32_t)number, &to, err);

            if (st)
                return st;
            *to = p->result[r];
            to->line = (uint32_t)number;
        }
        if (p->status) {
            *failed = p;
            *first_line = line + 1;
            return ASSAY_OK;
        }
        line += p->n_lines;
    }
    return ASSAY_OK;
}

/* The words for what went wrong in `failed`, whose first line has the number `first`. */
static assay_status explain(job *j, part *failed, uint64_t first, assay_error *err)
{
    assay_status st = failed->status;
    pile done = {NULL, 0, 0};

    if (st != ASSAY_ENOMEM)
        st = read_part(j, &j->reader[0], failed, first, &done, err);
    assay_mem_free(done.result);
    return st && st != ASSAY_ENOMEM ? st : assay_fail_memory(err, "reading a run");
}

static assay_status run_job(job *j, uint32_t n_threads, assay_run *into, assay_error *err)
{
    part *failed = NULL;
    uint64_t first_line = 0;
    assay_status st = cut(j, err);

    if (st)
        return st;
    assay_pool_run(n_threads, j->n_parts, work, j);
    st = gather(j, into, &first_line, &failed, err);
    if (!st && failed)
        st = explain(j, failed, first_line, err);
    for (uint32_t i = 0; i < n_threads; i++) {
        into->n_unknown_keys += j->reader[i].n_unknown;
        assay_arena_take(&into->arena, &j->reader[i].arena);
    }
    return st;
}

assay_status assay_run_read_lines(const assay_run_source *source, assay_run *into,
                                  assay_run_read_line *read_line, assay_error *err)
{
    const assay_run_options *options = source->options;
    job j = {.source = source,
             .read_line = read_line,
             .max_line = options->max_line ? options->max_line : ASSAY_MAX_LINE};
    uint32_t n_threads = options->n_threads ? options->n_threads : assay_pool_cores();
    assay_status st;

    if (n_threads > ASSAY_POOL_MOST)
        n_threads = ASSAY_POOL_MOST;
    j.reader = ASSAY_NEW_ARRAY(assay_run_reader, n_threads);
    if (!j.reader)
        return assay_fail_memory(err, "reading a run");
    st = run_job(&j, n_threads, into, err);
    for (uint32_t i = 0; i < n_threads; i++)
        assay_run_reader_clear(&j.reader[i]);
    assay_mem_free(j.reader);
    assay_mem_free(j.part);
    return st;
}
