/* SPDX-License-Identifier: Apache-2.0 */
/* What 'assay golden create' begins with: the file, the retrievers, and what is to be asked. */
#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "cli/create_session.h"
#include "cli/store_arg.h"

/* ---- a list of questions ---- */

static bool is_golden_name(const char *path)
{
    static const char *const ending[] = {".yaml", ".yml", ".json", ".jsonl"};

    for (size_t i = 0; i < ASSAY_COUNT(ending); i++)
        if (assay_slice_ends(assay_slice_of(path), ending[i]))
            return true;
    return false;
}

static assay_status list_drafts(assay_create_session *s, const char *path,
                                assay_error *err)
{
    const assay_golden_options o = {0};
    bool has_drafts = false;
    assay_status st = assay_golden_load(path, &o, &s->from, err);

    if (st)
        return st;
    s->waiting =
        ASSAY_ARENA_ARRAY(&s->arena, assay_waiting, (size_t)s->from->n_queries + 1);
    if (!s->waiting)
        return assay_fail_memory(err, "reading questions");
    for (uint32_t i = 0; i < s->from->n_queries; i++)
        has_drafts |= s->from->query[i].is_draft;
    /* A set without drafts is asked as a whole: it may come from another program. */
    for (uint32_t i = 0; i < s->from->n_queries; i++) {
        const assay_query *q = &s->from->query[i];

        if (q->text.len && q->is_draft == has_drafts)
            s->waiting[s->n_waiting++] = (assay_waiting){q->text, q};
    }
    return ASSAY_OK;
}

static assay_status list_lines(assay_create_session *s, const char *path,
                               assay_error *err)
{
    assay_file file = {0};
    assay_slice line;
    assay_lines in;
    size_t n = 1;
    assay_status st = assay_file_open(&file, path, err);

    if (st)
        return st;
    for (size_t i = 0; i < file.text.len; i++)
        n += file.text.ptr[i] == '\n';
    s->waiting = ASSAY_ARENA_ARRAY(&s->arena, assay_waiting, n);
    in = assay_lines_of(path, file.text);
    while (s->waiting && !st && assay_lines_next(&in, &line)) {
        line = assay_slice_trim(line);
        if (!line.len)
            continue;
        if (!assay_utf8_is(line))
            st = assay_fail_at(err, path, in.line, "a question that is no UTF-8");
        s->waiting[s->n_waiting].text = assay_arena_copy(&s->arena, line);
        if (!s->waiting[s->n_waiting++].text.ptr)
            s->waiting = NULL;
    }
    assay_file_close(&file);
    return st || s->waiting ? st : assay_fail_memory(err, "reading questions");
}

/* ---- hits that nobody judged ---- */

/* 1, 0, -1, -2 as assay_unjudged_known says. */
static int known(void *ctx, assay_slice query, const assay_hit *hit)
{
    const assay_create_session *s = ctx;
    uint32_t q = assay_dict_find(&s->book.golden->ids, query);
    /* A TREC file has one id, be it of a document or of a chunk. */
    assay_slice chunk = hit->chunk.len ? hit->chunk : hit->doc;
    uint32_t passage = assay_pool_find(&s->pool, chunk, ASSAY_LIT(""));
    const assay_passage *p =
        passage == ASSAY_NONE ? NULL : &s->pool.passages.item[passage];
    int32_t grade;

    if (q == ASSAY_NONE || s->book.golden->query[q].is_draft ||
        s->book.golden->query[q].label == ASSAY_LABEL_SHOULD_REFUSE)
        return -2;
    grade = p ? assay_notebook_grade(&s->book, q, p->doc, p->id, p->span, p->n_spans)
              : assay_notebook_grade(&s->book, q, hit->doc, hit->chunk, hit->span,
                                     hit->n_spans);
    return grade == ASSAY_UNGRADED ? -1 : grade > 0;
}

