/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics for queries that mean several things.  A document may answer any number of a
 * query's subtopics; each further document on a subtopic is worth 1 - alpha of the one
 * before.
 *
 *     gain(r) = sum over subtopics that document r answers of (1 - alpha)^(documents above
 *               it that answer the subtopic)
 *     total@k = sum over r <= k of gain(r) * discount(r)
 *
 *     alpha_dcg, err_ia:   total over that of k documents that answer every subtopic
 *     alpha_ndcg, nerr_ia: total over that of the ideal order of the judged documents
 *     discount: 1 / log2(r + 1) for the dcg, 1 / r for err (alpha = 0.5),
 *               beta^(r - 1) over the whole list for nrbp
 *
 * The ideal is found greedily, at each rank the document with the highest gain, of equal
 * ones the one with the highest id: as TREC's ndeval does.  A subtopic without relevant
 * document is none.  Differences: ndeval leaves alpha_dcg@1 and err_ia@1 undivided by the
 * number of subtopics, and stops at rank 20.
 */
#include "metric/metric.h"

#include <string.h>

/* A walk down a list of documents. */
typedef struct walk {
    const assay_judged *q;
    double alpha;
    double *worth;    /* by subtopic: of the next document on it */
    double *is_taken; /* by document: already in the ideal; null in the run's own walk */
    uint32_t pos;     /* next position */
} walk;

typedef double (*discount)(uint32_t pos, double beta);

static double discount_dcg(uint32_t pos, double beta)
{
    (void)beta;
    return 1 / log2(pos + 2.0);
}

static double discount_err(uint32_t pos, double beta)
{
    (void)beta;
    return 1 / (pos + 1.0);
}

static double discount_rbp(uint32_t pos, double beta)
{
    return pow(beta, pos);
}

static bool answers(const assay_judged *q, uint32_t doc, uint32_t subtopic)
{
    return q->subtopics->grade[(size_t)doc * q->subtopics->n + subtopic] >= q->threshold;
}

/* Subtopics with a relevant document. */
static uint32_t count_subtopics(const assay_judged *q)
{
    uint32_t n = 0;

    for (uint32_t j = 0; j < q->subtopics->n; j++) {
        uint32_t doc = 0;

        while (doc < q->subtopics->n_docs && !answers(q, doc, j))
            doc++;
        n += doc < q->subtopics->n_docs;
    }
    return n;
}

/* The document at a position of the ranking, or ASSAY_NONE. */
static uint32_t document_at(const assay_judged *q, uint32_t pos)
{
    if (pos >= q->n_ranked || !q->judged || q->grade[pos] == ASSAY_REPEATED)
        return ASSAY_NONE;
    return q->judged[pos];
}

static double worth_of(const walk *w, uint32_t doc)
{
    double sum = 0;

    for (uint32_t j = 0; j < w->q->subtopics->n; j++)
        if (answers(w->q, doc, j))
            sum += w->worth[j];
    return sum;
}

static double take(walk *w, uint32_t doc)
{
    double sum = worth_of(w, doc);

    for (uint32_t j = 0; j < w->q->subtopics->n; j++)
        if (answers(w->q, doc, j))
            w->worth[j] *= 1 - w->alpha;
    return sum;
}

/* The gain of the next hit of the run. */
static double next_hit(walk *w)
{
    uint32_t doc = document_at(w->q, w->pos++);

    return doc == ASSAY_NONE ? 0.0 : take(w, doc);
}

/* The gain of the next document of the ideal; rows are in order of their ids. */
static double next_ideal(walk *w)
{
    uint32_t best = ASSAY_NONE;
    double most = 0;

    w->pos++;
    for (uint32_t doc = 0; doc < w->q->subtopics->n_docs; doc++) {
        double worth = w->is_taken[doc] != 0 ? -1.0 : worth_of(w, doc);

        if (worth < most)
            continue;
        most = worth;
        best = doc;
    }
    if (best == ASSAY_NONE)
        return 0;
    w->is_taken[best] = 1;
    return take(w, best);
}

