/* SPDX-License-Identifier: Apache-2.0 */
/* Every chunker on random documents of many kinds under random policies: the guarantees of
 * corpus/chunker.h. */
#include "base/buffer.h"
#include "base/scan.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/chunker.h"
#include "testing.h"

static uint64_t seed = 1;

static uint32_t pick(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return n ? (uint32_t)((seed >> 11) % n) : 0;
}

/* ---- documents ---- */

static const char *const ascii[] = {
    "the ", "refund ", "is ", "approved. ", "Dr. Who ", "3.14 ", "e.g. ", "why? ",
    "\n",   "\n\n",    "a",   "longerish ", "x\n",      "  ",    "\t"};
static const char *const marks[] = {"# One\n",
                                    "## Two\n",
                                    "### Three ###\n",
                                    "Setext\n===\n",
                                    "Other\n---\n",
                                    "\n",
                                    "\n\n",
                                    "text of it\n",
                                    "more, and more. ",
                                    "- item\n",
                                    "  - nested\n",
                                    "1. first\n",
                                    "> quoted\n",
                                    "```c\n",
                                    "```\n",
                                    "~~~\n",
                                    "    indented\n",
                                    "| a | b |\n",
                                    "|---|---|\n",
                                    "| 1 | 2 |\n",
                                    "<div>\n",
                                    "</div>\n",
                                    "<!-- c -->\n",
                                    "---\n",
                                    "***\n",
                                    "\ttab\n",
                                    "\\# no\n",
                                    "한국어 문장이다.\n",
                                    "# 제목\n",
                                    "> # in quote\n"};
static const char *const wide[] = {
    "한국어 ",    "문장입니다. ", "환불은 ",   "中文句子。", "日本語です。",
    "「はい。」", "？",           "\n",        "\n\n",       "！",
    "e\xCC\x81",  "\xC2\xA0",     "다.그리고 "};
static const char *const emoji[] = {
    "\xF0\x9F\x98\x80", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", " ", "a", "\n"};
static const char *const broken[] = {
    "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\x80", "\xED\xA0\x80", "ok ",
    "\n",   "한",   ". ",       "\xC0\xAF",     "\n\n", "# h\n",        "\f"};
static const char *const crlf[] = {"line\r\n", "\r\n",    "# H\r\n",
                                   "text. ",   "- a\r\n", "```\r\n"};
static const char *const unbroken[] = {"abcdefghij", "a", "\n   ", "\n\t",      "  ",
                                       "한국",       ".", "word ", "0123456789"};
static const char *const white[] = {" ", "\n", "\t", "\r\n", "\f", "\v"};
static const char *const pages[] = {"para one. ", "\n\n", "\f", "more\n", "- ", "끝. "};

#define KIND(list)                          \
    {                                       \
        list, sizeof(list) / sizeof list[0] \
    }
static const struct {
    const char *const *piece;
    uint32_t n;
} kinds[] = {KIND(ascii), KIND(marks),    KIND(wide),  KIND(emoji), KIND(broken),
             KIND(crlf),  KIND(unbroken), KIND(white), KIND(pages)};

static void write_document(assay_buffer *out, uint32_t kind, uint32_t n)
{
    out->len = 0;
    if (pick(20) == 0)
        assay_buffer_text(out, "\xEF\xBB\xBF");
    for (uint32_t i = 0; i < n; i++) {
        /* Now and then a piece of another kind. */
        uint32_t k = pick(40) ? kind : pick((uint32_t)(sizeof kinds / sizeof kinds[0]));

        assay_buffer_text(out, kinds[k].piece[pick(kinds[k].n)]);
    }
}

static assay_chunking random_chunking(const assay_chunker *chunker)
{
    assay_chunking c = {.chunker = chunker};

    do {
        for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && chunker->param[i].name; i++) {
            const assay_chunker_param *p = &chunker->param[i];

            c.value[i] = pick(4) ? p->least + pick(60) : p->standard;
            if (c.value[i] > p->most)
                c.value[i] = p->most;
        }
    } while (chunker->check && chunker->check(&c, NULL));
    return c;
}

