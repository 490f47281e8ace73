/* SPDX-License-Identifier: Apache-2.0 */
/* Every database, in the order they are asked whether a place is theirs; a path is
 * SQLite's, so that it is last. */
#ifndef ASSAY_STORE_STORE_ROSTER_H
#define ASSAY_STORE_STORE_ROSTER_H

#define ASSAY_STORE_ROSTER(X) X(postgres) X(sqlite)

#endif
