/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an HTML page, in the shape of Markdown: headings with #, items with - or a
 * number, <pre> between fences, tables of data as rows of bars, paragraphs between blank
 * lines.  Scripts, styles, navigation, forms' controls and what is hidden are left out;
 * links, emphasis and inline code leave no marks, so that a quote from a browser is found.
 * The same bytes always give the same text. */
#ifndef ASSAY_CORPUS_HTML_TEXT_H
#define ASSAY_CORPUS_HTML_TEXT_H

#include "assay.h"
#include "base/buffer.h"

/* Append the text to `text` and what <title> says to `title`.  HTML has no errors, but
 * pages of more than 64 MB and those that are nested beyond reason are ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_html_extract(const char *path, assay_slice html,
                                               assay_buffer *text, assay_buffer *title,
                                               assay_error *err);

/* "html@1+gumbo-0.10.1": ours and the parser's version. */
extern const char assay_html_extractor[];

#endif
