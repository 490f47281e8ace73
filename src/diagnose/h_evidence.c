/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the evidence is where the set says, and can be found at all. */
#include "base/error.h"
#include "base/slice.h"
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

            if (g->query[i].is_draft || judgment->doc == ASSAY_NONE ||
                judgment->grade < 1)
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
            if (assay_doctor_is_indexed(d, judgment))
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

/* Whether something can be brought that this judgment calls relevant. */
static bool is_winnable(const assay_doctor *d, const assay_judgment *j)
{
    const assay_patient_doc *doc;

    if (!assay_doctor_counts(j))
        return false;
    if (j->doc == ASSAY_NONE || !d->n_docs)
        return true;
    doc = assay_doctor_doc(d, d->golden->docs.word[j->doc]);
    return doc && doc->sketch.n_words &&
           (!d->corpus || !d->passages->n || assay_doctor_is_indexed(d, j));
}

static bool can_win(const assay_doctor *d, const assay_query *q)
{
    for (uint32_t j = 0; j < q->n_judgments; j++)
        if (is_winnable(d, &q->judgment[j]))
            return true;
    return false;
}

static assay_status look_unwinnable(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st && d->n_docs; i++) {
        const assay_query *q = &d->golden->query[i];
        bool was_labelled =
            q->label == ASSAY_LABEL_LABELLED || q->label == ASSAY_LABEL_STALE;

        all += !q->is_draft && was_labelled;
        if (q->is_draft || !was_labelled || can_win(d, q))
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                              "nothing relevant can be found: no system can win it");
    }
    assay_doctor_share(d, n, all);
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
    uint32_t n_title_only = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->n_docs && !st; i++) {
        const assay_patient_doc *doc = &d->doc[i];

        n_title_only += doc->is_title_only;
        if (!doc->sketch.n_words)
            st = assay_doctor_say(
                d, doc->is_relevant ? ASSAY_ILL_WARNING : ASSAY_ILL_NOTE, NULL, 0, NULL,
                err, "document '%.*s' has no words%s", ASSAY_QUOTE(doc->id),
                doc->is_relevant ? ", and is judged relevant" : "");
    }
    if (st || !n_title_only)
        return st;
    return assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
                            "%u of %u documents have a title and no text", n_title_only,
                            d->n_docs);
}

const assay_ailment assay_ailment_empty_document = {
    .name = "empty-document",
    .why = "nothing in it can be found",
    .fix = "find out why its text is missing, or leave it out",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_empty,
};
