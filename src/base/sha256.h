/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4), with the processor's own instructions where it has them. */
#ifndef ASSAY_BASE_SHA256_H
#define ASSAY_BASE_SHA256_H

#include "assay.h"

enum { ASSAY_SHA256_BYTES = 32, ASSAY_SHA256_BLOCK = 64 };

/* A hash in the making.  May be copied: both copies go on from here. */
typedef struct assay_sha256 {
    uint32_t state[8];
    uint64_t n_bytes;                  /* added so far */
    uint8_t block[ASSAY_SHA256_BLOCK]; /* its first n_bytes % 64 bytes wait for more */
    void (*mix)(uint32_t state[8], const uint8_t *p, size_t n_blocks);
} assay_sha256;

void assay_sha256_init(assay_sha256 *sha);

/* The same without the processor's help; for tests, which compare the two. */
void assay_sha256_init_portable(assay_sha256 *sha);

void assay_sha256_add(assay_sha256 *sha, const void *bytes, size_t len);

/* The digest; `sha` must be initialised again before it is used again. */
void assay_sha256_end(assay_sha256 *sha, uint8_t digest[ASSAY_SHA256_BYTES]);

/* All at once. */
void assay_sha256_of(assay_slice bytes, uint8_t digest[ASSAY_SHA256_BYTES]);

#endif
