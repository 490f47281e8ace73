/* SPDX-License-Identifier: Apache-2.0 */
#include "report/bar.h"

#include "base/slice.h"
#include "report/grid.h"
#include "testing.h"

static assay_bar half(void)
{
    return (assay_bar){.what = "ingest",
                       .items = "files",
                       .done = 200,
                       .total = 400,
                       .bytes = 50000000,
                       .total_bytes = 100000000,
                       .seconds = 10,
                       .name = ASSAY_LIT("docs/operations/backup.md")};
}

static const char *print(const assay_bar *bar, size_t columns, bool has_color)
{
    static char text[4][400];
    static unsigned next;
    char *p = text[next++ % 4];
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    assay_bar_print(bar, columns, has_color, &out);
    snprintf(p, sizeof text[0], "%.*s", (int)out.len, out.ptr ? out.ptr : "");
    assay_buffer_clear(&out);
    return p;
}

static const char *name(assay_slice s, size_t columns)
{
    assay_bar bar = {.what = "", .items = "", .name = s};
    static char text[400];
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    assay_bar_name(bar.name, columns, &out);
    snprintf(text, sizeof text, "%.*s", (int)out.len, out.ptr ? out.ptr : "");
    assay_buffer_clear(&out);
    return text;
}

/* 50 MB in 10 s are 5 MB/s, 200 files are 20 a second, and the other half takes 10 s. */
TEST(the_line_has_rate_time_and_name)
{
    assay_bar bar = half();

    CHECK_STR(print(&bar, 100, false),
              "ingest   50%  200/400 files  [=========>        ]  5.0 MB/s  20 files/s  "
              "0:10 left  ...ons/backup.md");
}

TEST(what_matters_less_goes_first)
{
    assay_bar bar = half();

    CHECK_STR(print(&bar, 80, false),
              "ingest   50%  [=======>       ]  5.0 MB/s  20 files/s  0:10 left  "
              "...s/backup.md");
    bar.failed = 3;
    CHECK_STR(print(&bar, 60, false),
              "ingest   50%  5.0 MB/s  20 files/s  0:10 left  3 failed");
    CHECK_STR(print(&bar, 40, false), "ingest   50%  0:10 left  3 failed");
    CHECK_STR(print(&bar, 20, false), "ingest  3 failed");
    CHECK_STR(print(&bar, 3, false), "");
    CHECK_STR(print(&bar, 0, false), "");
}

TEST(the_bar_leaves_room_for_the_name)
{
    assay_bar bar = half();

    for (size_t columns = 65; columns < 120; columns++)
        CHECK(strstr(print(&bar, columns, false), "up.md"));
}

TEST(no_line_is_wider_than_the_terminal)
{
    static const assay_slice names[] = {
        {"", 0},
        {"a.md", 4},
        {"문서/설정/백업과 복원.md", sizeof "문서/설정/백업과 복원.md" - 1},
        {"with\nline\x1b[2J\xff.md", 17},
        {"a/very/long/path/that/does/not/fit/into/any/terminal/of/usual/width.md", 70},
    };

    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (size_t columns = 0; columns < 160; columns++)
            for (int state = 0; state < 8; state++) {
                assay_bar bar = half();
                const char *line;

                bar.name = names[n];
                bar.failed = state & 1 ? 12345 : 0;
                bar.total = bar.total_bytes = 0;
                if (state & 2)
                    bar.total = 400;
                if (state & 4)
                    bar.total_bytes = 100000000;
                line = print(&bar, columns, false);
                CHECK(assay_display_width(assay_slice_of(line)) <= columns);
                for (const char *c = line; *c; c++)
                    CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
            }
}

TEST(wide_characters_take_two_columns)
{
    CHECK_STR(name(ASSAY_LIT("설정.md"), 7), "설정.md");
    CHECK_STR(name(ASSAY_LIT("설정.md"), 6), "....md");
    CHECK_STR(name(ASSAY_LIT("백업설정.md"), 8), "...정.md");
}

TEST(control_bytes_and_broken_text_are_escaped)
{
    CHECK_STR(name(ASSAY_LIT("a\nb"), 80), "a\\x0ab");
    CHECK_STR(name(ASSAY_LIT("\x1b[31m"), 80), "\\x1b[31m");
    CHECK_STR(name(ASSAY_LIT("a\xff"), 80), "a\\xff");
    /* C1 control U+009B is a CSI for some terminals; both of its bytes are shown. */
    CHECK_STR(name(ASSAY_LIT("\xc2\x9b"), 80), "\\xc2\\x9b");
    /* Right-to-left override. */
    CHECK_STR(name(ASSAY_LIT("a\xe2\x80\xae"), 80), "a?");
}

TEST(without_totals_there_is_no_bar_and_no_time)
{
    assay_bar bar = half();

    bar.total = bar.total_bytes = 0;
    CHECK_STR(print(&bar, 80, false),
              "ingest  200 files  5.0 MB/s  20 files/s  docs/operations/backup.md");
}

TEST(the_first_moments_have_no_rate)
{
    assay_bar bar = half();

    bar.seconds = 0.1;
    bar.name.len = 0;
    CHECK_STR(print(&bar, 60, false), "ingest   50%  200/400 files  [=======>      ]");
}

TEST(more_than_all_is_all)
{
    assay_bar bar = half();

    bar.bytes = 2 * bar.total_bytes;
    bar.done = 2 * bar.total;
    bar.name.len = 0;
    CHECK_STR(print(&bar, 70, false),
              "ingest  100%  800/400 files  [========]  20.0 MB/s  80 files/s");
}

TEST(failures_are_red_where_colour_is_wanted)
{
    assay_bar bar = {.what = "ingest", .items = "files", .done = 1, .failed = 2};

    CHECK_STR(print(&bar, 80, true), "ingest  1 files  \033[31m2 failed\033[0m");
}

TEST(sizes_are_short)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {{0, "0 B"},           {999, "999 B"},     {1000, "1.0 kB"},
                 {999949, "999.9 kB"}, {999951, "1.0 MB"}, {1.5e9, "1.5 GB"},
                 {2e12, "2.0 TB"},     {5e15, "5000.0 TB"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_buffer out = ASSAY_BUFFER_EMPTY;
        char text[40];

        assay_bar_size(cases[i].bytes, &out);
        snprintf(text, sizeof text, "%.*s", (int)out.len, out.ptr);
        CHECK_STR(text, cases[i].text);
        assay_buffer_clear(&out);
    }
}

TEST(a_line_for_a_log_is_whole)
{
    assay_bar bar = half();
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    assay_bar_line(&bar, &out);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, "ingest   50%  200/400 files  5.0 MB/s  20 files/s  0:10 left  "
                       "docs/operations/backup.md");
    assay_buffer_clear(&out);
}
