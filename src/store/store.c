/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "store/database.h"
#include "store/store_roster.h"

#define X(id) extern const assay_database assay_database_##id;
ASSAY_STORE_ROSTER(X)
#undef X

#define X(id) &assay_database_##id,
static const assay_database *const roster[] = {ASSAY_STORE_ROSTER(X)};
#undef X

const assay_database *assay_database_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

assay_status assay_database_find(const char *place, const assay_database **out,
                                 assay_error *err)
{
    /* Only the scheme is quoted: what comes behind it may be secret. */
    int scheme = (int)strcspn(place, ":");

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        if (roster[i]->takes(place)) {
            *out = roster[i];
            return ASSAY_OK;
        }
    }
    return assay_fail(err, ASSAY_EUSAGE,
                      "no store is called '%.*s:...'; want a path or postgresql://...",
                      scheme < 40 ? scheme : 40, place);
}
