/* SPDX-License-Identifier: Apache-2.0 */
/* What the fixtures of tests/contract/test_golden_formats.c do not show: labels, notes,
 * losses, options, depth and want of memory. */
#include "testing.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/golden.h"

static assay_golden *parse(const char *text, const char *format)
{
    const assay_golden_options options = {.format = format};
    assay_golden *golden = NULL;
    assay_error err;

    if (assay_golden_parse("in", assay_slice_of(text), &options, &golden, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return golden;
}

/* The message of a text that must not load. */
static const char *fault(const char *text, const assay_golden_options *options)
{
    static assay_error err;
    assay_golden *golden = NULL;

    CHECK(assay_golden_parse("in", assay_slice_of(text), options, &golden, &err) !=
          ASSAY_OK);
    CHECK(golden == NULL);
    return err.text;
}

static bool has_note(const assay_notes *notes, const char *part)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strstr(notes->text[i], part))
            return true;
    return false;
}

/* ---- labels ---- */

static uint8_t label_of(const char *text, const char *format)
{
    assay_golden *golden = parse(text, format);
    uint8_t label = golden->query[0].label;

    assay_golden_free(golden);
    return label;
}

TEST(an_empty_list_and_no_list_are_different_things)
{
    CHECK_INT(label_of("- {id: a, query: b, expected_doc_ids: []}", "kebab"),
              ASSAY_LABEL_SHOULD_REFUSE);
    CHECK_INT(label_of("- {id: a, query: b}", "kebab"), ASSAY_LABEL_UNLABELLED);
    CHECK_INT(label_of("- {id: a, query: b, expected_chunk_ids: []}", "kebab"),
              ASSAY_LABEL_UNLABELLED);
    CHECK_INT(label_of("{\"id\":1,\"question\":\"b\",\"expected_chunks\":[]}", "bob"),
              ASSAY_LABEL_NEGATIVE);
    CHECK_INT(label_of("{\"id\":1,\"question\":\"b\"}", "bob"), ASSAY_LABEL_UNLABELLED);
    CHECK_INT(
        label_of("{version: 1, queries: [{id: a, query: b, relevant: []}]}", "assay"),
        ASSAY_LABEL_NEGATIVE);
    CHECK_INT(label_of("{version: 1, queries: [{id: a, query: b}]}", "assay"),
              ASSAY_LABEL_UNLABELLED);
    CHECK_INT(label_of("{\"a\": []}", "relmap"), ASSAY_LABEL_NEGATIVE);
}

TEST(a_query_with_only_pooled_documents_is_not_labelled)
{
    CHECK_INT(label_of("1 0 d -1\n", "trec"), ASSAY_LABEL_UNLABELLED);
    CHECK_INT(label_of("1 0 d 0\n", "trec"), ASSAY_LABEL_LABELLED);
}

TEST(should_refuse_stands_beside_documents_judged_not_relevant)
{
    const char *text = "{version: 1, queries: [{id: a, query: b, should_refuse: true, "
                       "relevant: [{doc: d, grade: 0}]}]}";

    CHECK_INT(label_of(text, "assay"), ASSAY_LABEL_SHOULD_REFUSE);
}

TEST(a_key_that_was_there_is_told_from_one_that_was_not)
{
    assay_golden *golden = parse("- {id: a, query: x, expected_doc_ids: []}\n"
                                 "- {id: b, query: y}\n",
                                 "kebab");

    CHECK(golden->query[0].has_relevant_key);
    CHECK(!golden->query[1].has_relevant_key);
    assay_golden_free(golden);
}

/* ---- readers ---- */

TEST(judgments_of_interleaved_queries_keep_their_order)
{
    char text[4000];
    size_t used = 0;
    assay_golden *golden;

    for (int i = 0; i < 100; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "q%d 0 d%d %d\n", i % 3,
                                 i, i);
    golden = parse(text, "trec");

    CHECK_INT(golden->n_queries, 3);
    for (uint32_t q = 0; q < 3; q++)
        for (uint32_t j = 0; j < golden->query[q].n_judgments; j++)
            CHECK_INT(golden->query[q].judgment[j].grade, 3 * j + q);
    /* 100 lines over three queries */
    CHECK_INT(golden->query[0].n_judgments, 34);
    CHECK_INT(golden->query[2].n_judgments, 33);
    assay_golden_free(golden);
}

