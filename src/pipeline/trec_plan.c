/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's measures with their parameters: `-m P.5,10`, `-m ndcg.1=3,2=9`. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "pipeline/trec.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading measures");
}

/* As atol and atof: what can be read of the beginning, else 0. */
static int64_t read_whole(assay_slice s)
{
    char copy[32];
    size_t n = s.len < sizeof copy - 1 ? s.len : sizeof copy - 1;

    memcpy(copy, s.ptr, n);
    copy[n] = '\0';
    return strtoll(copy, NULL, 10);
}

static double read_real(assay_slice s)
{
    double value = 0;

    assay_number_scan(s.ptr, s.ptr + s.len, true, &value);
    return value;
}

static size_t count_parts(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

/* The next part at a comma; unlike assay_slice_part an empty last part counts. */
static assay_slice next_part(const char **text)
{
    size_t len = strcspn(*text, ",");
    assay_slice part = {*text, len};

    *text += len + ((*text)[len] == ',');
    return part;
}

static assay_status add_column(assay_trec_plan *plan, const assay_trec_measure *measure,
                               const char *name, assay_error *err)
{
    assay_trec_column *column = assay_mem_grow(plan->column, &plan->cap_columns,
                                               plan->n_columns + 1u, sizeof *column);
    const char *copy = assay_arena_string(&plan->arena, assay_slice_of(name));

    if (column)
        plan->column = column;
    if (!column || !copy)
        return no_memory(err);
    plan->column[plan->n_columns++] = (assay_trec_column){measure, copy};
    return ASSAY_OK;
}

/* "name", or "name_params" where the user gave some. */
static assay_status add_plain_column(assay_trec_plan *plan, assay_trec_request *r,
                                     const char *params, assay_error *err)
{
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_buffer_printf(&name, "%s%s%s", r->measure->name, params ? "_" : "",
                        params ? params : "");
    assay_buffer_char(&name, '\0');
    st = name.has_failed ? no_memory(err) : add_column(plan, r->measure, name.ptr, err);
    assay_buffer_clear(&name);
    r->n = 1;
    return st;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static assay_status read_list(assay_trec_plan *plan, const char *text, double **out,
                              uint32_t *n, assay_error *err)
{
    *n = (uint32_t)count_parts(text);
    *out = ASSAY_ARENA_ARRAY(&plan->arena, double, *n);
    if (!*out)
        return no_memory(err);
    for (uint32_t i = 0; i < *n; i++)
        (*out)[i] = read_real(next_part(&text));
    return ASSAY_OK;
}

static assay_status refuse_repeats(const double *x, uint32_t n, assay_error *err)
{
    for (uint32_t i = 1; i < n; i++)
        if (x[i] == x[i - 1])
            return assay_fail(err, ASSAY_EUSAGE, "duplicate cutoffs detected");
    return ASSAY_OK;
}

static assay_status add_cutoffs(assay_trec_plan *plan, assay_trec_request *r,
                                const char *params, assay_error *err)
{
    const char *text = params ? params : r->measure->standard;
    char name[ASSAY_TREC_NAME_SIZE];
    double *x;
    assay_status st;

    r->n = (uint32_t)count_parts(text);
    x = ASSAY_ARENA_ARRAY(&plan->arena, double, r->n);
    r->k = ASSAY_ARENA_ARRAY(&plan->arena, uint32_t, r->n);
    if (!x || !r->k)
        return no_memory(err);
    for (uint32_t i = 0; i < r->n; i++)
        x[i] = (double)read_whole(next_part(&text));
    qsort(x, r->n, sizeof *x, ascending);
    if (x[0] <= 0)
        return assay_fail(err, ASSAY_EUSAGE, "Negative cutoff detected");
    st = refuse_repeats(x, r->n, err);
    for (uint32_t i = 0; !st && i < r->n; i++) {
        r->k[i] = x[i] < ASSAY_NO_CUTOFF ? (uint32_t)x[i] : ASSAY_NO_CUTOFF - 1;
        assay_trec_name_cutoff(name, r->measure, (int64_t)x[i]);
        st = add_column(plan, r->measure, name, err);
    }
    return st;
}

static assay_status add_points(assay_trec_plan *plan, assay_trec_request *r,
                               const char *params, assay_error *err)
{
    char name[ASSAY_TREC_NAME_SIZE];
    assay_status st =
        read_list(plan, params ? params : r->measure->standard, &r->x, &r->n, err);

    if (st)
        return st;
    qsort(r->x, r->n, sizeof *r->x, ascending);
    st = refuse_repeats(r->x, r->n, err);
    for (uint32_t i = 0; !st && i < r->n; i++) {
        assay_trec_name_point(name, r->measure, r->x[i]);
        st = add_column(plan, r->measure, name, err);
    }
    return st;
}

static assay_status add_numbers(assay_trec_plan *plan, assay_trec_request *r,
                                const char *params, assay_error *err)
{
    double *x = NULL;
    uint32_t n = 0;
    assay_status st = params ? read_list(plan, params, &x, &n, err) : ASSAY_OK;

    if (st)
        return st;
    if (!r->measure->metric) {
        const char *length = params ? params : r->measure->standard;

        plan->relstring = (uint32_t)read_whole(assay_slice_of(length));
    } else if (params && r->measure->metric->param[0].type == ASSAY_METRIC_PARAM_REAL) {
        r->value[0] = (assay_value){.is_set = true, .number = x[0]};
    } else if (params) {
        r->value[0] = (assay_value){.is_set = true, .real = x, .n_reals = n};
    }
    return add_plain_column(plan, r, params, err);
}

static int by_grade(const void *a, const void *b)
{
    int32_t x = ((const assay_gain *)a)->grade;
    int32_t y = ((const assay_gain *)b)->grade;

    return (x > y) - (x < y);
}

/* trec_eval's level -1 is "not in the pool", -2 "in the pool, not judged". */
static int32_t grade_of(int64_t level)
{
    if (level == -1)
        return ASSAY_UNPOOLED;
    if (level < 0)
        return ASSAY_POOLED;
    return level < INT32_MAX ? (int32_t)level : INT32_MAX;
}

static const assay_metric_param *find_param(const assay_metric *metric, assay_slice name)
{
    for (const assay_metric_param *p = metric->param; p && p->name; p++)
        if (assay_slice_is(name, p->name))
            return p;
    return NULL;
}

static assay_status add_pair(assay_trec_request *r, assay_slice pair, assay_gain *gain,
                             uint32_t *n_gains, assay_error *err)
{
    const char *equals = pair.len ? memchr(pair.ptr, '=', pair.len) : NULL;
    const assay_metric *metric = r->measure->metric;
    const assay_metric_param *param;
    assay_slice key;
    assay_slice text;

    if (!equals)
        return assay_fail(err, ASSAY_EUSAGE, "malformed pair parameters in '%.*s'",
                          ASSAY_QUOTE(pair));
    key = (assay_slice){pair.ptr, (size_t)(equals - pair.ptr)};
    text = (assay_slice){equals + 1, pair.len - key.len - 1};
    param = find_param(metric, key);
    if (param && param->type == ASSAY_METRIC_PARAM_REAL)
        r->value[param - metric->param] =
            (assay_value){.is_set = true, .number = read_real(text)};
    else
        gain[(*n_gains)++] = (assay_gain){grade_of(read_whole(key)), read_real(text)};
    return ASSAY_OK;
}

static assay_status add_pairs(assay_trec_plan *plan, assay_trec_request *r,
                              const char *params, assay_error *err)
{
    const assay_metric_param *gains = find_param(r->measure->metric, ASSAY_LIT("gains"));
    const char *text = params;
    assay_status st = ASSAY_OK;
    assay_gain *gain;
    uint32_t n_gains = 0;

    if (!params)
        return add_plain_column(plan, r, NULL, err);
    gain = ASSAY_ARENA_ARRAY(&plan->arena, assay_gain, count_parts(params));
    if (!gain)
        return no_memory(err);
    for (size_t left = count_parts(params); left && !st; left--)
        st = add_pair(r, next_part(&text), gain, &n_gains, err);
    if (st)
        return st;
    qsort(gain, n_gains, sizeof *gain, by_grade);
    if (gains && n_gains)
        r->value[gains - r->measure->metric->param] =
            (assay_value){.is_set = true, .gain = gain, .n_gains = n_gains};
    return add_plain_column(plan, r, params, err);
}

assay_status assay_trec_plan_add(assay_trec_plan *plan, const assay_trec_measure *measure,
                                 const char *params, assay_error *err)
{
    assay_trec_request *request = assay_mem_grow(plan->request, &plan->cap_requests,
                                                 plan->n_requests + 1u, sizeof *request);
    assay_trec_request *r;

    if (!request)
        return no_memory(err);
    plan->request = request;
    r = &plan->request[plan->n_requests++];
    *r = (assay_trec_request){.measure = measure, .first = plan->n_columns};
    switch (measure->params) {
    case ASSAY_TREC_CUTOFFS: return add_cutoffs(plan, r, params, err);
    case ASSAY_TREC_POINTS: return add_points(plan, r, params, err);
    case ASSAY_TREC_NUMBERS: return add_numbers(plan, r, params, err);
    case ASSAY_TREC_PAIRS: return add_pairs(plan, r, params, err);
    case ASSAY_TREC_NONE: break;
    }
    return add_plain_column(plan, r, NULL, err);
}

void assay_trec_plan_clear(assay_trec_plan *plan)
{
    assay_mem_free(plan->request);
    assay_mem_free(plan->column);
    assay_arena_clear(&plan->arena);
    *plan = (assay_trec_plan){0};
}
