/* SPDX-License-Identifier: Apache-2.0 */
/* Anchors on real evidence: the character spans of LegalBench-RAG, found again by their
 * text in the documents as they are and in documents with noise.  The noise keeps a map
 * from old to new bytes, so that the true place is known. */
#include <utf8proc.h>

#include "base/buffer.h"
#include "base/dict.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/locate.h"
#include "testing.h"

#define DATA TEST_SRC "/../shared/data/legalbench-rag"

typedef struct evidence {
    uint32_t doc;
    assay_span chars;
    assay_span bytes;
    assay_slice quote;
    struct evidence *next; /* of the same document */
} evidence;

typedef struct bench {
    assay_arena arena;
    assay_dict names;
    assay_file file[256];
    evidence *of[256]; /* by document */
    uint32_t n;        /* evidence whose file is there */
    uint32_t n_absent;
} bench;

/* ---- the data ---- */

static void add_evidence(bench *b, const assay_node *snippet)
{
    assay_slice name = assay_node_get(snippet, "file_path")->text;
    const assay_node *span = assay_node_get(snippet, "span");
    evidence *e = assay_arena_zero(&b->arena, 1, sizeof *e);
    assay_error err;
    char path[1024];
    bool is_new;

    snprintf(path, sizeof path, "%s/corpus/%.*s", DATA, (int)name.len, name.ptr);
    if (!assay_file_exists(path)) {
        b->n_absent++;
        return;
    }
    CHECK(assay_dict_put(&b->names, &b->arena, name, &e->doc, &is_new));
    CHECK(e->doc < ASSAY_COUNT(b->file));
    if (is_new)
        CHECK_INT(assay_file_open(&b->file[e->doc], path, &err), ASSAY_OK);
    e->chars = (assay_span){(uint64_t)span->child->integer,
                            (uint64_t)span->child->next->integer};
    e->quote = assay_node_get(snippet, "answer")->text;
    e->next = b->of[e->doc];
    b->of[e->doc] = e;
    b->n++;
}

static void read_benchmark(bench *b, const char *name)
{
    assay_file *file = assay_arena_zero(&b->arena, 1, sizeof *file);
    char path[1024];
    assay_error err;
    assay_node *root;

    snprintf(path, sizeof path, "%s/benchmarks/%s.json", DATA, name);
    CHECK_INT(assay_file_open(file, path, &err), ASSAY_OK);
    /* Stays open: the nodes point into it. */
    CHECK_INT(assay_node_json(path, file->text, &b->arena, &root, &err), ASSAY_OK);
    for (const assay_node *t = assay_node_get(root, "tests")->child; t; t = t->next)
        for (const assay_node *s = assay_node_get(t, "snippets")->child; s; s = s->next)
            add_evidence(b, s);
}

static assay_located find(assay_slice text, assay_sought sought, assay_arena *arena)
{
    assay_document doc = {.id = ASSAY_LIT("d"), .text = text};
    assay_located out;

    CHECK_INT(assay_locate(&doc, &sought, 1, &out, arena, NULL), ASSAY_OK);
    return out;
}

/* Characters to bytes, which the text must confirm. */
static void set_bytes(bench *b)
{
    for (uint32_t d = 0; d < b->names.n; d++) {
        assay_slice text = b->file[d].text;

        for (evidence *e = b->of[d]; e; e = e->next) {
            assay_located l =
                find(text, (assay_sought){.place = ASSAY_PLACE_CHARS, .where = e->chars},
                     &b->arena);

            CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
            e->bytes = l.span;
            CHECK(assay_slice_eq((assay_slice){text.ptr + l.span.start,
                                               (size_t)(l.span.end - l.span.start)},
                                 e->quote));
        }
    }
}

static bench *load(void)
{
    static bench b;

    if (!assay_file_is_folder(DATA))
        SKIP("no ../shared/data/legalbench-rag");
    b = (bench){0};
    read_benchmark(&b, "contractnli");
    read_benchmark(&b, "privacy_qa");
    set_bytes(&b);
    return &b;
}

static void unload(bench *b)
{
    for (uint32_t d = 0; d < b->names.n; d++)
        assay_file_close(&b->file[d]);
    assay_dict_clear(&b->names);
    assay_arena_clear(&b->arena);
}

/* ---- noise ---- */

/* A text made from another; byte i of the old one became [start[i], end[i]). */
typedef struct noisy {
    assay_buffer text;
    size_t *start;
    size_t *end;
} noisy;

typedef void noiser(assay_slice old, noisy *out);

static void begin_noise(assay_slice old, noisy *out)
{
    *out = (noisy){.start = ASSAY_NEW_ARRAY(size_t, old.len + 1),
                   .end = ASSAY_NEW_ARRAY(size_t, old.len + 1)};
    CHECK(out->start && out->end);
}

static void clear_noise(noisy *out)
{
    assay_buffer_clear(&out->text);
    assay_mem_free(out->start);
    assay_mem_free(out->end);
}

