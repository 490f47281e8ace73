/* SPDX-License-Identifier: Apache-2.0 */
/* Every embedder, in the order help shows them. */
#ifndef ASSAY_EMBED_EMBED_ROSTER_H
#define ASSAY_EMBED_EMBED_ROSTER_H

/* clang-format off */
#define ASSAY_EMBEDDER_ROSTER(X) \
    X(lsa) \
    X(bert) \
    X(openai) \
    X(ollama) \
    X(file)
/* clang-format on */

#endif
