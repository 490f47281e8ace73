/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's database as a place that runs come from.
 *
 * The file is somebody else's: it is read without a lock, and neither it nor anything
 * beside it is written or made.  What kebab has in its log (kebab.sqlite-wal) but not yet in
 * the file is seen too.
 *
 *     assay runs import kebab.sqlite [--run ID]:
 *     assay_kebab_db_is(path)           a kebab database, by its first bytes
 *     assay_kebab_db_open               checks that it has kebab's tables
 *     assay_kebab_db_at / _find         its runs, oldest first; by id or its beginning
 *     assay_kebab_db_load               one of them as an assay_run, and how it was made */
#ifndef ASSAY_PIPELINE_KEBAB_DB_H
#define ASSAY_PIPELINE_KEBAB_DB_H

#include <stdbool.h>

#include "assay.h"
#include "run/run.h"
#include "run/snapshot.h"

typedef struct assay_kebab_db assay_kebab_db;

/* A row of eval_runs. */
typedef struct assay_kebab_run {
    assay_slice run_id;
    assay_slice suite;
    assay_slice commit;     /* "" = unknown */
    assay_slice created_at; /* as kebab wrote it: RFC 3339 */
    assay_slice aggregate;  /* JSON as stored, "{}" = not measured */
    assay_slice settings;   /* config_snapshot_json, without values of secret keys */
    uint32_t n_results;
} assay_kebab_run;

/* Whether the file looks like one: SQLite, and not marked as another program's. */
bool assay_kebab_db_is(const char *path);

/* A file that is not there is ASSAY_EUSAGE, one without kebab's tables ASSAY_EINPUT.  The
 * caller owns *out. */
ASSAY_MUST_USE assay_status assay_kebab_db_open(const char *path, assay_kebab_db **out,
                                                assay_error *err);
void assay_kebab_db_close(assay_kebab_db *db); /* null is allowed */

/* Its runs, oldest first; null past the end.  Valid until close. */
const assay_kebab_run *assay_kebab_db_at(const assay_kebab_db *db, size_t i);

/* The run of this id, or the only one whose id begins so ("run_" may be left out); "" is
 * the newest.  None, or several, is ASSAY_EUSAGE that lists ids. */
ASSAY_MUST_USE assay_status assay_kebab_db_find(const assay_kebab_db *db, assay_slice id,
                                                const assay_kebab_run **out,
                                                assay_error *err);

/* A run with its results, and its settings as a snapshot whose slices live as long as the
 * run: method is the mode that all queries were asked in ("lexical", "vector", "hybrid"),
 * "mixed" if they differ.  The run's name is its id.  Hits have kebab's chunk and document
 * ids and no spans: kebab kept lines.  The caller owns *out. */
ASSAY_MUST_USE assay_status assay_kebab_db_load(assay_kebab_db *db,
                                                const assay_kebab_run *run,
                                                assay_run **out, assay_snapshot *snapshot,
                                                assay_error *err);

#endif
