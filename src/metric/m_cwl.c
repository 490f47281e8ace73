/* SPDX-License-Identifier: Apache-2.0 */
/* The C/W/L family: metrics that are told apart by how likely a user at rank i goes on.
 *
 *     value = sum over ranks of W(i) * gain(i)
 *     W(i) = C(1) * ... * C(i - 1) / sum over all ranks of the same product
 *     gain = (grade - min_rel) / (max_rel - min_rel), at least 0 and at most 1
 *
 * What is unjudged, and all ranks below the last hit, gain 0.  As in cwl_eval, the sums end
 * at rank 1000: some of these tails are so heavy that another end gives another number.
 */
#include "metric/metric.h"

enum { DEEPEST = 1000 };

/* Where the user stands when asked whether to go on. */
typedef struct reader {
    double rank;   /* 1-based */
    double gain;   /* of the hit at this rank */
    double gained; /* up to and including it */
    double cutoff; /* DEEPEST where the metric has none */
    double p;
    double target; /* T, the gain that the user wants */
} reader;

/* The parameters of a metric, by what they mean. */
typedef struct model {
    double (*goes_on)(const reader *r);
    int p;
    int target;
    int min_rel;
    int max_rel;
} model;

static double square(double x)
{
    return x * x;
}

static double goes_on_sdcg(const reader *r)
{
    return r->rank < r->cutoff ? log2(r->rank + 1) / log2(r->rank + 2) : 0.0;
}

static double goes_on_bpm(const reader *r)
{
    return r->rank < r->cutoff && r->gained < r->target;
}

static double goes_on_nerr8(const reader *r)
{
    return r->rank < r->cutoff ? 1 - r->gain : 0.0;
}

static double goes_on_nerr9(const reader *r)
{
    return r->rank < r->cutoff ? r->rank / (r->rank + 1) * (1 - r->gain) : 0.0;
}

static double goes_on_nerr10(const reader *r)
{
    return r->p * (1 - r->gain);
}

static double goes_on_insq(const reader *r)
{
    double x = r->rank + 2 * r->target;

    return square((x - 1) / x);
}

static double goes_on_nerr11(const reader *r)
{
    return goes_on_insq(r) * (1 - r->gain);
}

/* Below T = 1/2 a gain may take x under 1, where the square would rise again; there the
 * user has more than was wanted and stops. */
static double goes_on_inst(const reader *r)
{
    double x = r->rank + r->target + (r->target - r->gained);

    return x > 1 ? square((x - 1) / x) : 0.0;
}

static double gain_at(const assay_judged *q, uint32_t pos, double min, double max)
{
    int32_t grade = pos < q->n_ranked ? q->grade[pos] : ASSAY_UNPOOLED;

    return grade <= min ? 0.0 : grade >= max ? 1.0 : (grade - min) / (max - min);
}

static double follow(const assay_judged *q, const model *m, const assay_value *value,
                     uint32_t cutoff)
{
    reader r = {.cutoff = cutoff < DEEPEST ? cutoff : DEEPEST};
    double weight = 1, weights = 0, sum = 0;

    r.p = m->p >= 0 ? value[m->p].number : 0;
    r.target = m->target >= 0 ? value[m->target].number : 0;
    for (uint32_t pos = 0; pos < DEEPEST && weight > 0; pos++) {
        r.rank = pos + 1.0;
        r.gain = gain_at(q, pos, value[m->min_rel].number, value[m->max_rel].number);
        r.gained += r.gain;
        sum += weight * r.gain;
        weights += weight;
        weight *= m->goes_on(&r);
    }
    return sum / weights;
}

static const char *check_scale(double min, double max)
{
    return max > min ? NULL : "max_rel must be above min_rel";
}

#define SCALE                                                      \
    {.name = "min_rel",                                            \
     .type = ASSAY_METRIC_PARAM_INT,                               \
     .summary = "grade that gains nothing, as does any below it"}, \
        {.name = "max_rel",                                        \
         .type = ASSAY_METRIC_PARAM_INT,                           \
         .is_required = true,                                      \
         .summary = "grade that gains 1, as does any above it"},   \
    {                                                              \
        .name = NULL                                               \
    }

#define TARGET                                                                      \
    {                                                                               \
        .name = "T", .type = ASSAY_METRIC_PARAM_REAL, .standard = 1, .least = 0,    \
        .most = 1e9,                                                                \
        .summary = "gain that the user is after, in documents of the highest grade" \
    }

static const assay_metric_param scale_params[] = {SCALE};
static const assay_metric_param target_params[] = {TARGET, SCALE};
static const assay_metric_param sdcg_params[] = {{.name = "dcg",
                                                  .type = ASSAY_METRIC_PARAM_CHOICE,
                                                  .choices = "log2",
                                                  .summary = "discount"},
                                                 SCALE};
static const assay_metric_param nerr10_params[] = {
    {.name = "p",
     .type = ASSAY_METRIC_PARAM_REAL,
     .standard = 0.9,
     .least = 0,
     .most = 1,
     .summary = "persistence: how likely the user goes on"},
    SCALE};