/* old[at, at + n) becomes `made`. */
static void put(noisy *out, size_t at, size_t n, const char *made, size_t len)
{
    for (size_t i = at; i < at + n; i++) {
        out->start[i] = out->text.len;
        out->end[i] = out->text.len + len;
    }
    assay_buffer_add(&out->text, made, len);
}

static void crlf(assay_slice old, noisy *out)
{
    for (size_t i = 0; i < old.len; i++)
        if (old.ptr[i] == '\n' && (i == 0 || old.ptr[i - 1] != '\r'))
            put(out, i, 1, "\r\n", 2);
        else
            put(out, i, 1, old.ptr + i, 1);
}

static void double_blanks(assay_slice old, noisy *out)
{
    for (size_t i = 0; i < old.len; i++)
        put(out, i, 1, old.ptr[i] == ' ' ? "  " : old.ptr + i, old.ptr[i] == ' ' ? 2 : 1);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Paragraphs end at empty lines; in them lines are broken anew after 48 bytes. */
static void rewrap(assay_slice old, noisy *out)
{
    size_t column = 0;

    for (size_t i = 0; i < old.len; i++) {
        bool is_blank = old.ptr[i] == ' ' || old.ptr[i] == '\n';
        bool is_end =
            old.ptr[i] == '\n' && ((i + 1 < old.len && old.ptr[i + 1] == '\n') ||
                                   (i > 0 && old.ptr[i - 1] == '\n'));

        if (is_end || (is_blank && column >= 48)) {
            put(out, i, 1, "\n", 1);
            column = 0;
        } else {
            put(out, i, 1, is_blank ? " " : old.ptr + i, 1);
            column++;
        }
    }
}

/* The same, and words that reach over the edge are hyphenated. */
static void hyphenate(assay_slice old, noisy *out)
{
    size_t column = 0;

    for (size_t i = 0; i < old.len; i++) {
        char made[3] = {old.ptr[i], '-', '\n'};
        bool is_inside = i > 1 && i + 2 < old.len && is_letter(old.ptr[i - 1]) &&
                         is_letter(old.ptr[i]) && is_letter(old.ptr[i + 1]);

        column = old.ptr[i] == '\n' ? 0 : column + 1;
        put(out, i, 1, made, column >= 60 && is_inside ? 3 : 1);
        if (column >= 60 && is_inside)
            column = 0;
    }
}

static void nfd(assay_slice old, noisy *out)
{
    for (size_t i = 0; i < old.len;) {
        utf8proc_int32_t code;
        utf8proc_int32_t apart[8];
        char made[32];
        size_t len = 0;
        int last = 0;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)old.ptr + i,
                                              (utf8proc_ssize_t)(old.len - i), &code);
        utf8proc_ssize_t parts;

        CHECK(n > 0);
        parts = utf8proc_decompose_char(code, apart, 8, UTF8PROC_DECOMPOSE, &last);
        for (utf8proc_ssize_t k = 0; k < parts; k++)
            len += assay_utf8_put((uint32_t)apart[k], made + len);
        put(out, i, (size_t)n, made, len);
        i += (size_t)n;
    }
}

static void soft_hyphens(assay_slice old, noisy *out)
{
    size_t letters = 0;

    for (size_t i = 0; i < old.len; i++) {
        char made[3] = {old.ptr[i], '\xC2', '\xAD'};

        bool is_inside = i + 1 < old.len && is_letter(old.ptr[i + 1]);

        letters = is_letter(old.ptr[i]) ? letters + 1 : 0;
        put(out, i, 1, made, letters == 3 && is_inside ? 3 : 1);
    }
}

/* One after the other; the maps are chained. */
static void make_noise(assay_slice old, noiser *const *step, noisy *out)
{
    begin_noise(old, out);
    step[0](old, out);
    for (step++; *step; step++) {
        noisy next;

        begin_noise(assay_buffer_view(&out->text), &next);
        (*step)(assay_buffer_view(&out->text), &next);
        for (size_t i = 0; i < old.len; i++) {
            out->end[i] = next.end[out->end[i] - 1];
            out->start[i] = next.start[out->start[i]];
        }
        assay_buffer_clear(&out->text);
        out->text = next.text;
        next.text = (assay_buffer)ASSAY_BUFFER_EMPTY;
        clear_noise(&next);
    }
}

/* ---- counting ---- */

typedef struct tally {
    uint32_t n;
    uint32_t right;  /* from the quote alone, or with a line hint */
    uint32_t hinted; /* of these: were ambiguous first */
    uint32_t rung[4];
} tally;

/* 95 % of the bytes, both ways. */
static bool is_near(assay_span a, assay_span b)
{
    uint64_t start = a.start > b.start ? a.start : b.start;
    uint64_t end = a.end < b.end ? a.end : b.end;

    return start < end && (end - start) * 100 >= (a.end - a.start) * 95 &&
           (end - start) * 100 >= (b.end - b.start) * 95;
}

