/* SPDX-License-Identifier: Apache-2.0 */
#include "index/graph.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/slice.h"
#include "index/names.h"
#include "testing.h"
#include "text/fold.h"

static const assay_passage item[] = {
    {.id = {"1", 1}, .doc = {"1", 1}, .text = {"Ann Lee met Bob.", 16}},
    {.id = {"2", 1}, .doc = {"2", 1}, .text = {"Bob lives in Oslo.", 18}},
    {.id = {"3", 1}, .doc = {"3", 1}, .text = {"Oslo is cold.", 13}},
};
static const assay_passages passages = {item, 3};

typedef struct loaded {
    assay_graph *graph;
    assay_notes notes;
    assay_arena arena;
    assay_error err;
    assay_status st;
} loaded;

static loaded load(const char *json)
{
    loaded l = {.graph = NULL};

    write_file("kg.json", json);
    l.st = assay_graph_load("kg.json", &passages, &l.notes, &l.arena, &l.graph, &l.err);
    return l;
}

static void unload(loaded *l)
{
    assay_graph_free(l->graph);
    assay_notes_clear(&l->notes);
    assay_arena_clear(&l->arena);
}

/* The name of the i-th entity in `text`. */
static const char *named(const assay_graph *g, const char *text, bool nested, uint32_t i)
{
    static char name[80];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice key;
    uint32_t *found;
    uint32_t n;

    CHECK(assay_fold_key(assay_slice_of(text), &arena, &key));
    CHECK(assay_graph_named(&g->names, key, nested, &arena, &found, &n));
    name[0] = '\0';
    if (i < n)
        snprintf(name, sizeof name, "%.*s", ASSAY_QUOTE(g->name[found[i]]));
    assay_arena_clear(&arena);
    return name;
}

TEST(rows_of_one_name_are_one_node_in_several_documents)
{
    loaded l =
        load("{\"entities\":["
             "{\"name\":\"Bob\",\"entity_type\":\"p\",\"source_document_id\":\"1\"},"
             "{\"name\":\"BOB\",\"entity_type\":\"p\",\"source_document_id\":\"2\"},"
             "{\"name\":\"Oslo\",\"entity_type\":\"c\",\"source_document_id\":\"2\"}],"
             "\"relations\":[{\"source\":\"bob\",\"target\":\"Oslo\","
             "\"relation_type\":\"in\",\"confidence\":0.5}]}");

    CHECK_INT(l.st, ASSAY_OK);
    CHECK_INT(l.graph->n_entities, 2);
    CHECK_INT(l.graph->n_places[0], 2);
    CHECK_INT(l.graph->n_relations, 1);
    CHECK_INT(l.notes.n, 0);
    /* Bob: Oslo, passages 1 and 2 */
    CHECK_INT(l.graph->first[1] - l.graph->first[0], 3);
    unload(&l);
}

TEST(a_number_is_an_id_and_never_an_index)
{
    loaded l =
        load("{\"graph\":{\"entities\":["
             "{\"name\":\"Ann\",\"entity_type\":\"p\",\"source_document_id\":\"2\"},"
             "{\"name\":\"Eve\",\"entity_type\":\"p\",\"source_document_id\":\"0\"}]}}");

    CHECK_INT(l.st, ASSAY_OK);
    /* entity 0 -> node of passage number 1, whose id is "2" */
    CHECK_INT(l.graph->edge[l.graph->first[0]].to, l.graph->n_entities + 1);
    CHECK_INT(l.notes.n, 1);
    CHECK_STR(l.notes.text[0],
              "kg.json: entities from documents that are not here: 1 ('0')");
    unload(&l);
}

TEST(what_hangs_in_the_air_is_left_out_and_said)
{
    loaded l =
        load("{\"knowledge_graph\":{\"entities\":["
             "{\"name\":\"Ann\",\"entity_type\":\"p\"}],\"relations\":["
             "{\"source\":\"Ann\",\"target\":\"Zoe\",\"relation_type\":\"knows\"},"
             "{\"source\":\"Ann\",\"target\":\"ann\",\"relation_type\":\"is\"}]}}");

    CHECK_INT(l.st, ASSAY_OK);
    CHECK_INT(l.graph->n_relations, 0);
    CHECK_INT(l.notes.n, 3);
    CHECK_STR(l.notes.text[0],
              "kg.json: ends of relations that are no entities: 1 ('Zoe')");
    CHECK_STR(l.notes.text[1], "kg.json: relations of an entity to itself, left out: 1");
    CHECK_STR(l.notes.text[2], "kg.json: no entity stands in any of the documents");
    unload(&l);
}

