/* SPDX-License-Identifier: Apache-2.0 */
/* The project folder and its assay.yaml: which documents, which golden set, whose rules.
 *
 * The file is found upwards from the working folder.  Paths in it are relative to the
 * file; here they are given so that they can be opened from the working folder.  Unknown
 * keys are errors, but for those that begin with x_.  Keys of commands that come later
 * are checked for their kind and kept as a tree. */
#ifndef ASSAY_PIPELINE_PROJECT_H
#define ASSAY_PIPELINE_PROJECT_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/node.h"

#define ASSAY_PROJECT_FILE     "assay.yaml"
#define ASSAY_WORKSPACE_FOLDER ".assay"
#define ASSAY_CORPUS_STANDARD  "main" /* the corpus that nobody gave a name */
#define ASSAY_CORPUS_NAME_RULES \
    "letters, digits, '.', '_' and '-', the first a letter, digit or '_'"

/* One entry under `corpus`. */
typedef struct assay_project_corpus {
    const char *name;
    const char **path; /* what to ingest */
    uint32_t n_paths;
    const char *chunker; /* as spelt, null = not said */
    uint32_t line;
} assay_project_corpus;

typedef struct assay_project {
    assay_arena arena;
    assay_file text;        /* nodes point into it */
    const char *path;       /* of assay.yaml, as messages name it */
    const char *folder;     /* in which it stands; "." = the working folder */
    const assay_node *root; /* the whole file; null when it says nothing */
    const char *name;       /* null = not said */
    const char *workspace;  /* the same */
    const char *golden;
    const char *topics;
    assay_project_corpus
        *corpus; /* the first is the one that is meant where none is said */
    uint32_t n_corpora;
} assay_project;

/* The nearest folder at or above `start` that has `what` in it, in `arena`; *folder is
 * null when there is none. */
ASSAY_MUST_USE assay_status assay_project_find(const char *start, const char *what,
                                               assay_arena *arena, const char **folder,
                                               assay_error *err);

/* Read assay.yaml in `folder`.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_project_load(const char *folder, assay_project **out,
                                               assay_error *err);

/* The same from memory, as if it stood in `folder`. */
ASSAY_MUST_USE assay_status assay_project_parse(const char *folder, assay_slice text,
                                                assay_project **out, assay_error *err);
void assay_project_free(assay_project *project);

/* The value of a key of assay.yaml, or null. */
const assay_node *assay_project_get(const assay_project *project, const char *key);

/* The value that stands for the option `--option` where that is not given, or null. */
const assay_node *assay_project_option(const assay_project *project, const char *option);

/* The corpus of this name as assay.yaml describes it (a null name: the first), or null. */
const assay_project_corpus *assay_project_corpus_find(const assay_project *project,
                                                      const char *name);

/* Whether a corpus may be called so; ASSAY_CORPUS_NAME_RULES says it in words. */
bool assay_corpus_name_is(assay_slice name);

/* `path` as seen from `folder`; null: no memory. */
const char *assay_project_join(assay_arena *arena, const char *folder, assay_slice path);

/* A key of assay.yaml, for documentation; false past the end. */
typedef struct assay_project_key {
    const char *name;
    const char *option; /* flag that wins over it, or null */
    const char *help;
} assay_project_key;
bool assay_project_key_at(size_t i, assay_project_key *out);

#endif