static uint64_t line_of(assay_slice text, uint64_t at)
{
    uint64_t line = 1;

    for (uint64_t i = 0; i < at; i++)
        line += text.ptr[i] == '\n';
    return line;
}

static void count(tally *t, assay_slice text, assay_slice quote, assay_span truth,
                  bool must_equal)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_sought sought = {.quote = quote};
    assay_located l = find(text, sought, &arena);
    bool is_hinted = l.finding == ASSAY_FOUND_AMBIGUOUS;
    bool is_right;

    if (is_hinted) {
        sought.place = ASSAY_PLACE_LINES;
        sought.where.start = line_of(text, truth.start);
        sought.where.end = line_of(text, truth.end - 1);
        l = find(text, sought, &arena);
    }
    is_right = l.finding == ASSAY_FOUND_RESOLVED && is_near(l.span, truth) &&
               (!must_equal || (l.span.start == truth.start && l.span.end == truth.end));
    t->n++;
    t->right += is_right;
    t->hinted += is_right && is_hinted;
    t->rung[l.rung]++;
    if (!is_right && getenv("VERBOSE"))
        printf("  %s %s: '%.*s'\n", assay_finding_name(l.finding),
               l.reason ? l.reason : "", ASSAY_QUOTE(quote));
    assay_arena_clear(&arena);
}

static void show(const char *name, const tally *t, uint32_t percent)
{
    printf("%-22s %u of %u right (%.2f %%), %u by a line hint; "
           "exact %u, folded %u, edited %u, lost %u\n",
           name, t->right, t->n, 100.0 * t->right / t->n, t->hinted,
           t->rung[ASSAY_RUNG_EXACT], t->rung[ASSAY_RUNG_FOLDED],
           t->rung[ASSAY_RUNG_EDITED], t->rung[ASSAY_RUNG_NONE]);
    CHECK((uint64_t)t->right * 100 >= (uint64_t)t->n * percent);
}

TEST(quotes_resolve_to_the_recorded_place)
{
    bench *b = load();
    tally t = {0};

    CHECK_INT(b->n, 1817);
    CHECK_INT(b->n_absent, 25);
    for (uint32_t d = 0; d < b->names.n; d++)
        for (const evidence *e = b->of[d]; e; e = e->next)
            count(&t, b->file[d].text, e->quote, e->bytes, true);
    show("as they are", &t, 99);
    unload(b);
}

TEST(quotes_are_found_in_documents_with_noise)
{
    static const struct {
        const char *name;
        noiser *step[7];
    } noise[] = {
        {"CRLF", {crlf}},
        {"wrapped anew", {rewrap}},
        {"doubled blanks", {double_blanks}},
        {"NFD", {nfd}},
        {"soft hyphens", {soft_hyphens}},
        {"hyphenated lines", {hyphenate}},
        {"all but hyphenation", {rewrap, soft_hyphens, nfd, double_blanks, crlf}},
        {"all", {rewrap, hyphenate, soft_hyphens, nfd, double_blanks, crlf}},
    };
    bench *b = load();

    for (size_t i = 0; i < ASSAY_COUNT(noise); i++) {
        tally t = {0};

        for (uint32_t d = 0; d < b->names.n; d++) {
            noisy made;

            make_noise(b->file[d].text, noise[i].step, &made);
            for (const evidence *e = b->of[d]; e; e = e->next)
                count(
                    &t, assay_buffer_view(&made.text), e->quote,
                    (assay_span){made.start[e->bytes.start], made.end[e->bytes.end - 1]},
                    false);
            clear_noise(&made);
        }
        show(noise[i].name, &t, 97);
    }
    unload(b);
}

TEST(long_quotes_are_found_over_a_page_number)
{
    static const char *const pages[] = {"\n12\n", "\n\n- 7 -\n\n", "\n\f114\n"};
    bench *b = load();
    tally t[3] = {{0}};

    for (uint32_t d = 0; d < b->names.n; d++)
        for (const evidence *e = b->of[d]; e; e = e->next) {
            assay_slice old = b->file[d].text;
            size_t at = (size_t)(e->bytes.start + e->bytes.end) / 2;

            if (assay_utf8_count(e->quote) <= 80)
                continue;
            while (at < e->bytes.end && old.ptr[at] != ' ')
                at++;
            for (size_t p = 0; p < 3; p++) {
                assay_buffer text = ASSAY_BUFFER_EMPTY;
                size_t len = strlen(pages[p]);

                assay_buffer_add(&text, old.ptr, at);
                assay_buffer_text(&text, pages[p]);
                assay_buffer_add(&text, old.ptr + at, old.len - at);
                count(&t[p], assay_buffer_view(&text), e->quote,
                      (assay_span){e->bytes.start, e->bytes.end + len}, false);
                assay_buffer_clear(&text);
            }
        }
    show("page number", &t[0], 95);
    show("page number, dashes", &t[1], 95);
    show("page number, form feed", &t[2], 95);
    unload(b);
}
