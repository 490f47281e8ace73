/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slice.h"
#include "compare/gate_rules.h"
#include "testing.h"

static assay_arena arena;
static assay_gate_rules rules;
static assay_error err;

static void begin(void)
{
    assay_gate_rules_clear(&rules);
    assay_arena_clear(&arena);
    rules = (assay_gate_rules){.arena = &arena};
}

static void end(void)
{
    assay_gate_rules_clear(&rules);
    assay_arena_clear(&arena);
}

static assay_status add(assay_gate_kind kind, const char *text)
{
    return assay_gate_rules_add(&rules, kind, assay_slice_of(text), (assay_gate_place){0},
                                &err);
}

static assay_status read_yaml(const char *text)
{
    assay_node *root;

    begin();
    CHECK(assay_node_yaml("assay.yaml", assay_slice_of(text), &arena, &root, &err) ==
          ASSAY_OK);
    return assay_gate_rules_read(&rules, "assay.yaml", assay_node_get(root, "gate"),
                                 &err);
}

/* ---- limits ---- */

TEST(a_fall_from_80_to_75_is_within_5)
{
    CHECK(0.80 - 0.75 > 0.05);
    CHECK(assay_limit_tolerates(0.80, 0.75, 0.05));
    CHECK(!assay_limit_tolerates(0.80, 0.7499, 0.05));
    CHECK(assay_limit_tolerates(0.75, 0.80, 0.05));
    CHECK(!assay_limit_tolerates(NAN, 0.5, 0.05));
}

TEST(limits_have_a_slack_of_a_billionth)
{
    CHECK(!assay_limit_above(0.5 + 1e-10, 0.5) && assay_limit_above(0.5 + 1e-8, 0.5));
    CHECK(!assay_limit_below(0.5 - 1e-10, 0.5) && assay_limit_below(0.5 - 1e-8, 0.5));
    CHECK(assay_limit_holds(0.1 + 0.2, ASSAY_LIMIT_AT_MOST, 0.3));
    CHECK(assay_limit_holds(0.6 - 1e-10, ASSAY_LIMIT_AT_LEAST, 0.6));
    CHECK(!assay_limit_holds(0.6, ASSAY_LIMIT_MORE, 0.6));
    CHECK(!assay_limit_holds(0.6, ASSAY_LIMIT_LESS, 0.6));
    CHECK(!assay_limit_holds(NAN, ASSAY_LIMIT_LESS, 0.6));
}

TEST(allowances_are_numbers_or_shares)
{
    assay_allowance a;

    CHECK(assay_allowance_parse(ASSAY_LIT("0.01"), &a) && a.value == 0.01 && !a.is_share);
    CHECK(assay_allowance_parse(ASSAY_LIT(" 5 % "), &a) && a.value == 0.05 && a.is_share);
    CHECK_NEAR(assay_allowance_of(&a, 0.8), 0.04, 1e-15);
    CHECK(!assay_allowance_parse(ASSAY_LIT("-1"), &a));
    CHECK(!assay_allowance_parse(ASSAY_LIT("%"), &a));
    CHECK(!assay_allowance_parse(ASSAY_LIT("1x"), &a));
    CHECK(!assay_allowance_parse(ASSAY_LIT("nan"), &a));
    CHECK(!assay_allowance_parse(ASSAY_LIT("1e999"), &a));
}

/* ---- texts ---- */

