/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of variants as a table, Markdown in kebab's layout, and JSON. */
#ifndef ASSAY_REPORT_VARIANTS_REPORT_H
#define ASSAY_REPORT_VARIANTS_REPORT_H

#include "base/buffer.h"
#include "diagnose/variants.h"

void assay_variants_table(const assay_variants *v, const char *run, assay_buffer *out);
void assay_variants_markdown(const assay_variants *v, const char *run, assay_buffer *out);
void assay_variants_json(const assay_variants *v, const char *run, assay_buffer *out);

#endif
