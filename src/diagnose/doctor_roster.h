/* SPDX-License-Identifier: Apache-2.0 */
/* Every check of the doctor, in the order in which it asks. */
#ifndef ASSAY_DIAGNOSE_DOCTOR_ROSTER_H
#define ASSAY_DIAGNOSE_DOCTOR_ROSTER_H

#define ASSAY_AILMENT_ROSTER(X) \
    X(nothing_labelled)         \
    X(unlabelled)               \
    X(draft)                    \
    X(lost_evidence)            \
    X(ambiguous_evidence)       \
    X(not_indexed)              \
    X(unwinnable)               \
    X(empty_document)           \
    X(duplicate_question)       \
    X(leak)                     \
    X(twin)                     \
    X(group_disagrees)          \
    X(missing_string)           \
    X(answerable_refusal)       \
    X(always_found)             \
    X(never_found)              \
    X(saturated)                \
    X(circular)                 \
    X(small_slice)              \
    X(few)                      \
    X(coverage)

#endif
