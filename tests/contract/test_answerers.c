/* SPDX-License-Identifier: Apache-2.0 */
/* What every answerer must do (answer/answer.h): say what it is, refuse without chunks
 * and without asking anybody, give the same answer to the same question in any worker. */
#include "testing.h"

#include "answer/answer.h"
#include "base/slice.h"

static const assay_answer_settings settings = {
    .base_url = "http://127.0.0.1:9", .api_key = "sk-secret", .timeout_s = 1};

/* What must stand behind the colon for it to open. */
static assay_answering_by open_answerer(const assay_answerer *a)
{
    char spelling[80];
    assay_answering_by by;
    assay_error err;

    snprintf(spelling, sizeof spelling, "%s", a->name);
    if (assay_answerer_open(spelling, &settings, &by, &err) == ASSAY_OK)
        return by;
    snprintf(spelling, sizeof spelling, "%s:model", a->name);
    if (assay_answerer_open(spelling, &settings, &by, &err))
        check_failed(__FILE__, __LINE__, "%s: %s", a->name, err.text);
    return by;
}

TEST(every_answerer_says_what_it_is)
{
    const assay_answerer *a;

    for (size_t i = 0; (a = assay_answerer_at(i)) != NULL; i++) {
        assay_answering_by by = open_answerer(a);
        assay_buffer identity = ASSAY_BUFFER_EMPTY;

        CHECK(a->name && a->summary && a->param && a->answer);
        CHECK(assay_answerer_find(assay_slice_of(a->name)) == a);
        a->identity(by.state, &identity);
        CHECK(assay_slice_starts(assay_buffer_view(&identity), a->name));
        assay_buffer_char(&identity, '\0');
        CHECK(strstr(identity.ptr, "secret") == NULL);
        CHECK(a->model(by.state) && a->prompt(by.state));
        assay_buffer_clear(&identity);
        assay_answerer_close(&by);
    }
    CHECK(assay_answerer_find(assay_slice_of(ASSAY_ANSWERER_STANDARD)));
}

TEST(every_answerer_refuses_when_there_are_no_chunks)
{
    const assay_answerer *a;

    for (size_t i = 0; (a = assay_answerer_at(i)) != NULL; i++) {
        assay_answering_by by = open_answerer(a);
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_answer got;
        assay_error err;
        void *worker;

        CHECK_INT(a->worker(by.state, &worker, &err), ASSAY_OK);
        CHECK_INT(a->answer(worker, ASSAY_LIT("who?"), NULL, 0, &arena, &got, &err), 0);
        CHECK(assay_slice_is(got.refusal_reason, ASSAY_REFUSED_NO_CHUNKS));
        CHECK(got.text.len > 0);
        CHECK_INT(got.grounded, ASSAY_FLAG_NO);
        CHECK_INT(got.n_citations, 0);
        a->worker_close(worker);
        assay_answerer_close(&by);
        assay_arena_clear(&arena);
    }
}

TEST(extract_gives_the_same_answer_in_any_worker_whatever_came_before)
{
    const assay_source_chunk chunk = {.chunk = ASSAY_LIT("c"),
                                      .doc = ASSAY_LIT("d"),
                                      .title = ASSAY_LIT("Pumps"),
                                      .text = ASSAY_LIT("The pump has a warranty. It "
                                                        "lasts two years.\xff\xfe")};
    static const char *const queries[] = {"pump warranty", "",          "\xff",
                                          "years",         "보증 기간", "pump warranty"};
    assay_answering_by by = open_answerer(assay_answerer_at(0));
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_answer first, got;
    void *worker[2];
    assay_error err;

    for (int w = 0; w < 2; w++)
        CHECK_INT(by.answerer->worker(by.state, &worker[w], &err), ASSAY_OK);
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        assay_slice query = assay_slice_of(queries[q]);

        CHECK_INT(by.answerer->answer(worker[0], query, &chunk, 1, &arena, &first, &err),
                  0);
        CHECK_INT(
            by.answerer->answer(worker[q % 2], query, &chunk, 1, &arena, &got, &err), 0);
        CHECK(assay_slice_eq(first.text, got.text));
    }
    by.answerer->worker_close(worker[0]);
    by.answerer->worker_close(worker[1]);
    assay_answerer_close(&by);
    assay_arena_clear(&arena);
}