TEST(rules_are_read_from_texts)
{
    begin();
    CHECK(add(ASSAY_GATE_THRESHOLD, "R@5>=0.6, mrr > .5") == ASSAY_OK);
    CHECK(add(ASSAY_GATE_MAX_DROP, "recall(level=doc,rel=2)@5=7%,mrr=0.01") == ASSAY_OK);
    CHECK(add(ASSAY_GATE_MARGIN_RULE, "ndcg@10=0.02,mrr") == ASSAY_OK);
    CHECK(add(ASSAY_GATE_PROTECT, "q2, q1,q2") == ASSAY_OK);
    CHECK_INT(rules.n, 7);
    CHECK_STR(rules.rule[0].text, "recall@5 >= 0.6");
    CHECK_STR(rules.rule[1].text, "mrr > 0.5");
    CHECK_STR(rules.rule[2].text, "recall(level=doc,rel=2)@5 drop <= 7%");
    CHECK_STR(rules.rule[3].text, "mrr drop <= 0.01");
    CHECK_STR(rules.rule[4].text, "ndcg@10 margin 0.02");
    CHECK_STR(rules.rule[5].text, "mrr margin 0.01");
    CHECK_STR(rules.rule[6].text, "protect 2 queries");
    CHECK(assay_slice_is(rules.rule[6].id[0], "q1"));
    CHECK(assay_gate_rules_need_baseline(&rules));
    end();
}

TEST(a_later_rule_stands_in_the_place_of_an_earlier)
{
    begin();
    CHECK(add(ASSAY_GATE_THRESHOLD, "recall@5>=0.6") == ASSAY_OK);
    CHECK(add(ASSAY_GATE_THRESHOLD, "recall@5<=0.9") == ASSAY_OK);
    CHECK(add(ASSAY_GATE_THRESHOLD, "recall_at_5>=0.7") == ASSAY_OK);
    CHECK_INT(rules.n, 2);
    CHECK_STR(rules.rule[0].text, "recall@5 >= 0.7");
    CHECK(!assay_gate_rules_need_baseline(&rules));
    end();
}

TEST(bad_texts_say_what_is_wanted)
{
    begin();
    CHECK(add(ASSAY_GATE_THRESHOLD, "recall@5") == ASSAY_EUSAGE);
    CHECK_STR(err.text, "--threshold: 'recall@5' has no limit; want recall@5>=0.6");
    CHECK(add(ASSAY_GATE_THRESHOLD, "recall@5>=high") == ASSAY_EUSAGE);
    CHECK_STR(err.text, "--threshold: '>=high' is no limit; want a number, as in "
                        "'recall@5>=0.6'");
    CHECK(add(ASSAY_GATE_THRESHOLD, "recal@5>=1") == ASSAY_EUSAGE);
    CHECK(strncmp(err.text, "--threshold: ", 13) == 0 && strstr(err.text, "recal"));
    CHECK(add(ASSAY_GATE_MAX_DROP, "mrr=-1") == ASSAY_EUSAGE);
    CHECK_STR(err.text, "--max-drop: '-1' is no drop; want 0 or more, or a share, as in "
                        "'mrr=0.01 or mrr=5%'");
    CHECK(add(ASSAY_GATE_MARGIN_RULE, "mrr=5%") == ASSAY_EUSAGE);
    CHECK_STR(err.text,
              "--margin: '5%' is no margin; want 0 or more, as in 'ndcg@10=0.01'");
    CHECK(add(ASSAY_GATE_PROTECT, ",") == ASSAY_EUSAGE);
    CHECK_STR(err.text, "--protect: no queries; want ids or 'all'");
    CHECK(add(ASSAY_GATE_THRESHOLD, " ") == ASSAY_EUSAGE);
    CHECK(add(ASSAY_GATE_THRESHOLD, "P.5,10>=0.5") == ASSAY_EUSAGE);
    CHECK_INT(rules.n, 0);
    end();
}

/* ---- assay.yaml ---- */

