/* SPDX-License-Identifier: Apache-2.0 */
/* gumbo, tamed: it neither checks for failing allocation nor frees a deep tree without
 * recursion.  So it gets an arena, which jumps out of it when memory, or the share for this
 * page, is used up, and which is dropped as a whole. */
#ifndef ASSAY_CORPUS_HTML_PARSE_H
#define ASSAY_CORPUS_HTML_PARSE_H

#include <gumbo.h>

#include "assay.h"
#include "base/arena.h"

/* The tree of a page, all of it in `arena`.  Pages of more than 64 MB and those that are
 * nested beyond reason are ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_html_parse(const char *path, assay_slice html,
                                             assay_arena *arena, const GumboNode **root,
                                             assay_error *err);

#endif
