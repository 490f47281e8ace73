/* SPDX-License-Identifier: Apache-2.0 */
/* Every report writer, in the order help shows them. */
#ifndef ASSAY_REPORT_REPORT_ROSTER_H
#define ASSAY_REPORT_REPORT_ROSTER_H

/* clang-format off */
#define ASSAY_WRITER_ROSTER(X) \
    X(table) \
    X(json) \
    X(jsonl) \
    X(csv) \
    X(md) \
    X(tsv)
/* clang-format on */

#endif
