/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's write-ahead log, laid over a copy of the database in memory.  For databases of
 * other programs: SQLite itself would make files beside them. */
#ifndef ASSAY_BASE_WAL_H
#define ASSAY_BASE_WAL_H

#include <stdbool.h>

#include "assay.h"

enum { ASSAY_WAL_HEAD = 32 };

/* What a log would make of a database. */
typedef struct assay_wal {
    uint32_t page_bytes;
    uint32_t n_pages; /* of the database after the last whole transaction; 0 = the log has
                          none, and the database stays as it is */
    uint32_t n_frames; /* that belong to whole transactions */
} assay_wal;

/* Look at a log.  Frames behind the last transaction that is whole, and what is left of
 * earlier rounds, count for nothing.  False when it is no log. */
bool assay_wal_look(assay_slice log, assay_wal *out);

/* Write the pages of whole transactions into `image`, which has room for n_pages pages. */
void assay_wal_apply(assay_slice log, const assay_wal *wal, char *image);

/* The database `path` with its log over it, as they were at one moment; *image stays null
 * where there is no log, and the file is all there is.  Nothing is locked, written or made.
 * A transaction that was cut short in a journal, and a log that is begun anew again and again
 * while it is read, are failures.  Free it with assay_mem_free. */
ASSAY_MUST_USE assay_status assay_wal_image(const char *path, char **image, size_t *size,
                                            assay_error *err);

#endif
