/* SPDX-License-Identifier: Apache-2.0 */
/* Every retriever, in the order help shows them. */
#ifndef ASSAY_RETRIEVE_RETRIEVE_ROSTER_H
#define ASSAY_RETRIEVE_RETRIEVE_ROSTER_H

#define ASSAY_RETRIEVE_ROSTER(X) \
    X(bm25)                      \
    X(dense)                     \
    X(hybrid)                    \
    X(graphrag)                  \
    X(rerank)

#endif
