/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's evaluation, topic by topic, in parallel.  Topic i writes row i; sums are
 * taken afterwards in the order of the topics' ids, in plain double, as trec_eval does:
 * means are equal to its own to the last bit, for any number of threads. */
#include "pipeline/trec.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "metric/groups.h"
#include "metric/judge.h"
#include "metric/prefs.h"

/* Least value in a geometric mean. */
static const double least_geometric = 0.00001;

/* One thread's memory. */
typedef struct worker {
    assay_judge judge;
    assay_arena arena; /* reset for each topic */
    assay_slice *id;   /* of the topic's judgments, or of the ranking */
    size_t cap_id;
    int32_t *grade;
    size_t cap_grade;
} worker;

/* What became of one item. */
typedef enum fate {
    FATE_MEASURED,
    FATE_SKIPPED, /* not in the run, or another topic was asked for */
    FATE_STOPPED, /* trec_eval would give up here */
    FATE_GUESSED, /* the guess where its lines stand was wrong */
    FATE_BROKEN   /* malformed line, or no memory */
} fate;

typedef struct item {
    uint32_t topic; /* in qrels, ASSAY_NONE: a query of the run without judgments */
    uint32_t query; /* in the run, ASSAY_NONE: not there */
    fate fate;
    assay_error *err; /* in the arena of its worker's job; null while all is well */
} item;

typedef struct job {
    const assay_trec_plan *plan;
    const assay_qrels *qrels;
    const assay_trec_run *run;
    const assay_trec_options *options;
    item *item;
    uint32_t n_items;
    uint32_t n_topics; /* the first of the items; the rest only have to be checked */
    double *value;     /* a row for each topic */
    char *relstring;
    worker worker[ASSAY_POOL_MOST];
} job;

/* ---- one topic ---- */

static fate fail_item(item *it, fate what, const assay_error *err)
{
    /* Errors are rare: the words are kept only then. */
    it->err = assay_mem_alloc(sizeof *it->err);
    if (it->err)
        *it->err = *err;
    it->fate = what;
    return what;
}

static uint32_t most_hits(const assay_trec_run *run, uint32_t query)
{
    if (query == ASSAY_NONE)
        return 1;
    return run->guess ? assay_trec_guess_most(run->guess, query)
                      : assay_trec_lines_count(run->lines, query);
}

static assay_status read_hits(const assay_trec_run *run, uint32_t query,
                              assay_judge *judge, assay_error *err)
{
    judge->has_given = false;
    if (run->guess)
        return assay_trec_guess_read(run->guess, query, judge->ranked, &judge->n, err);
    judge->n = assay_trec_lines_count(run->lines, query);
    return assay_trec_lines_read(run->lines, query, judge->ranked, judge->given,
                                 &judge->has_given, err);
}

static assay_status check_hits(const assay_trec_run *run, uint32_t query,
                               assay_error *err)
{
    uint32_t n;

    return run->guess ? assay_trec_guess_read(run->guess, query, NULL, &n, err)
                      : assay_trec_lines_check(run->lines, query, err);
}

static assay_status fill_ranking(const job *j, worker *w, const item *it,
                                 assay_error *err)
{
    assay_judge *judge = &w->judge;

    if (!assay_judge_reserve(judge, most_hits(j->run, it->query)))
        return assay_fail_memory(err, "measuring");
    if (it->query != ASSAY_NONE)
        return read_hits(j->run, it->query, judge, err);
    /* With -c trec_eval 10 gives a missing topic one document that nobody judged; its
     * name has a blank here, so that no judgment can name it. */
    judge->ranked[0] = (assay_ranked){.id = "no document", .len = 11, .score = 1};
    judge->n = 1;
    judge->has_given = false;
    return ASSAY_OK;
}

/* What a failure to read a query's lines means for it. */
static fate fate_of(item *it, assay_status st, const assay_error *err)
{
    if (st == ASSAY_NO) {
        it->fate = FATE_GUESSED;
        return FATE_GUESSED;
    }
    return fail_item(it, FATE_BROKEN, err);
}

