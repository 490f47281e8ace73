/* SPDX-License-Identifier: Apache-2.0 */
/* Stage events (evalvault's): what each stage of a retrieval pipeline did for a query.
 *
 * The events as they were written, checked and with their defaults filled in.  What they
 * mean as a run is u_stage.c's business; what is measured on them, metric/stage_metrics. */
#ifndef ASSAY_RUN_STAGES_H
#define ASSAY_RUN_STAGES_H

#include "base/node.h"
#include "run/run.h"

typedef struct assay_stage {
    assay_slice run_id;
    assay_slice stage_id;  /* as given, else event-<n> */
    assay_slice parent_id; /* "" = none */
    assay_slice type;      /* trimmed, in lower case */
    assay_slice name;
    assay_slice status; /* as given, else "success" */
    uint32_t attempt;   /* from 1 */
    uint32_t line;
    double duration_ms;           /* negative = unknown */
    const assay_node *attributes; /* a map, or null */
    const assay_node *metadata;   /* likewise */
    assay_slice test_case;        /* metadata.test_case_id, "" = none */

    /* attributes.doc_ids, integers replaced by ids where the documents are at hand */
    const assay_slice *doc;
    uint32_t n_docs;
    const double *score; /* attributes.scores */
    uint32_t n_scores;
} assay_stage;

struct assay_stages {
    assay_stage *event; /* in file order */
    uint32_t n;
    size_t cap;
    assay_slice *run_id; /* all different, in order of appearance */
    uint32_t n_run_ids;
    assay_slice chosen;  /* the run that counts: options->run_id, else the first */
    uint32_t n_integers; /* doc_ids given as integers */
    uint32_t n_contexts; /* doc_ids of the form context_<n> */
};

/* Read all events: a JSON object a line, a list, {"stage_events": []} or one object.
 * Everything lives in `run`'s arena; notes go to run->notes. */
ASSAY_MUST_USE assay_status assay_stages_read(const assay_run_source *source,
                                              assay_run *run, assay_stages **out,
                                              assay_error *err);

/* Whether the event belongs to the chosen run. */
bool assay_stages_counts(const assay_stages *stages, const assay_stage *event);

/* Whether the status says that the stage failed. */
bool assay_stage_has_failed(const assay_stage *event);

/* An attribute that is there and not null, else null. */
const assay_node *assay_stage_get(const assay_node *map, const char *key);

/* The text of a string or whole number, "" for anything else. */
assay_slice assay_stage_id(const assay_node *node);

/* An ISO 8601 date or date and time in microseconds since 1970; *has_zone says whether
 * it named its offset from UTC.  False: it is none. */
bool assay_stage_time(assay_slice text, int64_t *us, bool *has_zone);

#endif