/* One metric: where its parameters stand, then check, eval and the common part. */
#define CWL(id, p_at, target_at, min_at)                                              \
    static const char *check_##id(const assay_value *value)                           \
    {                                                                                 \
        return check_scale(value[min_at].number, value[(min_at) + 1].number);         \
    }                                                                                 \
    static void eval_##id(const assay_judged *q, const assay_args *args, double *out) \
    {                                                                                 \
        static const model m = {goes_on_##id, p_at, target_at, min_at, (min_at) + 1}; \
                                                                                      \
        for (size_t c = 0; c < args->n; c++)                                          \
            out[c] = follow(q, &m, args->value, args->k[c]);                          \
    }

#define COMMON(id)                                                                     \
    .needs = ASSAY_NEEDS_GRADES, .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL, \
    .check = check_##id, .eval = eval_##id

CWL(sdcg, -1, -1, 1)
CWL(bpm, -1, 0, 1)
CWL(nerr8, -1, -1, 0)
CWL(nerr9, -1, -1, 0)
CWL(nerr10, 0, -1, 1)
CWL(nerr11, -1, 0, 1)
CWL(inst, -1, 0, 1)
CWL(insq, -1, 0, 1)

const assay_metric assay_metric_sdcg = {
    .name = "sdcg",
    .summary = "DCG over that of k documents of the highest grade",
    .formula = "C(i) = log2(i + 1) / log2(i + 2) above rank k",
    .source = "Jarvelin and Kekalainen 2002, TOIS 20(4), scaled as in cwl_eval",
    .aliases = "SDCG",
    .at = ASSAY_AT_REQUIRED,
    .param = sdcg_params,
    COMMON(sdcg),
};

const assay_metric assay_metric_bpm = {
    .name = "bpm",
    .summary =
        "bejeweled player model: gain per hit until T is gained or k hits are seen",
    .formula = "C(i) = 1 above rank k while the gain so far is below T, else 0",
    .source = "Zhang, Liu, Li, Zhang, Xu and Ma 2017, SIGIR (static model)",
    .aliases = "BPM",
    .at = ASSAY_AT_REQUIRED,
    .param = target_params,
    COMMON(bpm),
};

const assay_metric assay_metric_nerr8 = {
    .name = "nerr8",
    .summary = "nearly expected reciprocal rank: stops by gain, at k at the latest",
    .formula = "C(i) = 1 - gain(i) above rank k",
    .source = "Azzopardi, Mackenzie and Moffat 2021, ICTIR, equation 8",
    .aliases = "NERR8",
    .at = ASSAY_AT_REQUIRED,
    .param = scale_params,
    COMMON(nerr8),
};

const assay_metric assay_metric_nerr9 = {
    .name = "nerr9",
    .summary =
        "nearly expected reciprocal rank: stops by gain and rank, at k at the latest",
    .formula = "C(i) = i / (i + 1) * (1 - gain(i)) above rank k",
    .source = "Azzopardi, Mackenzie and Moffat 2021, ICTIR, equation 9",
    .aliases = "NERR9",
    .at = ASSAY_AT_REQUIRED,
    .param = scale_params,
    COMMON(nerr9),
};

const assay_metric assay_metric_nerr10 = {
    .name = "nerr10",
    .summary =
        "nearly expected reciprocal rank: stops by gain and with 1 - p at each rank",
    .formula = "C(i) = p * (1 - gain(i))",
    .source = "Azzopardi, Mackenzie and Moffat 2021, ICTIR, equation 10",
    .aliases = "NERR10",
    .at = ASSAY_AT_NEVER,
    .param = nerr10_params,
    COMMON(nerr10),
};

const assay_metric assay_metric_nerr11 = {
    .name = "nerr11",
    .summary = "nearly expected reciprocal rank: stops by gain and by a target T",
    .formula = "C(i) = ((i + 2T - 1) / (i + 2T))^2 * (1 - gain(i))",
    .source = "Azzopardi, Mackenzie and Moffat 2021, ICTIR, equation 11",
    .aliases = "NERR11",
    .at = ASSAY_AT_NEVER,
    .param = target_params,
    COMMON(nerr11),
};

const assay_metric assay_metric_inst = {
    .name = "inst",
    .summary = "gain per hit of a user who is after T and adapts as it comes in",
    .formula =
        "C(i) = ((i + T + T(i) - 1) / (i + T + T(i)))^2, T(i) = T less the gain so far",
    .source = "Moffat, Bailey, Scholer and Thomas 2015, ADCS",
    .aliases = "INST",
    .at = ASSAY_AT_NEVER,
    .param = target_params,
    COMMON(inst),
};

const assay_metric assay_metric_insq = {
    .name = "insq",
    .summary = "gain per hit of a user who is after T and does not adapt",
    .formula = "C(i) = ((i + 2T - 1) / (i + 2T))^2",
    .source = "Moffat, Scholer and Thomas 2012, ADCS",
    .aliases = "INSQ",
    .at = ASSAY_AT_NEVER,
    .param = target_params,
    COMMON(insq),
};