static assay_order order_of(const assay_trec_options *options)
{
    if (options->layout == ASSAY_QRELS_PREFS ||
        options->layout == ASSAY_QRELS_GROUP_PREFS)
        return ASSAY_ORDER_SCORE_UP;
    return options->is_trec9 ? ASSAY_ORDER_FLOAT : ASSAY_ORDER_SCORE;
}

/* trec_eval 9 compares scores as float in every order. */
static void round_scores(const job *j, assay_judge *judge)
{
    if (!j->options->is_trec9)
        return;
    for (uint32_t i = 0; i < judge->n; i++)
        judge->ranked[i].score = (double)(float)judge->ranked[i].score;
}

static fate rank(const job *j, worker *w, item *it)
{
    assay_judge *judge = &w->judge;
    assay_error err = {ASSAY_OK, ""};
    assay_status st = fill_ranking(j, w, it, &err);
    uint32_t duplicate;

    if (st)
        return fate_of(it, st, &err);
    round_scores(j, judge);
    if (!assay_judge_order(judge, order_of(j->options))) {
        assay_fail_memory(&err, "measuring");
        return fail_item(it, FATE_BROKEN, &err);
    }
    if (judge->n > j->options->max_docs)
        judge->n = j->options->max_docs;
    duplicate = assay_judge_duplicates(judge, false);
    if (duplicate != ASSAY_NONE) {
        assay_fail(&err, ASSAY_EINPUT, "duplicate docs %.*s",
                   (int)judge->ranked[duplicate].len, judge->ranked[duplicate].id);
        return fail_item(it, FATE_STOPPED, &err);
    }
    return FATE_MEASURED;
}

static bool reserve_ids(worker *w, size_t n)
{
    assay_slice *id = assay_mem_grow(w->id, &w->cap_id, n + 1, sizeof *id);
    int32_t *grade = assay_mem_grow(w->grade, &w->cap_grade, n + 1, sizeof *grade);

    if (id)
        w->id = id;
    if (grade)
        w->grade = grade;
    return id && grade;
}

/* Judgments of a qrels file. */
static assay_status look_plain(const job *j, worker *w, const assay_qrels_topic *topic,
                               assay_judged *q, assay_error *err)
{
    const assay_look look = {.threshold = j->options->level,
                             .judged_only = j->options->judged_only,
                             .max_grade = 1};
    assay_grades grades;
    uint32_t n_repeated;

    if (!reserve_ids(w, topic->n))
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; i < topic->n; i++) {
        w->id[i] = topic->qrel[i].doc;
        w->grade[i] = topic->qrel[i].rel;
    }
    if (!assay_grades_build(&grades, &w->arena, w->id, w->grade, topic->n, &n_repeated))
        return assay_fail_memory(err, "measuring");
    if (n_repeated)
        return assay_fail(err, ASSAY_EINPUT, "duplicate docs in the judgments of '%.*s'",
                          ASSAY_QUOTE(topic->id));
    if (!assay_judge_look(&w->judge, &grades, &look, q))
        return assay_fail_memory(err, "measuring");
    return ASSAY_OK;
}

static bool list_ranking(worker *w)
{
    if (!reserve_ids(w, w->judge.n))
        return false;
    for (uint32_t i = 0; i < w->judge.n; i++)
        w->id[i] = (assay_slice){w->judge.ranked[i].id, w->judge.ranked[i].len};
    return true;
}

static assay_status look_groups(const job *j, worker *w, const assay_qrels_topic *topic,
                                assay_judged *q, assay_error *err)
{
    const assay_groups_options options = {.threshold = j->options->level,
                                          .judged_only = j->options->judged_only};
    assay_group_judgment *judgment =
        ASSAY_ARENA_ARRAY(&w->arena, assay_group_judgment, topic->n);

    if (!judgment || !list_ranking(w))
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; i < topic->n; i++)
        judgment[i] = (assay_group_judgment){topic->more[i].group, topic->qrel[i].doc,
                                             topic->qrel[i].rel};
    return assay_groups_build(w->id, w->judge.n, judgment, topic->n, &options, &w->arena,
                              &q->groups, err);
}

