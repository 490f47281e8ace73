/* SPDX-License-Identifier: Apache-2.0 */
/* Every run format against its folder of fixtures, tests/fixtures/run/<format>:
 * good* loads, bad_* fails with exactly the message beside it. */
#include "testing.h"

#include <dirent.h>

#include "base/slice.h"
#include "run/run.h"

enum { MOST_FILES = 200 };

typedef struct folder {
    char name[MOST_FILES][256];
    int n;
} folder;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Go into the format's folder and list the files that begin with `prefix`. */
static void enter(const assay_run_format *format, const char *prefix, folder *out)
{
    char path[200];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "run/%s", format->name);
    if (chdir(fixture(path)) != 0)
        check_failed(__FILE__, __LINE__, "no fixtures for format '%s'", format->name);
    dir = opendir(".");
    out->n = 0;
    while ((entry = readdir(dir)) != NULL) {
        assay_slice name = assay_slice_of(entry->d_name);

        if (assay_slice_starts(name, prefix) && !assay_slice_ends(name, ".err")) {
            CHECK(out->n < MOST_FILES);
            snprintf(out->name[out->n++], sizeof out->name[0], "%s", entry->d_name);
        }
    }
    closedir(dir);
    qsort(out->name, (size_t)out->n, sizeof out->name[0], by_name);
    if (!out->n)
        check_failed(__FILE__, __LINE__, "format '%s' has no %s* fixture", format->name,
                     prefix);
}

static assay_run_options options_for(const char *name)
{
    return (assay_run_options){.max_line = strstr(name, "long_line") ? 4096 : 0};
}

/* Load and look at every hit: a TREC run is not read before. */
static assay_status load(const char *name, uint32_t n_threads, assay_run **out,
                         assay_error *err)
{
    assay_run_options options = options_for(name);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_run *run = NULL;
    assay_status st;

    options.n_threads = n_threads;
    st = assay_run_load(name, &options, &run, err);
    for (uint32_t i = 0; !st && i < assay_run_n(run); i++) {
        assay_result result;

        st = assay_run_result(run, i, &arena, &result, err);
    }
    assay_arena_clear(&arena);
    if (st)
        assay_run_free(run);
    else
        *out = run;
    return st;
}

