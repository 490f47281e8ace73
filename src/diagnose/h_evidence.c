/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the evidence is where the set says, and can be found at all. */
#include "base/error.h"
#include "base/slice.h"
#include "base/span.h"
#include "diagnose/doctor.h"

/* ---- lost and ambiguous ---- */

static assay_status tell_stale(assay_doctor *d, assay_finding finding,
                               assay_ill_level level, assay_error *err)
{
    const assay_resolution *r = d->resolution;
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; r && i < r->n && !st; i++) {
        const assay_resolved *item = &r->item[i];
        const assay_query *q = &d->golden->query[item->query];

        if (q->is_draft)
            continue;
        all++;
        if (item->traced.finding != finding)
            continue;
        n++;
        st = assay_doctor_say(d, level, q, q->judgment[item->judgment].line, NULL, err,
                              "%s: %s", item->what,
                              item->traced.reason ? item->traced.reason : "not found");
    }
    assay_doctor_share(d, n, all);
    return st;
}

/* Without a corpus: documents that came with the set, and are not there. */
static assay_status look_lost(assay_doctor *d, assay_error *err)
{
    const assay_golden *g = d->golden;
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    if (d->resolution)
        return tell_stale(d, ASSAY_FOUND_LOST, ASSAY_ILL_ERROR, err);
    for (uint32_t i = 0; d->n_docs && i < g->n_queries; i++)
        for (uint32_t j = 0; j < g->query[i].n_judgments && !st; j++) {
            const assay_judgment *judgment = &g->query[i].judgment[j];

            if (judgment->doc == ASSAY_NONE || judgment->grade < 1)
                continue;
            all++;
            if (assay_doctor_doc(d, g->docs.word[judgment->doc]))
                continue;
            n++;
            st = assay_doctor_say(d, ASSAY_ILL_ERROR, &g->query[i], judgment->line, NULL,
                                  err, "there is no document '%.*s'",
                                  ASSAY_QUOTE(g->docs.word[judgment->doc]));
        }
    assay_doctor_share(d, n, all);
    return st;
}

const assay_ailment assay_ailment_lost_evidence = {
    .name = "lost-evidence",
    .why = "nobody can find what is not there: the judgment is left out of every metric",
    .fix = "ingest the document, or correct the judgment; 'assay golden anchor' follows "
           "edited text",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_lost,
};

static assay_status look_ambiguous(assay_doctor *d, assay_error *err)
{
    return tell_stale(d, ASSAY_FOUND_AMBIGUOUS, ASSAY_ILL_WARNING, err);
}

const assay_ailment assay_ailment_ambiguous_evidence = {
    .name = "ambiguous-evidence",
    .why = "the quote stands at several places, so it counts for the document only",
    .fix = "make the quote longer, or add lines: or span: to it",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_ambiguous,
};

/* ---- in the index ---- */

/* Whether some passage of the document holds half of the evidence, or lies in it. */
static bool is_indexed(const assay_doctor *d, assay_slice doc, const assay_judgment *j)
{
    uint64_t bytes = assay_span_bytes(j->span, j->n_spans);

    for (uint32_t i = 0; i < d->passages->n; i++) {
        const assay_passage *p = &d->passages->item[i];
        uint64_t shared;
        uint64_t own;

        if (!assay_slice_eq(p->doc, doc))
            continue;
        if (!p->n_spans || !j->n_spans)
            return true;
        shared = assay_span_shared(p->span, p->n_spans, j->span, j->n_spans);
        own = assay_span_bytes(p->span, p->n_spans);
        if (2 * shared >= (own < bytes ? own : bytes) && shared)
            return true;
    }
    return false;
}

static assay_status look_indexed(assay_doctor *d, assay_error *err)
{
    const assay_golden *g = d->golden;
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    if (!d->corpus || !d->passages || !d->passages->n)
        return ASSAY_OK;
    for (uint32_t i = 0; i < g->n_queries; i++)
        for (uint32_t j = 0; j < g->query[i].n_judgments && !st && !g->query[i].is_draft;
             j++) {
            const assay_judgment *judgment = &g->query[i].judgment[j];

            if (!assay_doctor_counts(judgment) || judgment->doc == ASSAY_NONE)
                continue;
            all++;
            if (is_indexed(d, g->docs.word[judgment->doc], judgment))
                continue;
            n++;
            st = assay_doctor_say(d, ASSAY_ILL_ERROR, &g->query[i], judgment->line, NULL,
                                  err, "no chunk of '%.*s' holds this evidence",
                                  ASSAY_QUOTE(g->docs.word[judgment->doc]));
        }
    assay_doctor_share(d, n, all);
    return st;
}

const assay_ailment assay_ailment_not_indexed = {
    .name = "not-indexed",
    .why = "the document has the evidence, but no chunk does: no retriever can bring it",
    .fix = "look at the cuts with 'assay corpus chunks', or choose another chunker",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_indexed,
};

/* ---- unwinnable ---- */

static bool can_win(const assay_doctor *d, const assay_query *q)
{
    for (uint32_t j = 0; j < q->n_judgments; j++) {
        const assay_judgment *judgment = &q->judgment[j];

        if (!assay_doctor_counts(judgment))
            continue;
        if (judgment->doc == ASSAY_NONE || !d->n_docs ||
            assay_doctor_doc(d, d->golden->docs.word[judgment->doc]))
            return true;
    }
    return false;
}

static assay_status look_unwinnable(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];
        bool was_labelled =
            q->label == ASSAY_LABEL_LABELLED || q->label == ASSAY_LABEL_STALE;

        if (q->is_draft || !was_labelled || can_win(d, q))
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                              "nothing relevant is left: no system can win it");
    }
    assay_doctor_share(d, n, d->n_queries);
    return st;
}

const assay_ailment assay_ailment_unwinnable = {
    .name = "unwinnable",
    .why = "it costs every system the same and tells nothing",
    .fix = "mend its evidence, say should_refuse: true, or take it out",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_unwinnable,
};

/* ---- empty documents ---- */

static assay_status look_empty(assay_doctor *d, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->n_docs && !st; i++)
        if (!d->doc[i].n_words)
            st = assay_doctor_say(
                d, d->doc[i].is_relevant ? ASSAY_ILL_WARNING : ASSAY_ILL_NOTE, NULL, 0,
                NULL, err, "document '%.*s' has no words%s", ASSAY_QUOTE(d->doc[i].id),
                d->doc[i].is_relevant ? ", and is judged relevant" : "");
    return st;
}

const assay_ailment assay_ailment_empty_document = {
    .name = "empty-document",
    .why = "nothing in it can be found",
    .fix = "find out why its text is missing, or leave it out",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_empty,
};
