/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate.h"

#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

static assay_arena arena;

/* One thing sought in one text. */
static assay_located find(const char *text, assay_sought sought)
{
    assay_document doc = {.id = ASSAY_LIT("d"), .text = assay_slice_of(text)};
    assay_located out;
    assay_error err = {ASSAY_OK, ""};

    doc.form = ASSAY_FORM_MARKDOWN;
    CHECK_INT(assay_locate(&doc, &sought, 1, &out, &arena, &err), ASSAY_OK);
    return out;
}

static assay_located find_quote(const char *text, const char *quote)
{
    return find(text, (assay_sought){.quote = assay_slice_of(quote)});
}

static assay_located find_hinted(const char *text, const char *quote, assay_place place,
                                 uint64_t start, uint64_t end)
{
    return find(text, (assay_sought){.quote = assay_slice_of(quote),
                                     .place = place,
                                     .where = {start, end}});
}

static assay_located find_place(const char *text, assay_place place, uint64_t start,
                                uint64_t end)
{
    return find(text, (assay_sought){.place = place, .where = {start, end}});
}

/* The located bytes, as a string that lives in the arena. */
static const char *taken(const char *text, assay_located l)
{
    CHECK(l.span.start <= l.span.end && l.span.end <= strlen(text));
    return assay_arena_string(
        &arena, (assay_slice){text + l.span.start, (size_t)(l.span.end - l.span.start)});
}

#define CHECK_FOUND(text, l, want_finding, want_rung, want_text)  \
    do {                                                          \
        CHECK_STR(assay_finding_name((l).finding), want_finding); \
        CHECK_STR(assay_rung_name((l).rung), want_rung);          \
        CHECK_STR(taken(text, l), want_text);                     \
    } while (0)

/* ---- rung 1 ---- */

TEST(a_quote_that_stands_once_is_resolved_by_its_bytes)
{
    const char *text = "One.\nTwo words here.\nThree.\n";
    assay_located l = find_quote(text, "words here");

    CHECK_FOUND(text, l, "resolved", "exact", "words here");
    CHECK_INT(l.span.start, 9);
    CHECK_INT(l.first_line, 2);
    CHECK_INT(l.last_line, 2);
    CHECK_INT(l.n_places, 1);
    CHECK(l.reason == NULL);
}

TEST(the_exact_rung_decides_though_the_folded_one_has_more)
{
    const char *text = "REFUND policy. Refund policy. refund policy.";
    assay_located l = find_quote(text, "Refund policy");

    CHECK_FOUND(text, l, "resolved", "exact", "Refund policy");
    CHECK_INT(l.n_places, 1);
}

TEST(a_quote_may_be_the_whole_text_or_one_letter)
{
    CHECK_FOUND("abc", find_quote("abc", "abc"), "resolved", "exact", "abc");
    CHECK_FOUND("abc", find_quote("abc", "a"), "resolved", "exact", "a");
    CHECK_FOUND("abc", find_quote("abc", "c"), "resolved", "exact", "c");
    CHECK_FOUND("abc", find_quote("abc", "bc"), "resolved", "exact", "bc");
}

TEST(a_quote_over_several_lines_says_which)
{
    const char *text = "a\nb\nc\nd\n";
    assay_located l = find_quote(text, "b\nc\n");

    CHECK_INT(l.first_line, 2);
    CHECK_INT(l.last_line, 3);
}

/* ---- several places ---- */

TEST(a_quote_that_stands_twice_is_ambiguous_without_a_hint)
{
    const char *text = "same\nother\nsame\n";
    assay_located l = find_quote(text, "same");

    CHECK_FOUND(text, l, "ambiguous", "exact", "same");
    CHECK_INT(l.span.start, 0);
    CHECK_INT(l.n_places, 2);
    CHECK_STR(l.reason, "stands 2 times: lines 1, 3");
}

