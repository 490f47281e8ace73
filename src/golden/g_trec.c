/* SPDX-License-Identifier: Apache-2.0 */
/* TREC qrels: query, iteration, document, grade; and the topics that go with them.
 *
 *     301 0 FBIS3-10082 1
 *
 * A second field other than 0 (or Q0) is a subtopic, as in the diversity tasks.  A
 * negative grade says that the document was pooled but not judged.  Files may be large
 * and their queries interleaved. */
#include "base/error.h"
#include "base/lines.h"
#include "base/slice.h"
#include "golden/golden.h"
#include "golden/lost.h"

enum { QUERY, ITERATION, DOC, GRADE, N_FIELDS };

static int sniff_trec(const assay_golden_source *source)
{
    assay_lines in = assay_lines_of(source->path, source->text);
    assay_slice field[N_FIELDS];
    assay_slice line;
    int32_t grade;

    while (assay_lines_next(&in, &line)) {
        size_t n = assay_slice_fields(line, field, N_FIELDS);

        if (n)
            return n == N_FIELDS && assay_slice_to_i32(field[GRADE], &grade) ? 60 : 0;
    }
    return 0;
}

static assay_status fail_fields(const assay_lines *in, assay_slice line, size_t n,
                                assay_error *err)
{
    if (n == 6)
        return ASSAY_LINES_FAIL(
            err, in,
            "want query, iteration, document, grade; six fields are a "
            "run, not judgments: '%.*s'",
            ASSAY_QUOTE(line));
    return ASSAY_LINES_FAIL(
        err, in, "want query, iteration, document, grade; found %zu %s: '%.*s'", n,
        n == 1 ? "field" : "fields", ASSAY_QUOTE(line));
}

static assay_status fail_grade(const assay_lines *in, assay_slice grade, assay_error *err)
{
    int64_t wide;

    return ASSAY_LINES_FAIL(err, in, "grade '%.*s' is %s", ASSAY_QUOTE(grade),
                            assay_slice_to_i64(grade, &wide) ? "out of range"
                                                             : "not a whole number");
}

/* The query of `id`, added when new.  Lines of one query mostly follow each other. */
static assay_status find_query(assay_golden *golden, assay_slice id, uint32_t line,
                               uint32_t *last, assay_error *err)
{
    assay_query *q;
    assay_status st;

    if (*last != ASSAY_NONE && assay_slice_eq(golden->query[*last].id, id))
        return ASSAY_OK;
    *last = assay_dict_find(&golden->ids, id);
    if (*last != ASSAY_NONE)
        return ASSAY_OK;
    st = assay_golden_add(golden, id, line, &q, err);
    if (st)
        return st;
    q->has_relevant_key = true;
    *last = golden->n_queries - 1;
    return ASSAY_OK;
}

static bool has_subtopic(assay_slice field)
{
    return !assay_slice_is(field, "0") && !assay_slice_is(field, "Q0");
}

/* Lines are taken in batches: while some are parsed, the places of their documents in
 * the dictionary are on their way to the cache.  A large file waits for little else. */
typedef struct parsed {
    assay_slice query;
    assay_slice iteration;
    assay_slice doc;
    uint64_t hash; /* of doc */
    int32_t grade;
    uint32_t line;
} parsed;

enum { BATCH = 64 };

static assay_status parse_line(const assay_golden *golden, const assay_lines *in,
                               assay_slice line, parsed *out, assay_error *err)
{
    assay_slice field[N_FIELDS];
    size_t n = assay_slice_fields(line, field, N_FIELDS);

    if (n != N_FIELDS)
        return fail_fields(in, line, n, err);
    if (!assay_slice_to_i32(field[GRADE], &out->grade))
        return fail_grade(in, field[GRADE], err);
    out->query = field[QUERY];
    out->iteration = field[ITERATION];
    out->doc = field[DOC];
    out->hash = assay_hash(out->doc.ptr, out->doc.len);
    out->line = (uint32_t)in->line;
    assay_dict_prefetch(&golden->docs, out->hash);
    return ASSAY_OK;
}