TEST(a_second_field_of_0_or_Q0_is_no_subtopic)
{
    assay_golden *golden = parse("1 0 d1 1\n1 Q0 d2 1\n1 7 d3 1\n", "trec");

    CHECK(golden->query[0].judgment[0].subtopic == ASSAY_NONE);
    CHECK(golden->query[0].judgment[1].subtopic == ASSAY_NONE);
    CHECK(assay_slice_is(golden->subtopics.word[golden->query[0].judgment[2].subtopic],
                         "7"));
    assay_golden_free(golden);
}

TEST(a_span_is_resolved_at_once_and_other_places_are_not)
{
    assay_golden *golden = parse("{version: 1, queries: [{id: a, query: b, relevant: ["
                                 "{doc: d, span: 3-9}, {doc: d, chars: 3-9}, "
                                 "{doc: d, lines: 4}]}]}",
                                 "assay");
    const assay_judgment *j = golden->query[0].judgment;

    CHECK(j[0].n_spans == 1 && j[0].span[0].start == 3 && j[0].span[0].end == 9);
    CHECK(j[1].place == ASSAY_PLACE_CHARS && j[1].n_spans == 0);
    CHECK(j[2].place == ASSAY_PLACE_LINES && j[2].where.start == 4 &&
          j[2].where.end == 4);
    assay_golden_free(golden);
}

TEST(numbers_of_bob_are_chunk_ids_as_text)
{
    assay_golden *golden =
        parse("{\"id\": 7, \"question\": \"b\", \"expected_chunks\": [12]}", "bob");

    CHECK(assay_slice_is(golden->query[0].id, "7"));
    CHECK(assay_slice_is(golden->chunks.word[golden->query[0].judgment[0].chunk], "12"));
    CHECK(golden->query[0].judgment[0].doc == ASSAY_NONE);
    assay_golden_free(golden);
}

TEST(relevant_doc_ids_win_over_relevant_docs_even_when_empty)
{
    assay_golden *golden =
        parse("{\"documents\": [{\"doc_id\": \"a\", \"content\": \"x\"}], "
              "\"test_cases\": [{\"test_id\": \"t\", \"query\": \"q\", "
              "\"relevant_docs\": [\"a\"], \"relevant_doc_ids\": []}]}",
              "evalvault");

    CHECK_INT(golden->query[0].n_judgments, 0);
    CHECK_INT(golden->query[0].label, ASSAY_LABEL_NEGATIVE);
    assay_golden_free(golden);
}

TEST(an_id_of_digits_is_an_id_and_never_an_index)
{
    assay_golden *golden = parse(
        "{\"documents\": [{\"doc_id\": \"5\", \"content\": \"x\"}], \"test_cases\": "
        "[{\"test_id\": \"t\", \"query\": \"q\", \"relevant_doc_ids\": [0]}]}",
        "evalvault");

    CHECK(assay_slice_is(golden->docs.word[0], "0"));
    CHECK(has_note(&golden->notes, "no documents: '0' (of 't')"));
    CHECK(has_note(&golden->notes, "digits only"));
    assay_golden_free(golden);
}

TEST(beir_reads_the_split_asked_for_and_the_corpus_only_on_request)
{
    assay_golden_options options = {.split = "test"};
    assay_golden *golden = NULL;
    assay_error err;

    CHECK(assay_golden_load(fixture("golden/beir/good"), &options, &golden, &err) ==
          ASSAY_OK);
    CHECK_INT(golden->n_queries, 2);
    CHECK_INT(golden->n_docs, 0);
    CHECK(golden->drop_self_hits);
    assay_golden_free(golden);

    options.with_documents = true;
    CHECK(assay_golden_load(fixture("golden/beir/good"), &options, &golden, &err) ==
          ASSAY_OK);
    CHECK_INT(golden->n_docs, 2);
    assay_golden_free(golden);

    options.split = "dev";
    CHECK(assay_golden_load(fixture("golden/beir/good"), &options, &golden, &err) ==
          ASSAY_EUSAGE);
    CHECK(strstr(err.text, "no qrels/dev.tsv; there are splits 'test'"));
}

