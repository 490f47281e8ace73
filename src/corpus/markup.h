/* SPDX-License-Identifier: Apache-2.0 */
/* The loose markup of TREC collections: elements found by name, tags taken out.  Neither
 * XML nor HTML, and never well-formed as a whole. */
#ifndef ASSAY_CORPUS_MARKUP_H
#define ASSAY_CORPUS_MARKUP_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

/* Whether `text` begins with the tag <name>, ASCII case apart, attributes allowed. */
bool assay_markup_is(assay_slice text, const char *name);

/* The first <name> ... </name>: *inside is what it holds, *whole (may be null) the element
 * with its tags.  One that another <name> or nothing follows instead of an end is none. */
bool assay_markup_find(assay_slice text, const char *name, assay_slice *inside,
                       assay_slice *whole);

/* Append `text` without tags, &amp; and its like replaced.  A tag of a paragraph becomes a
 * line feed where there is none. */
void assay_markup_text(assay_slice text, assay_buffer *out);

/* The same on one line: white space folded. */
void assay_markup_words(assay_slice text, assay_buffer *out);

#endif