TEST(overlapping_occurrences_are_counted)
{
    assay_located l = find_quote("aaaa", "aa");

    CHECK_INT(l.n_places, 3);
    CHECK_STR(l.reason, "stands 3 times: lines 1, 1, 1");
}

TEST(many_places_are_counted_up_to_a_thousand)
{
    static char text[4001];
    assay_located l;

    for (int i = 0; i < 2000; i++)
        memcpy(text + i * 2, "a\n", 2);
    l = find_quote(text, "a");
    CHECK_INT(l.finding, ASSAY_FOUND_AMBIGUOUS);
    CHECK_INT(l.n_places, 1000);
    CHECK_STR(l.reason, "stands 1000 times or more: lines 1, 2, 3, 4, 5, ...");
    /* A hint still chooses among all of them. */
    l = find_hinted(text, "a", ASSAY_PLACE_LINES, 1700, 1700);
    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.first_line, 1700);
    l = find_hinted(text, "A", ASSAY_PLACE_LINES, 1700, 1700);
    CHECK_INT(l.rung, ASSAY_RUNG_FOLDED);
    CHECK_INT(l.first_line, 1700);
    l = find_hinted(text, "a", ASSAY_PLACE_SPAN, 3401, 3402);
    CHECK_INT(l.finding, ASSAY_FOUND_MOVED);
    CHECK_INT(l.span.start, 3400);
}

TEST(a_hint_of_lines_chooses)
{
    const char *text = "same\nother\nsame\n";
    assay_located l = find_hinted(text, "same", ASSAY_PLACE_LINES, 3, 3);

    CHECK_FOUND(text, l, "resolved", "exact", "same");
    CHECK_INT(l.first_line, 3);
    CHECK_INT(l.n_places, 2);
    CHECK(l.reason == NULL);
}

TEST(a_hint_of_bytes_or_characters_chooses)
{
    const char *text = "\xC3\xA9 same, same";
    assay_located l = find_hinted(text, "same", ASSAY_PLACE_SPAN, 9, 13);

    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.span.start, 9);
    l = find_hinted(text, "same", ASSAY_PLACE_CHARS, 8, 12);
    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.span.start, 9);
    /* A hint that is wider than the quote */
    l = find_hinted(text, "same", ASSAY_PLACE_SPAN, 7, 13);
    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.span.start, 9);
}

TEST(where_none_is_at_the_hint_the_nearest_is_taken_as_moved)
{
    const char *text = "same\n\n\n\n\n\n\nsame\n\n";
    assay_located l = find_hinted(text, "same", ASSAY_PLACE_LINES, 7, 7);

    CHECK_FOUND(text, l, "moved", "exact", "same");
    CHECK_INT(l.first_line, 8);
    CHECK_STR(l.reason, "given at line 7, found at line 8");
    l = find_hinted(text, "same", ASSAY_PLACE_LINES, 2, 3);
    CHECK_INT(l.first_line, 1);
    CHECK_STR(l.reason, "given at lines 2-3, found at line 1");
}

TEST(a_hint_beyond_the_text_only_says_that_it_moved)
{
    const char *text = "one\ntwo words\n";
    assay_located l = find_hinted(text, "two", ASSAY_PLACE_LINES, 40, 52);

    CHECK_FOUND(text, l, "moved", "exact", "two");
    CHECK_STR(l.reason, "given at lines 40-52, found at line 2");
    l = find_hinted(text, "two", ASSAY_PLACE_SPAN, 100, 103);
    CHECK_STR(l.reason, "given at bytes 100-103, found at line 2 (bytes 4-7)");
}

TEST(two_places_at_the_hint_are_ambiguous)
{
    const char *text = "same same\nother\nsame\n";
    assay_located l = find_hinted(text, "same", ASSAY_PLACE_LINES, 1, 1);

    CHECK_INT(l.finding, ASSAY_FOUND_AMBIGUOUS);
    CHECK_INT(l.n_places, 3);
    CHECK_STR(l.reason, "stands 2 times at line 1: lines 1, 1");
}

