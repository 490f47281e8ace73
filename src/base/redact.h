/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets taken out of texts before these are written, shown or kept.
 *
 * A secret is found as it is, as JSON escapes it and as a URL encodes it.  Values of JSON
 * keys that hold secrets by their name ("api_key", "authorization", "password", "token" and
 * their like) go too, whether they were registered or not.
 *
 * Many servers want any key at all, and people write "x" or "ollama".  So a secret of less
 * than 8 bytes is taken out only where it stands as a word of its own, and one of less than
 * 4 bytes is none. */
#ifndef ASSAY_BASE_REDACT_H
#define ASSAY_BASE_REDACT_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"

#define ASSAY_REDACTED "[redacted]"

typedef struct assay_secret {
    assay_slice text; /* one form of it */
    bool is_word;     /* only where no letter, digit, '-' or '_' touches it */
} assay_secret;

/* Zeroed is empty and ready. */
typedef struct assay_secrets {
    assay_secret *form;
    size_t n;
    size_t cap;
    bool begins[256]; /* with this byte one of the forms begins */
    assay_arena arena;
} assay_secrets;

/* False: no memory.  The same one may be added twice. */
bool assay_secrets_add(assay_secrets *secrets, assay_slice secret);
void assay_secrets_clear(assay_secrets *secrets);

/* Whether a JSON member of this name holds a secret. */
bool assay_secrets_is_key(assay_slice name);

/* Append `text` without secrets.  Where it is JSON it stays JSON: only strings change, and
 * numbers that are a secret.  Memory is told by out->has_failed. */
void assay_secrets_redact(const assay_secrets *secrets, assay_slice text,
                          assay_buffer *out);

/* The same for one string (not JSON). */
void assay_secrets_redact_string(const assay_secrets *secrets, assay_slice text,
                                 assay_buffer *out);

#endif
