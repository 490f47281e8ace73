/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_REPORT_BOB_COMPARE_REPORT_H
#define ASSAY_REPORT_BOB_COMPARE_REPORT_H

#include "base/buffer.h"
#include "compare/recorded.h"

void assay_bob_compare_text(const assay_bob_comparison *c, assay_buffer *out);
void assay_bob_compare_json(const assay_bob_comparison *c, assay_buffer *out);

#endif
