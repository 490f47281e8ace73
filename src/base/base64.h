/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as text (RFC 4648, the standard alphabet, with padding). */
#ifndef ASSAY_BASE_BASE64_H
#define ASSAY_BASE_BASE64_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

void assay_base64_write(assay_slice bytes, assay_buffer *out);

/* False when `text` is no base64; what was appended then means nothing. */
bool assay_base64_read(assay_slice text, assay_buffer *out);

#endif
