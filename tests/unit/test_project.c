/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/project.h"

#include <sys/stat.h>

#include "base/slice.h"
#include "testing.h"

static assay_project *load(const char *text)
{
    assay_project *p = NULL;
    assay_error err;

    write_file("assay.yaml", text);
    if (assay_project_load(".", &p, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return p;
}

static void check_refused(const char *text, const char *want)
{
    assay_project *p = NULL;
    assay_error err;

    write_file("assay.yaml", text);
    CHECK_INT(assay_project_load(".", &p, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, want);
    CHECK(p == NULL);
}

TEST(an_empty_file_is_a_project)
{
    static const char *const texts[] = {"",      "\n",   "# nothing\n",
                                        "---\n", "{}\n", "golden:\nmetrics:\ncorpus:\n"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assay_project *p = load(texts[i]);

        CHECK(!p->golden && !p->workspace && !p->n_corpora);
        CHECK(!assay_project_get(p, "golden") && !assay_project_option(p, "metric"));
        CHECK(!assay_project_corpus_find(p, NULL));
        assay_project_free(p);
    }
}

TEST(every_key_is_read)
{
    assay_project *p = load("version: 1\n"
                            "name: handbook\n"
                            "workspace: w\n"
                            "corpus: {name: docs, paths: [a, /b], chunker: lines}\n"
                            "golden: g.yaml\n"
                            "metrics: [mrr, ndcg@10]\n"
                            "x_mine: {any: thing}\n"
                            "methods: [bm25, {name: dense, dims: 3}]\n");
    const assay_project_corpus *c = assay_project_corpus_find(p, NULL);

    CHECK_STR(p->name, "handbook");
    CHECK_STR(p->workspace, "w");
    CHECK_STR(p->golden, "g.yaml");
    CHECK_STR(c->name, "docs");
    CHECK_INT(c->n_paths, 2);
    CHECK_STR(c->path[0], "a");
    CHECK_STR(c->path[1], "/b");
    CHECK_STR(c->chunker, "lines");
    CHECK_INT(assay_project_option(p, "metric")->n, 2);
    CHECK_INT(assay_project_get(p, "methods")->n, 2);
    CHECK(assay_project_corpus_find(p, "docs") == c);
    CHECK(!assay_project_corpus_find(p, "other"));
    assay_project_free(p);
}

TEST(paths_are_relative_to_the_file)
{
    assay_project *p = NULL;

    CHECK(mkdir("deep", 0777) == 0);
    write_file("deep/assay.yaml",
               "golden: g.yaml\ntopics: /t\ncorpus: {paths: [../x]}\n");
    CHECK(assay_project_load("deep", &p, NULL) == ASSAY_OK);
    CHECK_STR(p->golden, "deep/g.yaml");
    CHECK_STR(p->topics, "/t");
    CHECK_STR(p->corpus[0].path[0], "deep/../x");
    CHECK_STR(p->path, "deep/assay.yaml");
    CHECK_STR(p->corpus[0].name, "main");
    assay_project_free(p);
}

TEST(several_corpora_are_a_list_and_the_first_is_meant)
{
    assay_project *p = load("corpus:\n  - {name: a}\n  - {name: b, paths: [x]}\n");

    CHECK_STR(assay_project_corpus_find(p, NULL)->name, "a");
    CHECK_INT(assay_project_corpus_find(p, "b")->n_paths, 1);
    assay_project_free(p);
}

TEST(what_is_wrong_is_told_with_its_line)
{
    check_refused("a: 1\n", "assay.yaml:1: unknown key 'a'; did you mean 'k'?");
    check_refused("name: x\ngolden_form: g\n",
                  "assay.yaml:2: unknown key 'golden_form'; did you mean 'golden_from'?");
    check_refused("corpus: {path: [a]}\n",
                  "assay.yaml:1: unknown key 'path'; did you mean 'paths'?");
    check_refused("corpus: {colour: red}\n",
                  "assay.yaml:1: unknown key 'colour'; the keys here are name, paths, "
                  "chunker");
    check_refused("corpus:\n  paths: docs\n",
                  "assay.yaml:2: 'paths' has a string ('docs') where a list belongs");
    check_refused("corpus:\n  paths: [{}]\n",
                  "assay.yaml:2: 'paths' has a map where a string belongs");
    check_refused("corpus: {paths: ['']}\n", "assay.yaml:1: 'paths' is empty");
    check_refused("corpus: docs\n", "assay.yaml:1: 'corpus' has a string ('docs') where "
                                    "a map or a list of maps belongs");
    check_refused("corpus: {name: ../x}\n",
                  "assay.yaml:1: '../x' cannot be a corpus: a name has letters, digits, "
                  "'.', '_' and '-', the first a letter, digit or '_'");
    check_refused("corpus:\n- {name: a}\n- {name: a}\n",
                  "assay.yaml:3: corpus 'a' stands here and in line 2");
    check_refused("metrics: mrr\n",
                  "assay.yaml:1: 'metrics' has a string ('mrr') where a list belongs");
    check_refused("metrics:\n  - mrr\n  - nonsense\n",
                  "assay.yaml:3: no metric called 'nonsense'; see 'assay metric list'");
    check_refused("conventions: mine\n", "assay.yaml:1: no conventions called 'mine'");
    check_refused("ties: random\n", "assay.yaml:1: ties has no rule 'random'");
    check_refused(
        "ci: maybe\n",
        "assay.yaml:1: 'ci' has a string ('maybe') where true or false belongs");
    check_refused("k: -1\n", "assay.yaml:1: 'k' has a whole number ('-1') where a whole "
                             "number from 0 on belongs");
    check_refused("gate: [a]\n", "assay.yaml:1: 'gate' has a list where a map belongs");
    check_refused("version: 2\n", "assay.yaml:1: version 2 is not one that this program "
                                  "knows; it knows 1");
    check_refused("- a\n", "assay.yaml:1: want a map of settings, not a list");
    check_refused("name: a\nname: b\n",
                  "assay.yaml:2: key 'name' comes twice; first in line 1");
}

TEST(every_choice_of_ties_is_taken)
{
    assay_project_free(load("ties: bounds\n"));
    assay_project_free(load("ties: optimistic\nlevel: doc\nduplicates: first\n"
                            "empty_relevance: zero\n"));
}

TEST(the_nearest_project_above_is_found)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    const char *folder = NULL;

    CHECK(mkdir("up", 0777) == 0 && mkdir("up/a", 0777) == 0);
    CHECK(mkdir("up/a/b", 0777) == 0);
    write_file("up/mark.yaml", "");
    CHECK(assay_project_find("up/a/b", "mark.yaml", &arena, &folder, NULL) == ASSAY_OK);
    CHECK_STR(folder, "up/a/b/../..");
    CHECK(assay_project_find("up", "mark.yaml", &arena, &folder, NULL) == ASSAY_OK);
    CHECK_STR(folder, "up");
    CHECK(assay_project_find("up/a", "no-such-file.yaml", &arena, &folder, NULL) ==
          ASSAY_OK);
    CHECK(folder == NULL);
    CHECK(chdir("up/a") == 0);
    CHECK(assay_project_find(".", "mark.yaml", &arena, &folder, NULL) == ASSAY_OK);
    CHECK_STR(folder, "..");
    CHECK(chdir("../..") == 0);
    assay_arena_clear(&arena);
}

TEST(names_of_corpora_stay_in_their_folder)
{
    static const char *const good[] = {"main", "a.b-c_d", "9", "_x"};
    static const char *const bad[] = {"",    ".",   "..", "-x",  "a/b",
                                      "a b", "a\n", "é",  ".db", "a\\b"};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(assay_corpus_name_is(assay_slice_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!assay_corpus_name_is(assay_slice_of(bad[i])));
}

TEST(every_key_has_words)
{
    assay_project_key key;
    size_t n = 0;

    for (; assay_project_key_at(n, &key); n++)
        CHECK(key.name[0] && key.help[0]);
    CHECK(n > 30);
}
