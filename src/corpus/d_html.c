/* SPDX-License-Identifier: Apache-2.0 */
/* HTML pages: the text is what html_text.c makes of them. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"
#include "corpus/html_text.h"

static const char endings[] = "html|htm|xhtml|shtml";

/* What a page begins with, behind white space and an XML declaration. */
static bool begins_page(assay_slice head)
{
    static const char *const first[] = {"<!doctype html", "<html"};

    head = assay_slice_trim(head);
    if (assay_slice_starts(head, "<?xml")) {
        size_t i = 0;

        while (i < head.len && head.ptr[i] != '>')
            i++;
        i += i < head.len;
        head = assay_slice_trim((assay_slice){head.ptr + i, head.len - i});
    }
    for (size_t i = 0; i < 2; i++) {
        assay_slice want = assay_slice_of(first[i]);

        if (head.len > want.len &&
            assay_doc_is_one_of((assay_slice){head.ptr, want.len}, first[i]))
            return true;
    }
    return false;
}

static int sniff_html(const assay_doc_source *source)
{
    if (assay_doc_ends(source, endings))
        return 90;
    return begins_page(assay_doc_head(source)) ? 40 : 0;
}

static assay_status read_html(const assay_doc_source *source, assay_doc_sink *emit,
                              void *ctx, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer title = ASSAY_BUFFER_EMPTY;
    assay_status st =
        assay_html_extract(source->path, assay_doc_text(source), &text, &title, err);

    if (!st) {
        assay_document doc = {.id = source->id,
                              .title = assay_buffer_view(&title),
                              .text = assay_buffer_view(&text),
                              .form = ASSAY_FORM_MARKDOWN,
                              .lang = ASSAY_LIT(""),
                              .extractor = assay_slice_of(assay_html_extractor)};

        st = emit(ctx, &doc, err);
    }
    assay_buffer_clear(&text);
    assay_buffer_clear(&title);
    return st;
}

const assay_doc_reader assay_doc_reader_html = {
    .name = "html",
    .summary = "HTML pages as text with headings, lists, tables and fences of Markdown",
    .endings = endings,
    .sniff = sniff_html,
    .read = read_html,
};
