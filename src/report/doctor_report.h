/* SPDX-License-Identifier: Apache-2.0 */
/* What the doctor found, for people and machines. */
#ifndef ASSAY_REPORT_DOCTOR_REPORT_H
#define ASSAY_REPORT_DOCTOR_REPORT_H

#include "base/buffer.h"
#include "diagnose/doctor.h"

typedef struct assay_doctor_view {
    assay_ill_level least; /* what is below is counted and not shown */
    uint32_t most;         /* shown of a kind, for people; 0 = all */
} assay_doctor_view;

void assay_doctor_table(const assay_doctor *d, const assay_doctor_view *view,
                        assay_buffer *out);
void assay_doctor_md(const assay_doctor *d, const assay_doctor_view *view,
                     assay_buffer *out);
void assay_doctor_json(const assay_doctor *d, const assay_doctor_view *view,
                       assay_buffer *out);

#endif