/* ---- guarantees ---- */

static uint64_t lines_before(assay_slice text, uint64_t at)
{
    uint64_t n = 1;

    for (uint64_t i = 0; i < at; i++)
        n += text.ptr[i] == '\n';
    return n;
}

enum { LONGEST_DOC = 65536 };

/* Marks every byte that begins a character. */
static void mark_boundaries(assay_slice text, bool *is_boundary)
{
    memset(is_boundary, 0, LONGEST_DOC);
    for (size_t at = 0; at < text.len;) {
        assay_slice rest = {text.ptr + at, text.len - at};
        size_t n = 1;

        for (size_t k = 2; k <= 4 && k <= rest.len && n == 1; k++)
            if ((unsigned char)rest.ptr[0] >= 0xC0 &&
                assay_utf8_is((assay_slice){rest.ptr, k}))
                n = k;
        is_boundary[at] = true;
        at += n;
    }
    is_boundary[text.len] = true;
}

static bool has_overlap(const assay_chunking *c)
{
    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && c->chunker->param[i].name; i++)
        if (strcmp(c->chunker->param[i].name, "overlap") == 0)
            return c->value[i] > 0;
    return false;
}

static void check_spans(const assay_chunking *c, assay_slice text,
                        const assay_chunks *got)
{
    static bool is_boundary[LONGEST_DOC];
    static uint8_t covered[LONGEST_DOC];

    CHECK(text.len < sizeof covered);
    memset(covered, 0, sizeof covered);
    mark_boundaries(text, is_boundary);
    for (uint32_t i = 0; i < got->n; i++) {
        const assay_chunk *chunk = &got->chunk[i];
        bool is_white = true;
        uint64_t last = 0;

        CHECK(chunk->n_spans >= 1);
        if (i)
            CHECK(got->chunk[i - 1].span[0].start <= chunk->span[0].start);
        for (uint32_t k = 0; k < chunk->n_spans; k++) {
            assay_span s = chunk->span[k];

            CHECK(s.start >= last && s.start < s.end && s.end <= text.len);
            CHECK(is_boundary[s.start] && is_boundary[s.end]);
            last = s.end;
            for (uint64_t b = s.start; b < s.end; b++) {
                is_white = is_white && assay_scan_is_space(text.ptr[b]);
                covered[b] = covered[b] < 2 ? (uint8_t)(covered[b] + 1) : 2;
            }
        }
        CHECK(!is_white);
        CHECK_INT(chunk->first_line, lines_before(text, chunk->span[0].start));
        CHECK_INT(chunk->last_line,
                  lines_before(text, chunk->span[chunk->n_spans - 1].end - 1));
    }
    for (size_t b = assay_slice_starts(text, "\xEF\xBB\xBF") ? 3 : 0; b < text.len; b++) {
        CHECK(covered[b] || assay_scan_is_space(text.ptr[b]));
        CHECK(covered[b] <= 1 || has_overlap(c));
    }
}

static void check_headings(assay_slice text, const assay_chunks *got)
{
    for (uint32_t i = 0; i < got->n_headings; i++) {
        const assay_heading *h = &got->heading[i];

        CHECK(h->level >= 1 && h->level <= 6);
        CHECK(h->parent == ASSAY_NONE ||
              (h->parent < i && got->heading[h->parent].level < h->level));
        CHECK(h->section.start < h->section.end && h->section.end <= text.len);
        CHECK(h->text.ptr >= text.ptr &&
              h->text.ptr + h->text.len <= text.ptr + text.len);
        if (h->parent != ASSAY_NONE)
            CHECK(h->section.end <= got->heading[h->parent].section.end);
    }
    for (uint32_t i = 0; i < got->n; i++) {
        uint32_t want = ASSAY_NONE;

        for (uint32_t k = 0; k < got->n_headings; k++)
            if (got->heading[k].section.start <= got->chunk[i].span[0].start)
                want = k;
        CHECK(got->chunk[i].heading == want);
    }
}

