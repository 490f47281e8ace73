/* SPDX-License-Identifier: Apache-2.0 */
/* TREC collections: <DOC> ... </DOC> one after the other, each with its <DOCNO>.
 *
 * The title is in TITLE, HEADLINE, HEAD, HL or TTL.  The text is what the TEXT elements
 * hold; in a document without one it is all but number and title; behind a DOCHDR it is a
 * page of HTML.  Tags are taken out of it and references to characters are replaced.
 * Upper and lower case are the same. */
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/slice.h"
#include "corpus/doc_ids.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"
#include "corpus/html_text.h"
#include "corpus/markup.h"

static const char *const titles[] = {"TITLE", "HEADLINE", "HEAD", "HL", "TTL", NULL};

typedef struct reading {
    const assay_doc_source *source;
    assay_doc_sink *emit;
    void *ctx;
    assay_slice rest; /* not read yet */
    const char *counted;
    uint64_t line;
    assay_doc_ids ids;
    assay_buffer text;
    assay_buffer title;
} reading;

static int sniff_trec(const assay_doc_source *source)
{
    assay_slice head = assay_slice_trim(assay_doc_head(source));
    assay_slice inside;
    assay_slice element;

    if (!assay_markup_is(head, "DOC"))
        return 0;
    inside = (assay_slice){head.ptr + 1, head.len - 1};
    return assay_markup_find(inside, "DOCNO", &element, NULL) ? 95 : 0;
}

static uint32_t line_of(reading *r, const char *at)
{
    const char *p;

    while (r->counted < at && (p = memchr(r->counted, '\n', (size_t)(at - r->counted)))) {
        r->line++;
        r->counted = p + 1;
    }
    return r->line < UINT32_MAX ? (uint32_t)r->line : UINT32_MAX;
}

/* The first title that holds something; *whole is its element. */
static void find_title(reading *r, assay_slice body, assay_slice *whole)
{
    assay_slice inside;

    *whole = (assay_slice){body.ptr, 0};
    for (size_t i = 0; titles[i] && !r->title.len; i++)
        if (assay_markup_find(body, titles[i], &inside, whole))
            assay_markup_words(inside, &r->title);
}

/* All TEXT elements; false when there is none. */
static bool put_texts(reading *r, assay_slice body)
{
    assay_slice inside;
    assay_slice whole;
    bool is_there = false;

    while (assay_markup_find(body, "TEXT", &inside, &whole)) {
        const char *behind = whole.ptr + whole.len;

        if (r->text.len)
            assay_buffer_char(&r->text, '\n');
        assay_markup_text(inside, &r->text);
        body = (assay_slice){behind, (size_t)(body.ptr + body.len - behind)};
        is_there = true;
    }
    return is_there;
}

/* All but number and title, which may stand in either order. */
static void put_others(reading *r, assay_slice body, assay_slice number,
                       assay_slice title)
{
    const assay_slice *first = number.ptr <= title.ptr ? &number : &title;
    const assay_slice *second = first == &number ? &title : &number;
    const char *p = body.ptr;
    const assay_slice *cut[2] = {first, second};

    for (size_t i = 0; i < 2; i++) {
        if (cut[i]->ptr > p)
            assay_markup_text((assay_slice){p, (size_t)(cut[i]->ptr - p)}, &r->text);
        if (cut[i]->ptr + cut[i]->len > p)
            p = cut[i]->ptr + cut[i]->len;
    }
    assay_markup_text((assay_slice){p, (size_t)(body.ptr + body.len - p)}, &r->text);
}

static assay_status put_body(reading *r, assay_slice body, assay_slice number,
                             bool *is_page, assay_error *err)
{
    assay_slice inside;
    assay_slice whole;
    assay_slice title;

    r->text.len = r->title.len = 0;
    if (assay_markup_find(body, "DOCHDR", &inside, &whole)) {
        const char *page = whole.ptr + whole.len;

        *is_page = true;
        return assay_html_extract(
            r->source->path, (assay_slice){page, (size_t)(body.ptr + body.len - page)},
            &r->text, &r->title, err);
    }
    find_title(r, body, &title);
    if (!put_texts(r, body))
        put_others(r, body, number, title);
    return r->text.has_failed || r->title.has_failed
               ? assay_fail_memory(err, "reading documents")
               : ASSAY_OK;
}