TEST(of_quotes_that_touch_the_lines_the_one_inside_is_meant)
{
    /* The second copy begins on the line where the first ends. */
    const char *text = "x\nfirst\nlast first\nlast\n";
    assay_located l = find_hinted(text, "first\nlast", ASSAY_PLACE_LINES, 2, 3);

    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.first_line, 2);
    /* It touches the line, and nothing is inside. */
    l = find_hinted("x\nfirst\nlast\n", "first\nlast", ASSAY_PLACE_LINES, 3, 3);
    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
}

/* ---- rung 2 ---- */

TEST(case_and_white_space_are_folded_on_both_sides)
{
    const char *text = "x  The  Finance\r\n\tLead approves. y";
    assay_located l = find_quote(text, " the finance LEAD\napproves. ");

    CHECK_FOUND(text, l, "resolved", "folded", "The  Finance\r\n\tLead approves.");
    CHECK_INT(l.first_line, 1);
    CHECK_INT(l.last_line, 2);
}

TEST(composed_and_decomposed_letters_are_the_same)
{
    const char *nfc = "un caf\xC3\xA9 noir";
    const char *nfd = "un cafe\xCC\x81 noir";

    CHECK_FOUND(nfd, find_quote(nfd, "CAF\xC3\xA9 noir"), "resolved", "folded",
                "cafe\xCC\x81 noir");
    CHECK_FOUND(nfc, find_quote(nfc, "un cafe\xCC\x81"), "resolved", "folded",
                "un caf\xC3\xA9");
    /* e without its accent is another letter */
    CHECK_STR(assay_finding_name(find_quote(nfc, "cafe").finding), "lost");
}

TEST(hangul_matches_in_syllables_and_in_jamo)
{
    /* han-geul: two syllables, or six jamo */
    const char *syllables = "x \xED\x95\x9C\xEA\xB8\x80 y";
    const char *jamo =
        "x \xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB\xE1\x84\x80\xE1\x85\xB3\xE1\x86\xAF y";

    CHECK_FOUND(syllables,
                find_quote(syllables, "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"
                                      "\xE1\x84\x80\xE1\x85\xB3\xE1\x86\xAF"),
                "resolved", "folded", "\xED\x95\x9C\xEA\xB8\x80");
    CHECK_FOUND(
        jamo, find_quote(jamo, "\xED\x95\x9C\xEA\xB8\x80"), "resolved", "folded",
        "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB\xE1\x84\x80\xE1\x85\xB3\xE1\x86\xAF");
}

TEST(soft_hyphens_and_zero_width_characters_are_dropped)
{
    const char *text = "a re\xC2\xADtrie\xE2\x80\x8Bval b";

    CHECK_FOUND(text, find_quote(text, "retrieval"), "resolved", "folded",
                "re\xC2\xADtrie\xE2\x80\x8Bval");
    /* and none is taken in at the ends */
    CHECK_FOUND(text, find_quote(text, "TRIE"), "resolved", "folded", "trie");
}

TEST(a_hyphen_at_a_line_break_between_letters_is_joined)
{
    const char *text = "the eval-\n  uation of 2-\n3 exam-\r\nples";

    CHECK_FOUND(text, find_quote(text, "evaluation of"), "resolved", "folded",
                "eval-\n  uation of");
    CHECK_FOUND(text, find_quote(text, "examples"), "resolved", "folded",
                "exam-\r\nples");
    CHECK_FOUND(text, find_quote(text, "OF 2- 3"), "resolved", "folded", "of 2-\n3");
}

TEST(typographic_quotes_dashes_and_dots_are_their_plain_forms)
{
    const char *text = "He said \xE2\x80\x9Cit\xE2\x80\x99s 3\xE2\x80\x93"
                       "4\xE2\x80\xA6\xE2\x80\x9D.";

    CHECK_FOUND(text, find_quote(text, "\"it's 3-4...\""), "resolved", "folded",
                "\xE2\x80\x9Cit\xE2\x80\x99s 3\xE2\x80\x93"
                "4\xE2\x80\xA6\xE2\x80\x9D");
}

