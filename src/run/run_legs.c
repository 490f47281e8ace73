/* SPDX-License-Identifier: Apache-2.0 */
/* The legs of a fused hit: [{"name", "rank", "score"}]. */
#include "base/error.h"
#include "run/run_json.h"

/* What is read of one leg has the places of a hit's name, rank and score. */
static const assay_run_key leg_keys[] = {
    ASSAY_RUN_KEY("name", assay_run_set_id, assay_hit, chunk),
    ASSAY_RUN_KEY("rank", assay_run_set_rank, assay_hit, rank),
    ASSAY_RUN_WHOLE("score", assay_run_set_score),
    ASSAY_RUN_KEYS_END,
};

static assay_status read_leg(assay_run_reader *in, assay_error *err)
{
    assay_hit read = {.chunk = {"", 0}};
    assay_status st;

    if (in->n_legs == ASSAY_RUN_LEGS_MOST)
        return assay_json_fail(&in->json, in->json.p - 1, err,
                               "a hit has more than %d legs", ASSAY_RUN_LEGS_MOST);
    st = assay_run_object(in, leg_keys, &read, NULL, err);
    in->leg[in->n_legs++] =
        (assay_leg_place){read.chunk, read.rank, read.has_score, read.score};
    return st;
}

assay_status assay_run_set_legs(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    assay_hit *hit = slot;
    assay_leg_place *leg;
    assay_status st;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list", err);
    in->n_legs = 0;
    st = assay_run_list(in, "legs", read_leg, err);
    if (st)
        return st;
    leg = ASSAY_ARENA_ARRAY(&in->arena, assay_leg_place, in->n_legs + 1);
    if (!leg)
        return assay_fail_memory(err, "reading the legs of a hit");
    for (uint32_t i = 0; i < in->n_legs; i++)
        leg[i] = in->leg[i];
    hit->leg = leg;
    hit->n_legs = (uint8_t)in->n_legs;
    return ASSAY_OK;
}
