/* SPDX-License-Identifier: Apache-2.0 */
/* assay ask: an answer to one query, with its citations, or a refusal. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/answer_arg.h"
#include "cli/golden_arg.h"
#include "cli/searching.h"
#include "corpus/locate_place.h"
#include "pipeline/answering.h"
#include "run/run_json.h"

enum { HITS = 5 };

static const assay_option options[] = {
    {'m', "method", ASSAY_OPTION_TEXT, "NAME", NULL,
     "bm25, dense, hybrid (default), graphrag; parameters in brackets"},
    {'k', "top-k", ASSAY_OPTION_COUNT, "N", NULL,
     "how many hits the answerer gets; default 5"},
    {'a', "answers", ASSAY_OPTION_TEXT, "NAME", NULL,
     "who answers: extract (default), openai:MODEL; parameters in brackets"},
    ASSAY_OPTIONS_ANSWER,
    {0, "context", ASSAY_OPTION_FLAG, NULL, NULL, "show what the answerer was given"},
    ASSAY_OPTIONS_DOCUMENTS,
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Where a citation stands, for people. */
typedef struct source {
    assay_slice heading; /* path of headings, else the title; "" = none */
    assay_slice text;    /* what is cited, in the document's own words; "" = unknown */
} source;

typedef struct task {
    assay_cli *cli;
    assay_searching search;
    assay_answering_by by;
    void *worker;
    assay_source_chunk *chunk;
    assay_answer answer;
    source *source;       /* one for each citation */
    assay_buffer context; /* with --context */
} task;

/* ---- answering ---- */

static assay_status ask(task *t, assay_error *err)
{
    assay_answer_settings settings = assay_answer_arg(t->cli);
    assay_searching *s = &t->search;
    assay_status st;

    settings.cassette = s->cassette;
    st = assay_answerer_open(assay_cli_text(t->cli, "answers"), &settings, &t->by, err);
    if (!st)
        st = assay_searching_find(s, "hybrid", HITS, err);
    if (!st)
        st = t->by.answerer->worker(t->by.state, &t->worker, err);
    if (!st)
        st = assay_sources_of_retrieved(&s->passages, s->hit, s->n, &s->arena, &t->chunk,
                                        err);
    if (!st && assay_cli_flag(t->cli, "context"))
        st = t->by.answerer->context(t->worker, s->query, t->chunk, s->n, &t->context,
                                     err);
    if (!st)
        st = t->by.answerer->answer(t->worker, s->query, t->chunk, s->n, &s->arena,
                                    &t->answer, err);
    return st;
}

/* ---- where citations stand ---- */

/* Lines and words of the citation in the document's text. */
static bool place(task *t, assay_slice text, assay_citation *c, source *out)
{
    assay_placer placer;

    if (c->span.end <= c->span.start || c->span.end > text.len)
        return true;
    if (!assay_placer_init(&placer, text))
        return false;
    c->lines = (assay_span){assay_placer_line(&placer, c->span.start),
                            assay_placer_line(&placer, c->span.end - 1)};
    assay_placer_clear(&placer);
    out->text = assay_arena_copy(
        &t->search.arena,
        (assay_slice){text.ptr + c->span.start, (size_t)(c->span.end - c->span.start)});
    return out->text.ptr != NULL;
}

/* The headings above the chunk. */
static assay_status name_heading(task *t, const assay_corpus_doc *doc, assay_slice text,
                                 assay_slice chunk, source *out, assay_error *err)
{
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    uint8_t id[ASSAY_CHUNK_ID_BYTES];
    assay_chunks chunks;
    assay_status st;

    if (!assay_chunk_id_read(chunk, id))
        return ASSAY_OK;
    st = assay_corpus_chunks(t->search.corpus, doc->version, text, &t->search.arena,
                             &chunks, err);
    for (uint32_t i = 0; !st && i < chunks.n; i++)
        if (memcmp(chunks.chunk[i].id, id, sizeof id) == 0)
            assay_heading_path(&chunks, chunks.chunk[i].heading, &path);
    if (!st && path.len)
        out->heading = assay_arena_copy(&t->search.arena, assay_buffer_view(&path));
    if (!st && (path.has_failed || !out->heading.ptr))
        st = assay_fail_memory(err, "naming the sources");
    assay_buffer_clear(&path);
    return st;
}

static assay_status find_in_corpus(task *t, assay_citation *c, source *out,
                                   assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc doc;
    bool is_there = false;
    assay_status st = assay_corpus_find(t->search.corpus, c->doc, &t->search.arena, &doc,
                                        &is_there, err);

    if (st || !is_there)
        return st;
    out->heading = doc.title;
    st = assay_corpus_text(t->search.corpus, doc.version, &text, err);
    if (!st && !place(t, assay_buffer_view(&text), c, out))
        st = assay_fail_memory(err, "naming the sources");
    if (!st)
        st = name_heading(t, &doc, assay_buffer_view(&text), c->chunk, out, err);
    assay_buffer_clear(&text);
    return st;
}

/* Documents that came with a golden set are passages as a whole. */
static assay_status find_in_hits(task *t, assay_citation *c, source *out,
                                 assay_error *err)
{
    for (uint32_t i = 0; i < t->search.n; i++) {
        if (!assay_slice_eq(t->chunk[i].doc, c->doc))
            continue;
        out->heading = t->chunk[i].title;
        return place(t, t->chunk[i].text, c, out)
                   ? ASSAY_OK
                   : assay_fail_memory(err, "naming the sources");
    }
    return ASSAY_OK;
}

