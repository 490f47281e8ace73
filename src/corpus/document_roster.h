/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of document, in the order help shows them; of two that are equally sure of a
 * file the earlier reads it. */
#ifndef ASSAY_CORPUS_DOCUMENT_ROSTER_H
#define ASSAY_CORPUS_DOCUMENT_ROSTER_H

#define ASSAY_DOCUMENT_ROSTER(X) \
    X(markdown)                  \
    X(text)                      \
    X(code)                      \
    X(html)                      \
    X(pdf)                       \
    X(records)                   \
    X(trec)                      \
    X(evalvault)

#endif
