/* SPDX-License-Identifier: Apache-2.0 */
/* The documents that a golden set is about, read once for all checks. */
#ifndef ASSAY_DIAGNOSE_DOCTOR_DOCS_H
#define ASSAY_DIAGNOSE_DOCTOR_DOCS_H

#include "diagnose/doctor.h"

/* Fill d->doc. */
ASSAY_MUST_USE assay_status assay_doctor_read_docs(assay_doctor *d, assay_error *err);

/* The passage with this id, which is a document's where nothing is cut; or null. */
const assay_passage *assay_doctor_passage(const assay_passages *passages, assay_slice id);

#endif
