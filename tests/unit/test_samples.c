/* SPDX-License-Identifier: Apache-2.0 */
/* The sample runs against tests/reference/samples/expected.json, which another program
 * computed from the definitions: evidence and answers, each query and each metric. */
#include "testing.h"

#include "base/buffer.h"
#include "base/file.h"
#include "base/node.h"
#include "base/slice.h"
#include "golden/golden.h"
#include "metric/answered.h"
#include "metric/evidence.h"
#include "run/run.h"

static assay_arena arena;
static assay_error err;

/* One run laid over its golden set. */
typedef struct scene {
    assay_golden *golden;
    assay_run *run;
    assay_known known;
    assay_judge judge;
    assay_evidence evidence;
    assay_answering answering;
    assay_answered answered;
    assay_judged q;
} scene;

static const char *source(assay_slice path)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    char *out;

    assay_buffer_printf(&b, "%s/%.*s", TEST_SRC, (int)path.len, path.ptr);
    out = assay_arena_string(&arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    CHECK(out != NULL);
    return out;
}

static void open_scene(scene *s, const assay_node *expected)
{
    const char *golden = source(assay_node_get(expected, "golden")->text);
    const char *run = source(assay_node_get(expected, "run")->text);

    if (assay_golden_load(golden, NULL, &s->golden, &err) ||
        assay_run_load(run, NULL, &s->run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    for (uint32_t i = 0; i < s->run->n_results; i++)
        CHECK(assay_known_add_hits(&s->known, s->run->result[i].hit,
                                   s->run->result[i].n_hits));
    CHECK(assay_known_add_golden(&s->known, s->golden));
    assay_known_finish(&s->known);
}

static void close_scene(scene *s)
{
    assay_known_clear(&s->known);
    assay_judge_clear(&s->judge);
    assay_evidence_clear(&s->evidence);
    assay_answering_clear(&s->answering);
    assay_run_free(s->run);
    assay_golden_free(s->golden);
}

/* Null when the run lacks the query. */
static const assay_result *result_of(const scene *s, assay_slice id)
{
    uint32_t i = assay_dict_find(&s->run->ids, id);

    return i == ASSAY_NONE ? NULL : &s->run->result[i];
}

/* The hits by score, then id; none where the query is missing or failed. */
static void order_hits(scene *s, const assay_result *result)
{
    s->judge.n = 0;
    if (!result || result->error.len)
        return;
    CHECK(assay_judge_reserve(&s->judge, result->n_hits));
    for (uint32_t i = 0; i < result->n_hits; i++) {
        const assay_hit *h = &result->hit[i];

        s->judge.ranked[s->judge.n++] =
            (assay_ranked){h->chunk.ptr, (uint32_t)h->chunk.len, i, h->score};
    }
    CHECK(assay_judge_order(&s->judge, ASSAY_ORDER_SCORE));
    assay_judge_duplicates(&s->judge, true);
}

static void lay_out(scene *s, assay_slice id)
{
    const assay_look look = {.threshold = 1, .max_grade = 3};
    const assay_query *query = &s->golden->query[assay_dict_find(&s->golden->ids, id)];
    const assay_result *result = result_of(s, id);
    assay_answer_view view = {.query = query,
                              .result = result,
                              .known = &s->known,
                              .level = ASSAY_LEVEL_EVIDENCE,
                              .threshold = 1};
    assay_anchors anchors;

    order_hits(s, result);
    CHECK(assay_anchors_of_query(&anchors, &arena, s->golden, query));
    CHECK(assay_evidence_look(&s->evidence, result ? result->hit : NULL, s->judge.ranked,
                              s->judge.n, &anchors, &look, &s->q));
    view.anchors = &anchors;
    CHECK(assay_answered_build(&s->answering, &view, &s->answered));
    s->q.answered = &s->answered;
    s->q.result = result;
}

static double value(const assay_judged *q, assay_slice spelling)
{
    assay_measures m = {0};
    uint32_t k;
    double out;

    CHECK(assay_measure_parse(spelling, &m, &arena, &err) == ASSAY_OK);
    k = m.item[0].has_at ? (uint32_t)m.item[0].at : ASSAY_NO_CUTOFF;
    m.item[0].metric->eval(q, &(assay_args){&k, NULL, 1, m.item[0].value}, &out);
    assay_measures_clear(&m);
    return out;
}

static uint32_t check_value(const scene *s, assay_slice id, assay_slice spelling,
                            double want)
{
    double have = value(&s->q, spelling);

    if (!(fabs(have - want) <= 1e-12))
        check_failed(__FILE__, __LINE__, "%.*s of %.*s is %.17g, want %.17g",
                     (int)spelling.len, spelling.ptr, (int)id.len, id.ptr, have, want);
    return 1;
}

static uint32_t check_evidence(scene *s, const assay_node *expected)
{
    const assay_node *level = assay_node_get(expected, "evidence");
    const assay_node *row = assay_node_get(level, "per_query")->child;
    uint32_t n = 0;

    for (; row; row = row->next) {
        lay_out(s, row->key);
        for (const assay_node *cell = row->child; cell; cell = cell->next)
            n += check_value(s, row->key, cell->key, cell->number);
    }
    return n;
}

/* Expected.json has a value where a query counts, and nothing where it does not. */
static uint32_t check_answers(scene *s, const assay_node *expected)
{
    const assay_node *answers = assay_node_get(expected, "answers");
    const assay_node *metric = assay_node_get(answers, "per_query")->child;
    uint32_t n = 0;

    for (; metric; metric = metric->next) {
        for (uint32_t i = 0; i < s->golden->n_queries; i++) {
            const assay_query *query = &s->golden->query[i];
            const assay_node *cell = metric->child;

            while (cell && !assay_slice_eq(cell->key, query->id))
                cell = cell->next;
            if (query->is_draft)
                continue;
            lay_out(s, query->id);
            if (cell)
                n += check_value(s, query->id, metric->key, cell->number);
            else
                CHECK(isnan(value(&s->q, metric->key)));
        }
    }
    return n;
}

TEST(samples_have_the_values_that_another_program_found)
{
    assay_file file = {0};
    assay_node *all;
    uint32_t n = 0;

    CHECK(assay_file_open(&file,
                          source(ASSAY_LIT("tests/reference/samples/expected.json")),
                          &err) == ASSAY_OK);
    CHECK(assay_node_json("expected.json", file.text, &arena, &all, &err) == ASSAY_OK);
    for (const assay_node *run = all->child; run; run = run->next) {
        scene s = {0};

        open_scene(&s, run);
        n += check_evidence(&s, run);
        n += check_answers(&s, run);
        close_scene(&s);
    }
    CHECK(n > 1000);
    assay_file_close(&file);
    assay_arena_clear(&arena);
}