TEST(letters_that_fold_to_two_are_taken_whole)
{
    const char *text = "die Stra\xC3\x9F"
                       "e da";

    CHECK_FOUND(text, find_quote(text, "STRASSE"), "resolved", "folded",
                "Stra\xC3\x9F"
                "e");
    CHECK_FOUND(text, find_quote(text, "STRAS"), "resolved", "folded", "Stra\xC3\x9F");
}

/* ---- rung 3 ---- */

TEST(a_tenth_of_the_quote_may_differ)
{
    const char *text = "It is approved by the finance lead within 30 days of receipt.";
    assay_located l = find_quote(text, "approved by the finanse lead within thirty days");

    /* s for c; and thirty for 30 is 6 edits: 7 of 47 are too many */
    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    CHECK_STR(l.reason, "not in the document, not even with 4 edits in 47 characters");
    l = find_quote(text, "approved by teh finanse lead within 31 days");
    CHECK_FOUND(text, l, "resolved", "edited",
                "approved by the finance lead within 30 days");
    CHECK_INT(l.distance, 4);
    CHECK(l.reason == NULL);
}

TEST(no_stray_characters_are_taken_in_at_the_ends_of_an_edited_match)
{
    const char *text = "abc ... the quick brown fox jumps ... def";

    CHECK_FOUND(text, find_quote(text, "the quick brwn fox jumps"), "resolved", "edited",
                "the quick brown fox jumps");
    CHECK_FOUND(text, find_quote(text, "xthe quick brown fox jumps"), "resolved",
                "edited", "the quick brown fox jumps");
    CHECK_FOUND(text, find_quote(text, "the quick brown fox jumpsy"), "resolved",
                "edited", "the quick brown fox jumps");
}

TEST(a_page_number_in_the_middle_is_bridged)
{
    const char *text = "The receiving party shall not disclose the\n\n12\n\nconfidential "
                       "information to anyone but its employees.";
    assay_located l = find_quote(text, "receiving party shall not disclose the "
                                       "confidential information to anyone");

    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.rung, ASSAY_RUNG_EDITED);
    CHECK_INT(l.distance, 3); /* " 12" */
}

TEST(the_best_of_several_edited_places_is_taken)
{
    const char *text = "the quick brown fxo jumps. the quick brown fx jumps. "
                       "teh quick brown fx jumps.";
    assay_located l = find_quote(text, "the quick brown fox jumps.");

    CHECK_FOUND(text, l, "resolved", "edited", "the quick brown fx jumps.");
    CHECK_INT(l.distance, 1);
    CHECK_INT(l.n_places, 1);
}

TEST(equally_good_edited_places_are_ambiguous_and_a_hint_chooses)
{
    const char *text = "the quick brwn fox jumps.\nthe quick brown fx jumps.\n";
    const char *quote = "the quick brown fox jumps.";
    assay_located l = find_quote(text, quote);

    CHECK_FOUND(text, l, "ambiguous", "edited", "the quick brwn fox jumps.");
    CHECK_INT(l.n_places, 2);
    CHECK_STR(l.reason, "stands 2 times: lines 1, 2");
    l = find_hinted(text, quote, ASSAY_PLACE_LINES, 2, 2);
    CHECK_FOUND(text, l, "resolved", "edited", "the quick brown fx jumps.");
}