static assay_status load_run(assay_create_session *s, const char *name,
                             assay_store **store, assay_run **out, assay_error *err)
{
    assay_stored stored;
    assay_status st = ASSAY_OK;

    if (assay_file_exists(name))
        return assay_run_load(name, NULL, out, err);
    if (!*store)
        st = assay_store_arg_open(&s->ws, ASSAY_STORE_READ, store, err);
    if (!st)
        st = assay_store_find(*store, name, &s->arena, &stored, err);
    return st ? st : assay_store_load(*store, stored.run_id, out, err);
}

static assay_status open_runs(assay_create_session *s, assay_error *err)
{
    const char *metric = assay_cli_text(s->cli, "metric");
    assay_store *store = NULL;
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    while (!st && assay_cli_item(s->cli, "from-run", n)) {
        if (n == ASSAY_UNJUDGED_RUNS)
            return assay_fail(err, ASSAY_EUSAGE, "--from-run takes one run, or two");
        st = load_run(s, assay_cli_item(s->cli, "from-run", n), &store, &s->run[n], err);
        n += st == ASSAY_OK;
    }
    assay_store_close(store);
    return st ? st
              : assay_unjudged_open((const assay_run *const *)s->run, n,
                                    metric ? metric : "precision@10", known, s,
                                    &s->unjudged, err);
}

/* ---- all of it ---- */

static assay_status check_options(const assay_cli *cli, assay_error *err)
{
    bool has_run = assay_cli_item(cli, "from-run", 0) != NULL;

    if (has_run != assay_cli_flag(cli, "unjudged"))
        return assay_fail(err, ASSAY_EUSAGE,
                          has_run ? "--from-run wants --unjudged beside it"
                                  : "--unjudged wants --from-run RUN beside it");
    if (has_run && assay_cli_text(cli, "from"))
        return assay_fail(err, ASSAY_EUSAGE, "--from or --from-run, not both");
    return ASSAY_OK;
}

static assay_status open_all(assay_create_session *s, assay_error *err)
{
    const assay_cli *cli = s->cli;
    const char *from = assay_cli_text(cli, "from");
    assay_status st =
        assay_golden_choose(&s->ws, cli->n_args ? cli->arg[0] : NULL, &s->choice, err);

    if (!st)
        st = assay_workspace_corpus(&s->ws, assay_cli_text(cli, "corpus"), &s->corpus,
                                    err);
    if (!st)
        st = assay_notebook_open(&s->book, s->choice.path, s->corpus, err);
    if (!st)
        st = assay_pool_open(&s->pool, &s->ws, s->corpus, assay_cli_text(cli, "method"),
                             err);
    if (!st && from)
        st = is_golden_name(from) ? list_drafts(s, from, err) : list_lines(s, from, err);
    if (!st && from && !s->n_waiting)
        st = assay_fail(err, ASSAY_EUSAGE, "there are no questions in '%s'", from);
    if (!st && assay_cli_flag(cli, "unjudged"))
        st = open_runs(s, err);
    return st;
}

assay_status assay_create_open(assay_create_session *s, assay_cli *cli, assay_error *err)
{
    assay_status st;

    *s = (assay_create_session){.cli = cli, .query = ASSAY_NONE};
    s->depth = (uint32_t)assay_cli_count(cli, "depth", 10);
    st = check_options(cli, err);
    if (st)
        return st;
    st = assay_workspace_open(cli, &s->ws, err);
    if (st)
        return st;
    st = open_all(s, err);
    if (st)
        assay_create_close(s);
    return st;
}

void assay_create_close(assay_create_session *s)
{
    assay_unjudged_close(s->unjudged);
    for (uint32_t i = 0; i < ASSAY_UNJUDGED_RUNS; i++)
        assay_run_free(s->run[i]);
    assay_golden_free(s->from);
    assay_buffer_clear(&s->tags);
    assay_buffer_clear(&s->must);
    assay_pool_close(&s->pool);
    assay_notebook_close(&s->book);
    assay_arena_clear(&s->arena);
    assay_workspace_close(&s->ws);
}