static assay_status name_sources(task *t, assay_error *err)
{
    uint32_t n = t->answer.n_citations;
    assay_status st = ASSAY_OK;

    t->source = ASSAY_ARENA_ARRAY(&t->search.arena, source, n + 1u);
    if (!t->source)
        return assay_fail_memory(err, "naming the sources");
    for (uint32_t i = 0; i < n && !st; i++) {
        assay_citation *c = &t->answer.citation[i];
        source *out = &t->source[i];

        *out = (source){ASSAY_LIT(""), ASSAY_LIT("")};
        st = t->search.corpus ? find_in_corpus(t, c, out, err)
                              : find_in_hits(t, c, out, err);
    }
    return st;
}

/* ---- printing ---- */

/* The text with its own line breaks, but no other control characters. */
static void put_lines(assay_buffer *out, assay_slice text)
{
    assay_slice line;

    while (assay_slice_part(&text, '\n', &line)) {
        assay_put_line(out, line);
        assay_buffer_char(out, '\n');
    }
}

static void put_source(const task *t, uint32_t i, assay_buffer *out)
{
    const assay_citation *c = &t->answer.citation[i];

    assay_put_line(out, c->marker);
    assay_buffer_char(out, ' ');
    assay_put_line(out, c->doc);
    if (c->lines.end > c->lines.start)
        assay_buffer_printf(out, ":%llu-%llu", (unsigned long long)c->lines.start,
                            (unsigned long long)c->lines.end);
    else if (c->lines.end)
        assay_buffer_printf(out, ":%llu", (unsigned long long)c->lines.start);
    if (t->source[i].heading.len) {
        assay_buffer_text(out, "  ");
        assay_put_line(out, t->source[i].heading);
    }
    assay_buffer_char(out, '\n');
}

static void put_table(const task *t, assay_buffer *out)
{
    const assay_answer *a = &t->answer;

    if (t->context.len) {
        put_lines(out, assay_slice_trim(assay_buffer_view(&t->context)));
        assay_buffer_text(out, "\n----\n\n");
    }
    put_lines(out, a->text);
    if (a->refusal_reason.len) {
        assay_buffer_text(out, "\nrefused: ");
        assay_put_line(out, a->refusal_reason);
        assay_buffer_char(out, '\n');
    }
    if (a->n_citations)
        assay_buffer_char(out, '\n');
    for (uint32_t i = 0; i < a->n_citations; i++)
        put_source(t, i, out);
}

static void put_identity(const task *t, assay_json_writer *w)
{
    assay_buffer identity = ASSAY_BUFFER_EMPTY;

    t->by.answerer->identity(t->by.state, &identity);
    assay_json_key(w, "answerer");
    assay_json_string(w, assay_buffer_view(&identity));
    if (identity.has_failed)
        w->out->has_failed = true;
    assay_buffer_clear(&identity);
}

static void put_json_sources(const task *t, assay_json_writer *w)
{
    assay_json_key(w, "sources");
    assay_json_list(w);
    for (uint32_t i = 0; i < t->answer.n_citations; i++) {
        assay_json_object(w);
        assay_json_key(w, "marker");
        assay_json_string(w, t->answer.citation[i].marker);
        assay_json_key(w, "heading");
        assay_json_string(w, t->source[i].heading);
        assay_json_key(w, "text");
        assay_json_string(w, t->source[i].text);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void put_json(const task *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.ask/1");
    assay_json_key(&w, "query");
    assay_json_string(&w, t->search.query);
    assay_searching_json_method(&t->search, &w);
    put_identity(t, &w);
    assay_json_key(&w, "elapsed_ms");
    assay_json_double(&w, t->search.elapsed_ms);
    assay_json_key(&w, "answer");
    assay_run_write_answer(&w, &t->answer);
    put_json_sources(t, &w);
    assay_json_key(&w, "hits");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->search.n; i++) {
        assay_json_object(&w);
        assay_searching_json_hit(&t->search, i, &w);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    if (t->context.len) {
        assay_json_key(&w, "context");
        assay_json_string(&w, assay_buffer_view(&t->context));
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status print(const task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        put_json(t, &out);
    else
        put_table(t, &out);
    st = out.has_failed ? assay_fail_memory(err, "printing the answer")
                        : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_ask(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .context = ASSAY_BUFFER_EMPTY};
    assay_status st = assay_searching_open(&t.search, cli, err);

    if (!st)
        st = ask(&t, err);
    if (!st)
        st = name_sources(&t, err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.search.notes);
        st = print(&t, err);
    }
    if (!st && t.answer.refusal_reason.len)
        st = ASSAY_NO;
    if (t.worker)
        t.by.answerer->worker_close(t.worker);
    assay_answerer_close(&t.by);
    assay_buffer_clear(&t.context);
    return assay_searching_close(&t.search, st, err);
}

const assay_command assay_command_ask = {
    .name = "ask",
    .args = "QUERY",
    .summary = "an answer to one query, with citations",
    .details =
        "The retriever finds chunks, the answerer answers from them.  `extract` needs nothing:\n"
        "it quotes the sentences that share most with the query.  `openai:MODEL` asks a chat\n"
        "model at any address that speaks OpenAI's protocol (--answer-url, Ollama's\n"
        "http://localhost:11434/v1 among them); the key is ASSAY_API_KEY, else OPENAI_API_KEY.\n"
        "Each [#n] in an answer is a citation and is listed with document, lines and heading.\n"
        "A refusal is exit code 1.",
    .example =
        "assay ask 'who approves refunds above 500 euros'\n"
        "assay ask 'who approves refunds' --answers 'extract(threshold=0.3)' --json\n"
        "assay ask 'who approves refunds' --answers openai:qwen3:8b \\\n"
        "    --answer-url http://localhost:11434/v1 --context",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_ask,
};