TEST(edits_are_counted_in_characters_not_bytes)
{
    /* ten syllables, one of them another */
    const char *text = "\xEA\xB0\x80\xEB\x82\x98\xEB\x8B\xA4\xEB\x9D\xBC\xEB\xA7\x88"
                       "\xEB\xB0\x94\xEC\x82\xAC\xEC\x95\x84\xEC\x9E\x90\xEC\xB0\xA8";
    const char *quote = "\xEA\xB0\x80\xEB\x82\x98\xEB\x8B\xA4\xEB\x9D\xBC\xF0\x9F\x98\x80"
                        "\xEB\xB0\x94\xEC\x82\xAC\xEC\x95\x84\xEC\x9E\x90\xEC\xB0\xA8";
    assay_located l = find_quote(text, quote);

    CHECK_FOUND(text, l, "resolved", "edited", text);
    CHECK_INT(l.distance, 1);
}

/* ---- lost ---- */

TEST(what_is_not_there_is_lost_with_a_reason)
{
    assay_located l = find_quote("some text", "other");

    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    CHECK_INT(l.rung, ASSAY_RUNG_NONE);
    CHECK_INT(l.span.start, 0);
    CHECK_INT(l.span.end, 0);
    CHECK_INT(l.first_line, 0);
    CHECK_INT(l.n_places, 0);
    CHECK_STR(l.reason, "not in the document; edits are allowed from 10 characters on");
    l = find_quote("short", "a quote that is longer than the text");
    CHECK_STR(l.reason, "not in the document, not even with 3 edits in 36 characters");
    l = find_quote("", "quote");
    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    l = find_quote("text", "");
    CHECK_STR(l.reason, "nothing to look for");
    l = find_quote("text", "\n\t\xC2\xAD");
    CHECK_STR(l.reason, "the quote is blank");
}

/* ---- broken UTF-8 ---- */

TEST(broken_bytes_stand_for_themselves)
{
    const char *text = "ab\xFF\xE2\x82 Cd\xC3";

    CHECK_FOUND(text, find_quote(text, "b\xFF\xE2"), "resolved", "exact", "b\xFF\xE2");
    CHECK_FOUND(text, find_quote(text, "\xE2\x82  cD\xC3"), "resolved", "folded",
                "\xE2\x82 Cd\xC3");
    /* A quote that some tool cut inside of a letter: not exact, and the letter is taken
     * whole. */
    text = "a caf\xC3\xA9";
    CHECK_FOUND(text, find_quote(text, "caf\xC3"), "resolved", "folded", "caf\xC3\xA9");
    CHECK_FOUND(text, find_quote(text, "\xA9"), "resolved", "folded", "\xC3\xA9");
}

/* ---- places without a quote ---- */

TEST(lines_are_the_evidence_where_there_is_no_quote)
{
    const char *text = "one\ntwo\nthree";
    assay_located l = find_place(text, ASSAY_PLACE_LINES, 2, 2);

    CHECK_FOUND(text, l, "resolved", "none", "two\n");
    CHECK_INT(l.n_places, 1);
    l = find_place(text, ASSAY_PLACE_LINES, 1, 3);
    CHECK_STR(taken(text, l), text);
    CHECK_INT(l.last_line, 3);
    l = find_place(text, ASSAY_PLACE_LINES, 40, 52);
    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    CHECK_STR(l.reason, "lines 40-52, but the document has 3");
    l = find_place(text, ASSAY_PLACE_LINES, 2, 4);
    CHECK_STR(l.reason, "lines 2-4, but the document has 3");
    l = find_place(text, ASSAY_PLACE_LINES, 0, 4);
    CHECK_STR(l.reason, "lines 0-4, but lines count from 1");
    l = find_place(text, ASSAY_PLACE_LINES, 3, 2);
    CHECK_STR(l.reason, "lines 3-2 end before they begin");
    l = find_place("", ASSAY_PLACE_LINES, 1, 1);
    CHECK_STR(l.reason, "line 1, but the document has 0");
}

