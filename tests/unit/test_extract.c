/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "answer/answer.h"
#include "answer/refuse.h"
#include "answer/units.h"
#include "base/compiler.h"
#include "base/slice.h"
#include "pipeline/answering.h"
#include "text/fold.h"
#include "text/refusal.h"

static assay_arena arena;

static assay_source_chunk chunk_of(const char *id, const char *text)
{
    return (assay_source_chunk){.chunk = assay_slice_of(id),
                                .doc = ASSAY_LIT("doc.md"),
                                .title = ASSAY_LIT(""),
                                .text = assay_slice_of(text)};
}

static assay_answer ask(const char *spelling, const char *query,
                        const assay_source_chunk *chunk, uint32_t n)
{
    const assay_answer_settings settings = {.retries = 0};
    assay_answering_by by;
    assay_answer got;
    assay_error err;
    void *worker;

    if (assay_answerer_open(spelling, &settings, &by, &err) ||
        by.answerer->worker(by.state, &worker, &err) ||
        by.answerer->answer(worker, assay_slice_of(query), chunk, n, &arena, &got, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    by.answerer->worker_close(worker);
    assay_answerer_close(&by);
    return got;
}

static const char *text_of(const assay_answer *a)
{
    return assay_arena_string(&arena, a->text);
}

/* ---- units ---- */

/* The units of a text, separated by bars; headings in angle brackets. */
static const char *units(const assay_source_chunk *chunk)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_unit u;
    size_t at = 0;
    char *text;

    while (assay_unit_next(chunk, &at, &u)) {
        assay_buffer_text(&out, out.len ? "|" : "");
        assay_buffer_text(&out, u.is_heading ? "<" : "");
        assay_buffer_add(&out, chunk->text.ptr + u.start, u.end - u.start);
        assay_buffer_text(&out, u.is_heading ? ">" : "");
    }
    text = assay_arena_string(&arena, assay_buffer_view(&out));
    assay_buffer_clear(&out);
    return text;
}

TEST(markdown_is_cut_at_sentences_items_rows_and_headings)
{
    assay_source_chunk c =
        chunk_of("c", "# Refunds\nA refund takes 30 days. Ask\nfinance.\n\n"
                      "- one\n- two\n  more\n1. first\n\n| a | b |\n| c | d ||end");

    CHECK_STR(units(&c), "<# Refunds>|A refund takes 30 days.|Ask\nfinance.|one|two\n  "
                         "more|first|| a | b ||| c | d ||end");
}

TEST(code_between_fences_is_passed_over)
{
    assay_source_chunk c =
        chunk_of("c", "Before it:\n\n```sh\nassay ask\n\n```\nBehind it.\n\n```\nopen");

    CHECK_STR(units(&c), "Before it:|Behind it.");
}

TEST(nothing_but_blanks_has_no_units)
{
    assay_source_chunk c = chunk_of("c", " \n\n ");

    CHECK_STR(units(&c), "");
}

TEST(a_sentence_is_placed_in_the_span_that_it_is_of)
{
    /* bytes 10 to 22 and 40 to 51 of the document, joined by a line feed */
    static const assay_span span[] = {{10, 22}, {40, 51}};
    assay_source_chunk c = chunk_of("c", "First here. \nSecond one.");
    assay_span got;

    c.span = span;
    c.n_spans = 2;
    CHECK_STR(units(&c), "First here.|Second one.");
    got = assay_unit_place(&c, 0, 11);
    CHECK_INT(got.start, 10);
    CHECK_INT(got.end, 10 + 11);
    got = assay_unit_place(&c, 13, 24);
    CHECK_INT(got.start, 40);
    CHECK_INT(got.end, 40 + 11);
}

TEST(where_spans_do_not_tell_the_chunk_itself_is_the_place)
{
    static const assay_span span[] = {{10, 20}, {40, 60}};
    assay_source_chunk c = chunk_of("c", "Other text than that of the spans.");
    assay_span got;

    c.span = span;
    c.n_spans = 1;
    got = assay_unit_place(&c, 0, 5);
    CHECK_INT(got.start, 10);
    CHECK_INT(got.end, 20);
    c.n_spans = 2;
    CHECK_INT(assay_unit_place(&c, 0, 5).end, 0); /* its id says where */
    c.chunk = ASSAY_LIT("");
    CHECK_INT(assay_unit_place(&c, 0, 5).end, 60);
}

/* ---- extract ---- */

TEST(the_sentence_that_shares_most_is_quoted_and_cited)
{
    static const assay_span span[] = {{100, 189}};
    assay_source_chunk c[2] = {
        chunk_of("c1", "Parking is free on Sundays for all guests of the house."),
        chunk_of("c2", "The shop opens at nine. Refunds above 500 euros are approved by "
                       "the finance lead within days."),
    };
    assay_answer a;

    c[1].span = span;
    c[1].n_spans = 1;
    CHECK_INT(c[1].text.len, span[0].end - span[0].start + 4);
    c[1].text.len -= 4; /* now they agree, and the sentence lost its end */
    a = ask("extract(sentences=1)", "Who approves refunds above 500 euros?", c, 2);
    CHECK_STR(text_of(&a), "Refunds above 500 euros are approved by the finance lead "
                           "within d [#2]");
    CHECK_INT(a.grounded, ASSAY_FLAG_YES);
    CHECK_INT(a.refusal_reason.len, 0);
    CHECK_INT(a.n_citations, 1);
    CHECK(assay_slice_is(a.citation[0].marker, "[#2]"));
    CHECK(assay_slice_is(a.citation[0].chunk, "c2"));
    CHECK(assay_slice_is(a.citation[0].doc, "doc.md"));
    CHECK_INT(a.citation[0].span.start, 100 + 24);
    CHECK_INT(a.citation[0].span.end, 189);
}

TEST(without_chunks_it_says_no_chunks)
{
    assay_source_chunk empty = chunk_of("c", "  ");
    assay_answer a = ask(NULL, "what is the price?", NULL, 0);

    CHECK(assay_slice_is(a.refusal_reason, "no_chunks"));
    CHECK_INT(a.grounded, ASSAY_FLAG_NO);
    a = ask(NULL, "what is the price?", &empty, 1);
    CHECK(assay_slice_is(a.refusal_reason, "no_chunks"));
}

TEST(below_the_threshold_it_refuses)
{
    assay_source_chunk c =
        chunk_of("c", "The licence of the editor costs nothing and never ends.");
    assay_answer a = ask("extract(threshold=0.8)",
                         "editor licence for hospitals in Norway and Denmark", &c, 1);

    CHECK(assay_slice_is(a.refusal_reason, "score_gate"));
    CHECK_INT(a.n_citations, 0);
    a = ask("extract(threshold=0)", "editor licence for hospitals in Norway and Denmark",
            &c, 1);
    CHECK_INT(a.refusal_reason.len, 0);
}

TEST(a_query_of_question_words_only_is_refused)
{
    assay_source_chunk c =
        chunk_of("c", "What is this and how did you do that, he asked.");
    assay_answer a =
        ask("extract(threshold=0)", "What is this? How did you do that?", &c, 1);

    CHECK(assay_slice_is(a.refusal_reason, "score_gate"));
}

TEST(korean_chinese_and_japanese_are_answered)
{
    static const struct {
        const char *query;
        const char *text;
        const char *want;
    } cases[] = {
        {"육아 휴직 기간은 얼마인가요?",
         "점심시간은 한 시간입니다. 육아 휴직 기간은 최대 1년이다. 주차는 무료입니다.",
         "육아 휴직 기간은 최대 1년이다. [#1]"},
        {"保修期是多久？", "本产品在上海制造。保修期为两年，从购买之日算起。",
         "保修期为两年，从购买之日算起。 [#1]"},
        {"返品期限はいつまでですか？",
         "店舗は九時に開きます。返品期限は購入から三十日以内です。",
         "返品期限は購入から三十日以内です。 [#1]"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(cases); i++) {
        assay_source_chunk c = chunk_of("c", cases[i].text);
        assay_answer a = ask("extract(sentences=1)", cases[i].query, &c, 1);

        CHECK_STR(text_of(&a), cases[i].want);
    }
}

TEST(refusals_are_in_the_language_of_the_query_and_known_as_refusals)
{
    static const struct {
        const char *query;
        assay_tongue tongue;
    } cases[] = {
        {"what is the price?", ASSAY_TONGUE_ENGLISH},
        {"", ASSAY_TONGUE_ENGLISH},
        {"quel est le prix ?", ASSAY_TONGUE_ENGLISH},
        {"what does 漢字 mean?", ASSAY_TONGUE_ENGLISH},
        {"가격이 얼마인가요?", ASSAY_TONGUE_KOREAN},
        {"Kubernetes란 무엇인가?", ASSAY_TONGUE_KOREAN},
        {"价格是多少？", ASSAY_TONGUE_CHINESE},
        {"価格はいくらですか？", ASSAY_TONGUE_JAPANESE},
    };

    for (size_t i = 0; i < ASSAY_COUNT(cases); i++) {
        assay_slice query = assay_slice_of(cases[i].query);
        assay_answer a = assay_refuse(query, ASSAY_REFUSED_SCORE_GATE);
        assay_slice folded;

        CHECK_INT(assay_tongue_of(query), cases[i].tongue);
        CHECK(assay_fold(a.text, &arena, &folded));
        CHECK(assay_refusal_is(folded));
    }
}

TEST(what_two_chunks_say_alike_is_said_once)
{
    assay_source_chunk c[2] = {
        chunk_of("c1", "The warranty of the pump lasts two years from delivery."),
        chunk_of("c2", "The warranty of the pump lasts two years from delivery."),
    };
    assay_answer a = ask("extract(sentences=3)", "pump warranty", c, 2);

    CHECK_STR(text_of(&a),
              "The warranty of the pump lasts two years from delivery. [#1]");
}

TEST(only_as_many_chunks_are_read_as_asked_for)
{
    assay_source_chunk c[2] = {
        chunk_of("c1", "Nothing of interest stands in this chunk."),
        chunk_of("c2", "The warranty of the pump lasts two years from delivery."),
    };
    assay_answer a = ask("extract(chunks=1)", "pump warranty", c, 2);

    CHECK(assay_slice_is(a.refusal_reason, "score_gate"));
}

TEST(unknown_answerers_and_params_are_named)
{
    const assay_answer_settings settings = {.retries = 0};
    assay_answering_by by;
    assay_error err;

    CHECK_INT(assay_answerer_open("extrakt", &settings, &by, &err), ASSAY_EUSAGE);
    CHECK(strstr(err.text, "no answerer called 'extrakt'; known: extract") == err.text);
    CHECK_INT(assay_answerer_open("extract(treshold=1)", &settings, &by, &err),
              ASSAY_EUSAGE);
    CHECK(strstr(err.text, "threshold"));
    CHECK_INT(assay_answerer_open("extract:x", &settings, &by, &err), ASSAY_EUSAGE);
}

/* ---- hits to sources ---- */

TEST(hits_get_the_texts_of_their_passages)
{
    static const assay_span span[] = {{5, 30}};
    const assay_passage item[] = {
        {.id = ASSAY_LIT("c1"),
         .doc = ASSAY_LIT("d"),
         .title = ASSAY_LIT("T"),
         .text = ASSAY_LIT("text of the first chunk.."),
         .span = span,
         .n_spans = 1},
        {.id = ASSAY_LIT("whole"),
         .doc = ASSAY_LIT("whole"),
         .title = ASSAY_LIT(""),
         .text = ASSAY_LIT("a whole document")},
    };
    const assay_passages passages = {item, 2};
    const assay_hit hit[] = {
        {.doc = ASSAY_LIT("whole"), .score = 2, .has_score = true},
        {.chunk = ASSAY_LIT("gone"), .doc = ASSAY_LIT("d")},
        {.chunk = ASSAY_LIT("c1"), .doc = ASSAY_LIT("d")},
        {.chunk = ASSAY_LIT("x"), .doc = ASSAY_LIT("d"), .text = ASSAY_LIT("its own")},
    };
    assay_source_chunk *got;
    assay_error err;
    uint32_t n;

    CHECK_INT(assay_sources_of_hits(&passages, hit, 4, &arena, &got, &n, &err), 0);
    CHECK_INT(n, 3);
    CHECK(assay_slice_is(got[0].text, "a whole document"));
    CHECK_INT(got[0].chunk.len, 0);
    CHECK_INT(got[0].n_spans, 1);
    CHECK_INT(got[0].span[0].end, 16);
    CHECK(assay_slice_is(got[1].chunk, "c1"));
    CHECK_INT(got[1].span[0].start, 5);
    CHECK(assay_slice_is(got[2].text, "its own"));
}
