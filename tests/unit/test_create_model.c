/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of 'assay golden create': keys in, wishes and pictures out. */
#include "cli/create_model.h"

#include <string.h>

#include "base/slice.h"
#include "cli/terminal_keys.h"
#include "golden/notebook.h"
#include "report/grid.h"
#include "testing.h"

/* ---- keys ---- */

static uint32_t keys_of(const char *bytes, bool is_all, uint32_t *out, uint32_t most)
{
    assay_slice in = assay_slice_of(bytes);
    assay_key_reader reader = {0};
    uint32_t n = 0;

    while (n < most && (out[n] = assay_key_next(&reader, &in, is_all)) != ASSAY_KEY_NONE)
        n++;
    return n;
}

TEST(sequences_and_characters_become_keys)
{
    static const uint32_t want[] = {'a',
                                    0xAC00,
                                    ASSAY_KEY_UP,
                                    ASSAY_KEY_DOWN,
                                    ASSAY_KEY_PAGE_UP,
                                    ASSAY_KEY_BACKSPACE,
                                    ASSAY_KEY_ENTER,
                                    ASSAY_KEY_CTRL('c')};
    uint32_t key[16];

    CHECK(keys_of("a가\033[A\033OB\033[5~\x7f\r\x03", false, key, 16) == 8);
    CHECK(memcmp(key, want, sizeof want) == 0);
}

TEST(a_lone_escape_waits_for_its_rest)
{
    uint32_t key[4];

    CHECK(keys_of("\033", false, key, 4) == 0);
    CHECK(keys_of("\033", true, key, 4) == 1 && key[0] == ASSAY_KEY_ESCAPE);
    CHECK(keys_of("\033[", false, key, 4) == 0);
    CHECK(keys_of("\xea\xb0", false, key, 4) == 0);
}

TEST(sequences_that_mean_nothing_are_passed_over)
{
    uint32_t key[4];

    CHECK(keys_of("\033[1;5Cx", false, key, 4) == 1 && key[0] == 'x');
}

TEST(line_breaks_that_are_pasted_are_blanks)
{
    uint32_t key[8];

    CHECK(keys_of("\033[200~a\nb\033[201~\n", false, key, 8) == 4);
    CHECK(key[1] == ' ' && key[3] == ASSAY_KEY_ENTER);
}

/* ---- lines ---- */

static bool line_is(const assay_line_edit *e, const char *text)
{
    return assay_slice_is(assay_buffer_view(&e->text), text);
}

TEST(a_line_is_edited_by_whole_characters)
{
    assay_line_edit e = {0};

    assay_line_edit_set(&e, ASSAY_LIT("환불 e\xcc\x81"));
    /* The accent goes with its letter. */
    CHECK(assay_line_edit_key(&e, ASSAY_KEY_BACKSPACE));
    CHECK(line_is(&e, "환불 "));
    assay_line_edit_key(&e, ASSAY_KEY_LEFT);
    assay_line_edit_key(&e, ASSAY_KEY_LEFT);
    assay_line_edit_key(&e, 0xC740);
    CHECK(line_is(&e, "환은불 "));
    assay_line_edit_key(&e, ASSAY_KEY_DELETE);
    CHECK(line_is(&e, "환은 "));
    assay_line_edit_key(&e, ASSAY_KEY_CTRL('u'));
    CHECK(line_is(&e, " ") && e.at == 0);
    CHECK(!assay_line_edit_key(&e, ASSAY_KEY_UP));
    assay_line_edit_clear(&e);
}

TEST(a_line_that_is_too_wide_shows_the_place_of_the_cursor)
{
    assay_line_edit e = {0};
    size_t column;
    assay_slice view;

    assay_line_edit_set(&e, ASSAY_LIT("가나다라마바사"));
    view = assay_line_edit_view(&e, 8, &column);
    /* Three characters of two columns, and one for the cursor. */
    CHECK(assay_slice_is(view, "마바사") && column == 6);
    assay_line_edit_key(&e, ASSAY_KEY_HOME);
    view = assay_line_edit_view(&e, 8, &column);
    CHECK(assay_slice_is(view, "가나다") && column == 0);
    assay_line_edit_clear(&e);
}