TEST(bytes_and_characters_are_checked_against_the_text)
{
    const char *text = "a\xC3\xA9\xE2\x82\xAC z";
    assay_located l = find_place(text, ASSAY_PLACE_SPAN, 1, 3);

    CHECK_FOUND(text, l, "resolved", "none", "\xC3\xA9");
    l = find_place(text, ASSAY_PLACE_CHARS, 1, 3);
    CHECK_FOUND(text, l, "resolved", "none", "\xC3\xA9\xE2\x82\xAC");
    /* snapped outward */
    l = find_place(text, ASSAY_PLACE_SPAN, 2, 4);
    CHECK_FOUND(text, l, "resolved", "none", "\xC3\xA9\xE2\x82\xAC");
    l = find_place(text, ASSAY_PLACE_SPAN, 7, 9);
    CHECK_STR(l.reason, "bytes 7-9, but the document has 8");
    l = find_place(text, ASSAY_PLACE_CHARS, 4, 6);
    CHECK_STR(l.reason, "characters 4-6, but the document has 5");
    l = find_place(text, ASSAY_PLACE_SPAN, 4, 4);
    CHECK_STR(l.reason, "bytes 4-4 are empty");
    l = find_place(text, ASSAY_PLACE_CHARS, UINT64_MAX - 1, UINT64_MAX);
    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
}

/* ---- headings ---- */

static assay_located find_heading(const char *text, const char *heading)
{
    return find(text, (assay_sought){.heading = assay_slice_of(heading)});
}

TEST(a_heading_stands_for_its_section)
{
    const char *text =
        "# Guide\n\nIntro.\n\n## Refunds\n\nMoney.\n\n### Approval\n\nLead."
        "\n\n## Shipping\n\nBoats.\n\n### Approval\n\nCaptain.\n";
    assay_located l = find_heading(text, "refunds");

    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.rung, ASSAY_RUNG_NONE);
    CHECK_INT(l.first_line, 5);
    CHECK(strncmp(text + l.span.start, "## Refunds", 10) == 0);
    CHECK(strncmp(text + l.span.end, "## Shipping", 11) == 0);
    l = find_heading(text, "Approval");
    CHECK_INT(l.finding, ASSAY_FOUND_AMBIGUOUS);
    CHECK_STR(l.reason, "stands 2 times: lines 9, 17");
    l = find_heading(text, "Shipping > Approval");
    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.first_line, 17);
    l = find_heading(text, "guide  >  refunds > approval");
    CHECK_INT(l.first_line, 9);
    l = find_heading(text, "Returns");
    CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    CHECK_STR(l.reason, "no heading 'Returns'");
    CHECK_INT(find_heading("no headings here", "Refunds").finding, ASSAY_FOUND_LOST);
}

TEST(a_path_that_is_given_whole_counts_before_one_that_ends_alike)
{
    const char *text = "# A\n\n## B\n\nx\n\n# Z\n\n## A\n\n### B\n\ny\n";

    CHECK_INT(find_heading(text, "A > B").first_line, 3);
    CHECK_INT(find_heading(text, "Z > A > B").first_line, 11);
    CHECK_INT(find_heading(text, "B").finding, ASSAY_FOUND_AMBIGUOUS);
}

TEST(a_heading_beside_a_quote_is_a_hint)
{
    const char *text = "# A\n\nsame\n\n# B\n\nsame\n\n# C\n\nother\n";
    assay_sought s = {.quote = ASSAY_LIT("same"), .heading = ASSAY_LIT("B")};
    assay_located l = find(text, s);

    CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
    CHECK_INT(l.first_line, 7);
    s.heading = ASSAY_LIT("C");
    l = find(text, s);
    CHECK_INT(l.finding, ASSAY_FOUND_MOVED);
    CHECK_STR(l.reason, "given at 'C', found at line 7");
    s.heading = ASSAY_LIT("D");
    CHECK_INT(find(text, s).finding, ASSAY_FOUND_AMBIGUOUS);
}

/* ---- many at once ---- */