static assay_status look_prefs(const job *j, worker *w, const assay_qrels_topic *topic,
                               assay_judged *q, assay_error *err)
{
    assay_pref *pref = ASSAY_ARENA_ARRAY(&w->arena, assay_pref, topic->n);

    (void)j;
    if (!pref || !list_ranking(w))
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; i < topic->n; i++)
        pref[i] = (assay_pref){topic->more[i].group, topic->more[i].subgroup,
                               topic->qrel[i].doc, topic->more[i].level};
    return assay_prefs_build(w->id, w->judge.n, pref, topic->n, &w->arena, &q->prefs,
                             err);
}

typedef assay_status look_function(const job *j, worker *w,
                                   const assay_qrels_topic *topic, assay_judged *q,
                                   assay_error *err);

static look_function *const looks[] = {
    [ASSAY_QRELS_PLAIN] = look_plain,
    [ASSAY_QRELS_GROUPS] = look_groups,
    [ASSAY_QRELS_PREFS] = look_prefs,
    [ASSAY_QRELS_GROUP_PREFS] = look_prefs,
};

static char grade_letter(int32_t grade)
{
    if (grade == ASSAY_UNPOOLED)
        return '-';
    if (grade < 0)
        return '.';
    return grade > 9 ? '>' : (char)('0' + grade);
}

static void write_relstring(const job *j, const assay_judged *q, size_t row,
                            bool is_missing)
{
    char *text = j->relstring + row * (j->plan->relstring + 1u);
    uint32_t n = q->n_ranked < j->plan->relstring ? q->n_ranked : j->plan->relstring;

    if (is_missing)
        n = 0;
    for (uint32_t i = 0; i < n; i++)
        text[i] = grade_letter(q->grade[i]);
    text[n] = '\0';
}

/* What trec_eval 10 sets right after measuring the document that stands for a missing
 * topic, by the names of the lines. */
static bool is_zero_when_missing(const char *name)
{
    return strcmp(name, "num_ret") == 0 || strcmp(name, "utility") == 0 ||
           strcmp(name, "rbp_resid") == 0 || strncmp(name, "unj", 3) == 0;
}

static void evaluate(const job *j, const assay_judged *q, size_t row, bool is_missing)
{
    const assay_trec_plan *plan = j->plan;
    double *value = j->value + row * plan->n_columns;
    static const uint32_t no_cutoff = ASSAY_NO_CUTOFF;

    for (uint32_t i = 0; i < plan->n_requests; i++) {
        const assay_trec_request *r = &plan->request[i];
        const assay_metric *metric = r->measure->metric;
        const assay_args args = {r->k ? r->k : &no_cutoff, r->x, r->n, r->value};

        if (!metric)
            continue;
        metric->eval(q, &args, value + r->first);
        if (metric->aggregate == ASSAY_AGG_GEOMETRIC)
            value[r->first] = log(value[r->first] > least_geometric ? value[r->first]
                                                                    : least_geometric);
    }
    for (uint32_t c = 0; is_missing && c < plan->n_columns; c++)
        if (is_zero_when_missing(plan->column[c].name))
            value[c] = 0.0;
    if (plan->relstring)
        write_relstring(j, q, row, is_missing);
}

