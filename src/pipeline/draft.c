/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates are collected in the order of the corpus (documents by id, sections by place),
 * then chosen: the rank of a candidate among those of its document, longest section first,
 * decides before the document does. */
#include "pipeline/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/markdown.h"
#include "text/sentences.h"

/* Shorter sentences tell nothing; longer ones are no quote that a person would check. */
enum { QUOTE_LEAST = 20, QUOTE_MOST = 600 };

typedef struct candidate {
    assay_slice doc;
    assay_slice question;
    assay_slice quote;
    assay_span span;   /* of the quote; start is its place in the document */
    bool is_ambiguous; /* the quote stands there twice: the span must say which */
    bool is_korean;
    uint32_t doc_number;
    uint32_t number; /* in the order of the corpus */
    uint32_t rank;   /* among those of its document, 0 = the longest section */
    uint64_t bytes;  /* of the section's own text */
} candidate;

typedef struct drafter {
    assay_corpus *corpus;
    assay_arena arena;
    assay_arena scratch; /* of one document */
    assay_buffer text;
    candidate *item;
    size_t n;
    size_t cap;
    uint32_t n_docs;
} drafter;

/* ---- questions ---- */

static bool is_hangul(uint32_t code)
{
    return code >= 0xAC00 && code <= 0xD7A3;
}

static bool has_hangul(assay_slice text)
{
    size_t len;

    for (size_t at = 0; at < text.len; at += len)
        if (is_hangul(assay_utf8_get((assay_slice){text.ptr + at, text.len - at}, &len)))
            return true;
    return false;
}

/* The topic particle depends on whether the last syllable ends in a consonant. */
static const char *particle(assay_slice text)
{
    uint32_t last = 0;
    size_t len;

    for (size_t at = 0; at < text.len; at += len)
        last = assay_utf8_get((assay_slice){text.ptr + at, text.len - at}, &len);
    if (!is_hangul(last))
        return "은(는)";
    return (last - 0xAC00) % 28 ? "은" : "는";
}

/* "2.1 Limits" is about limits; "`k` and `b`" about k and b. */
static void put_subject(assay_slice text, assay_buffer *out)
{
    size_t at = 0;

    while (at < text.len && ((text.ptr[at] >= '0' && text.ptr[at] <= '9') ||
                             text.ptr[at] == '.' || text.ptr[at] == ')'))
        at++;
    if (at == text.len || text.ptr[at] != ' ')
        at = 0;
    for (text = assay_slice_trim((assay_slice){text.ptr + at, text.len - at}), at = 0;
         at < text.len; at++)
        if (text.ptr[at] != '`' && text.ptr[at] != '*')
            assay_buffer_char(out, text.ptr[at]);
}

static void put_korean(assay_slice subject, assay_slice about, assay_buffer *out)
{
    if (about.len) {
        assay_buffer_slice(out, about);
        assay_buffer_text(out, "에서 ");
    }
    assay_buffer_slice(out, subject);
    assay_buffer_text(out, particle(subject));
    assay_buffer_text(out, about.len ? " 어떻게 되나요?" : " 무엇인가요?");
}

/* "How a quote is resolved", "When nothing is found". */
static bool is_asking(assay_slice subject)
{
    static const char *const word[] = {"How ",   "When ", "What ", "Why ",
                                       "Where ", "Who ",  "Which "};

    for (size_t i = 0; i < ASSAY_COUNT(word); i++)
        if (assay_slice_starts(subject, word[i]))
            return true;
    return false;
}

static void put_english(assay_slice subject, assay_slice about, assay_buffer *out)
{
    if (subject.len > 7 &&
        assay_slice_is_nocase((assay_slice){subject.ptr, 7}, "how to ")) {
        assay_buffer_text(out, "How do I ");
        assay_buffer_add(out, subject.ptr + 7, subject.len - 7);
        assay_buffer_char(out, '?');
        return;
    }
    assay_buffer_text(out, "What should I know about ");
    if (is_asking(subject)) {
        assay_buffer_char(out, (char)(subject.ptr[0] | 0x20));
        subject = (assay_slice){subject.ptr + 1, subject.len - 1};
    }
    assay_buffer_slice(out, subject);
    if (about.len) {
        assay_buffer_text(out, " (");
        assay_buffer_slice(out, about);
        assay_buffer_char(out, ')');
    }
    assay_buffer_char(out, '?');
}