/* ---- formats ---- */

TEST(a_format_that_does_not_exist_is_told_which_do)
{
    const assay_golden_options options = {.format = "trek"};

    CHECK_STR(
        fault("1 0 d 1\n", &options),
        "no golden format 'trek'; there are: assay, kebab, bob, evalvault, trec, beir, "
        "relmap");
}

TEST(a_text_in_no_format_is_told_which_there_are)
{
    CHECK_STR(
        fault("hello world\n", NULL),
        "'in' is in no golden format I know (assay, kebab, bob, evalvault, trec, beir, "
        "relmap); --from names one");
}

TEST(a_file_that_is_not_there_is_a_usage_error)
{
    assay_golden *golden = NULL;
    assay_error err;

    CHECK(assay_golden_load("no-such-file", NULL, &golden, &err) == ASSAY_EUSAGE);
    CHECK(golden == NULL);
}

TEST(a_folder_is_no_file_and_a_file_no_folder)
{
    const assay_golden_options trec = {.format = "trec"};
    const assay_golden_options beir = {.format = "beir"};
    assay_golden *golden = NULL;
    assay_error err;

    CHECK(assay_golden_load(".", &trec, &golden, &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "'.' is a folder, and 'trec' wants a file");
    CHECK_STR(fault("x", &beir), "'in' is a file, and 'beir' wants a folder");
}

TEST(an_option_that_does_not_fit_the_format_is_refused)
{
    const assay_golden_options topics = {.format = "kebab", .topics = "topics.tsv"};
    const assay_golden_options split = {.format = "trec", .split = "dev"};

    CHECK_STR(fault("- {id: a, query: b}", &topics),
              "kebab YAML has query texts of its own; --topics is for trec and relmap");
    CHECK_STR(fault("1 0 d 1\n", &split), "--split is for beir, this is TREC qrels");
}

TEST(a_relevance_map_takes_topics_too)
{
    const assay_golden_options options = {.format = "relmap", .topics = "topics.tsv"};
    assay_golden *golden = NULL;
    assay_error err;

    write_file("topics.tsv", "a\tthe text of a\n");
    CHECK(assay_golden_parse("in", ASSAY_LIT("{\"a\": [\"d\"]}"), &options, &golden,
                             &err) == ASSAY_OK);
    CHECK(assay_slice_is(golden->query[0].text, "the text of a"));
    assay_golden_free(golden);
}

TEST(a_set_without_texts_can_be_written_and_read_in_every_format)
{
    const assay_golden_format *f;
    assay_golden *golden = parse("q1 0 d1 1\n", "trec");

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_buffer out = ASSAY_BUFFER_EMPTY;
        assay_notes lost = {0};
        const assay_golden_target target = {.out = &out, .lost = &lost, .arena = &arena};
        const assay_golden_options options = {.format = f->name};
        assay_golden *back = NULL;
        assay_error err;

        if (f->is_folder || strcmp(f->name, "bob") == 0)
            continue;
        CHECK(assay_golden_write(golden, f, &target, &err) == ASSAY_OK);
        if (assay_golden_parse(f->name, assay_buffer_view(&out), &options, &back, &err))
            check_failed(__FILE__, __LINE__, "%s", err.text);
        CHECK_INT(back->query[0].text.len, 0);
        CHECK_INT(back->query[0].n_judgments, 1);
        assay_golden_free(back);
        assay_notes_clear(&lost);
        assay_buffer_clear(&out);
        assay_arena_clear(&arena);
    }
    assay_golden_free(golden);
}

/* ---- limits ---- */

TEST(a_line_longer_than_allowed_names_itself)
{
    const assay_golden_options options = {.format = "trec", .max_line = 10};

    CHECK_STR(fault("1 0 d 1\n1 0 document-with-a-long-name 1\n", &options),
              "in:2: a line of 31 bytes; --max-line allows 10");
}

/* `open` ten thousand times, then `close` as often. */
static char *nest(const char *before, const char *open, const char *after)
{
    enum { DEPTH = 10000 };
    size_t size = strlen(before) + DEPTH * strlen(open) + strlen(after) + 1;
    char *text = malloc(size);
    size_t used = (size_t)snprintf(text, size, "%s", before);

    for (int i = 0; i < DEPTH; i++)
        used += (size_t)snprintf(text + used, size - used, "%s", open);
    snprintf(text + used, size - used, "%s", after);
    return text;
}

