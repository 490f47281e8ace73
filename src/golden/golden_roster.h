/* SPDX-License-Identifier: Apache-2.0 */
/* Every golden format, in the order help and messages show them. */
#ifndef ASSAY_GOLDEN_GOLDEN_ROSTER_H
#define ASSAY_GOLDEN_GOLDEN_ROSTER_H

#define ASSAY_GOLDEN_ROSTER(X) \
    X(native)                  \
    X(kebab)                   \
    X(bob)                     \
    X(evalvault)               \
    X(trec)                    \
    X(beir)                    \
    X(relmap)

#endif
