/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus that a command line names. */
#ifndef ASSAY_CLI_CORPUS_ARG_H
#define ASSAY_CLI_CORPUS_ARG_H

#include "base/json.h"
#include "cli/workspace.h"
#include "corpus/corpus.h"
#include "corpus/corpus_stats.h"
#include "report/grid.h"

typedef struct assay_corpus_arg {
    assay_workspace workspace;
    const char *name;
    const char *path;
    assay_corpus *corpus;
} assay_corpus_arg;

/* Find the workspace and open the corpus: `name`, or where that is null the one that is
 * meant. */
ASSAY_MUST_USE assay_status assay_corpus_arg_open(assay_cli *cli, const char *name,
                                                  assay_corpus_mode mode,
                                                  assay_corpus_arg *out,
                                                  assay_error *err);
void assay_corpus_arg_close(assay_corpus_arg *arg);

/* What stands at the head of every report on a corpus. */
typedef struct assay_corpus_head {
    const char *name;
    const char *path;
    assay_corpus_size size;
    assay_corpus_origin origin;
    assay_slice chunking;
    char hash[65];
    char when[40]; /* of the last reading, UTC; "" = never */
} assay_corpus_head;

ASSAY_MUST_USE assay_status assay_corpus_head_read(const char *name, const char *path,
                                                   assay_corpus *corpus,
                                                   assay_arena *arena,
                                                   assay_corpus_head *out,
                                                   assay_error *err);
void assay_corpus_head_print(const assay_corpus_head *head, assay_buffer *out);
/* Its members, into an object that is open. */
void assay_corpus_head_json(const assay_corpus_head *head, assay_json_writer *w);

/* Small words for JSON. */
void assay_json_count(assay_json_writer *w, const char *key, uint64_t n);
void assay_json_name(assay_json_writer *w, const char *key, assay_slice text);

/* A cell with a name in which control bytes are escaped; the second cuts it to a width
 * that a table can bear, unless the format is CSV. */
void assay_grid_name(assay_grid *grid, assay_slice name);
void assay_grid_short(assay_grid *grid, assay_slice name, const char *format);
void assay_grid_count(assay_grid *grid, uint64_t n);

/* Print the grid in `format`: csv, md, else table. */
void assay_grid_write(const assay_grid *grid, const char *format, assay_buffer *out);

#endif
