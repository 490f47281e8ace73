/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns of one .gitignore file, read and matched as git does. */
#ifndef ASSAY_CORPUS_GITIGNORE_H
#define ASSAY_CORPUS_GITIGNORE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef struct assay_gitignore_rule {
    assay_slice pattern; /* without !, without a slash at either end */
    bool is_kept;        /* ! before it: what matches is not ignored after all */
    bool is_for_folders; /* / behind it */
    bool is_anchored;    /* a slash elsewhere: matched against the path, not the name */
} assay_gitignore_rule;

/* Zeroed has no rules. */
typedef struct assay_gitignore {
    const assay_gitignore_rule *rule;
    size_t n;
} assay_gitignore;

typedef enum assay_gitignore_verdict {
    ASSAY_GITIGNORE_SILENT, /* no rule matches */
    ASSAY_GITIGNORE_IGNORED,
    ASSAY_GITIGNORE_KEPT
} assay_gitignore_verdict;

/* Read the lines of a .gitignore file; everything lives in `arena`, `text` is not needed
 * afterwards.  There are no errors in such a file.  False: no memory. */
bool assay_gitignore_read(assay_slice text, assay_arena *arena, assay_gitignore *out);

/* What the last rule that matches says of `path`, which is relative to the folder of the
 * .gitignore file, without slashes at its ends.  The time is bounded by the product of the
 * lengths of path, path and pattern. */
assay_gitignore_verdict assay_gitignore_match(const assay_gitignore *rules,
                                              assay_slice path, bool is_folder);

/* Whether all of `text` matches `pattern`: ? [...] and * stop at slashes, ** between
 * slashes does not, a backslash takes the next character as it is. */
bool assay_gitignore_glob(assay_slice pattern, assay_slice text);

#endif