void assay_draft_question(assay_slice heading, assay_slice about, assay_buffer *out)
{
    assay_buffer subject = ASSAY_BUFFER_EMPTY;
    assay_buffer place = ASSAY_BUFFER_EMPTY;
    assay_slice s;

    put_subject(heading, &subject);
    put_subject(about, &place);
    s = assay_buffer_view(&subject);
    if (assay_slice_ends(s, "?") || assay_slice_ends(s, "？"))
        assay_buffer_slice(out, s);
    else if (has_hangul(s))
        put_korean(s, assay_buffer_view(&place), out);
    else
        put_english(s, assay_buffer_view(&place), out);
    out->has_failed = out->has_failed || subject.has_failed || place.has_failed;
    assay_buffer_clear(&subject);
    assay_buffer_clear(&place);
}

/* ---- sections ---- */

typedef struct first {
    assay_slice text;
    size_t base;     /* where `text` begins in the document */
    assay_span span; /* found: end > 0 */
} first;

/* The first paragraph whose first sentence is worth quoting. */
static bool take_paragraph(void *ctx, const assay_md_block *block)
{
    first *f = ctx;
    size_t start = block->span.start;
    size_t end;

    if (block->kind != ASSAY_MD_PARAGRAPH)
        return true;
    end = assay_sentence_end((assay_slice){f->text.ptr, block->span.end}, start);
    if (end - start < QUOTE_LEAST)
        end = block->span.end;
    if (end - start < QUOTE_LEAST || end - start > QUOTE_MOST)
        return true;
    f->span = (assay_span){f->base + start, f->base + end};
    return false;
}

/* A quote on one line: what is folded is found all the same. */
static assay_slice one_line(assay_arena *arena, assay_slice text)
{
    char *out = assay_arena_alloc(arena, text.len + 1);
    size_t n = 0;

    for (size_t i = 0; out && i < text.len; i++) {
        char c = text.ptr[i] == '\n' || text.ptr[i] == '\r' || text.ptr[i] == '\t'
                     ? ' '
                     : text.ptr[i];

        if (c != ' ' || (n && out[n - 1] != ' '))
            out[n++] = c;
    }
    return (assay_slice){out, n};
}

static bool stands_twice(assay_slice text, assay_slice quote)
{
    uint32_t n = 0;

    for (size_t i = 0; n < 2 && i + quote.len <= text.len; i++)
        n += text.ptr[i] == quote.ptr[0] &&
             assay_slice_eq((assay_slice){text.ptr + i, quote.len}, quote);
    return n > 1;
}

static assay_status add(drafter *d, const assay_corpus_doc *doc, assay_span section,
                        assay_slice heading, assay_slice about, assay_error *err)
{
    assay_slice text = assay_buffer_view(&d->text);
    first f = {.text = {text.ptr + section.start, section.end - section.start},
               .base = section.start};
    assay_buffer question = ASSAY_BUFFER_EMPTY;
    candidate *item;
    assay_slice raw;

    if (!assay_slice_trim(heading).len)
        return ASSAY_OK;
    assay_md_scan(f.text, take_paragraph, &f);
    raw = (assay_slice){text.ptr + f.span.start, f.span.end - f.span.start};
    if (!f.span.end || !assay_utf8_is(raw) || !assay_utf8_is(heading) ||
        !assay_utf8_is(about))
        return ASSAY_OK;
    item = assay_mem_grow(d->item, &d->cap, d->n + 1, sizeof *item);
    if (!item)
        return assay_fail_memory(err, "drafting questions");
    d->item = item;
    assay_draft_question(heading, about, &question);
    d->item[d->n] = (candidate){
        .doc = assay_arena_copy(&d->arena, doc->id),
        .question = assay_arena_copy(&d->arena, assay_buffer_view(&question)),
        .quote = one_line(&d->arena, raw),
        .span = f.span,
        .is_ambiguous = stands_twice(text, raw),
        .is_korean = has_hangul(heading),
        .doc_number = d->n_docs,
        .number = (uint32_t)d->n,
        .bytes = f.text.len,
    };
    item = &d->item[d->n++];
    bool has_failed = question.has_failed;

    assay_buffer_clear(&question);
    return has_failed || !item->doc.ptr || !item->question.ptr || !item->quote.ptr
               ? assay_fail_memory(err, "drafting questions")
               : ASSAY_OK;
}

/* What stands below a heading before the next one, whatever its level. */
static assay_span own_text(const assay_chunks *c, uint32_t i, assay_slice text)
{
    assay_span own = c->heading[i].section;

    if (i + 1 < c->n_headings && c->heading[i + 1].section.start < own.end)
        own.end = c->heading[i + 1].section.start;
    if (own.end > text.len)
        own.end = text.len;
    return own;
}

