/* SPDX-License-Identifier: Apache-2.0 */
/* The files below a folder, in byte order of their paths: the same on every machine.
 *
 * .gitignore files are followed (as git does, the .git folder and .assay too), symbolic
 * links to files are followed, links to folders are not (so there are no loops), and what
 * is left out is told, never dropped in silence. */
#ifndef ASSAY_CORPUS_WALK_H
#define ASSAY_CORPUS_WALK_H

#include <stdbool.h>

#include "assay.h"

/* Why a path was not handed out as a file. */
typedef enum assay_walk_skip {
    ASSAY_WALK_FILE,       /* it was: this is a file */
    ASSAY_WALK_IGNORED,    /* by .gitignore, or .git and .assay themselves */
    ASSAY_WALK_HIDDEN,     /* its name begins with a dot */
    ASSAY_WALK_LINK,       /* a link to a folder, or to nothing */
    ASSAY_WALK_SPECIAL,    /* no file: pipe, socket, device */
    ASSAY_WALK_UNREADABLE, /* folder or file that may not be read; `why` says it */
    ASSAY_WALK_N
} assay_walk_skip;

/* "ignored", "hidden", "link" ... */
const char *assay_walk_word(assay_walk_skip skip);

typedef struct assay_walk_entry {
    const char *path;     /* as one opens it */
    assay_slice relative; /* to the root; for a root that is a file, its last name */
    assay_walk_skip skip;
    uint64_t size; /* bytes, of a file */
    int64_t mtime_ns;
    const char *why; /* of UNREADABLE: the system's words; null else */
    bool is_folder;  /* a whole folder was left out */
    bool is_named;   /* the root itself, named by the user */
} assay_walk_entry;

typedef assay_status assay_walk_visit(void *ctx, const assay_walk_entry *entry,
                                      assay_error *err);

/* Visit everything below `root` (a folder or a file).  A root that is not there is
 * ASSAY_EUSAGE.  No recursion on the depth of the tree; names may hold any byte. */
ASSAY_MUST_USE assay_status assay_walk(const char *root, assay_walk_visit *visit,
                                       void *ctx, assay_error *err);

#endif