TEST(wrong_graphs_are_refused_with_file_and_line)
{
    static const struct {
        const char *json;
        const char *want;
    } bad[] = {
        {"[]", "kg.json:1: no graph: want {\"entities\": [...], \"relations\": [...]}"},
        {"{\"entities\":\n[{\"entity_type\":\"x\"}]}",
         "kg.json:2: an entity has no 'name'"},
        {"{\"entities\":[{\"name\":\"\",\"entity_type\":\"x\"}]}",
         "kg.json:1: 'name' of an entity must be a text that is not empty"},
        {"{\"entities\":[{\"name\":\"a\"}]}",
         "kg.json:1: an entity has no 'entity_type'"},
        {"{\"entities\":[{\"name\":\"a\",\"entity_type\":\"x\",\"confidence\":2}]}",
         "kg.json:1: 'confidence' of an entity is '2'; want a number from 0 to 1"},
        {"{\"entities\":{}}", "kg.json:1: 'entities' must be a list"},
        {"{\"entities\":[1]}", "kg.json:1: 'entities' must hold objects"},
        {"{\"entities\":[],\"relations\":[{\"source\":\"a\"}]}",
         "kg.json:1: a relation has no 'target'"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        loaded l = load(bad[i].json);

        CHECK_INT(l.st, ASSAY_EINPUT);
        CHECK_STR(l.err.text, bad[i].want);
        CHECK(l.graph == NULL);
        unload(&l);
    }
}

TEST(names_are_found_as_whole_words_and_the_longest_wins)
{
    loaded l = load("{\"entities\":["
                    "{\"name\":\"New York\",\"entity_type\":\"c\"},"
                    "{\"name\":\"New York Times\",\"entity_type\":\"o\"},"
                    "{\"name\":\"York\",\"entity_type\":\"c\"},"
                    "{\"name\":\"알파코프\",\"entity_type\":\"o\"},"
                    "{\"name\":\"AC\",\"entity_type\":\"o\","
                    "\"canonical_name\":\"Alpha Corp\"}]}");

    CHECK_STR(named(l.graph, "who owns the NEW-YORK Times?", false, 0), "New York Times");
    CHECK_STR(named(l.graph, "who owns the New York Times?", false, 1), "");
    CHECK_STR(named(l.graph, "New York Times", true, 1), "New York");
    CHECK_STR(named(l.graph, "Yorkshire", false, 0), "");
    CHECK_STR(named(l.graph, "알파코프의 본사는?", false, 0), "알파코프");
    CHECK_STR(named(l.graph, "알파코프사람들이많다", false, 0), "");
    CHECK_STR(named(l.graph, "alpha corp and AC", false, 0), "AC");
    CHECK_STR(named(l.graph, "the AC unit", false, 0), "AC");
    unload(&l);
}

/* Power iteration over all nodes, the slow way. */
static void rank_plainly(const assay_graph *g, uint32_t start, double damping, double *x)
{
    uint32_t n = g->n_entities + g->n_passages;
    double next[16];

    memset(x, 0, n * sizeof *x);
    x[start] = 1;
    for (int round = 0; round < 200; round++) {
        memset(next, 0, sizeof next);
        next[start] = 1 - damping;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
                next[g->edge[e].to] += damping * x[i] * g->edge[e].weight / g->degree[i];
        memcpy(x, next, n * sizeof *x);
    }
}

TEST(pushed_pagerank_is_that_of_power_iteration)
{
    loaded l =
        load("{\"entities\":["
             "{\"name\":\"Ann\",\"entity_type\":\"p\",\"source_document_id\":\"1\"},"
             "{\"name\":\"Bob\",\"entity_type\":\"p\",\"source_document_id\":\"1\"},"
             "{\"name\":\"Bob\",\"entity_type\":\"p\",\"source_document_id\":\"2\"},"
             "{\"name\":\"Oslo\",\"entity_type\":\"c\",\"source_document_id\":\"3\","
             "\"confidence\":0.4}],\"relations\":["
             "{\"source\":\"Bob\",\"target\":\"Oslo\",\"relation_type\":\"in\"}]}");
    const assay_graph_start start = {0, 1};
    assay_graph_walker walker = {.n_nodes = 0};
    double want[16];

    for (double damping = 0; damping < 0.95; damping += 0.3) {
        CHECK(assay_graph_pagerank(l.graph, &walker, &start, 1, damping));
        rank_plainly(l.graph, 0, damping, want);
        for (uint32_t i = 0; i < 6; i++)
            CHECK_NEAR(walker.value[i], want[i], 1e-5);
    }
    assay_graph_walker_clear(&walker);
    unload(&l);
}

TEST(a_spread_reaches_as_far_as_its_hops)
{
    loaded l =
        load("{\"entities\":["
             "{\"name\":\"Ann\",\"entity_type\":\"p\"},"
             "{\"name\":\"Bob\",\"entity_type\":\"p\"},"
             "{\"name\":\"Oslo\",\"entity_type\":\"c\",\"source_document_id\":\"3\"}],"
             "\"relations\":["
             "{\"source\":\"Ann\",\"target\":\"Bob\",\"relation_type\":\"r\"},"
             "{\"source\":\"Bob\",\"target\":\"Oslo\",\"relation_type\":\"r\"}]}");
    const assay_graph_start start = {0, 1};
    assay_graph_walker walker = {.n_nodes = 0};

    CHECK(assay_graph_spread(l.graph, &walker, &start, 1, 2, 0.5));
    CHECK_NEAR(walker.value[1], 0.5, 0);
    CHECK_NEAR(walker.value[2], 0.25, 0);
    CHECK_NEAR(walker.value[5], 0, 0); /* passage 3 is three steps away */
    CHECK(assay_graph_spread(l.graph, &walker, &start, 1, 3, 0.5));
    CHECK_NEAR(walker.value[5], 0.125 / logf(3), 1e-7);
    assay_graph_walker_clear(&walker);
    unload(&l);
}

/* The names of `text` and their kinds, one after the other. */
static void check_names(const char *text, const char *want)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_names names = {NULL, 0, 0};
    assay_buffer got = ASSAY_BUFFER_EMPTY;

    CHECK(assay_names_find(assay_slice_of(text), true, &arena, &names));
    for (size_t i = 0; i < names.n; i++)
        assay_buffer_printf(&got, "%s%.*s|",
                            names.item[i].kind == ASSAY_NAME_PROPER ? "" : "~",
                            ASSAY_QUOTE(names.item[i].text));
    assay_buffer_char(&got, '\0');
    CHECK_STR(got.ptr, want);
    assay_buffer_clear(&got);
    assay_names_clear(&names);
    assay_arena_clear(&arena);
}

