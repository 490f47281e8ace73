/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pq_words.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"

/* What people can do about it; a shorter state is a whole class, and stands behind its
 * members. */
static const struct {
    const char *state;
    assay_status status;
    assay_pq_fault fault;
    const char *words; /* null: the server's own say more */
} meanings[] = {
    {"28P01", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE, "the server refuses the password"},
    {"28", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE, "the server refuses this user"},
    {"3D000", ASSAY_EUSAGE, ASSAY_PQ_FAULT_NONE,
     "there is no such database; make it with 'createdb'"},
    {"3F000", ASSAY_EUSAGE, ASSAY_PQ_FAULT_NONE,
     "there is no such schema; make it with 'CREATE SCHEMA'"},
    {"42501", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE, NULL},
    {"25006", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE, "it may only be read"},
    {"22021", ASSAY_EINPUT, ASSAY_PQ_FAULT_NONE,
     "a text is no UTF-8 or has a zero byte, which PostgreSQL cannot keep"},
    {"22P05", ASSAY_EINPUT, ASSAY_PQ_FAULT_NONE,
     "a text has a character that the database's encoding lacks; make it with 'createdb -E "
     "UTF8'"},
    {"53100", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE,
     "the server's disk is full; what was complete is kept"},
    {"53300", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_LOST,
     "the server has too many connections; try again later"},
    {"55P03", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE,
     "another process is holding it; try again later"},
    {"57014", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_NONE, "a statement took too long"},
    {"57P03", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_LOST,
     "the server is starting or stopping; try again later"},
    {"57P", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_LOST, "the server closed the connection"},
    {"08", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_LOST, "the connection is broken"},
    {"23503", ASSAY_EUSAGE, ASSAY_PQ_FAULT_FOREIGN,
     "a row that another refers to is not there, or is in use"},
    {"40001", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_AGAIN,
     "another process changed the same at the same time; try again"},
    {"40P01", ASSAY_ESYSTEM, ASSAY_PQ_FAULT_AGAIN,
     "two processes waited for each other; try again"},
    {"54000", ASSAY_EINPUT, ASSAY_PQ_FAULT_NONE, "a value is too large for PostgreSQL"},
};

static size_t find(const char *state)
{
    size_t i = 0;

    while (i < ASSAY_COUNT(meanings) &&
           strncmp(meanings[i].state, state, strlen(meanings[i].state)) != 0)
        i++;
    return i;
}

assay_pq_fault assay_pq_fault_in(const char *state)
{
    size_t i = find(state);

    return i < ASSAY_COUNT(meanings) ? meanings[i].fault : ASSAY_PQ_FAULT_NONE;
}

assay_status assay_pq_say(const char *place, const char *state, const char *message,
                          assay_error *err)
{
    size_t i = find(state);
    assay_status st = ASSAY_ESYSTEM;

    if (i < ASSAY_COUNT(meanings))
        return assay_fail(err, meanings[i].status, "'%s': %s", place,
                          meanings[i].words ? meanings[i].words : message);
    /* A schema that differs from what its version promises shows as SQL that does not
     * compile: the database is at fault, not the system. */
    if (strncmp(state, "42", 2) == 0)
        st = ASSAY_EINPUT;
    return assay_fail(err, st, "'%s': %s%s%s%s", place, message, state[0] ? " (" : "",
                      state, state[0] ? ")" : "");
}
