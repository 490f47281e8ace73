/* SPDX-License-Identifier: Apache-2.0 */
/* How a run was made, written and read back. */
#include "run/snapshot.h"

#include "base/slice.h"
#include "testing.h"

static assay_error err;

TEST(everything_comes_back)
{
    assay_slice plan[] = {ASSAY_LIT("q1"), ASSAY_LIT("q2")};
    assay_snapshot_option option[] = {{ASSAY_LIT("method"), ASSAY_LIT("hybrid")},
                                      {ASSAY_LIT("answers"), ASSAY_LIT("")}};
    const assay_snapshot s = {
        .method = ASSAY_LIT("hybrid(k=60)"),
        .identity = ASSAY_LIT("rrf of bm25 and dense"),
        .k = 10,
        .depth = 100,
        .chunker = ASSAY_LIT("md-heading-v1(target=500)"),
        .embedder = ASSAY_LIT("lsa(dims=256)"),
        .embedder_model = ASSAY_LIT("lsa"),
        .embedder_dims = 256,
        .answerer = ASSAY_LIT("extract"),
        .prompt = ASSAY_LIT("assay-1"),
        .has_answers = true,
        .seed = UINT64_C(9007199254740993),
        .golden_hash = ASSAY_LIT("abc"),
        .golden_n = 20,
        .timeout_s = 2.5,
        .is_part = true,
        .plan = plan,
        .n_plan = 2,
        .repeat = 2,
        .repeats = 3,
        .repeat_of = ASSAY_LIT("run_1"),
        .option = option,
        .n_options = 2,
    };
    assay_snapshot back;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer once = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;

    assay_snapshot_write(&s, &once);
    CHECK(!assay_snapshot_read("s", assay_buffer_view(&once), &arena, &back, &err));
    assay_snapshot_write(&back, &twice);
    CHECK(assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)));
    CHECK(assay_slice_is(back.chunker, "md-heading-v1(target=500)"));
    CHECK(back.seed == UINT64_C(9007199254740993));
    CHECK(back.is_part && back.n_plan == 2 && assay_slice_is(back.plan[1], "q2"));
    CHECK_INT(back.repeats, 3);
    CHECK(back.n_options == 2 && assay_slice_is(back.option[0].value, "hybrid"));
    assay_buffer_clear(&once);
    assay_buffer_clear(&twice);
    assay_arena_clear(&arena);
}

/* Keys as research on kebab lists them; the rest of its snapshot is passed over. */
TEST(a_snapshot_of_kebab_is_one_with_less_in_it)
{
    static const char kebab[] =
        "{\"config\":{\"search\":{\"default_k\":10}},\"eval_k\":50,"
        "\"chunker_version\":\"md-heading-v2\",\"embedding\":{\"model\":\"e5-large\","
        "\"version\":\"v1\",\"dimensions\":1024,\"provider\":\"fastembed\"},"
        "\"llm\":{\"model_id\":\"gemma\",\"provider\":\"ollama\"},"
        "\"prompt_template_version\":\"rag-v4\",\"score_gate\":0.3,\"rrf_k\":60,"
        "\"index_version\":null}";
    assay_snapshot s;
    assay_arena arena = ASSAY_ARENA_EMPTY;

    CHECK(!assay_snapshot_read("k", assay_slice_of(kebab), &arena, &s, &err));
    CHECK_INT(s.k, 50);
    CHECK(assay_slice_is(s.chunker, "md-heading-v2"));
    CHECK(assay_slice_is(s.embedder_model, "e5-large"));
    CHECK_INT(s.embedder_dims, 1024);
    CHECK(assay_slice_is(s.model, "gemma"));
    CHECK(assay_slice_is(s.prompt, "rag-v4"));
    CHECK(!s.is_part);
    assay_arena_clear(&arena);
}

TEST(what_is_no_object_is_no_snapshot)
{
    assay_snapshot s;
    assay_arena arena = ASSAY_ARENA_EMPTY;

    CHECK_INT(assay_snapshot_read("s", ASSAY_LIT("[1]"), &arena, &s, &err), ASSAY_EINPUT);
    CHECK_INT(assay_snapshot_read("s", ASSAY_LIT("{"), &arena, &s, &err), ASSAY_EINPUT);
    assay_arena_clear(&arena);
}