static void rank_sections(candidate *item, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            item[i].rank += item[k].bytes > item[i].bytes ||
                            (item[k].bytes == item[i].bytes && k < i);
}

static assay_status add_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    drafter *d = ctx;
    size_t before = d->n;
    assay_document document;
    assay_chunks c = {0};
    assay_slice text;
    assay_status st;

    if (doc->form == ASSAY_FORM_CODE)
        return ASSAY_OK;
    assay_arena_reset(&d->scratch);
    st = assay_corpus_text(d->corpus, doc->version, &d->text, err);
    if (st)
        return st;
    text = assay_buffer_view(&d->text);
    document = assay_corpus_document(doc, text);
    if (!assay_headings_find(&document, &d->scratch, &c))
        return assay_fail_memory(err, "drafting questions");
    for (uint32_t i = 0; !st && i < c.n_headings; i++) {
        const assay_heading *h = &c.heading[i];
        assay_slice about =
            h->parent != ASSAY_NONE ? c.heading[h->parent].text : ASSAY_LIT("");

        st = add(d, doc, own_text(&c, i, text), h->text, about, err);
    }
    if (!st && !c.n_headings)
        st = add(d, doc, (assay_span){0, text.len}, doc->title.len ? doc->title : doc->id,
                 ASSAY_LIT(""), err);
    rank_sections(d->item + before, d->n - before);
    d->n_docs++;
    return st;
}

/* ---- choosing ---- */

/* Documents take turns; within a turn they come in an order that jumps over the corpus, so
 * that fewer drafts than documents are spread as well: bits of the number, reversed. */
static uint32_t reversed(uint32_t n)
{
    uint32_t out = 0;

    for (int i = 0; i < 32; i++, n >>= 1)
        out = out << 1 | (n & 1);
    return out;
}

static int by_turn(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    uint32_t p = reversed(x->doc_number);
    uint32_t q = reversed(y->doc_number);

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (p > q) - (p < q);
}

static int by_place(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Keep the first `n` whose questions are not there yet; false: no memory. */
static bool choose(drafter *d, uint32_t n, const assay_golden *base)
{
    assay_dict asked = {0};
    uint32_t number;
    bool is_new;
    bool ok = true;
    size_t kept = 0;

    for (uint32_t i = 0; ok && base && i < base->n_queries; i++)
        ok = assay_dict_put(&asked, NULL, base->query[i].text, &number, &is_new);
    for (size_t i = 0; ok && i < d->n && kept < n; i++) {
        ok = assay_dict_put(&asked, NULL, d->item[i].question, &number, &is_new);
        if (ok && is_new)
            d->item[kept++] = d->item[i];
    }
    d->n = kept;
    assay_dict_clear(&asked);
    return ok;
}

static void put_line(const candidate *c, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "query");
    assay_json_string(&w, c->question);
    assay_json_key(&w, "lang");
    assay_json_text(&w, c->is_korean ? "ko" : "en");
    assay_json_key(&w, "state");
    assay_json_text(&w, "draft");
    assay_json_key(&w, "doc");
    assay_json_string(&w, c->doc);
    assay_json_key(&w, "quote");
    assay_json_string(&w, c->quote);
    if (c->is_ambiguous) {
        char span[64];

        snprintf(span, sizeof span, "%" PRIu64 "-%" PRIu64, c->span.start, c->span.end);
        assay_json_key(&w, "span");
        assay_json_text(&w, span);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

assay_status assay_draft(assay_corpus *corpus, uint32_t n, const assay_golden *base,
                         assay_buffer *out, uint32_t *made, assay_error *err)
{
    drafter d = {.corpus = corpus};
    assay_status st = assay_corpus_each(corpus, add_doc, &d, err);

    if (!st && d.n)
        qsort(d.item, d.n, sizeof *d.item, by_turn);
    if (!st && !choose(&d, n, base))
        st = assay_fail_memory(err, "drafting questions");
    if (!st && d.n)
        qsort(d.item, d.n, sizeof *d.item, by_place);
    for (size_t i = 0; !st && i < d.n; i++)
        put_line(&d.item[i], out);
    if (!st && out->has_failed)
        st = assay_fail_memory(err, "drafting questions");
    if (!st)
        *made = (uint32_t)d.n;
    assay_mem_free(d.item);
    assay_buffer_clear(&d.text);
    assay_arena_clear(&d.scratch);
    assay_arena_clear(&d.arena);
    return st;
}