static assay_run *load_good(const char *name)
{
    assay_run *run = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (load(name, 0, &run, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", name, err.text);
    return run;
}

/* ---- comparing runs ---- */

#define SAME(a, b, member) CHECK(assay_slice_eq((a)->member, (b)->member))

static void check_same_hit(const assay_hit *a, const assay_hit *b)
{
    SAME(a, b, chunk);
    SAME(a, b, doc);
    SAME(a, b, text);
    CHECK_INT(a->rank, b->rank);
    CHECK_INT(a->has_score, b->has_score);
    CHECK_NEAR(a->score, b->score, 0);
    CHECK_INT(a->n_spans, b->n_spans);
    for (uint32_t i = 0; i < a->n_spans; i++) {
        CHECK_INT(a->span[i].start, b->span[i].start);
        CHECK_INT(a->span[i].end, b->span[i].end);
    }
}

static void check_same_answer(const assay_answer *a, const assay_answer *b)
{
    CHECK(!a == !b);
    if (!a)
        return;
    SAME(a, b, text);
    SAME(a, b, refusal_reason);
    SAME(a, b, model);
    CHECK_INT(a->grounded, b->grounded);
    CHECK_INT(a->prompt_tokens, b->prompt_tokens);
    CHECK_INT(a->completion_tokens, b->completion_tokens);
    CHECK_NEAR(a->latency_ms, b->latency_ms, 0);
    CHECK_NEAR(a->cost, b->cost, 0);
    CHECK_INT(a->n_citations, b->n_citations);
    for (uint32_t i = 0; i < a->n_citations; i++) {
        const assay_citation *x = &a->citation[i];
        const assay_citation *y = &b->citation[i];

        SAME(x, y, marker);
        SAME(x, y, chunk);
        SAME(x, y, doc);
        SAME(x, y, path);
        CHECK(x->span.start == y->span.start && x->span.end == y->span.end);
        CHECK(x->lines.start == y->lines.start && x->lines.end == y->lines.end);
    }
}

static void check_same_result(const assay_result *a, const assay_result *b)
{
    SAME(a, b, query_id);
    SAME(a, b, query);
    SAME(a, b, mode);
    SAME(a, b, error);
    CHECK_NEAR(a->elapsed_ms, b->elapsed_ms, 0);
    CHECK_INT(a->n_hits, b->n_hits);
    for (uint32_t i = 0; i < a->n_hits; i++)
        check_same_hit(&a->hit[i], &b->hit[i]);
    check_same_answer(a->answer, b->answer);
}

static void check_same_run(const assay_run *a, const assay_run *b)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;

    CHECK_INT(assay_run_n(a), assay_run_n(b));
    CHECK_INT(a->depth, b->depth);
    CHECK_INT(a->has_chunks, b->has_chunks);
    CHECK_INT(a->has_docs, b->has_docs);
    CHECK_INT(a->has_spans, b->has_spans);
    CHECK_INT(a->has_scores, b->has_scores);
    CHECK_INT(a->has_answers, b->has_answers);
    for (uint32_t i = 0; i < assay_run_n(a); i++) {
        assay_result x, y;

        CHECK(assay_run_result(a, i, &arena, &x, NULL) == ASSAY_OK);
        CHECK(assay_run_result(b, i, &arena, &y, NULL) == ASSAY_OK);
        check_same_result(&x, &y);
    }
    assay_arena_clear(&arena);
}

/* Write `run` in `format` and read that back. */
static assay_run *there_and_back(const assay_run *run, const assay_run_format *format)
{
    assay_run_options options = {.format = format->name};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    assay_error err = {ASSAY_OK, ""};
    assay_run *again = NULL;

    if (format->write(run, &text, &lost, &arena, &err) ||
        assay_run_parse("again", assay_buffer_view(&text), &options, &again, &err))
        check_failed(__FILE__, __LINE__, "%s as %s: %s", run->path, format->name,
                     err.text);
    assay_notes_clear(&lost);
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
    return again;
}

/* ---- the contract ---- */

TEST(every_format_says_what_it_is)
{
    const assay_run_format *f;
    size_t i = 0;

    for (; (f = assay_run_format_at(i)) != NULL; i++) {
        CHECK(f->name && f->summary && f->sniff && f->read);
        CHECK(assay_run_format_find(assay_slice_of(f->name)) == f);
    }
    CHECK(i > 0);
}

TEST(good_fixtures_load_and_are_known_by_their_content)
{
    const assay_run_format *f;
    folder files;

    for (size_t i = 0; (f = assay_run_format_at(i)) != NULL; i++) {
        enter(f, "good", &files);
        for (int k = 0; k < files.n; k++) {
            assay_run *run = load_good(files.name[k]);

            CHECK_STR(run->format->name, f->name);
            CHECK(run->name.len > 0);
            assay_run_free(run);
        }
    }
}

TEST(no_format_takes_a_fixture_of_another_for_its_own)
{
    static const assay_run_options none;
    const assay_run_format *owner, *other;
    folder files;

    for (size_t i = 0; (owner = assay_run_format_at(i)) != NULL; i++) {
        enter(owner, "good", &files);
        for (int k = 0; k < files.n; k++) {
            assay_run *run = load_good(files.name[k]);
            assay_arena arena = ASSAY_ARENA_EMPTY;
            assay_run_head head;
            assay_run_source source = {files.name[k], run->file.text, &none, &head};

            CHECK(assay_run_look("x", run->file.text, &arena, &head, NULL) == ASSAY_OK);
            for (size_t o = 0; (other = assay_run_format_at(o)) != NULL; o++)
                if ((other->sniff(&source) > 0) != (other == owner))
                    check_failed(__FILE__, __LINE__, "%s: '%s' is wrong about it",
                                 files.name[k], other->name);
            assay_arena_clear(&arena);
            assay_run_free(run);
        }
    }
}

TEST(what_is_written_reads_back_the_same)
{
    const assay_run_format *f;
    folder files;

    for (size_t i = 0; (f = assay_run_format_at(i)) != NULL; i++) {
        if (!f->write)
            continue;
        enter(f, "good", &files);
        for (int k = 0; k < files.n; k++) {
            assay_run *run = load_good(files.name[k]);
            assay_run *again = there_and_back(run, f);

            check_same_run(run, again);
            assay_run_free(again);
            assay_run_free(run);
        }
    }
}

TEST(jsonl_holds_whatever_another_format_holds)
{
    const assay_run_format *jsonl = assay_run_format_find(ASSAY_LIT("jsonl"));
    const assay_run_format *f;
    folder files;

    for (size_t i = 0; (f = assay_run_format_at(i)) != NULL; i++) {
        enter(f, "good", &files);
        for (int k = 0; k < files.n; k++) {
            assay_run *run = load_good(files.name[k]);
            assay_run *again = there_and_back(run, jsonl);

            check_same_run(run, again);
            assay_run_free(again);
            assay_run_free(run);
        }
    }
}

static void check_bad(const char *name, uint32_t n_threads)
{
    char path[300], want[1200] = "";
    assay_error err = {ASSAY_OK, ""};
    assay_run *run = NULL;
    assay_status st;
    FILE *f;

    snprintf(path, sizeof path, "%s.err", name);
    f = fopen(path, "r");
    if (!f || !fgets(want, sizeof want, f))
        check_failed(__FILE__, __LINE__, "no message in '%s'", path);
    fclose(f);
    want[strcspn(want, "\n")] = '\0';
    st = load(name, n_threads, &run, &err);
    if (st != ASSAY_EINPUT || strcmp(err.text, want) != 0)
        check_failed(__FILE__, __LINE__, "%s: status %d, '%s', want '%s'", name, st,
                     err.text, want);
    CHECK(run == NULL);
}

TEST(bad_fixtures_fail_with_the_message_beside_them)
{
    static const uint32_t n_threads[] = {1, 2, 7};
    const assay_run_format *f;
    folder files;

    for (size_t i = 0; (f = assay_run_format_at(i)) != NULL; i++) {
        enter(f, "bad_", &files);
        for (int k = 0; k < files.n; k++)
            for (int t = 0; t < 3; t++)
                check_bad(files.name[k], n_threads[t]);
    }
}
