/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that a command line names, to be held against each other: each with the golden set
 * and the snapshot that belong to it.
 *
 *     a file     a run in any format, with the golden set of the command line; or what
 *                'assay runs export' wrote, which has both
 *     a name     of a run in the store: id, beginning of an id, latest, latest~1, baseline,
 *                the name of a baseline, a tag
 *
 * A golden set that was asked for by name (--golden) measures all of them.  With --corpus the
 * judgments of the command line's golden set are looked for there, and hits of run files
 * get their places. */
#ifndef ASSAY_CLI_SIDES_ARG_H
#define ASSAY_CLI_SIDES_ARG_H

#include "cli/golden_arg.h"
#include "cli/store_arg.h"
#include "compare/compare.h"
#include "golden/resolve.h"

#define ASSAY_OPTIONS_SIDES                                                                \
    {'g',                                                                                  \
     "golden",                                                                             \
     ASSAY_OPTION_TEXT,                                                                    \
     "FILE",                                                                               \
     NULL,                                                                                 \
     "golden set for all runs; default that of each run, for files that of assay.yaml"},   \
        {0,        "from", ASSAY_OPTION_TEXT,                                              \
         "FORMAT", NULL,   "format of run files; default: find out"},                      \
        {0, "golden-from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of the golden set"}, \
        {0, "topics", ASSAY_OPTION_TEXT, "FILE", NULL, "TREC: query texts"},               \
        {0, "split", ASSAY_OPTION_TEXT, "NAME", NULL, "BEIR: which qrels (test)"},         \
        {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line to read"},        \
        {0, "threads", ASSAY_OPTION_COUNT, "N", NULL, "default one for each core"},        \
        ASSAY_OPTIONS_STORE, ASSAY_OPTIONS_CORPUS

typedef struct assay_sides {
    const assay_workspace *ws;
    assay_compare_side *side;
    uint32_t n;
    uint32_t most;
    struct assay_side_own *own;       /* what each side owns */
    struct assay_side_golden *golden; /* golden sets of the store, by hash */
    uint32_t n_goldens;
    assay_golden *named; /* the command line's, or assay.yaml's; null until needed */
    assay_store *store;  /* null until needed */
    const char *corpus;  /* its file; null: --corpus was not given */
    assay_resolution resolution;
    assay_notes notes;
} assay_sides;

/* Room for `most` runs. */
ASSAY_MUST_USE assay_status assay_sides_open(assay_sides *sides,
                                             const assay_workspace *ws, uint32_t most,
                                             assay_error *err);

/* Load one more.  `caption` may be null. */
ASSAY_MUST_USE assay_status assay_sides_add(assay_sides *sides, const char *name,
                                            const char *caption, assay_error *err);
void assay_sides_close(assay_sides *sides);

#endif
