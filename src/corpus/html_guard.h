/* SPDX-License-Identifier: Apache-2.0 */
/* A look at HTML before it is parsed.  The parser compares each tag with all open ones and
 * each attribute with all others of its tag: input made for it would keep it busy for
 * days. */
#ifndef ASSAY_CORPUS_HTML_GUARD_H
#define ASSAY_CORPUS_HTML_GUARD_H

#include "assay.h"

enum { ASSAY_HTML_DEPTH = 1000, ASSAY_HTML_ATTRIBUTES = 1000 };

/* Null, or what is too much, in words; *at is then where. */
const char *assay_html_guard(assay_slice text, const char **at);

#endif
