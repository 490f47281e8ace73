/* SPDX-License-Identifier: Apache-2.0 */
/* The names in one folder and what they are; for walk.c. */
#ifndef ASSAY_CORPUS_FOLDER_NAMES_H
#define ASSAY_CORPUS_FOLDER_NAMES_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "corpus/walk.h"

typedef struct assay_folder_name {
    assay_slice text;     /* followed by a zero byte */
    assay_walk_skip skip; /* FILE also for folders, LINK, SPECIAL or UNREADABLE */
    bool is_link;
    bool is_folder; /* or a link to one */
    uint64_t size;
    int64_t mtime_ns;
    const char *why; /* of UNREADABLE */
} assay_folder_name;

/* Zeroed is empty. */
typedef struct assay_folder_names {
    assay_arena arena; /* of the names */
    assay_folder_name *item;
    size_t n;
} assay_folder_names;

/* Read the folder; its names come in byte order of the paths that begin with them.
 * *number is what the system said, or 0.  False: no memory. */
bool assay_folder_names_read(const char *path, assay_folder_names *out, int *number);
void assay_folder_names_clear(assay_folder_names *names);

static inline bool assay_folder_name_is_real(const assay_folder_name *e)
{
    return e->is_folder && !e->is_link;
}

/* What the system calls an error. */
void assay_system_words(int number, char *text, size_t size);

#endif