static void measure_topic(job *j, worker *w, item *it, size_t row)
{
    const assay_qrels_topic *topic = &j->qrels->topic[it->topic];
    assay_judged q = {.threshold = j->options->level};
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    it->fate = rank(j, w, it);
    if (it->fate != FATE_MEASURED)
        return;
    assay_arena_reset(&w->arena);
    st = looks[j->options->layout](j, w, topic, &q, &err);
    if (st) {
        /* trec_eval checks groups of judgments when it reads them. */
        bool is_broken = st == ASSAY_ENOMEM || j->options->layout == ASSAY_QRELS_GROUPS;

        fail_item(it, is_broken ? FATE_BROKEN : FATE_STOPPED, &err);
        return;
    }
    q.n_collection = j->options->n_collection;
    q.is_trec9 = j->options->is_trec9;
    evaluate(j, &q, row, it->query == ASSAY_NONE);
}

static void work(void *ctx, uint32_t worker_number, size_t i)
{
    job *j = ctx;
    item *it = &j->item[i];
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    if (it->fate != FATE_MEASURED)
        return;
    if (i < j->n_topics) {
        measure_topic(j, &j->worker[worker_number], it, i);
        return;
    }
    st = check_hits(j->run, it->query, &err);
    if (st)
        fate_of(it, st, &err);
}

/* ---- all topics ---- */

/* What happens to a topic is decided before anything is computed. */
static item first_look(const job *j, uint32_t t)
{
    const assay_trec_options *options = j->options;
    item it = {.topic = t, .query = assay_dict_find(&j->run->ids, j->qrels->topic[t].id)};

    if (options->only.len && !assay_slice_eq(options->only, j->qrels->topic[t].id))
        it.fate = FATE_SKIPPED;
    else if (it.query == ASSAY_NONE && options->is_trec9)
        it.fate = FATE_SKIPPED;
    else if (it.query == ASSAY_NONE && !options->is_complete)
        it.fate = FATE_STOPPED;
    return it;
}

static void list_items(job *j)
{
    const assay_dict *ids = &j->run->ids;

    for (uint32_t t = 0; t < j->qrels->n; t++)
        j->item[j->n_items++] = first_look(j, t);
    j->n_topics = j->n_items;
    for (uint32_t q = 0; q < ids->n; q++)
        if (assay_dict_find(&j->qrels->ids, ids->word[q]) == ASSAY_NONE)
            j->item[j->n_items++] = (item){.topic = ASSAY_NONE, .query = q};
}

static assay_status broken(const job *j, assay_error *err)
{
    for (uint32_t i = 0; i < j->n_items; i++)
        if (j->item[i].fate == FATE_GUESSED)
            return ASSAY_NO;
    for (uint32_t i = 0; i < j->n_items; i++) {
        const item *it = &j->item[i];

        if (it->fate != FATE_BROKEN)
            continue;
        if (err && it->err)
            *err = *it->err;
        return it->err ? it->err->status : assay_fail_memory(err, "measuring");
    }
    return ASSAY_OK;
}

static void stop_at(const job *j, const item *it, assay_trec_scores *scores)
{
    scores->has_stopped = true;
    if (it->err)
        scores->stop = *it->err;
    else
        assay_fail(&scores->stop, ASSAY_EINPUT,
                   "judged query '%.*s' is not in the run; -c counts it as 0",
                   ASSAY_QUOTE(j->qrels->topic[it->topic].id));
}

/* Close up the rows over topics that were left out, up to where trec_eval stops. */
static void collect(const job *j, assay_trec_scores *scores)
{
    size_t width = j->plan->n_columns;
    size_t text = j->plan->relstring + 1u;

    for (uint32_t i = 0; i < j->n_topics && !scores->has_stopped; i++) {
        const item *it = &j->item[i];

        if (it->fate == FATE_STOPPED)
            stop_at(j, it, scores);
        if (it->fate != FATE_MEASURED)
            continue;
        if (scores->n != i) {
            memmove(j->value + scores->n * width, j->value + i * width,
                    width * sizeof *j->value);
            memmove(j->relstring + scores->n * text, j->relstring + i * text, text);
        }
        scores->topic[scores->n++] = j->qrels->topic[it->topic].id;
    }
}

