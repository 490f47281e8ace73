/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set that is written question by question. */
#include "golden/notebook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/slice.h"
#include "testing.h"

static assay_error err;

static char *path_of(void)
{
    static char path[64];

    snprintf(path, sizeof path, "notebook-%ld.yaml", (long)getpid());
    return path;
}

static void put_file(const char *text)
{
    CHECK(assay_file_save(path_of(), assay_slice_of(text), &err) == ASSAY_OK);
}

static void check_file(const char *want)
{
    assay_file file = {0};
    char *text;

    CHECK(assay_file_open(&file, path_of(), &err) == ASSAY_OK);
    text = calloc(1, file.text.len + 1);
    memcpy(text, file.text.ptr, file.text.len);
    CHECK_STR(text, want);
    free(text);
    assay_file_close(&file);
}

static assay_notebook open_book(void)
{
    assay_notebook book;

    if (assay_notebook_open(&book, path_of(), NULL, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return book;
}

static assay_status judge(assay_notebook *book, uint32_t query, const char *quote,
                          uint64_t start, int32_t grade)
{
    assay_span span = {start, start + strlen(quote)};
    const assay_verdict v = {.doc = ASSAY_LIT("a.md"),
                             .quote = assay_slice_of(quote),
                             .span = span,
                             .over = span,
                             .passage = {0, 100},
                             .grade = grade};

    return assay_notebook_judge(book, query, &v, &err);
}

TEST(a_new_question_is_a_draft_in_a_new_file)
{
    assay_notebook book;
    uint32_t query;

    remove(path_of());
    book = open_book();
    CHECK(assay_notebook_ask(&book, ASSAY_LIT("Who?"), &query, &err) == ASSAY_OK);
    CHECK(query == 0);
    check_file("version: 1\nqueries:\n  - id: q-1\n    query: Who?\n    state: draft\n");
    /* The same question is the same query. */
    CHECK(assay_notebook_ask(&book, ASSAY_LIT("Who?"), &query, &err) == ASSAY_OK);
    CHECK(query == 0 && book.golden->n_queries == 1);
    assay_notebook_close(&book);
    remove(path_of());
}

static const char mixed[] = "# mine\nversion: 1\nqueries:\n"
                            "  - {id: a, query: One, relevant: [{doc: x.md}]}  # flow\n"
                            "  # before b\n"
                            "  - id: b\n    query: Two\n    notes: kept\n\n"
                            "  - id: c  # stays\n    query: Three\n";

TEST(a_judgment_is_all_that_changes)
{
    assay_notebook book;

    put_file(mixed);
    book = open_book();
    CHECK(judge(&book, 1, "here", 10, 2) == ASSAY_OK);
    check_file("# mine\nversion: 1\nqueries:\n"
               "  - {id: a, query: One, relevant: [{doc: x.md}]}  # flow\n"
               "  # before b\n"
               "  - id: b\n    query: Two\n    notes: kept\n    relevant:\n"
               "      - {doc: a.md, quote: here, grade: 2}\n\n"
               "  - id: c  # stays\n    query: Three\n");
    CHECK(judge(&book, 0, "here", 10, 1) == ASSAY_OK);
    assay_notebook_close(&book);
    /* A question in brackets stays in brackets, and reads back. */
    book = open_book();
    CHECK(book.golden->n_queries == 3 && book.golden->query[0].n_judgments == 2);
    assay_notebook_close(&book);
    remove(path_of());
}

TEST(everything_can_be_taken_back_to_the_first_byte)
{
    assay_notebook book;
    uint32_t query;
    bool is_done;

    put_file(mixed);
    book = open_book();
    CHECK(judge(&book, 1, "here", 10, 2) == ASSAY_OK);
    CHECK(assay_notebook_ask(&book, ASSAY_LIT("Four"), &query, &err) == ASSAY_OK);
    CHECK(judge(&book, query, "there", 20, 0) == ASSAY_OK);
    for (int i = 0; i < 3; i++)
        CHECK(assay_notebook_undo(&book, &is_done, &err) == ASSAY_OK && is_done);
    check_file(mixed);
    CHECK(assay_notebook_undo(&book, &is_done, &err) == ASSAY_OK && !is_done);
    CHECK(book.golden->n_queries == 3);
    assay_notebook_close(&book);
    remove(path_of());
}

TEST(a_file_that_is_taken_back_to_nothing_is_gone)
{
    assay_notebook book;
    uint32_t query;
    bool is_done;

    remove(path_of());
    book = open_book();
    CHECK(assay_notebook_ask(&book, ASSAY_LIT("Who?"), &query, &err) == ASSAY_OK);
    CHECK(assay_notebook_undo(&book, &is_done, &err) == ASSAY_OK && is_done);
    CHECK(!assay_file_exists(path_of()));
    assay_notebook_close(&book);
}

TEST(a_new_verdict_takes_the_place_of_the_old_one)
{
    assay_notebook book;
    const assay_query *q;

    put_file(mixed);
    book = open_book();
    CHECK(judge(&book, 1, "a whole passage", 10, 2) == ASSAY_OK);
    /* A sentence of it; then the same sentence once more. */
    CHECK(judge(&book, 1, "whole", 12, 2) == ASSAY_OK);
    CHECK(judge(&book, 1, "whole", 12, 1) == ASSAY_OK);
    q = &book.golden->query[1];
    CHECK(q->n_judgments == 1 && q->judgment[0].grade == 1);
    /* Another place stays. */
    CHECK(judge(&book, 1, "other", 50, 0) == ASSAY_OK);
    CHECK(book.golden->query[1].n_judgments == 2);
    CHECK(assay_notebook_grade(&book, 1, ASSAY_LIT("a.md"), ASSAY_LIT(""),
                               &(assay_span){0, 13}, 1) == 1);
    CHECK(assay_notebook_grade(&book, 1, ASSAY_LIT("a.md"), ASSAY_LIT(""),
                               &(assay_span){30, 40}, 1) == ASSAY_UNGRADED);
    CHECK(assay_notebook_unjudge(&book, 1, ASSAY_LIT("a.md"), (assay_span){0, 100},
                                 &err) == ASSAY_OK);
    CHECK(book.golden->query[1].n_judgments == 0);
    assay_notebook_close(&book);
    remove(path_of());
}

TEST(what_somebody_else_wrote_is_not_written_over)
{
    static const char other[] = "version: 1\nqueries: []\n";
    assay_notebook book;
    bool is_done;

    put_file(mixed);
    book = open_book();
    CHECK(judge(&book, 1, "here", 10, 2) == ASSAY_OK);
    put_file(other);
    CHECK(judge(&book, 1, "there", 20, 2) == ASSAY_ESYSTEM);
    CHECK(assay_notebook_undo(&book, &is_done, &err) == ASSAY_ESYSTEM);
    check_file(other);
    /* What could not be saved is not in memory either. */
    CHECK(book.golden->query[1].n_judgments == 1);
    assay_notebook_close(&book);
    remove(path_of());
}

TEST(a_json_file_stays_json)
{
    assay_notebook book;
    uint32_t query;

    put_file(
        "{\"version\": 1, \"queries\": [\n  {\"id\": \"a\", \"query\": \"One\"}\n]}\n");
    book = open_book();
    CHECK(judge(&book, 0, "here", 10, 2) == ASSAY_OK);
    CHECK(assay_notebook_ask(&book, ASSAY_LIT("Two"), &query, &err) == ASSAY_OK);
    CHECK(book.text.ptr[0] == '{');
    assay_notebook_close(&book);
    book = open_book();
    CHECK(book.golden->n_queries == 2 && book.golden->query[0].n_judgments == 1 &&
          book.golden->query[1].is_draft);
    assay_notebook_close(&book);
    remove(path_of());
}

TEST(other_formats_are_refused)
{
    assay_notebook book;

    put_file("- id: a\n  query: One\n  expected_doc_ids: [x]\n");
    CHECK(assay_notebook_open(&book, path_of(), NULL, &err) == ASSAY_EUSAGE);
    CHECK(strstr(err.text, "golden convert") != NULL);
    remove(path_of());
}
