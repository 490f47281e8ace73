/* SPDX-License-Identifier: Apache-2.0 */
/* What the doctor found, for people and machines. */
#ifndef ASSAY_REPORT_DOCTOR_REPORT_H
#define ASSAY_REPORT_DOCTOR_REPORT_H

#include "base/buffer.h"
#include "diagnose/doctor.h"

/* `least`: what is below is counted and not shown. */
void assay_doctor_table(const assay_doctor *d, assay_ill_level least, assay_buffer *out);
void assay_doctor_md(const assay_doctor *d, assay_ill_level least, assay_buffer *out);
void assay_doctor_json(const assay_doctor *d, assay_ill_level least, assay_buffer *out);

#endif