static void count_positive(const assay_qrels *qrels, assay_trec_scores *scores)
{
    scores->n_judged = qrels->n;
    for (uint32_t t = 0; t < qrels->n; t++)
        for (uint32_t i = 0; i < qrels->topic[t].n; i++)
            scores->n_positive += qrels->topic[t].qrel[i].rel > 0;
}

static void job_clear(job *j)
{
    for (uint32_t i = 0; j->item && i < j->n_items; i++)
        assay_mem_free(j->item[i].err);
    assay_mem_free(j->item);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        assay_judge_clear(&j->worker[i].judge);
        assay_arena_clear(&j->worker[i].arena);
        assay_mem_free(j->worker[i].id);
        assay_mem_free(j->worker[i].grade);
    }
    assay_mem_free(j);
}

static bool job_alloc(job *j, assay_trec_scores *scores)
{
    size_t n = j->qrels->n;

    j->item = ASSAY_NEW_ARRAY(item, n + j->run->ids.n);
    scores->topic = ASSAY_NEW_ARRAY(assay_slice, n);
    scores->value = ASSAY_NEW_ARRAY(double, n * j->plan->n_columns);
    scores->relstring = ASSAY_NEW_ARRAY(char, n *(j->plan->relstring + 1u));
    j->value = scores->value;
    j->relstring = scores->relstring;
    return j->item && scores->topic && scores->value && scores->relstring;
}

/* ASSAY_NO: the guess was wrong. */
static assay_status measure(const assay_trec_plan *plan, const assay_qrels *qrels,
                            const assay_trec_run *run, const assay_trec_options *options,
                            assay_trec_scores *scores, assay_error *err)
{
    job *j = ASSAY_NEW(job);
    assay_status st;

    if (!j)
        return assay_fail_memory(err, "measuring");
    j->plan = plan;
    j->qrels = qrels;
    j->run = run;
    j->options = options;
    if (!job_alloc(j, scores)) {
        st = assay_fail_memory(err, "measuring");
        goto done;
    }
    list_items(j);
    assay_pool_run(options->n_threads, j->n_items, work, j);
    st = broken(j, err);
    if (st)
        goto done;
    collect(j, scores);
    count_positive(qrels, scores);

done:
    job_clear(j);
    return st;
}

assay_status assay_trec_measure_run(const assay_trec_plan *plan, const assay_qrels *qrels,
                                    assay_trec_run *run,
                                    const assay_trec_options *options,
                                    assay_trec_scores *scores, assay_error *err)
{
    assay_status st = measure(plan, qrels, run, options, scores, err);

    if (st != ASSAY_NO)
        return st;
    assay_trec_scores_clear(scores);
    st = assay_trec_run_reopen(run, err);
    return st ? st : measure(plan, qrels, run, options, scores, err);
}

void assay_trec_scores_clear(assay_trec_scores *scores)
{
    assay_mem_free(scores->topic);
    assay_mem_free(scores->value);
    assay_mem_free(scores->relstring);
    *scores = (assay_trec_scores){0};
}

double assay_trec_summary(const assay_trec_plan *plan, const assay_trec_scores *scores,
                          const assay_trec_options *options, uint32_t column)
{
    const assay_trec_measure *measure = plan->column[column].measure;
    uint32_t n = options->is_complete ? scores->n_judged : scores->n;
    double sum = 0.0;

    if (measure->metric->aggregate == ASSAY_AGG_COUNT)
        return (double)n;
    /* Not what -l says, but what trec_eval does. */
    if (options->is_complete && strcmp(measure->name, "num_rel") == 0)
        return (double)scores->n_positive;
    for (uint32_t i = 0; i < scores->n; i++)
        sum += scores->value[(size_t)i * plan->n_columns + column];
    if (measure->metric->aggregate == ASSAY_AGG_SUM || !n)
        return sum;
    if (measure->metric->aggregate != ASSAY_AGG_GEOMETRIC)
        return sum / n;
    if (options->is_complete)
        sum += (double)(n - scores->n) * log(least_geometric);
    return exp(sum / n);
}