TEST(many_are_found_together_as_they_are_alone)
{
    const char *text = "Alpha beta.\nGamma  delta epsilon zeta eta.\nAlpha again.\n";
    const assay_sought all[] = {
        {.quote = ASSAY_LIT("Alpha")},
        {.quote = ASSAY_LIT("Alpha"), .place = ASSAY_PLACE_LINES, .where = {3, 3}},
        {.quote = ASSAY_LIT("gamma delta")},
        {.quote = ASSAY_LIT("gamma delta epsilom zeta")},
        {.quote = ASSAY_LIT("nowhere at all")},
        {.place = ASSAY_PLACE_LINES, .where = {2, 2}},
        {.quote = ASSAY_LIT("Alpha")},
        {.quote = ASSAY_LIT("")},
    };
    assay_document doc = {.id = ASSAY_LIT("d"), .text = assay_slice_of(text)};
    assay_located out[8];

    CHECK_INT(assay_locate(&doc, all, 8, out, &arena, NULL), ASSAY_OK);
    for (size_t i = 0; i < 8; i++) {
        assay_located one = find(text, all[i]);

        CHECK_INT(out[i].finding, one.finding);
        CHECK_INT(out[i].rung, one.rung);
        CHECK_INT(out[i].span.start, one.span.start);
        CHECK_INT(out[i].span.end, one.span.end);
        CHECK_INT(out[i].distance, one.distance);
        CHECK_STR(out[i].reason, one.reason);
    }
    CHECK_INT(out[3].rung, ASSAY_RUNG_EDITED);
    CHECK_INT(assay_locate(&doc, NULL, 0, NULL, &arena, NULL), ASSAY_OK);
    assay_arena_clear(&arena);
}

/* ---- quotes without a document ---- */

/* Show the documents in the order given, in turn by two workers. */
static assay_quest *seek(const assay_slice *quote, size_t n, const char *const *text,
                         const uint32_t *order, uint32_t n_docs)
{
    assay_quest *q;
    bool is_over;

    CHECK_INT(assay_quest_new(quote, n, 2, &q, NULL), ASSAY_OK);
    do {
        for (uint32_t i = 0; i < n_docs; i++) {
            assay_document doc = {.id = ASSAY_LIT("d")};

            doc.text = assay_slice_of(text[order[i]]);
            CHECK_INT(assay_quest_look(q, i % 2, &doc, order[i], NULL), ASSAY_OK);
        }
        CHECK_INT(assay_quest_next(q, &is_over, NULL), ASSAY_OK);
    } while (!is_over);
    return q;
}

TEST(quotes_are_found_in_whichever_document_has_them)
{
    static const char *const text[] = {"One apple. Common.", "TWO  pears here; common.",
                                       "Three cherries on a tree. Common. Common.", ""};
    static const uint32_t orders[2][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}};
    const assay_slice quote[] = {
        ASSAY_LIT("One apple"),
        ASSAY_LIT("two pears"),
        ASSAY_LIT("Three cherrys on a tree"),
        ASSAY_LIT("Common."),
        ASSAY_LIT("nowhere to be found"),
        ASSAY_LIT(""),
        ASSAY_LIT("One apple"),
        ASSAY_LIT("\t"),
    };

    for (int o = 0; o < 2; o++) {
        assay_quest *q = seek(quote, 8, text, orders[o], 4);
        assay_sighting s = assay_quest_get(q, 0);

        CHECK_INT(s.finding, ASSAY_FOUND_RESOLVED);
        CHECK_INT(s.rung, ASSAY_RUNG_EXACT);
        CHECK_INT(s.doc, 0);
        s = assay_quest_get(q, 1);
        CHECK_INT(s.rung, ASSAY_RUNG_FOLDED);
        CHECK_INT(s.doc, 1);
        CHECK_INT(s.span.start, 0);
        CHECK_INT(s.span.end, 10);
        s = assay_quest_get(q, 2);
        CHECK_INT(s.rung, ASSAY_RUNG_EDITED);
        CHECK_INT(s.doc, 2);
        CHECK_INT(s.distance, 2); /* ie for y */
        CHECK_INT(s.span.end, 24);
        /* exactly so in documents 0 and 2 */
        s = assay_quest_get(q, 3);
        CHECK_INT(s.finding, ASSAY_FOUND_AMBIGUOUS);
        CHECK_INT(s.n_places, 3);
        CHECK_INT(s.doc, 0);
        CHECK_INT(s.span.start, 11);
        CHECK_INT(assay_quest_get(q, 4).finding, ASSAY_FOUND_LOST);
        CHECK_INT(assay_quest_get(q, 5).finding, ASSAY_FOUND_LOST);
        CHECK_INT(assay_quest_get(q, 6).doc, 0);
        CHECK_INT(assay_quest_get(q, 6).finding, ASSAY_FOUND_RESOLVED);
        CHECK_INT(assay_quest_get(q, 7).finding, ASSAY_FOUND_LOST);
        assay_quest_free(q);
    }
}