TEST(nesting_of_ten_thousand_levels_is_refused_in_every_format)
{
    static const struct {
        const char *format;
        const char *before;
        const char *open;
    } cases[] = {
        {"assay", "{version: 1, queries: ", "["},
        {"assay", "{\"version\": 1, \"queries\": ", "["},
        {"assay", "version: 1\nqueries:\n  - id: a\n    meta: ", "{a: "},
        {"kebab", "- id: a\n  query: ", "["},
        {"bob", "{\"id\": 1, \"question\": \"x\", \"more\": ", "["},
        {"evalvault", "{\"test_cases\": ", "[{\"a\":"},
        {"relmap", "{\"a\": ", "["},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const assay_golden_options options = {.format = cases[i].format};
        char *text = nest(cases[i].before, cases[i].open, "");
        const char *message = fault(text, &options);

        if (!strstr(message, "levels deep") || strncmp(message, "in:", 3) != 0)
            check_failed(__FILE__, __LINE__, "%s: %s", cases[i].format, message);
        free(text);
    }
}

/* ---- losses ---- */

/* What goes lost when `text` is written as `to`. */
static bool loses(const char *text, const char *to, const char *part, char *written,
                  size_t size)
{
    assay_golden *golden = parse(text, NULL);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    const assay_golden_target target = {.out = &out, .lost = &lost, .arena = &arena};
    assay_error err;
    bool found;

    CHECK(assay_golden_write(golden, assay_golden_format_find(assay_slice_of(to)),
                             &target, &err) == ASSAY_OK);
    found = has_note(&lost, part);
    if (written)
        snprintf(written, size, "%.*s", (int)out.len, out.ptr ? out.ptr : "");
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    assay_arena_clear(&arena);
    assay_golden_free(golden);
    return found;
}

TEST(what_a_format_cannot_hold_is_counted_by_kind)
{
    const char *text = "version: 1\nqueries:\n"
                       "  - {id: a, query: x, relevant: [{doc: d, quote: one}, "
                       "{doc: d, quote: two, grade: 2}, {chunk: c}]}\n"
                       "  - {id: b, query: y, state: draft}\n"
                       "  - {id: c, query: z, should_refuse: true}\n";
    char out[500];

    CHECK(loses(text, "trec", "2 judgments have quotes, which TREC qrels cannot hold",
                out, sizeof out));
    /* Both quotes are of one document: the higher grade stays. */
    CHECK_STR(out, "a 0 d 2\n");
    CHECK(loses(text, "trec", "3 queries have texts", NULL, 0));
    CHECK(loses(text, "trec", "1 judgment names a chunk and no document", NULL, 0));
    CHECK(loses(text, "kebab", "1 query is a draft, which kebab YAML cannot hold", NULL,
                0));
    CHECK(loses(text, "bob", "1 query should be refused, which bob JSONL cannot hold",
                NULL, 0));
    CHECK(loses(text, "bob", "1 chunk id is no whole number", NULL, 0));
}

TEST(an_id_with_a_blank_does_not_go_into_trec_qrels)
{
    char out[100];

    CHECK(loses("{\"a b\": [\"d\"], \"c\": [\"d\"]}", "trec",
                "1 judgment has an id with a blank", out, sizeof out));
    CHECK_STR(out, "c 0 d 1\n");
}

TEST(a_group_with_different_documents_is_written_to_kebab_without_the_group)
{
    const char *text = "version: 1\nqueries:\n"
                       "  - {id: a, query: x, group: g, relevant: [{doc: d1}]}\n"
                       "  - {id: b, query: y, group: g, relevant: [{doc: d2}]}\n"
                       "  - {id: c, query: z, group: h, relevant: [{doc: d2}]}\n";
    char out[2000];

    CHECK(loses(text, "kebab", "1 group has members with different documents", out,
                sizeof out));
    CHECK(!strstr(out, "group: g"));
    CHECK(strstr(out, "group: h"));
}

