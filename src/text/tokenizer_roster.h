/* SPDX-License-Identifier: Apache-2.0 */
/* Every tokenizer, in the order help shows them. */
#ifndef ASSAY_TEXT_TOKENIZER_ROSTER_H
#define ASSAY_TEXT_TOKENIZER_ROSTER_H

#define ASSAY_TOKENIZER_ROSTER(X) \
    X(auto)                       \
    X(english)                    \
    X(snowball)                   \
    X(cjk)                        \
    X(words)                      \
    X(whitespace)                 \
    X(ngram)                      \
    X(code)

#endif
