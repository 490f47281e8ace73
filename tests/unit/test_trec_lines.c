/* SPDX-License-Identifier: Apache-2.0 */
/* TREC runs without structs: places, shuffled files, odd lines. */
#include "testing.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "run/trec_lines.h"

/* An opened text, with room for any query's hits. */
typedef struct opened {
    assay_dict ids;
    assay_trec_lines *lines;
    assay_ranked hit[2000];
    uint64_t hash[2000];
    assay_error err;
} opened;

static assay_status open_rules(opened *o, assay_slice text, assay_trec_rules rules)
{
    memset(o, 0, sizeof *o);
    return assay_trec_lines_open("run", text, &rules, &o->ids, &o->lines, &o->err);
}

static assay_status open_text(opened *o, const char *text)
{
    return open_rules(o, assay_slice_of(text), (assay_trec_rules){.has_comments = true});
}

static assay_status read_query(opened *o, const char *id)
{
    uint32_t query = assay_dict_find(&o->ids, assay_slice_of(id));
    bool has_hash;

    CHECK(query != ASSAY_NONE);
    return assay_trec_lines_read(o->lines, query, o->hit, o->hash, &has_hash, &o->err);
}

static void close_text(opened *o)
{
    assay_trec_lines_close(o->lines);
    assay_dict_clear(&o->ids);
}

/* "id:score id:score" of what was read last. */
static const char *hits(const opened *o, uint32_t n)
{
    static char text[400];
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%.*s:%g", i ? " " : "",
                             (int)o->hit[i].len, o->hit[i].id, o->hit[i].score);
    return text;
}

TEST(hits_come_in_file_order_also_when_queries_are_interleaved)
{
    static opened o;

    CHECK(!open_text(&o, "q1 Q0 a 1 2.5 t\nq2 Q0 x 1 9 t\nq1 Q0 b 2 1.25 t\n"));
    CHECK_INT(o.ids.n, 2);
    CHECK_INT(assay_trec_lines_count(o.lines, 0), 2);
    CHECK(!read_query(&o, "q1"));
    CHECK_STR(hits(&o, 2), "a:2.5 b:1.25");
    CHECK(!read_query(&o, "q2"));
    CHECK_STR(hits(&o, 1), "x:9");
    close_text(&o);
}

TEST(tabs_cr_lf_blank_lines_comments_extra_fields_and_no_last_line_break_are_fine)
{
    static opened o;

    CHECK(!open_text(
        &o, "\n# a comment\n  # another\nq1\tQ0\ta\t1\t3\tt\textra more\r\n \t\r\n"
            "   q1  Q0   b 2   -1.5e1 t\r\n#end\nq1 Q0 c 3 .5 last"));
    CHECK_INT(assay_trec_lines_count(o.lines, 0), 3);
    CHECK(!read_query(&o, "q1"));
    CHECK_STR(hits(&o, 3), "a:3 b:-15 c:0.5");
    CHECK(assay_slice_is(assay_trec_lines_tag(o.lines), "last"));
    close_text(&o);
}

TEST(a_query_id_that_begins_another_is_not_taken_for_it)
{
    static opened o;

    CHECK(!open_text(&o, "q1 Q0 a 1 1 t\nq12 Q0 b 1 1 t\nq1 Q0 c 1 1 t\n"
                         "longer-than-seven Q0 d 1 1 t\nlonger-than-seven-2 Q0 e 1 1 t\n"
                         "longer-than-seven Q0 f 1 1 t\n"));
    CHECK_INT(o.ids.n, 4);
    CHECK(!read_query(&o, "q1"));
    CHECK_STR(hits(&o, 2), "a:1 c:1");
    CHECK(!read_query(&o, "longer-than-seven"));
    CHECK_STR(hits(&o, 2), "d:1 f:1");
    close_text(&o);
}

TEST(lines_longer_than_a_block_are_read)
{
    static opened o;
    static char text[600];
    char id[201];

    memset(id, 'x', 200);
    id[200] = '\0';
    snprintf(text, sizeof text, "q1 Q0 %s 1 7.25 t\nq1 Q0 b 2 1 t\n", id);
    CHECK(!open_text(&o, text));
    CHECK(!read_query(&o, "q1"));
    CHECK_INT(o.hit[0].len, 200);
    CHECK_NEAR(o.hit[0].score, 7.25, 0);
    CHECK_NEAR(o.hit[1].score, 1, 0);
    close_text(&o);
}

TEST(a_short_line_names_file_and_line)
{
    static opened o;

    CHECK(!open_text(&o, "q1 Q0 a 1 1 t\n\nq1 Q0 b 2 1\nq1 Q0 c 3 1 t\n"));
    CHECK_INT(read_query(&o, "q1"), ASSAY_EINPUT);
    CHECK_STR(o.err.text,
              "run:3: want query, Q0, document, rank, score, tag, not 'q1 Q0 b 2 1'");
    close_text(&o);
}

TEST(a_score_that_is_no_finite_number_names_file_and_line)
{
    static const char *const bad[] = {"abc", "nan", "inf", "1e999", "1.5x", "0x10"};
    static opened o;
    char text[100];
    char want[100];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "q1 Q0 a 1 1 t\nq1 Q0 b 2 %s t\n", bad[i]);
        snprintf(want, sizeof want, "run:2: score '%s' is not a finite number", bad[i]);
        CHECK(!open_text(&o, text));
        CHECK_INT(read_query(&o, "q1"), ASSAY_EINPUT);
        CHECK_STR(o.err.text, want);
        close_text(&o);
    }
}

