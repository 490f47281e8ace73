/* SPDX-License-Identifier: Apache-2.0 */
/* Small work on slices: compare, trim, split, read as a number. */
#ifndef ASSAY_BASE_SLICE_H
#define ASSAY_BASE_SLICE_H

#include <stdbool.h>
#include <string.h>

#include "assay.h"

#define ASSAY_LIT(text) ((assay_slice){("" text), sizeof(text) - 1})

/* For "%.*s" in messages: at most 80 bytes of it, since a message is one line. */
#define ASSAY_QUOTE(s) (int)((s).len < 80 ? (s).len : 80), ((s).ptr ? (s).ptr : "")

static inline assay_slice assay_slice_of(const char *text)
{
    return (assay_slice){text, text ? strlen(text) : 0};
}

static inline bool assay_slice_eq(assay_slice a, assay_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Bytes, unsigned, a prefix before what it begins: the order of strcmp. */
static inline int assay_slice_cmp(assay_slice a, assay_slice b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;

    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

static inline bool assay_slice_is(assay_slice a, const char *text)
{
    return assay_slice_eq(a, assay_slice_of(text));
}

bool assay_slice_starts(assay_slice s, const char *prefix);
bool assay_slice_ends(assay_slice s, const char *suffix);

/* Equal when ASCII case is ignored. */
bool assay_slice_is_nocase(assay_slice a, const char *text);

/* Without white space (as isspace in the C locale) at both ends. */
assay_slice assay_slice_trim(assay_slice s);

/* Split at white space.  Returns how many fields there are in all; only the first
 * `max` are written. */
size_t assay_slice_fields(assay_slice s, assay_slice *field, size_t max);

/* Cut *rest at the next `sep`; false when *rest is used up.  "a,,b" has three parts,
 * "a," one, "" none. */
bool assay_slice_part(assay_slice *rest, char sep, assay_slice *part);

/* The whole slice as a decimal whole number, sign allowed; false when it is not one or
 * does not fit. */
bool assay_slice_to_i32(assay_slice s, int32_t *out);
bool assay_slice_to_i64(assay_slice s, int64_t *out);
bool assay_slice_to_u32(assay_slice s, uint32_t *out);

/* Edit distance of two short names (insert, delete, replace, swap; ASCII case counts for
 * nothing), for "did you mean"; anything beyond 64 bytes counts as far away. */
uint32_t assay_slice_distance(assay_slice a, assay_slice b);

#endif
