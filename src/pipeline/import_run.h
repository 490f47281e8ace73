/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that were made elsewhere, taken into a store.
 *
 *     run file, kebab's database ──> place hits ──> measure ──> stored, with the golden set
 *     bundle ────────────────────────────────────────────────> stored as it was
 *
 * What was taken in before is known: a run file by the hash of its bytes, the others by the
 * ids that they bring. */
#ifndef ASSAY_PIPELINE_IMPORT_RUN_H
#define ASSAY_PIPELINE_IMPORT_RUN_H

#include "pipeline/evaluate.h"
#include "pipeline/kebab_db.h"
#include "pipeline/run_bundle.h"
#include "store/run_id.h"
#include "store/store.h"

/* What all runs of one call share; borrowed. */
typedef struct assay_import {
    assay_store *store;
    assay_run_ids ids;
    const assay_golden *golden; /* resolved, where there is a corpus; null = none */
    assay_slice golden_text;    /* frozen */
    assay_slice golden_hash;
    assay_slice golden_path;
    const char *corpus; /* file, or null */
    assay_slice corpus_name;
    assay_slice corpus_hash;
    assay_eval_settings eval; /* conventions null = the golden set's */
    assay_slice suite;
    assay_slice method;     /* "" = the run's own name */
    assay_slice commit;     /* "" = unknown */
    assay_slice created_at; /* "" = now */
    const assay_tag *tag;
    uint32_t n_tags;
    uint32_t k;
    bool is_again; /* also what is there already */
} assay_import;

typedef struct assay_imported {
    char run_id[80];  /* of the new run, or of the one that is there already */
    bool is_there;    /* already: nothing was stored */
    bool is_measured; /* against the golden set of the call, or its own */
    bool is_recorded; /* there are no hits, only values that somebody else measured */
    uint32_t n_results;
    uint32_t n_failed;
    uint32_t n_known;  /* queries that the golden set has too */
    assay_notes notes; /* in the arena of the call */
} assay_imported;

/* Take in `run`, which was read from `path` and whose bytes hash to `sha256`. */
ASSAY_MUST_USE assay_status assay_import_run(assay_import *import, const char *path,
                                             const char *sha256, assay_run *run,
                                             assay_arena *arena, assay_imported *out,
                                             assay_error *err);

/* Take in a run of kebab's database (pipeline/kebab_db.h); it keeps its id, date, suite and
 * commit, and where there is no golden set for it the aggregate that kebab stored. */
ASSAY_MUST_USE assay_status assay_import_kebab(assay_import *import, const char *path,
                                               const assay_kebab_run *row, assay_run *run,
                                               const assay_snapshot *made,
                                               assay_arena *arena, assay_imported *out,
                                               assay_error *err);

/* Take in a bundle; it keeps its id, dates, golden set and tags, and gets those of the
 * import besides. */
ASSAY_MUST_USE assay_status assay_import_bundle(assay_import *import, const char *path,
                                                const assay_bundle *bundle,
                                                assay_arena *arena, assay_imported *out,
                                                assay_error *err);

#endif