TEST(names_are_told_by_their_looks)
{
    check_names("The Bank of England met J. P. Morgan in May 1907.",
                "Bank of England|J. P. Morgan|May 1907|");
    check_names("At the Church of the Holy Grail they sang.",
                "Church of the Holy Grail|");
    check_names("Snow fell. It hit Hello Love's singer.", "Hello Love|");
    check_names("Call max_chunk_tokens or parseJson now.", "max_chunk_tokens|parseJson|");
    check_names("the vector index is fast", "~vector index|");
    check_names("보험료는 월납", "~보험료는|~보험료|~보험|~월납|");
    check_names("", "");
    check_names("\xff\xfe Ann \xe2\x82", "");
}

TEST(a_graph_is_made_from_the_passages)
{
    assay_graph *one = NULL;
    assay_graph *two = NULL;

    CHECK_INT(assay_graph_make(&passages, 1, &one, NULL), ASSAY_OK);
    CHECK_INT(assay_graph_make(&passages, 2, &two, NULL), ASSAY_OK);
    CHECK_STR(named(one, "Where does Ann Lee's friend Bob live?", false, 0), "Ann Lee");
    CHECK_STR(named(one, "Where does Ann Lee's friend Bob live?", false, 1), "Bob");
    CHECK_INT(one->n_entities, two->n_entities);
    CHECK_INT(one->n_relations, two->n_relations);
    CHECK(memcmp(one->edge, two->edge,
                 one->first[one->n_entities + 3] * sizeof *one->edge) == 0);
    assay_graph_free(one);
    assay_graph_free(two);
}
