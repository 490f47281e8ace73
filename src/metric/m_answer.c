/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of answers.  Everything is looked up before (metric/answered.h); here it is
 * decided who counts, and divided.  A query without an answer, or with an error, has no
 * score: there is nothing to judge, and it is counted elsewhere. */
#include "metric/answered.h"
#include "metric/metric.h"

/* The answer, or null where there is none to judge. */
static const assay_answered *answer_of(const assay_judged *q)
{
    return q->answered && q->answered->has_answer ? q->answered : NULL;
}

/* These metrics have no cutoff, so that n is 1. */
static void put(const assay_args *args, double *out, double value)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = value;
}

static double ratio(uint32_t part, uint32_t whole)
{
    return (double)part / (double)whole;
}

static void eval_coverage(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);
    bool counts = a && a->is_grounded;

    put(args, out,
        counts ? a->n_citations > 0 && a->n_resolved == a->n_citations : ASSAY_ABSENT);
}

static void eval_precision(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);
    bool counts = a && a->has_relevant && !a->has_refused && a->n_cited > 0;

    put(args, out, counts ? ratio(a->n_cited_relevant, a->n_cited) : ASSAY_ABSENT);
}

/* Who refuses what could have been answered does not get out of citing it. */
static void eval_recall(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);

    if (!a || !a->has_relevant)
        put(args, out, ASSAY_ABSENT);
    else
        put(args, out, a->has_refused ? 0.0 : ratio(a->n_relevant_cited, a->n_relevant));
}

static void eval_groundedness(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);
    bool counts = a && a->has_strings;

    put(args, out, counts ? a->n_missing == 0 && a->n_forbidden == 0 : ASSAY_ABSENT);
}

static void eval_em(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);

    put(args, out, a && a->has_expected ? a->is_exact : ASSAY_ABSENT);
}

static void eval_f1(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);

    put(args, out, a && a->has_expected ? a->f1 : ASSAY_ABSENT);
}

static void eval_refusal(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);

    put(args, out, a && a->should_refuse ? a->has_refused : ASSAY_ABSENT);
}

static void eval_over_refusal(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answered *a = answer_of(q);

    put(args, out, a && a->is_answerable ? a->has_refused : ASSAY_ABSENT);
}

/* ---- the table of decisions, as counts ---- */

#define OVER "over queries that should be refused or are answerable"

/* 1 where the decision was this one, 0 where it was another. */
static void eval_decision(const assay_judged *q, const assay_args *args, double *out,
                          assay_decision which)
{
    assay_decision was =
        q->answered ? assay_answered_decision(q->answered) : ASSAY_DECISION_NONE;

    put(args, out, was == ASSAY_DECISION_NONE ? ASSAY_ABSENT : was == which);
}

static void eval_refusal_right(const assay_judged *q, const assay_args *args, double *out)
{
    eval_decision(q, args, out, ASSAY_DECISION_REFUSAL_RIGHT);
}

static void eval_refusal_wrong(const assay_judged *q, const assay_args *args, double *out)
{
    eval_decision(q, args, out, ASSAY_DECISION_REFUSAL_WRONG);
}

static void eval_answered_right(const assay_judged *q, const assay_args *args,
                                double *out)
{
    eval_decision(q, args, out, ASSAY_DECISION_ANSWERED_RIGHT);
}

static void eval_answered_wrong(const assay_judged *q, const assay_args *args,
                                double *out)
{
    eval_decision(q, args, out, ASSAY_DECISION_ANSWERED_WRONG);
}

static void eval_unanswered(const assay_judged *q, const assay_args *args, double *out)
{
    eval_decision(q, args, out, ASSAY_DECISION_MISSING);
}

/* Right in both ways: to answer or not, and what it says as far as strings tell. */
static void eval_accuracy(const assay_judged *q, const assay_args *args, double *out)
{
    assay_decision was =
        q->answered ? assay_answered_decision(q->answered) : ASSAY_DECISION_NONE;

    put(args, out,
        was == ASSAY_DECISION_NONE ? ASSAY_ABSENT
                                   : was == ASSAY_DECISION_REFUSAL_RIGHT ||
                                         was == ASSAY_DECISION_ANSWERED_RIGHT);
}

const assay_metric assay_metric_citation_coverage = {
    .name = "citation_coverage",
    .summary = "share of the grounded answers that cite something and whose every "
               "citation exists",
    .formula = "1 if citations > 0 and all of them resolve, else 0; over answers that "
               "are not refusals and that the system does not call ungrounded",
    .source = "kebab-eval",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_coverage,
};