static assay_status take_line(assay_golden *golden, const parsed *p, uint32_t *last,
                              assay_error *err)
{
    assay_judgment j = assay_judgment_none();
    assay_status st = find_query(golden, p->query, p->line, last, err);

    if (st)
        return st;
    j.grade = p->grade;
    j.line = p->line;
    if (!assay_dict_put_hashed(&golden->docs, NULL, p->doc, p->hash, &j.doc, NULL) ||
        (has_subtopic(p->iteration) &&
         !assay_dict_put(&golden->subtopics, NULL, p->iteration, &j.subtopic, NULL)))
        return assay_fail_memory(err, "reading a golden set");
    return assay_golden_judge(golden, &golden->query[*last], &j, err);
}

/* Parse up to BATCH lines; *n is 0 at the end of the file. */
static assay_status parse_batch(const assay_golden *golden, assay_lines *in,
                                parsed *batch, size_t *n, assay_error *err)
{
    assay_slice line;

    *n = 0;
    while (*n < BATCH && assay_lines_next(in, &line)) {
        assay_status st;

        if (!assay_slice_trim(line).len)
            continue;
        st = parse_line(golden, in, line, &batch[*n], err);
        if (st)
            return st;
        (*n)++;
    }
    return ASSAY_OK;
}

static assay_status read_trec(const assay_golden_source *source, assay_golden *into,
                              assay_error *err)
{
    assay_lines in = assay_lines_of(source->path, source->text);
    uint32_t last = ASSAY_NONE;
    parsed batch[BATCH];
    size_t n;

    do {
        assay_status st = parse_batch(into, &in, batch, &n, err);

        for (size_t i = 0; !st && i < n; i++)
            st = take_line(into, &batch[i], &last, err);
        if (st)
            return st;
    } while (n);
    return ASSAY_OK;
}

/* ---- writing ---- */

/* A field ends at the first blank, so an id with one cannot be written. */
static bool is_field(assay_slice s)
{
    assay_slice field;

    return assay_slice_fields(s, &field, 1) == 1 && field.len == s.len;
}

static void write_line(assay_buffer *out, const assay_golden *golden,
                       const assay_query *q, const assay_doc_grade *d)
{
    assay_buffer_slice(out, q->id);
    assay_buffer_char(out, ' ');
    if (d->subtopic == ASSAY_NONE)
        assay_buffer_char(out, '0');
    else
        assay_buffer_slice(out, golden->subtopics.word[d->subtopic]);
    assay_buffer_char(out, ' ');
    assay_buffer_slice(out, golden->docs.word[d->doc]);
    assay_buffer_printf(out, " %d\n", d->grade);
}

static bool can_write(const assay_golden *golden, const assay_query *q,
                      const assay_doc_grade *d)
{
    return is_field(q->id) && is_field(golden->docs.word[d->doc]) &&
           (d->subtopic == ASSAY_NONE || is_field(golden->subtopics.word[d->subtopic]));
}

static bool write_query(const assay_golden *golden, const assay_query *q,
                        const assay_golden_target *target, uint32_t *n_left)
{
    uint32_t n;
    const assay_doc_grade *d = assay_golden_docs_of(q, true, target, &n);

    for (uint32_t i = 0; d && i < n; i++) {
        if (can_write(golden, q, &d[i]))
            write_line(target->out, golden, q, &d[i]);
        else
            (*n_left)++;
    }
    return d != NULL;
}

static assay_status write_trec(const assay_golden *golden,
                               const assay_golden_target *target, assay_error *err)
{
    bool has_memory = true;
    uint32_t n_left = 0;

    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++)
        if (!golden->query[i].is_draft)
            has_memory = write_query(golden, &golden->query[i], target, &n_left);
    if (has_memory && n_left)
        has_memory =
            assay_notes_add(target->lost, target->arena,
                            "%u %s an id with a blank, which TREC qrels cannot hold",
                            n_left, n_left == 1 ? "judgment has" : "judgments have");
    return assay_golden_written(target, has_memory, err);
}

const assay_golden_format assay_golden_format_trec = {
    .name = "trec",
    .title = "TREC qrels",
    .summary = "TREC qrels: query, iteration, document, grade; texts by --topics",
    .holds = ASSAY_HOLDS(DOC) | ASSAY_HOLDS(SUBTOPIC) | ASSAY_HOLDS(GRADE) |
             ASSAY_HOLDS(ZERO) | ASSAY_HOLDS(POOLED),
    .sniff = sniff_trec,
    .read = read_trec,
    .write = write_trec,
};
