/* SPDX-License-Identifier: Apache-2.0 */
/* Single cuts, by hand: spelling, ids, sections, what stays whole, overlap. */
#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/chunker.h"
#include "testing.h"

static assay_arena arena;

static assay_chunks cut(const char *spec, assay_form form, const char *text)
{
    assay_document doc = {
        .id = ASSAY_LIT("a.md"), .text = assay_slice_of(text), .form = form};
    assay_chunking chunking;
    assay_chunks out;
    assay_error err = {ASSAY_OK, ""};

    if (assay_chunking_read(assay_slice_of(spec), &chunking, &err) ||
        assay_chunking_cut(&chunking, &doc, &arena, &out, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return out;
}

/* The chunks of `text`, each between brackets. */
static const char *cuts(const char *spec, assay_form form, const char *text)
{
    static char shown[2][4096];
    static int turn;
    char *out = shown[turn = !turn];
    assay_chunks got = cut(spec, form, text);
    size_t n = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < got.n; i++) {
        assay_span s = got.chunk[i].span[0];

        n += (size_t)snprintf(out + n, sizeof shown[0] - n, "[%.*s]",
                              (int)(s.end - s.start), text + s.start);
    }
    assay_arena_clear(&arena);
    return out;
}

#define MD    ASSAY_FORM_MARKDOWN
#define PLAIN ASSAY_FORM_PLAIN
#define CODE  ASSAY_FORM_CODE

/* ---- spelling ---- */

static const char *spell(const char *spec)
{
    static char shown[1100];
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_chunking chunking;
    assay_error err;

    if (assay_chunking_read(assay_slice_of(spec), &chunking, &err)) {
        CHECK(err.status == ASSAY_EUSAGE);
        snprintf(shown, sizeof shown, "%s", err.text);
        return shown;
    }
    assay_chunking_print(&chunking, &b);
    snprintf(shown, sizeof shown, "%.*s", (int)b.len, b.ptr);
    assay_buffer_clear(&b);
    return shown;
}

TEST(a_spelling_is_printed_in_full)
{
    CHECK_STR(spell("md-heading"), "md-heading@1(target=500,overlap=80,max=4000)");
    CHECK_STR(spell("md-heading@1"), "md-heading@1(target=500,overlap=80,max=4000)");
    CHECK_STR(spell(" md-heading( max = 900 , target=300 ) "),
              "md-heading@1(target=300,overlap=80,max=900)");
    CHECK_STR(spell("whole()"), "whole@1");
    CHECK_STR(spell("chars(size=200)"), "chars@1(size=200,overlap=0)");
}

TEST(a_wrong_spelling_says_what_is_wrong)
{
    CHECK_STR(spell("md-headings"),
              "no chunker 'md-headings'; did you mean 'md-heading'?");
    CHECK_STR(spell("xyzzy-plugh"), "no chunker 'xyzzy-plugh'; see 'assay chunker list'");
    CHECK_STR(spell(""), "no chunker ''; see 'assay chunker list'");
    CHECK_STR(spell("md-heading@2"), "md-heading@2: this program has md-heading@1");
    CHECK_STR(spell("md-heading@x"), "md-heading@x: this program has md-heading@1");
    CHECK_STR(spell("md-heading(target=3"),
              "'md-heading(target=3' lacks its closing bracket");
    CHECK_STR(spell("md-heading(tarqet=3)"),
              "md-heading has no parameter 'tarqet'; the nearest is 'target'");
    CHECK_STR(spell("md-heading(target=many)"),
              "md-heading: target='many' is not a whole number from 1 to 1000000");
    CHECK_STR(spell("md-heading(target)"),
              "md-heading: target='' is not a whole number from 1 to 1000000");
    CHECK_STR(spell("md-heading(target=0)"),
              "md-heading: target='0' is not a whole number from 1 to 1000000");
    CHECK_STR(spell("chars(size=5,size=6)"), "chars: 'size' is given twice");
    CHECK_STR(spell("chars(size=5,overlap=5)"),
              "chars: overlap=5 is not less than size=5");
    CHECK_STR(spell("sentence(target=50,overlap=26)"),
              "sentence: overlap=26 is more than half of target=50");
    CHECK_STR(spell("sentence(target=50,max=49)"),
              "sentence: target=50 is more than max=49");
    CHECK_STR(spell("whole(size=1)"), "whole takes no parameters; got 'size'");
}

/* ---- ids ---- */

static const char *id_of(const assay_chunk *chunk)
{
    static char shown[4][ASSAY_CHUNK_ID_CHARS + 1];
    static unsigned turn;
    char *out = shown[turn++ % 4];

    assay_chunk_id_print(chunk->id, out);
    out[ASSAY_CHUNK_ID_CHARS] = '\0';
    return out;
}

/* The expected ids were computed by Python's hashlib and struct from the words of
 * docs/FORMATS.md. */
TEST(ids_are_what_the_formats_page_says)
{
    assay_chunks got =
        cut("md-heading", MD, "Same.\n\n# A\n\n## B\n\nSame.\n\n## B\n\nSame.\n");
    uint8_t id[ASSAY_CHUNK_ID_BYTES];

    CHECK_INT(got.n, 4);
    CHECK_STR(id_of(&got.chunk[0]), "28cc3d0434b4ffe282c7b202403c4be3");
    CHECK_STR(id_of(&got.chunk[2]), "c731243707c98dee2cb5b184ce4e58f5");
    CHECK_STR(id_of(&got.chunk[3]), "352ce3645882e0b4dffd1129799d6a7f");
    CHECK(assay_chunk_id_read(assay_slice_of(id_of(&got.chunk[2])), id));
    CHECK(memcmp(id, got.chunk[2].id, sizeof id) == 0);
    CHECK(!assay_chunk_id_read(ASSAY_LIT("12"), id));
    CHECK(!assay_chunk_id_read(ASSAY_LIT("zz345678901234567890123456789012"), id));
    assay_arena_clear(&arena);
}

TEST(ids_change_with_document_policy_and_path_and_not_with_the_place)
{
    assay_chunks a = cut("md-heading", MD, "# A\n\nText.\n");
    assay_chunks b = cut("md-heading", MD, "Before it.\n\n\n# A\n\nText.\n\n# Z\n");
    assay_chunks c = cut("md-heading(target=499)", MD, "# A\n\nText.\n");

    CHECK_STR(id_of(&a.chunk[0]), id_of(&b.chunk[1]));
    CHECK(strcmp(id_of(&a.chunk[0]), id_of(&c.chunk[0])) != 0);
    CHECK_INT(b.chunk[1].first_line, 4);
    CHECK_INT(b.chunk[1].last_line, 6);
    assay_arena_clear(&arena);
}

/* ---- md-heading ---- */

TEST(a_heading_begins_a_chunk_and_stays_with_what_follows)
{
    CHECK_STR(cuts("md-heading(target=4,overlap=0)", MD,
                   "# A\n\nA paragraph of many words.\n\nAnother.\n\n## B\n### C\n\nx"),
              "[# A\n\nA paragraph of many words.][Another.][## B][### C\n\nx]");
}

TEST(code_and_tables_stay_whole)
{
    CHECK_STR(cuts("md-heading(target=5,overlap=0)", MD,
                   "Text.\n\n```\na\n\n# b\n\nc and more\n```\nEnd.\n"),
              "[Text.][```\na\n\n# b\n\nc and more\n```][End.]");
    CHECK_STR(cuts("md-heading(target=5,overlap=0)", MD,
                   "Text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd."),
              "[Text.][| a | b |\n|---|---|\n| 1 | 2 |][End.]");
    CHECK_STR(cuts("md-heading(target=3,overlap=0)", MD,
                   "Text.\n\n    int x;\n\n    int y;\nEnd."),
              "[Text.][    int x;\n\n    int y;][End.]");
}

TEST(what_is_above_the_maximum_is_split_at_lines_sentences_words_characters)
{
    CHECK_STR(
        cuts("md-heading(target=4,overlap=0,max=4)", MD, "```\nab cd\nef gh\n```\n"),
        "[```\nab cd][ef gh\n```]");
    CHECK_STR(cuts("md-heading(target=4,overlap=0,max=4)", PLAIN, "One two. Six seven."),
              "[One two.][Six seven.]");
    CHECK_STR(cuts("md-heading(target=4,overlap=0,max=4)", PLAIN, "one two three four"),
              "[one two][three four]");
    CHECK_STR(cuts("md-heading(target=4,overlap=0,max=4)", PLAIN, "한국어문장입니다"),
              "[한국어문][장입니다]");
}

/* The line break and the indentation behind a cut were looked at again. */
TEST(a_cut_before_a_line_break_and_blanks_goes_on_behind_them)
{
    CHECK_STR(cuts("md-heading(target=4,overlap=0,max=4)", MD,
                   "abcdefghijkl\n   mnopqrstuvwxyz0123"),
              "[abcdefghijkl][mnopqrstuvwx][yz0123]");
}

TEST(overlap_repeats_blocks_or_sentences_of_the_same_section)
{
    CHECK_STR(cuts("md-heading(target=10,overlap=5)", MD,
                   "# A\n\nFirst one here.\n\nTwo.\n\nThree is longer.\n\n# B\n\nx"),
              "[# A\n\nFirst one here.\n\nTwo.][Two.\n\nThree is longer.][# B\n\nx]");
    CHECK_STR(cuts("md-heading(target=10,overlap=5)", MD,
                   "First one is it. And two.\n\nThe next block."),
              "[First one is it. And two.][And two.\n\nThe next block.]");
}

TEST(pages_are_the_sections_of_plain_text)
{
    CHECK_STR(cuts("md-heading", PLAIN, "One.\n\nTwo.\n\fThree.\n\f\fFour."),
              "[One.\n\nTwo.][Three.][Four.]");
}

TEST(code_is_cut_between_functions)
{
    CHECK_STR(cuts("md-heading(target=10,overlap=0)", CODE,
                   "int a(void)\n{\n    f();\n\n    g();\n}\n\nint b(void)\n{\n}\n"),
              "[int a(void)\n{\n    f();][    g();\n}\n\nint b(void)\n{\n}]");
    CHECK_STR(cuts("md-heading(target=14,overlap=0)", CODE,
                   "int a(void)\n{\n    f();\n\n    g();\n}\n\nint b(void)\n{\n}\n"),
              "[int a(void)\n{\n    f();\n\n    g();\n}][int b(void)\n{\n}]");
}

/* ---- the others ---- */

TEST(windows_of_characters_are_exact)
{
    CHECK_STR(cuts("chars(size=4,overlap=1)", PLAIN, "abcdefghij"), "[abcd][defg][ghij]");
    CHECK_STR(cuts("chars(size=3)", PLAIN, "한국어 문장"), "[한국어][ 문장]");
    CHECK_STR(cuts("chars(size=2)", PLAIN, "a\xFF\xF0\x9F\x98\x80z"),
              "[a\xFF][\xF0\x9F\x98\x80z]");
}

TEST(windows_of_words_share_words)
{
    CHECK_STR(cuts("words(size=3,overlap=1)", PLAIN, "a b c d\ne  f g"),
              "[a b c][c d\ne][e  f g]");
    CHECK_STR(cuts("words(size=2,overlap=0)", PLAIN, "中文字 ab"), "[中文][字 ab]");
}

TEST(windows_of_lines_end_at_blank_lines)
{
    CHECK_STR(cuts("lines(size=4,overlap=0)", CODE, "a\nb\n\nc\nd\ne\nf\n"),
              "[a\nb][c\nd\ne\nf]");
    CHECK_STR(cuts("lines(size=2,overlap=1)", CODE, " a\n b\n c\n"), "[ a\n b][ b\n c]");
}

TEST(paragraphs_and_the_whole)
{
    CHECK_STR(cuts("paragraph(target=1)", PLAIN, "  a\nb\n \n\nc\n"), "[  a\nb][c]");
    CHECK_STR(cuts("whole", MD, "\n\n# a\n\nb\n\n"), "[# a\n\nb]");
}

TEST(headings_are_found_with_their_sections)
{
    static const char text[] = "x\n\n# A\n\n## B *c*\n\n> # no\n\nD\nd\n===\n";
    assay_document doc = {.id = ASSAY_LIT("a"),
                          .text =
                              ASSAY_LIT("x\n\n# A\n\n## B *c*\n\n> # no\n\nD\nd\n===\n"),
                          .form = MD};
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    assay_chunks got;

    CHECK(assay_headings_find(&doc, &arena, &got));
    CHECK_INT(got.n, 0);
    CHECK_INT(got.n_headings, 3);
    assay_heading_path(&got, 1, &path);
    assay_buffer_text(&path, "|");
    assay_heading_path(&got, 2, &path);
    assay_buffer_text(&path, "|");
    assay_heading_path(&got, ASSAY_NONE, &path);
    CHECK(assay_slice_is(assay_buffer_view(&path), "A > B *c*|D d|"));
    CHECK_INT(got.heading[0].section.start, 3);
    CHECK_INT(got.heading[0].section.end, strstr(text, "D\n") - text);
    CHECK_INT(got.heading[2].section.end, sizeof text - 1);
    assay_buffer_clear(&path);
    assay_arena_clear(&arena);
}

/* ---- size ---- */

TEST(a_long_text_without_a_line_break_is_cut_by_all)
{
    const size_t n = (size_t)8 << 20;
    char *text = malloc(n + 1);
    const assay_chunker *chunker;

    CHECK(text != NULL);
    memset(text, 'a', n);
    text[n] = '\0';
    for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++)
        for (int form = 0; form < 3; form++) {
            assay_chunks got = cut(chunker->name, (assay_form)form, text);

            CHECK(got.n >= 1);
            CHECK_INT(got.chunk[got.n - 1].span[0].end, n);
            assay_arena_clear(&arena);
        }
    free(text);
}

#ifdef ASSAY_TEST
TEST(each_allocation_may_fail)
{
    static const char text[] =
        "# A\n\nText. More.\n\n## B\n\n- one\n- two\n\nEnd of it.\n";
    const assay_chunker *chunker;

    for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++)
        for (uint64_t n = 1;; n++) {
            assay_document doc = {
                .id = ASSAY_LIT("a"), .text = assay_slice_of(text), .form = MD};
            assay_arena own = ASSAY_ARENA_EMPTY;
            assay_chunking chunking;
            assay_chunks got = {.n = 77};
            assay_status st;
            int has_failed;

            CHECK(assay_chunking_read(assay_slice_of(chunker->name), &chunking, NULL) ==
                  ASSAY_OK);
            assay_mem_fail_after(n);
            st = assay_chunking_cut(&chunking, &doc, &own, &got, NULL);
            has_failed = assay_mem_has_failed();
            assay_mem_fail_after(0);
            assay_arena_clear(&own);
            CHECK(st == (has_failed ? ASSAY_ENOMEM : ASSAY_OK));
            CHECK(st == ASSAY_OK || got.n == 77);
            if (!has_failed)
                break;
        }
}
#endif