static walk start_walk(const assay_judged *q, double alpha, double *worth,
                       double *is_taken)
{
    for (uint32_t j = 0; j < q->subtopics->n; j++)
        worth[j] = 1;
    if (is_taken)
        memset(is_taken, 0, q->subtopics->n_docs * sizeof *is_taken);
    return (walk){q, alpha, worth, is_taken, 0};
}

/* The total of documents that answer every subtopic. */
typedef struct perfect {
    double sum;   /* of the first `pos` documents */
    double worth; /* of the next one */
    uint32_t pos;
} perfect;

static double perfect_at(perfect *p, uint32_t k, double alpha, discount by)
{
    for (; p->pos < k; p->pos++) {
        double more = p->sum + p->worth * by(p->pos, 0);

        if (more == p->sum)
            break; /* and all that follow are smaller still */
        p->sum = more;
        p->worth *= 1 - alpha;
    }
    return p->sum;
}

/* What is there without looking at the ranking: no value without subtopics, 0 where none
 * has a relevant document.  Returns how many have one. */
static uint32_t begin(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = q->subtopics ? 0.0 : ASSAY_ABSENT;
    return q->subtopics ? count_subtopics(q) : 0;
}

/* Add the hits above rank k. */
static double add_hits(walk *run, double sum, uint32_t k, discount by, double beta)
{
    while (run->pos < k && run->pos < run->q->n_ranked) {
        double gain = next_hit(run);

        sum += gain * by(run->pos - 1, beta);
    }
    return sum;
}

static void eval_perfect(const assay_judged *q, const assay_args *args, double alpha,
                         discount by, double *out)
{
    uint32_t n = begin(q, args, out);
    perfect best = {0, n, 0};
    double sum = 0;
    walk run;

    if (!n)
        return;
    run = start_walk(q, alpha, q->scratch, NULL);
    for (size_t c = 0; c < args->n; c++) {
        sum = add_hits(&run, sum, args->k[c], by, 0);
        out[c] = sum / perfect_at(&best, args->k[c], alpha, by);
    }
}

static void eval_ideal(const assay_judged *q, const assay_args *args, double alpha,
                       double beta, discount by, double *out)
{
    double sum = 0, best = 0;
    walk run, ideal;

    if (!begin(q, args, out))
        return;
    run = start_walk(q, alpha, q->scratch, NULL);
    ideal = start_walk(q, alpha, q->scratch + q->subtopics->n,
                       q->scratch + 2 * (size_t)q->subtopics->n);
    for (size_t c = 0; c < args->n; c++) {
        sum = add_hits(&run, sum, args->k[c], by, beta);
        while (ideal.pos < args->k[c] && ideal.pos < q->subtopics->n_docs) {
            double gain = next_ideal(&ideal);

            best += gain * by(ideal.pos - 1, beta);
        }
        out[c] = sum / best;
    }
}

static void eval_alpha_dcg(const assay_judged *q, const assay_args *args, double *out)
{
    eval_perfect(q, args, args->value[0].number, discount_dcg, out);
}

static void eval_alpha_ndcg(const assay_judged *q, const assay_args *args, double *out)
{
    eval_ideal(q, args, args->value[0].number, 0, discount_dcg, out);
}

static void eval_err_ia(const assay_judged *q, const assay_args *args, double *out)
{
    eval_perfect(q, args, 0.5, discount_err, out);
}

static void eval_nerr_ia(const assay_judged *q, const assay_args *args, double *out)
{
    eval_ideal(q, args, 0.5, 0, discount_err, out);
}

static void eval_nnrbp(const assay_judged *q, const assay_args *args, double *out)
{
    eval_ideal(q, args, args->value[0].number, args->value[1].number, discount_rbp, out);
}

