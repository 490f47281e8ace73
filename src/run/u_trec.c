/* SPDX-License-Identifier: Apache-2.0 */
/* TREC run files: `qid Q0 docno rank score tag`.
 *
 * Reading is the business of trec_lines.c; here is how such a file is known and written.
 * A run that is more than a ranking loses the rest, which is said; what would have to be
 * changed to fit (ids with white space) is an error. */
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "run/run.h"
#include "run/trec_lines.h"

enum { N_FIELDS = 6, SURE = 80, UNSURE = 30 };

static int sniff_trec(const assay_run_source *source)
{
    assay_slice head = source->text;
    assay_slice field[N_FIELDS];
    assay_slice line;
    size_t n = 0;
    double score;

    while (n == 0 && assay_slice_part(&head, '\n', &line))
        n = assay_slice_starts(line, "#") ? 0 : assay_slice_fields(line, field, N_FIELDS);
    if (n < 2 || field[0].ptr[0] == '{' || field[0].ptr[0] == '[')
        return 0;
    if (n >= N_FIELDS && assay_number_read(field[4], &score))
        return SURE;
    /* So that a line that lacks a field is told what it lacks. */
    return assay_slice_is_nocase(field[1], "Q0") ? UNSURE : 0;
}

static assay_status read_trec(const assay_run_source *source, assay_run *into,
                              assay_error *err)
{
    assay_trec_rules rules = {.has_comments = true,
                              .n_threads = source->options->n_threads};
    assay_status st = assay_trec_lines_open(source->path, source->text, &rules,
                                            &into->ids, &into->trec, err);

    if (st)
        return st;
    into->name = assay_trec_lines_tag(into->trec);
    into->depth = assay_trec_lines_depth(into->trec);
    into->has_docs = true;
    into->has_scores = true;
    return ASSAY_OK;
}

/* ---- writing ---- */

/* What a TREC file has no room for, counted. */
typedef struct losses {
    uint32_t docs;
    uint32_t spans;
    uint32_t texts;
    uint32_t scores;
    uint32_t queries;
    uint32_t modes;
    uint32_t answers;
    uint32_t times;
    uint32_t errors;
    uint32_t empty;
} losses;

static void count_hit(losses *lost, const assay_hit *hit)
{
    lost->docs += hit->chunk.len && hit->doc.len;
    lost->spans += hit->n_spans > 0 || hit->has_lines;
    lost->texts += hit->text.len > 0;
    lost->scores += !hit->has_score;
}

static void count_result(losses *lost, const assay_result *r)
{
    lost->queries += r->query.len > 0;
    lost->modes += r->mode.len > 0;
    lost->answers += r->answer != NULL;
    lost->times += r->elapsed_ms >= 0;
    lost->errors += r->error.len > 0;
    lost->empty += r->n_hits == 0;
    for (uint32_t i = 0; i < r->n_hits; i++)
        count_hit(lost, &r->hit[i]);
}

static assay_status note_losses(const losses *lost, assay_notes *notes,
                                assay_arena *arena, assay_error *err)
{
    const struct {
        uint32_t n;
        const char *what;
    } kind[] = {
        {lost->docs, "doc ids of hits (the chunk ids are written)"},
        {lost->spans, "hits' spans"},
        {lost->texts, "hits' texts"},
        {lost->scores, "hits without a score got minus their rank"},
        {lost->queries, "query texts"},
        {lost->modes, "modes"},
        {lost->answers, "answers"},
        {lost->times, "times"},
        {lost->errors, "errors"},
        {lost->empty, "queries without hits: a TREC file cannot name them"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(kind); i++)
        if (kind[i].n && !assay_notes_add(notes, arena, "%u %s", kind[i].n, kind[i].what))
            return assay_fail_memory(err, "writing a run");
    return ASSAY_OK;
}

static bool has_space(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == ' ' || (s.ptr[i] >= '\t' && s.ptr[i] <= '\r'))
            return true;
    return false;
}

static assay_status check_id(assay_slice id, const char *kind, assay_error *err)
{
    if (!has_space(id))
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "%s id '%.*s' has white space, which a TREC run cannot hold; "
                      "use --to jsonl",
                      kind, ASSAY_QUOTE(id));
}

static assay_status put_hit(assay_buffer *out, const assay_result *r, uint32_t pos,
                            assay_slice tag, assay_error *err)
{
    const assay_hit *hit = &r->hit[pos];
    assay_slice id = hit->chunk.len ? hit->chunk : hit->doc;
    uint32_t rank = hit->rank ? hit->rank : pos + 1;
    assay_status st;

    if (!id.len)
        return assay_fail(err, ASSAY_EUSAGE,
                          "hit %u of query '%.*s' has no id; a TREC run needs one",
                          pos + 1, ASSAY_QUOTE(r->query_id));
    st = check_id(id, hit->chunk.len ? "chunk" : "doc", err);
    if (st)
        return st;
    assay_buffer_slice(out, r->query_id);
    assay_buffer_text(out, " Q0 ");
    assay_buffer_slice(out, id);
    assay_buffer_printf(out, " %u ", rank);
    assay_buffer_double(out, hit->has_score ? hit->score : -(double)rank);
    assay_buffer_char(out, ' ');
    assay_buffer_slice(out, tag);
    assay_buffer_char(out, '\n');
    return ASSAY_OK;
}

static assay_status put_result(assay_buffer *out, const assay_result *r, assay_slice tag,
                               assay_error *err)
{
    assay_status st = check_id(r->query_id, "query", err);

    for (uint32_t i = 0; i < r->n_hits && !st; i++)
        st = put_hit(out, r, i, tag, err);
    return st;
}

/* The run's name as a tag, or a stand-in where it cannot be one. */
static assay_status choose_tag(const assay_run *run, assay_slice *tag, assay_notes *notes,
                               assay_arena *arena, assay_error *err)
{
    *tag = run->name;
    if (tag->len && !has_space(*tag))
        return ASSAY_OK;
    *tag = ASSAY_LIT("assay");
    if (run->name.len &&
        !assay_notes_add(notes, arena, "the run's name '%.*s'", ASSAY_QUOTE(run->name)))
        return assay_fail_memory(err, "writing a run");
    return ASSAY_OK;
}

static assay_status write_trec(const assay_run *run, assay_buffer *out,
                               assay_notes *notes, assay_arena *arena, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    losses lost = {0};
    assay_slice tag;
    assay_status st = choose_tag(run, &tag, notes, arena, err);

    for (uint32_t i = 0; i < assay_run_n(run) && !st; i++) {
        assay_result result;

        assay_arena_reset(&scratch);
        st = assay_run_result(run, i, &scratch, &result, err);
        if (st)
            break;
        count_result(&lost, &result);
        st = put_result(out, &result, tag, err);
    }
    assay_arena_clear(&scratch);
    if (!st && out->has_failed)
        st = assay_fail_memory(err, "writing a run");
    return st ? st : note_losses(&lost, notes, arena, err);
}

const assay_run_format assay_run_format_trec = {
    .name = "trec",
    .summary = "TREC run: query, Q0, document, rank, score, tag",
    .sniff = sniff_trec,
    .read = read_trec,
    .write = write_trec,
    .details =
        "  q1 Q0 d3 1 9.5 tag\n"
        "  Fields are separated by white space; score decides the order, rank is kept;\n"
        "  lines that begin with # are passed over.",
};