/* ---- rows ---- */

TEST(rows_are_broken_at_blanks_and_never_too_wide)
{
    assay_slice text = ASSAY_LIT("one two 가나다라 five\n\nsix");
    static const char *const want[] = {"one two ", "가나다라 ", "five", "", "six"};
    size_t at = 0;
    assay_slice row;

    for (size_t i = 0; i < ASSAY_COUNT(want); i++) {
        CHECK(assay_next_row(text, &at, 9, &row));
        CHECK(assay_slice_is(row, want[i]));
    }
    CHECK(!assay_next_row(text, &at, 9, &row));
}

TEST(text_of_others_cannot_move_the_cursor)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    /* ESC, the 8-bit CSI, a broken byte, the mark that turns text around. */
    CHECK(assay_put_cut(&out, ASSAY_LIT("a\033[2J\xc2\x9b\xff\xe2\x80\xae"), 80) == 8);
    CHECK(assay_slice_is(assay_buffer_view(&out), "a [2J \xef\xbf\xbd "));
    assay_buffer_clear(&out);
}

TEST(a_wide_character_that_does_not_fit_is_left_out)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    CHECK(assay_put_cut(&out, ASSAY_LIT("가나다"), 5) == 4);
    CHECK(assay_slice_is(assay_buffer_view(&out), "가나"));
    assay_buffer_clear(&out);
}

/* ---- the model ---- */

static const assay_passage passage[] = {
    {.doc = {"a.md", 4}, .text = {"One is here. Two is there.", 26}},
    {.doc = {"나.md", 6}, .text = {"하나. 둘.", 12}},
};
static assay_pool_sentence sentence[] = {{0, 12, {100, 112}}, {13, 26, {113, 126}}};
static const assay_pool_hit hit[] = {
    {&passage[0], {"A > B", 5}, sentence, 2},
    {&passage[1], {"", 0}, sentence, 0},
};
static const int32_t grade[] = {ASSAY_UNGRADED, 2};
static const assay_create_card card = {.id = {"q-1", 3},
                                       .text = {"What?", 5},
                                       .tags = {"x", 1},
                                       .is_draft = true,
                                       .grade = grade,
                                       .hit = hit,
                                       .n_hits = 2};

static assay_create_model model_of(void)
{
    assay_create_model m = {.title = "g.yaml", .rows = 24, .columns = 80};

    assay_create_show(&m, &card, false);
    return m;
}

TEST(marks_name_the_hit_under_the_cursor)
{
    assay_create_model m = model_of();
    assay_create_act act;

    act = assay_create_key(&m, ASSAY_KEY_DOWN);
    CHECK(act.wish == ASSAY_WISH_NONE);
    act = assay_create_key(&m, '1');
    CHECK(act.wish == ASSAY_WISH_JUDGE && act.hit == 1 && act.grade == 1);
    CHECK(act.first == ASSAY_NONE);
    /* No further than the last. */
    assay_create_key(&m, 'j');
    act = assay_create_key(&m, 'x');
    CHECK(act.wish == ASSAY_WISH_UNJUDGE && act.hit == 1);
    assay_create_clear(&m);
}

TEST(a_sentence_is_chosen_and_marked)
{
    assay_create_model m = model_of();
    assay_create_act act;

    assay_create_key(&m, 's');
    assay_create_key(&m, ASSAY_KEY_RIGHT);
    act = assay_create_key(&m, '2');
    CHECK(act.wish == ASSAY_WISH_JUDGE && act.first == 1 && act.last == 1);
    CHECK(m.mode == ASSAY_CREATE_HITS);
    assay_create_key(&m, 's');
    assay_create_key(&m, '+');
    act = assay_create_key(&m, '2');
    CHECK(act.first == 0 && act.last == 1);
    /* A hit without sentences has none to choose. */
    assay_create_key(&m, 'j');
    assay_create_key(&m, 's');
    CHECK(m.mode == ASSAY_CREATE_HITS);
    assay_create_clear(&m);
}

