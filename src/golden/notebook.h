/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set of assay's own format that is written question by question.  The file is
 * the state: every change is saved at once, in one step, and can be taken back.  What is
 * not touched keeps its bytes. */
#ifndef ASSAY_GOLDEN_NOTEBOOK_H
#define ASSAY_GOLDEN_NOTEBOOK_H

#include "golden/golden.h"

typedef struct assay_notebook {
    const char *path;     /* borrowed */
    const char *corpus;   /* its file, in which judgments are looked for; borrowed */
    assay_golden *golden; /* what the file says now */
    assay_buffer text;    /* the file; "" = there is none yet */
    assay_buffer *past;   /* texts before each change */
    size_t n_past;
    size_t cap_past;
} assay_notebook;

/* Read `path`, which need not be there.  Another format than assay's is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_notebook_open(assay_notebook *book, const char *path,
                                                const char *corpus, assay_error *err);
void assay_notebook_close(assay_notebook *book);

/* The query with this text; a new one is a draft, and saved as such. */
ASSAY_MUST_USE assay_status assay_notebook_ask(assay_notebook *book, assay_slice text,
                                               uint32_t *query, assay_error *err);

/* The query with this text, or ASSAY_NONE. */
uint32_t assay_notebook_find(const assay_notebook *book, assay_slice text);

/* What is said of one passage. */
typedef struct assay_verdict {
    assay_slice doc;
    assay_slice quote;
    assay_span span;    /* of the quote in the document's text */
    assay_span over;    /* what it is said of: the sentence, or all of the passage */
    assay_span passage; /* that it was chosen from */
    bool is_ambiguous;  /* the quote stands there twice: the span goes into the file */
    int32_t grade;
} assay_verdict;

/* Put it in the stead of the judgments of this document that lie in what it is said of, and
 * of those of the passage that this lies in. */
ASSAY_MUST_USE assay_status assay_notebook_judge(assay_notebook *book, uint32_t query,
                                                 const assay_verdict *verdict,
                                                 assay_error *err);

/* Take away the judgments of `doc` that lie in `over`. */
ASSAY_MUST_USE assay_status assay_notebook_unjudge(assay_notebook *book, uint32_t query,
                                                   assay_slice doc, assay_span over,
                                                   assay_error *err);

/* The query was changed in memory: save it. */
ASSAY_MUST_USE assay_status assay_notebook_save(assay_notebook *book, uint32_t query,
                                                assay_error *err);

/* A list of strings, cut at `sep`, each trimmed, empty ones left out; in the arena of the
 * golden set.  False: no memory. */
bool assay_notebook_strings(assay_notebook *book, assay_slice text, char sep,
                            assay_strings *out);

/* Copy the judgments of `from` (a query of another set) to the query, and save it. */
ASSAY_MUST_USE assay_status assay_notebook_copy(assay_notebook *book, uint32_t query,
                                                const assay_golden *other,
                                                const assay_query *from,
                                                assay_error *err);

/* Take the last change back.  *is_done is false when there is none. */
ASSAY_MUST_USE assay_status assay_notebook_undo(assay_notebook *book, bool *is_done,
                                                assay_error *err);

/* The highest grade that the query gives to these bytes of the document, or ASSAY_UNGRADED:
 * nobody judged them. */
#define ASSAY_UNGRADED INT32_MIN
int32_t assay_notebook_grade(const assay_notebook *book, uint32_t query, assay_slice doc,
                             assay_slice chunk, const assay_span *span, uint32_t n_spans);

#endif