static void eval_nrbp(const assay_judged *q, const assay_args *args, double *out)
{
    double alpha = args->value[0].number;
    double beta = args->value[1].number;
    uint32_t n = begin(q, args, out);
    double sum;
    walk run;

    if (!n)
        return;
    run = start_walk(q, alpha, q->scratch, NULL);
    sum = add_hits(&run, 0, ASSAY_NO_CUTOFF, discount_rbp, beta);
    for (size_t c = 0; c < args->n; c++)
        out[c] = sum * (1 - (1 - alpha) * beta) / n;
}

#define ALPHA                                                                          \
    {                                                                                  \
        .name = "alpha", .type = ASSAY_METRIC_PARAM_REAL, .standard = 0.5, .least = 0, \
        .most = 1,                                                                     \
        .summary = "how much a document loses by one above it on the same subtopic"    \
    }

static const assay_metric_param alpha_params[] = {ALPHA, {.name = NULL}};
static const assay_metric_param rbp_params[] = {
    ALPHA,
    {.name = "beta",
     .type = ASSAY_METRIC_PARAM_REAL,
     .standard = 0.5,
     .least = 0,
     .most = 1,
     .summary = "persistence: how likely the user goes on to the next hit"},
    {.name = NULL},
};

#define COMMON                                           \
    .needs = ASSAY_NEEDS_GRADES | ASSAY_NEEDS_SUBTOPICS, \
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL

const assay_metric assay_metric_alpha_dcg = {
    .name = "alpha_dcg",
    .summary = "DCG in which a subtopic that was answered before counts less",
    .formula = "sum of gain(r) / log2(r + 1), over that of k documents on every subtopic",
    .source = "Clarke et al. 2008, SIGIR; ndeval",
    .aliases = "alpha_DCG,\316\261_DCG",
    .at = ASSAY_AT_REQUIRED,
    .param = alpha_params,
    .eval = eval_alpha_dcg,
    COMMON,
};

const assay_metric assay_metric_alpha_ndcg = {
    .name = "alpha_ndcg",
    .summary = "nDCG in which a subtopic that was answered before counts less",
    .formula = "sum of gain(r) / log2(r + 1), over that of the ideal order",
    .source = "Clarke et al. 2008, SIGIR; ndeval",
    .aliases = "alpha_nDCG,\316\261_nDCG",
    .at = ASSAY_AT_REQUIRED,
    .param = alpha_params,
    .eval = eval_alpha_ndcg,
    COMMON,
};

const assay_metric assay_metric_err_ia = {
    .name = "err_ia",
    .summary = "intent-aware expected reciprocal rank",
    .formula =
        "sum of gain(r) / r, alpha = 0.5, over that of k documents on every subtopic",
    .source = "Chapelle et al. 2009, CIKM; ndeval",
    .aliases = "ERR_IA",
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_err_ia,
    COMMON,
};

const assay_metric assay_metric_nerr_ia = {
    .name = "nerr_ia",
    .summary = "intent-aware expected reciprocal rank, over that of the ideal order",
    .formula = "sum of gain(r) / r, alpha = 0.5, over that of the ideal order",
    .source = "Chapelle et al. 2009, CIKM; ndeval",
    .aliases = "nERR_IA",
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_nerr_ia,
    COMMON,
};

const assay_metric assay_metric_nrbp = {
    .name = "nrbp",
    .summary = "novelty- and rank-biased precision",
    .formula = "(1 - (1 - alpha) beta) / subtopics * sum of gain(r) * beta^(r - 1)",
    .source = "Clarke, Kolla and Vechtomova 2009, ICTIR; ndeval",
    .aliases = "NRBP",
    .at = ASSAY_AT_NEVER,
    .param = rbp_params,
    .eval = eval_nrbp,
    COMMON,
};

const assay_metric assay_metric_nnrbp = {
    .name = "nnrbp",
    .summary = "novelty- and rank-biased precision, over that of the ideal order",
    .formula = "sum of gain(r) * beta^(r - 1), over that of the ideal order",
    .source = "Clarke, Kolla and Vechtomova 2009, ICTIR; ndeval",
    .aliases = "nNRBP",
    .at = ASSAY_AT_NEVER,
    .param = rbp_params,
    .eval = eval_nnrbp,
    COMMON,
};