/* ---- memory ---- */

#ifdef ASSAY_TEST
TEST(when_memory_runs_out_nothing_leaks_and_the_status_says_so)
{
    const char *text =
        "# H\n\nAlpha beta.\nGamma  d\xC3\xA9lta epsilon zeta eta.\nAlpha.\n";
    const assay_sought all[] = {
        {.quote = ASSAY_LIT("Alpha")},
        {.quote = ASSAY_LIT("Alpha"), .place = ASSAY_PLACE_CHARS, .where = {4, 9}},
        {.quote = ASSAY_LIT("gamma d\xC3\xA9lta")},
        {.quote = ASSAY_LIT("gamma d\xC3\xA9lta epsilom zeta")},
        {.heading = ASSAY_LIT("h")},
        {.place = ASSAY_PLACE_LINES, .where = {20, 22}},
    };
    assay_document doc = {.id = ASSAY_LIT("d"), .text = assay_slice_of(text)};
    assay_status st = ASSAY_ENOMEM;
    uint64_t n = 0;

    doc.form = ASSAY_FORM_MARKDOWN;
    while (st != ASSAY_OK) {
        assay_arena mine = ASSAY_ARENA_EMPTY;
        assay_located out[6];
        assay_error err = {ASSAY_OK, ""};

        assay_mem_fail_after(++n);
        st = assay_locate(&doc, all, 6, out, &mine, &err);
        CHECK(st == ASSAY_OK || (st == ASSAY_ENOMEM && err.text[0]));
        if (st == ASSAY_OK)
            CHECK_INT(out[3].rung, ASSAY_RUNG_EDITED);
        assay_mem_fail_after(0);
        assay_arena_clear(&mine);
        CHECK(n < 1000);
    }
    CHECK(n > 20);
}

TEST(a_quest_survives_a_lack_of_memory)
{
    const assay_slice quote[] = {ASSAY_LIT("Alpha"), ASSAY_LIT("alpha beta gamna delta")};
    assay_document doc = {.id = ASSAY_LIT("d"),
                          .text = ASSAY_LIT("Alpha.  Alpha beta gamma delta.")};
    assay_status st = ASSAY_ENOMEM;

    for (uint64_t n = 1; st != ASSAY_OK; n++) {
        assay_quest *q = NULL;
        bool is_over = false;

        CHECK(n < 1000);
        assay_mem_fail_after(n);
        st = assay_quest_new(quote, 2, 2, &q, NULL);
        while (st == ASSAY_OK && !is_over) {
            st = assay_quest_look(q, 0, &doc, 0, NULL);
            if (st == ASSAY_OK)
                st = assay_quest_next(q, &is_over, NULL);
        }
        assay_mem_fail_after(0);
        if (st == ASSAY_OK)
            CHECK_INT(assay_quest_get(q, 1).rung, ASSAY_RUNG_EDITED);
        assay_quest_free(q);
    }
}
#endif