static assay_status read_doc(reading *r, assay_slice body, uint32_t line,
                             assay_error *err)
{
    assay_slice inside;
    assay_slice number;
    bool is_page = false;
    bool is_new;
    assay_document doc = {.lang = ASSAY_LIT(""), .line = line};
    assay_status st;

    if (!assay_markup_find(body, "DOCNO", &inside, &number))
        return assay_fail_at(err, r->source->path, line, "a <DOC> without <DOCNO>");
    doc.id = assay_slice_trim(inside);
    if (!doc.id.len)
        return assay_fail_at(err, r->source->path, line, "<DOCNO> is empty");
    if (!assay_doc_ids_put(&r->ids, doc.id, line, &is_new))
        return assay_fail_memory(err, "reading documents");
    if (r->ids.twice.n)
        return ASSAY_OK;
    st = put_body(r, body, number, &is_page, err);
    if (st)
        return st;
    doc.title = assay_buffer_view(&r->title);
    doc.text = assay_slice_trim(assay_buffer_view(&r->text));
    doc.form = is_page ? ASSAY_FORM_MARKDOWN : ASSAY_FORM_PLAIN;
    doc.extractor = assay_slice_of(is_page ? assay_html_extractor : "trec@1");
    return r->emit(r->ctx, &doc, err);
}

/* The next document of r->rest; *is_there is false at the end. */
static assay_status next_doc(reading *r, bool *is_there, assay_error *err)
{
    const char *path = r->source->path;
    const char *end = r->rest.ptr + r->rest.len;
    assay_slice whole;
    assay_slice body;
    uint32_t line;

    while (r->rest.len && memchr(" \t\r\n\f", *r->rest.ptr, 5)) {
        r->rest.ptr++;
        r->rest.len--;
    }
    *is_there = r->rest.len > 0;
    if (!*is_there)
        return ASSAY_OK;
    line = line_of(r, r->rest.ptr);
    if (!assay_markup_is(r->rest, "DOC")) {
        assay_slice rest = r->rest;
        assay_slice found = ASSAY_LIT("");

        assay_slice_part(&rest, '\n', &found);
        found.len = found.len < 20 ? found.len : 20;
        return assay_fail_at(err, path, line, "want <DOC>, not '%.*s'",
                             ASSAY_QUOTE(found));
    }
    if (!assay_markup_find(r->rest, "DOC", &body, &whole))
        return assay_fail_at(err, path, line, "a <DOC> without </DOC>");
    r->rest = (assay_slice){whole.ptr + whole.len, (size_t)(end - whole.ptr) - whole.len};
    return read_doc(r, body, line, err);
}

static assay_status read_trec(const assay_doc_source *source, assay_doc_sink *emit,
                              void *ctx, assay_error *err)
{
    reading r = {.source = source,
                 .emit = emit,
                 .ctx = ctx,
                 .rest = assay_doc_text(source),
                 .line = 1};
    assay_status st = ASSAY_OK;
    bool is_there = true;

    r.counted = r.rest.ptr;
    while (!st && is_there)
        st = next_doc(&r, &is_there, err);
    if (!st)
        st = assay_doc_ids_finish(&r.ids, source->path, err);
    assay_doc_ids_clear(&r.ids);
    assay_buffer_clear(&r.text);
    assay_buffer_clear(&r.title);
    return st;
}

const assay_doc_reader assay_doc_reader_trec = {
    .name = "trec",
    .summary = "TREC collections: <DOC> elements with <DOCNO>, titles and <TEXT>",
    .sniff = sniff_trec,
    .read = read_trec,
};
