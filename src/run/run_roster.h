/* SPDX-License-Identifier: Apache-2.0 */
/* Every run format, in the order help shows them. */
#ifndef ASSAY_RUN_RUN_ROSTER_H
#define ASSAY_RUN_RUN_ROSTER_H

#define ASSAY_RUN_ROSTER(X) \
    X(trec)                 \
    X(jsonl)                \
    X(kebab)                \
    X(bob)                  \
    X(stage)

#endif