const assay_metric assay_metric_citation_precision = {
    .name = "citation_precision",
    .summary = "share of the things an answer cites that is relevant",
    .formula = "different things cited that are relevant / different things cited; over "
               "answers that cite something, refusals left out",
    .source = "assay",
    .needs = ASSAY_NEEDS_ANSWER | ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .eval = eval_precision,
};

const assay_metric assay_metric_citation_recall = {
    .name = "citation_recall",
    .summary = "share of the relevant things that the answer cites",
    .formula = "relevant things cited / relevant things; a refusal is 0",
    .source = "assay",
    .needs = ASSAY_NEEDS_ANSWER | ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .eval = eval_recall,
};

const assay_metric assay_metric_groundedness = {
    .name = "groundedness",
    .summary = "share of the answers that say what they must and nothing forbidden",
    .formula =
        "1 if every must_contain, one of each any_of and no forbidden string is in "
        "the answer, else 0; over queries with such strings that should be answered",
    .source = "kebab-eval",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_groundedness,
};

const assay_metric assay_metric_answer_em = {
    .name = "answer_em",
    .summary = "share of the answers that equal the expected one",
    .formula =
        "1 if both are the same text, folded, without citation markers and a final "
        "stop, else 0",
    .source = "Rajpurkar et al. 2016, SQuAD; without its removal of articles",
    .aliases = "exact_match",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_em,
};

const assay_metric assay_metric_answer_f1 = {
    .name = "answer_f1",
    .summary = "words that the answer and the expected one have in common",
    .formula = "2 x words in common / (words of the answer + words of the expected one), "
               "folded, each as often as in both",
    .source = "Rajpurkar et al. 2016, SQuAD; without its removal of articles",
    .aliases = "token_f1",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_f1,
};

const assay_metric assay_metric_refusal_correctness = {
    .name = "refusal_correctness",
    .summary = "share of the answers to should-refuse queries that are refusals",
    .formula =
        "1 if the system refused, else 0; over should-refuse queries with an answer",
    .source = "kebab-eval",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_refusal,
};

const assay_metric assay_metric_over_refusal_rate = {
    .name = "over_refusal_rate",
    .summary = "share of the answers to answerable queries that are refusals",
    .formula = "1 if the system refused, else 0; over answerable queries with an answer",
    .source = "assay",
    .needs = ASSAY_NEEDS_ANSWER,
    .is_lower_better = true,
    .eval = eval_over_refusal,
};

const assay_metric assay_metric_refusal_right = {
    .name = "refusal_right",
    .summary = "queries that should be refused and were",
    .formula = "1 if it should refuse and did, else 0; " OVER,
    .source = "assay",
    .aggregate = ASSAY_AGG_SUM,
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_refusal_right,
};

const assay_metric assay_metric_refusal_wrong = {
    .name = "refusal_wrong",
    .summary = "answerable queries that were refused",
    .formula = "1 if it is answerable and was refused, else 0; " OVER,
    .source = "assay",
    .aggregate = ASSAY_AGG_SUM,
    .needs = ASSAY_NEEDS_ANSWER,
    .is_lower_better = true,
    .eval = eval_refusal_wrong,
};

const assay_metric assay_metric_answered_right = {
    .name = "answered_right",
    .summary = "answerable queries that were answered",
    .formula = "1 if it is answerable and was answered, else 0; " OVER,
    .source = "assay",
    .aggregate = ASSAY_AGG_SUM,
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_answered_right,
};

const assay_metric assay_metric_answered_wrong = {
    .name = "answered_wrong",
    .summary = "queries that were answered and should have been refused",
    .formula = "1 if it should refuse and did not, else 0; " OVER,
    .source = "assay",
    .aggregate = ASSAY_AGG_SUM,
    .needs = ASSAY_NEEDS_ANSWER,
    .is_lower_better = true,
    .eval = eval_answered_wrong,
};

const assay_metric assay_metric_unanswered = {
    .name = "unanswered",
    .summary = "queries with neither an answer nor a refusal",
    .formula = "1 if the run lacks it, it failed or it has no answer, else 0; " OVER,
    .source = "assay",
    .aggregate = ASSAY_AGG_SUM,
    .needs = ASSAY_NEEDS_ANSWER,
    .is_lower_better = true,
    .eval = eval_unanswered,
};

const assay_metric assay_metric_refusal_accuracy = {
    .name = "refusal_accuracy",
    .summary = "share of the decisions to answer or refuse that were right",
    .formula =
        "1 if it was refused and should be, or answered and is answerable, else 0; " OVER,
    .source = "assay",
    .needs = ASSAY_NEEDS_ANSWER,
    .eval = eval_accuracy,
};