TEST(rules_are_read_from_assay_yaml)
{
    CHECK(read_yaml("gate:\n"
                    "  thresholds: {recall@5: 0.6, empty_result_rate: 0.1, mrr: '>0.5'}\n"
                    "  max_drop:\n"
                    "    mrr: 0.01\n"
                    "    recall@5: 5%\n"
                    "  margin: [ndcg@10, 'mrr=0']\n"
                    "  protect: [q1, 'a,b', 17]\n"
                    "  alpha: 0.1\n"
                    "  strict: true\n"
                    "  x_owner: me\n") == ASSAY_OK);
    CHECK_INT(rules.n, 8);
    CHECK_STR(rules.rule[0].text, "recall@5 >= 0.6");
    CHECK_STR(rules.rule[1].text, "empty_result_rate <= 0.1");
    CHECK_STR(rules.rule[2].text, "mrr > 0.5");
    CHECK_STR(rules.rule[4].text, "recall@5 drop <= 5%");
    CHECK_STR(rules.rule[4].path, "assay.yaml");
    CHECK_INT(rules.rule[4].line, 5);
    CHECK_STR(rules.rule[5].text, "ndcg@10 margin 0.01");
    CHECK_STR(rules.rule[6].text, "mrr margin 0");
    CHECK_INT(rules.rule[7].n_ids, 3);
    CHECK(assay_slice_is(rules.rule[7].id[1], "a,b"));
    CHECK(rules.alpha == 0.1 && rules.is_strict && rules.has_strict);
    end();
}

TEST(protect_all_is_a_word)
{
    CHECK(read_yaml("gate: {protect: all}\n") == ASSAY_OK);
    CHECK(rules.rule[0].is_all && rules.rule[0].n_ids == 0);
    CHECK_STR(rules.rule[0].text, "protect all");
    end();
}

TEST(bad_yaml_is_told_with_file_and_line)
{
    CHECK(read_yaml("gate:\n  treshold: {}\n") == ASSAY_EINPUT);
    CHECK_STR(err.text, "assay.yaml:2: gate: no key 'treshold'; there are thresholds, "
                        "max_drop, margin, protect, alpha and strict");
    CHECK(read_yaml("gate:\n  thresholds:\n    mrr: [1]\n") == ASSAY_EINPUT);
    CHECK_STR(err.text, "assay.yaml:3: thresholds: 'mrr' is a list, want a number");
    CHECK(read_yaml("gate:\n  max_drop: {mrr: lots}\n") == ASSAY_EINPUT);
    CHECK_STR(err.text, "assay.yaml:2: max_drop: 'lots' is no drop; want 0 or more, or a "
                        "share, as in 'mrr=0.01 or mrr=5%'");
    CHECK(read_yaml("gate: {alpha: 0.5}\n") == ASSAY_EINPUT);
    CHECK_STR(err.text,
              "assay.yaml:1: gate: alpha is '0.5', want a number between 0 and 0.5");
    CHECK(read_yaml("gate: {strict: 1}\n") == ASSAY_EINPUT);
    CHECK(read_yaml("gate: {protect: {}}\n") == ASSAY_EINPUT);
    CHECK(read_yaml("gate: {protect: []}\n") == ASSAY_EINPUT);
    CHECK(read_yaml("gate: [a]\n") == ASSAY_EINPUT);
    CHECK_STR(err.text, "assay.yaml:1: gate: want a map of rules, not a list");
    CHECK(read_yaml("gate:\n") == ASSAY_OK);
    end();
}

/* ---- golden sets ---- */

TEST(thresholds_of_a_golden_set_are_rules)
{
    static const char text[] = "version: 1\nthresholds:\n  recall@5: 0.6\n"
                               "  empty_result_rate: 0.1\nqueries:\n"
                               "  - {id: q1, query: x, relevant: [{doc: d}]}\n";
    FILE *f = fopen("golden.yaml", "w");
    assay_golden *golden = NULL;

    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
    CHECK(assay_golden_load("golden.yaml", NULL, &golden, &err) == ASSAY_OK);
    begin();
    CHECK(assay_gate_rules_golden(&rules, golden, &err) == ASSAY_OK);
    CHECK_INT(rules.n, 2);
    CHECK_STR(rules.rule[0].text, "recall@5 >= 0.6");
    CHECK_STR(rules.rule[1].text, "empty_result_rate <= 0.1");
    CHECK_STR(rules.rule[0].path, "golden.yaml");
    CHECK_INT(rules.rule[0].line, 3);
    assay_golden_free(golden);
    end();
}