static void check_ids(const assay_chunks *got, const assay_chunks *again)
{
    CHECK_INT(got->n, again->n);
    for (uint32_t i = 0; i < got->n; i++) {
        CHECK(memcmp(got->chunk[i].id, again->chunk[i].id, ASSAY_CHUNK_ID_BYTES) == 0);
        for (uint32_t k = 0; k < i && i < 300; k++)
            CHECK(memcmp(got->chunk[i].id, got->chunk[k].id, ASSAY_CHUNK_ID_BYTES) != 0);
    }
}

static void check_one(const assay_chunking *c, const assay_document *doc)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_document copy = *doc;
    assay_chunks got;
    assay_chunks again;
    char *other = malloc(doc->text.len + 1);

    /* The same bytes elsewhere, with nothing readable behind them. */
    CHECK(other != NULL);
    if (doc->text.len)
        memcpy(other, doc->text.ptr, doc->text.len);
    copy.text.ptr = other;
    CHECK(assay_chunking_cut(c, doc, &arena, &got, NULL) == ASSAY_OK);
    CHECK(assay_chunking_cut(c, &copy, &arena, &again, NULL) == ASSAY_OK);
    check_spans(c, doc->text, &got);
    if (strcmp(c->chunker->name, "whole") != 0)
        check_headings(doc->text, &got);
    check_ids(&got, &again);
    free(other);
    assay_arena_clear(&arena);
}

TEST(every_chunker_keeps_its_promises_on_random_documents)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    const assay_chunker *chunker;

    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t kind = round % (uint32_t)(sizeof kinds / sizeof kinds[0]);
        assay_document doc = {.id = ASSAY_LIT("doc"), .form = (assay_form)pick(3)};

        write_document(&text, kind, pick(pick(8) ? 60 : 600));
        doc.text = assay_buffer_view(&text);
        for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++) {
            assay_chunking c = random_chunking(chunker);

            check_one(&c, &doc);
        }
    }
    assay_buffer_clear(&text);
}

TEST(empty_and_white_documents_have_no_chunks)
{
    static const char *const texts[] = {
        "", " ", "\n\n\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\r\n", "\f \t\v"};
    const assay_chunker *chunker;

    for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            for (int form = 0; form < 3; form++) {
                assay_arena arena = ASSAY_ARENA_EMPTY;
                assay_document doc = {.id = ASSAY_LIT("d"),
                                      .text = assay_slice_of(texts[t]),
                                      .form = (assay_form)form};
                assay_chunking c = random_chunking(chunker);
                assay_chunks got;

                CHECK(assay_chunking_cut(&c, &doc, &arena, &got, NULL) == ASSAY_OK);
                CHECK_INT(got.n, 0);
                assay_arena_clear(&arena);
            }
}

/* ---- editing one section ---- */

enum { N_SECTIONS = 8 };

static void write_section(assay_buffer *out, uint32_t number, uint32_t n)
{
    static const char *const parts[] = {"A sentence of it. And another one.\n",
                                        "\n\n",
                                        "- point\n- point two\n\n",
                                        "```\ncode(x);\n\nmore\n```\n\n",
                                        "> quoted\n\n",
                                        "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
                                        "한국어 문장입니다. 또 하나.\n",
                                        "1. one\n2. two\n\n"};

    assay_buffer_printf(out, "\n\n%.*s Section %u\n\n", (int)pick(3) + 1, "###", number);
    for (uint32_t i = 0; i < n; i++) {
        assay_buffer_printf(out, "s%u", number);
        assay_buffer_char(out, ' ');
        assay_buffer_printf(out, "w%u ", pick(100000));
        assay_buffer_text(out, "\n\n");
        assay_buffer_text(out, parts[pick(sizeof parts / sizeof parts[0])]);
    }
}

/* Ids of the chunks that begin inside of `part`, whose chunks are all different. */
static void check_kept(const assay_chunks *before, assay_span was,
                       const assay_chunks *after, assay_span is)
{
    uint32_t k = 0;

    while (k < after->n && after->chunk[k].span[0].start < is.start)
        k++;
    for (uint32_t i = 0; i < before->n; i++) {
        if (before->chunk[i].span[0].start < was.start ||
            before->chunk[i].span[0].start >= was.end)
            continue;
        CHECK(k < after->n);
        CHECK(memcmp(before->chunk[i].id, after->chunk[k].id, ASSAY_CHUNK_ID_BYTES) == 0);
        k++;
    }
    CHECK(k == after->n || after->chunk[k].span[0].start >= is.end);
}

