/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric, in the order help and reports show them. */
#ifndef ASSAY_METRIC_METRIC_ROSTER_H
#define ASSAY_METRIC_METRIC_ROSTER_H

#define ASSAY_METRIC_ROSTER(X) \
    X(recall)

#endif