TEST(what_is_typed_is_no_command)
{
    assay_create_model m = model_of();

    assay_create_key(&m, 't');
    CHECK(assay_create_key(&m, 'q').wish == ASSAY_WISH_NONE);
    CHECK(line_is(&m.line, "xq"));
    CHECK(assay_create_key(&m, ASSAY_KEY_ENTER).wish == ASSAY_WISH_TAGS);
    assay_create_key(&m, 'm');
    CHECK(assay_create_key(&m, ASSAY_KEY_ESCAPE).wish == ASSAY_WISH_NONE);
    CHECK(m.mode == ASSAY_CREATE_HITS);
    assay_create_clear(&m);
}

/* Every size: as many rows as asked for, none wider than the terminal. */
TEST(the_picture_fits_every_terminal)
{
    static const uint32_t keys[] = {
        '?', 'a', 's', ASSAY_KEY_ESCAPE, 't', ASSAY_KEY_ESCAPE};
    assay_picture p = {0};

    for (uint32_t rows = 10; rows <= 60; rows += 7)
        for (uint32_t columns = 20; columns <= 200; columns += 9) {
            assay_create_model m = model_of();

            for (size_t k = 0; k < ASSAY_COUNT(keys); k++) {
                uint32_t n = 1;
                size_t start = 0;

                m.rows = rows;
                m.columns = columns;
                assay_create_key(&m, keys[k]);
                assay_create_draw(&m, &p);
                for (size_t i = 0; i <= p.text.len; i++) {
                    if (i < p.text.len && p.text.ptr[i] != '\n')
                        continue;
                    CHECK(assay_display_width(
                              (assay_slice){p.text.ptr + start, i - start}) <= columns);
                    start = i + 1;
                    n += i < p.text.len;
                }
                CHECK(n == rows);
            }
            assay_create_clear(&m);
        }
    assay_buffer_clear(&p.text);
}

TEST(a_terminal_that_is_too_small_is_taken_as_the_smallest)
{
    assay_create_model m = model_of();
    assay_picture p = {0};

    m.rows = m.columns = 0;
    assay_create_draw(&m, &p);
    CHECK(p.text.len > 0);
    assay_buffer_clear(&p.text);
    assay_create_clear(&m);
}

/* Whatever is typed, and whatever bytes a terminal sends. */
TEST(any_bytes_leave_a_picture_that_fits)
{
    assay_create_model m = model_of();
    assay_key_reader reader = {0};
    assay_picture p = {0};
    uint64_t seed = 7;
    char bytes[8];

    for (uint32_t round = 0; round < 20000; round++) {
        assay_slice in = {bytes, sizeof bytes};
        uint32_t key;

        for (size_t i = 0; i < sizeof bytes; i++) {
            static const char some[] = "\033\033[[~AB5O\r\x7fst?qm+\xea\xb0\x80";

            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[i] =
                seed >> 63 ? (char)(seed >> 40) : some[(seed >> 33) % (sizeof some)];
        }
        while ((key = assay_key_next(&reader, &in, true)) != ASSAY_KEY_NONE) {
            assay_create_act act = assay_create_key(&m, key);

            CHECK(act.hit < 2);
            if (act.wish == ASSAY_WISH_ASK || act.wish == ASSAY_WISH_QUIT)
                assay_create_show(&m, &card, false);
            if (act.wish == ASSAY_WISH_NEXT)
                assay_create_ask(&m);
        }
        m.rows = 10 + round % 30;
        m.columns = 20 + round % 90;
        assay_create_draw(&m, &p);
        CHECK(p.row < m.rows && p.column < m.columns);
        if (m.line.text.len > 500)
            assay_line_edit_set(&m.line, ASSAY_LIT(""));
    }
    assay_buffer_clear(&p.text);
    assay_create_clear(&m);
}