TEST(lenient_scores_are_read_as_atof_reads_them)
{
    static opened o;

    CHECK(!open_rules(
        &o, assay_slice_of("q Q0 a 1 abc t\nq Q0 b 2 1.5x t\nq Q0 c 3 0x10 t\n"),
        (assay_trec_rules){.is_lenient = true}));
    CHECK(!read_query(&o, "q"));
    CHECK_STR(hits(&o, 3), "a:0 b:1.5 c:16");
    close_text(&o);
}

TEST(an_empty_text_has_no_queries)
{
    static opened o;

    CHECK(!open_text(&o, ""));
    CHECK_INT(o.ids.n, 0);
    close_text(&o);
}

/* `n_queries` times `depth` lines; `is_shuffled`: neighbours are of different queries. */
static assay_buffer make_run(uint32_t n_queries, uint32_t depth, bool is_shuffled)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < n_queries * depth; i++) {
        uint32_t query = is_shuffled ? i % n_queries : i / depth;
        uint32_t rank = is_shuffled ? i / n_queries : i % depth;

        assay_buffer_printf(&text, "%u Q0 d%u-%u %u %u.%03u t\n", query, query, rank,
                            rank, depth - rank, query % 1000);
    }
    CHECK(!text.has_failed);
    return text;
}

static void check_made(opened *o, uint32_t n_queries, uint32_t depth)
{
    char id[32];

    CHECK_INT(o->ids.n, n_queries);
    CHECK_INT(assay_trec_lines_depth(o->lines), depth);
    for (uint32_t q = 0; q < n_queries; q += 7) {
        snprintf(id, sizeof id, "%u", q);
        CHECK(!read_query(o, id));
        for (uint32_t i = 0; i < depth; i++) {
            snprintf(id, sizeof id, "d%u-%u", q, i);
            CHECK(assay_slice_is((assay_slice){o->hit[i].id, o->hit[i].len}, id));
            CHECK_NEAR(o->hit[i].score, depth - i + (q % 1000) / 1000.0, 1e-12);
        }
    }
}

TEST(grouped_and_shuffled_files_read_the_same_for_any_number_of_threads)
{
    /* Large enough for several parts of 8 MB. */
    enum { QUERIES = 1000, DEPTH = 700 };
    static opened o;

    for (int is_shuffled = 0; is_shuffled < 2; is_shuffled++) {
        assay_buffer text = make_run(QUERIES, DEPTH, is_shuffled);

        for (uint32_t threads = 1; threads <= 3; threads++) {
            CHECK(!open_rules(&o, assay_buffer_view(&text),
                              (assay_trec_rules){.n_threads = threads}));
            check_made(&o, QUERIES, DEPTH);
            close_text(&o);
        }
        assay_buffer_clear(&text);
    }
}

TEST(a_malformed_line_in_a_shuffled_file_is_found_when_it_is_opened)
{
    static opened o;
    assay_buffer text = make_run(50, 100, true);

    assay_buffer_text(&text, "7 Q0 late 1 often t\n");
    CHECK_INT(
        open_rules(&o, assay_buffer_view(&text), (assay_trec_rules){.n_threads = 2}),
        ASSAY_EINPUT);
    CHECK_STR(o.err.text, "run:5001: score 'often' is not a finite number");
    CHECK(o.lines == NULL);
    assay_dict_clear(&o.ids);
    assay_buffer_clear(&text);
}

TEST(more_lines_of_one_query_than_a_place_counts_are_all_there)
{
    enum { LINES = 70000 };
    static opened o;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_trec_line line;

    for (uint32_t i = 0; i < LINES; i++)
        assay_buffer_printf(&text, "q Q0 d%u %u %u t\n", i, i, LINES - i);
    CHECK(!open_rules(&o, assay_buffer_view(&text), (assay_trec_rules){0}));
    CHECK_INT(assay_trec_lines_count(o.lines, 0), LINES);
    CHECK(!assay_trec_lines_check(o.lines, 0, &o.err));
    CHECK(!assay_trec_lines_get(o.lines, 0, 69999, &line, &o.err));
    CHECK(assay_slice_is(line.doc, "d69999"));
    CHECK_INT(line.number, LINES);
    close_text(&o);
    assay_buffer_clear(&text);
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    static opened o;

    for (int is_shuffled = 0; is_shuffled < 2; is_shuffled++) {
        assay_buffer text = make_run(40, 60, is_shuffled);
        assay_status st = ASSAY_ENOMEM;

        for (uint64_t n = 1; st == ASSAY_ENOMEM; n++) {
            assay_mem_fail_after(n);
            st = open_rules(&o, assay_buffer_view(&text),
                            (assay_trec_rules){.n_threads = 1});
            assay_mem_fail_after(0);
            CHECK(st == ASSAY_OK || o.lines == NULL);
            close_text(&o);
        }
        CHECK_INT(st, ASSAY_OK);
        assay_buffer_clear(&text);
    }
}