TEST(editing_one_section_leaves_the_ids_of_the_others_alone)
{
    const assay_chunker *chunker;

    for (uint32_t round = 0; round < 600; round++)
        for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++) {
            assay_buffer old = ASSAY_BUFFER_EMPTY, new = ASSAY_BUFFER_EMPTY;
            assay_arena arena = ASSAY_ARENA_EMPTY;
            assay_span was[N_SECTIONS], is[N_SECTIONS];
            assay_document doc = {.id = ASSAY_LIT("d"), .form = ASSAY_FORM_MARKDOWN};
            assay_chunking c = random_chunking(chunker);
            assay_chunks before, after;
            uint32_t edited = pick(N_SECTIONS);

            if (!chunker->is_structural)
                continue;
            for (uint32_t s = 0; s < N_SECTIONS; s++) {
                assay_buffer one = ASSAY_BUFFER_EMPTY;
                size_t line;

                write_section(&one, s, 1 + pick(12));
                was[s].start = old.len;
                is[s].start = new.len;
                assay_buffer_slice(&old, assay_buffer_view(&one));
                assay_buffer_slice(&new, assay_buffer_view(&one));
                /* Words behind the heading or at the end: its body, not its structure. */
                line = pick(2) ? one.len : 0;
                if (s == edited) {
                    if (!line)
                        new.len = is[s].start +
                                  (size_t)(strstr(one.ptr + 2, "\n") - one.ptr) + 1;
                    assay_buffer_text(&new, "\n\nAn edit, some words.\n\n");
                    if (!line)
                        assay_buffer_add(
                            &new, strstr(one.ptr + 2, "\n"),
                            one.len - (size_t)(strstr(one.ptr + 2, "\n") - one.ptr));
                }
                was[s].end = old.len;
                is[s].end = new.len;
                assay_buffer_clear(&one);
            }
            doc.text = assay_buffer_view(&old);
            CHECK(assay_chunking_cut(&c, &doc, &arena, &before, NULL) == ASSAY_OK);
            doc.text = assay_buffer_view(&new);
            CHECK(assay_chunking_cut(&c, &doc, &arena, &after, NULL) == ASSAY_OK);
            for (uint32_t s = 0; s < N_SECTIONS; s++)
                if (s != edited)
                    check_kept(&before, was[s], &after, is[s]);
            assay_buffer_clear(&old);
            assay_buffer_clear(&new);
            assay_arena_clear(&arena);
        }
}

/* ---- spelling ---- */

TEST(every_chunker_says_what_it_is)
{
    const assay_chunker *c;

    for (size_t i = 0; (c = assay_chunker_at(i)) != NULL; i++) {
        CHECK(c->name && c->summary && c->cut && c->version >= 1);
        CHECK(assay_chunker_find(assay_slice_of(c->name)) == c);
        for (const assay_chunker_param *p = c->param; p->name; p++) {
            CHECK(p->help && p->least <= p->standard && p->standard <= p->most);
            CHECK(p < c->param + ASSAY_CHUNKER_PARAMS - 1);
        }
    }
}

TEST(every_spelling_reads_back)
{
    const assay_chunker *chunker;

    for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++)
        for (int round = 0; round < 200; round++) {
            assay_chunking c = random_chunking(chunker);
            assay_buffer once = ASSAY_BUFFER_EMPTY, twice = ASSAY_BUFFER_EMPTY;
            assay_chunking back;

            assay_chunking_print(&c, &once);
            CHECK(assay_chunking_read(assay_buffer_view(&once), &back, NULL) == ASSAY_OK);
            assay_chunking_print(&back, &twice);
            CHECK(assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)));
            assay_buffer_clear(&once);
            assay_buffer_clear(&twice);
        }
}
