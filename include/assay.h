/* SPDX-License-Identifier: Apache-2.0 */
/* assay: measure retrieval.
 *
 * The whole public interface, in the order in which data flows:
 * errors, golden sets, runs, metrics, scores.
 *
 * Threads: no function keeps global state.  Different objects may be used from
 * different threads at once; one object may be read from several threads as long as
 * none of them changes it.
 *
 * Ownership: what a `load`, `new` or `measure` function hands out belongs to the
 * caller, who gives it back to the matching `free`.  Everything returned by `at`, `get`
 * or `find` is borrowed and lives as long as its parent.  On failure an out parameter
 * is left untouched.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSAY_API __attribute__((visibility("default")))
#define ASSAY_MUST_USE __attribute__((warn_unused_result))
#else
#define ASSAY_API
#define ASSAY_MUST_USE
#endif

/* ---- errors ---- */

/* What the caller can do about it.  The program exits with the same number. */
typedef enum assay_status {
    ASSAY_OK = 0,      /* done */
    ASSAY_NO = 1,      /* understood, and the answer is no */
    ASSAY_EUSAGE = 2,  /* the caller named something that does not exist or does not fit */
    ASSAY_EINPUT = 3,  /* a file or reply from outside is malformed */
    ASSAY_ESYSTEM = 4, /* file system, network or database refused */
    ASSAY_ENOMEM = 5   /* out of memory; nothing was changed */
} assay_status;

/* The words that go with a status.  Lives in the caller; a null pointer is allowed
 * wherever one is taken, for callers who want the status only. */
typedef struct assay_error {
    assay_status status;
    char text[1000]; /* one line, no final stop, always terminated */
} assay_error;

/* Bytes that belong to somebody else.  Not terminated. */
typedef struct assay_slice {
    const char *ptr;
    size_t len;
} assay_slice;

ASSAY_API const char *assay_version(void);

#ifdef __cplusplus
}
#endif

#endif
