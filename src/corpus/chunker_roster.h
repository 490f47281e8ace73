/* SPDX-License-Identifier: Apache-2.0 */
/* Every chunker, in the order help shows them. */
#ifndef ASSAY_CORPUS_CHUNKER_ROSTER_H
#define ASSAY_CORPUS_CHUNKER_ROSTER_H

#define ASSAY_CHUNKER_ROSTER(X) \
    X(md_heading)               \
    X(paragraph)                \
    X(sentence)                 \
    X(words)                    \
    X(chars)                    \
    X(lines)                    \
    X(whole)

#endif
