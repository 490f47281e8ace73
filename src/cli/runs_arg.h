/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on stored runs share: the store, which runs are meant, and how a run
 * is shown on one line. */
#ifndef ASSAY_CLI_RUNS_ARG_H
#define ASSAY_CLI_RUNS_ARG_H

#include "base/json.h"
#include "cli/store_arg.h"
#include "report/aggregate_json.h"
#include "run/snapshot.h"

/* Which runs; for commands that work on many. */
#define ASSAY_OPTIONS_RUNS                                                              \
    {0, "suite", ASSAY_OPTION_TEXT, "NAME", NULL, "only runs of this suite"},           \
        {0,     "tag", ASSAY_OPTION_TEXT,                                               \
         "K=V", NULL,  "only runs with this tag, or with any of this key"},             \
        {0,        "method", ASSAY_OPTION_TEXT,                                         \
         "METHOD", NULL,     "only runs of this method, spelt in full or by its name"}, \
        {0,      "since", ASSAY_OPTION_TEXT,                                            \
         "DATE", NULL,    "only runs made at or after it: 2026-01-31, or with a time"}, \
        {0, "before", ASSAY_OPTION_TEXT, "DATE", NULL, "only runs made before it"},     \
    {                                                                                   \
        0, "status", ASSAY_OPTION_CHOICE, "STATUS", "running|done",                     \
            "only runs that are not finished, or only those that are"                   \
    }

typedef struct assay_runs_arg {
    assay_workspace workspace;
    assay_store *store;
} assay_runs_arg;

ASSAY_MUST_USE assay_status assay_runs_open(assay_cli *cli, assay_store_mode mode,
                                            assay_runs_arg *out, assay_error *err);
void assay_runs_close(assay_runs_arg *arg);

/* The filter that ASSAY_OPTIONS_RUNS make.  A date that is none is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_runs_filter(assay_cli *cli, assay_store_filter *out,
                                              assay_error *err);

/* The whole RFC 3339 time that `text`, the value of `option`, is a beginning of. */
ASSAY_MUST_USE assay_status assay_runs_date(const char *option, const char *text,
                                            assay_arena *arena, assay_slice *out,
                                            assay_error *err);

/* A stored run with its JSON read. */
typedef struct assay_run_view {
    const assay_stored *stored;
    assay_snapshot snapshot;
    assay_aggregated aggregate;
    int id_len; /* bytes of its id that tell it from the others */
} assay_run_view;

/* Read them all, into the command's arena.  JSON that cannot be read is told on standard
 * error, and what it says is not known. */
ASSAY_MUST_USE assay_status assay_runs_view(assay_cli *cli, const assay_stored *stored,
                                            uint32_t n, assay_run_view **out,
                                            assay_error *err);

/* How many bytes of the ids are needed to tell them apart, at least enough for any two
 * that were not made in the same instant. */
int assay_runs_id_len(const assay_stored *stored, uint32_t n);

/* "2026-01-31 12:34:56" of an RFC 3339 time. */
void assay_runs_when(assay_slice time, char out[20]);

/* "key=value, key=value". */
void assay_runs_tags(const assay_stored *stored, assay_buffer *out);

/* The members of a run that every report has, into an object that is open. */
void assay_runs_json(const assay_stored *stored, assay_json_writer *w);

/* A string, or null where it is empty. */
void assay_json_known(assay_json_writer *w, const char *key, assay_slice text);

#endif