TEST(a_kebab_file_tells_its_curator_what_is_what)
{
    static const char *const words[] = {
        "hit_at_k",        "MRR",           "precision_at_k_chunk", "skipped",
        "recall_at_k_doc", "should refuse", "groundedness"};
    char out[2000];

    loses("{\"a\": [\"d\"]}", "kebab", "", out, sizeof out);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(out, words[i]))
            check_failed(__FILE__, __LINE__, "'%s' is not in the head", words[i]);
}

/* ---- memory ---- */

/* Let the n-th allocation fail, for n = 1, 2, 3 ... until a load succeeds. */
static void starve(const char *path, const assay_golden_options *options)
{
    for (uint64_t n = 1;; n++) {
        assay_golden *golden = NULL;
        assay_error err;
        assay_status st;

        assay_mem_fail_after(n);
        st = assay_golden_load(path, options, &golden, &err);
        if (!assay_mem_has_failed()) {
            assay_mem_fail_after(0);
            CHECK(st == ASSAY_OK);
            assay_golden_free(golden);
            return;
        }
        assay_mem_fail_after(0);
        if (st != ASSAY_ENOMEM || golden)
            check_failed(__FILE__, __LINE__, "%s: allocation %d: status %d, %s", path,
                         (int)n, (int)st, st ? err.text : "");
    }
}

TEST(a_load_without_memory_says_so_leaks_nothing_and_leaves_the_result_alone)
{
    static const char *const file[] = {"assay/good.yaml",
                                       "assay/good.json",
                                       "assay/good_documents.yaml",
                                       "kebab/good.yaml",
                                       "bob/good.jsonl",
                                       "evalvault/good.json",
                                       "evalvault/good_legacy.json",
                                       "trec/good.qrels",
                                       "trec/good_subtopics.qrels",
                                       "beir/good",
                                       "beir/good_packed",
                                       "relmap/good.json"};
    assay_golden_options options = {.with_documents = true};
    char name[200];

    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        snprintf(name, sizeof name, "golden/%.100s", file[i]);
        starve(fixture(name), &options);
    }
    options.format = "trec";
    options.topics = fixture("golden/trec/good_topics.qrels.topics");
    starve(fixture("golden/trec/good_topics.qrels"), &options);
}

/* Write in `format` while the n-th allocation fails. */
static void starve_writer(const assay_golden *golden, const assay_golden_format *format)
{
    for (uint64_t n = 1;; n++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_buffer out = ASSAY_BUFFER_EMPTY;
        assay_notes lost = {0};
        const assay_golden_target target = {
            .out = &out, .path = "written", .lost = &lost, .arena = &arena};
        assay_error err;
        assay_status st;
        int has_failed;

        assay_mem_fail_after(n);
        st = assay_golden_write(golden, format, &target, &err);
        has_failed = assay_mem_has_failed();
        assay_mem_fail_after(0);
        assay_notes_clear(&lost);
        assay_buffer_clear(&out);
        assay_arena_clear(&arena);
        CHECK(st == (has_failed ? ASSAY_ENOMEM : ASSAY_OK));
        if (!has_failed)
            return;
    }
}

TEST(a_writer_without_memory_says_so_and_leaks_nothing)
{
    assay_golden *golden = NULL;
    const assay_golden_format *f;
    assay_error err;

    CHECK(assay_golden_load(fixture("golden/assay/good.yaml"), NULL, &golden, &err) ==
          ASSAY_OK);
    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++)
        starve_writer(golden, f);
    assay_golden_free(golden);
}

TEST(a_file_is_recognised_although_long_documents_come_first)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_golden *golden = NULL;
    assay_error error;

    assay_buffer_text(&text, "{\"documents\":[{\"doc_id\":\"d\",\"content\":\"");
    for (int i = 0; i < 100000; i++)
        assay_buffer_char(&text, 'x');
    assay_buffer_text(&text, "\"}],\"test_cases\":[{\"test_id\":\"t\",\"query\":\"q\","
                             "\"relevant_doc_ids\":[\"d\"]}]}");
    if (assay_golden_parse("long.json", assay_buffer_view(&text), NULL, &golden, &error))
        check_failed(__FILE__, __LINE__, "%s", error.text);
    CHECK_STR(golden->format->name, "evalvault");
    assay_golden_free(golden);
    assay_buffer_clear(&text);
}
