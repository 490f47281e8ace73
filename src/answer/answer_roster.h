/* SPDX-License-Identifier: Apache-2.0 */
/* Every answerer, in the order help shows them. */
#ifndef ASSAY_ANSWER_ANSWER_ROSTER_H
#define ASSAY_ANSWER_ANSWER_ROSTER_H

/* clang-format off */
#define ASSAY_ANSWERER_ROSTER(X) \
    X(extract) \
    X(openai)
/* clang-format on */

#endif
