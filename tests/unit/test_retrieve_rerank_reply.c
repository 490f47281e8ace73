/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "base/slice.h"
#include "retrieve/rerank_reply.h"

static assay_error err;

static assay_status take(const char *text, uint32_t n, double *score)
{
    err = (assay_error){.status = ASSAY_OK};
    return assay_rerank_reply_read("host", assay_slice_of(text), n, score, &err);
}

TEST(both_shapes_and_both_names_are_read_in_any_order)
{
    static const char *const replies[] = {
        "{\"results\":[{\"index\":1,\"relevance_score\":0.25},{\"index\":0,"
        "\"relevance_score\":-3}]}",
        "[{\"index\":0,\"score\":-3},{\"index\":1,\"score\":2.5e-1}]",
        "{\"object\":\"list\",\"data\":[{\"index\":1,\"relevance_score\":0.25,"
        "\"document\":{\"text\":\"x\"}},{\"index\":0,\"relevance_score\":-3.0}],"
        "\"usage\":{\"total_tokens\":3}}",
        "{\"error\":null,\"results\":[{\"score\":-3,\"index\":0},{\"score\":0.25,"
        "\"index\":1}]}",
    };

    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
        double score[2] = {7, 7};

        CHECK_INT(take(replies[i], 2, score), ASSAY_OK);
        CHECK(score[0] == -3 && score[1] == 0.25);
    }
}

TEST(a_broken_reply_says_what_is_wrong)
{
    static const struct {
        const char *reply;
        const char *words;
    } cases[] = {
        {"<html>", "host:1:1: want a value, found '<'"},
        {"", "host:1:1: "},
        {"7", "host: the reply is neither a JSON object nor a list; is this a reranker?"},
        {"{}", "host: the reply has no list 'results'; is this a reranker?"},
        {"{\"results\":3}", "host: the reply has no list 'results'"},
        {"{\"error\":\"no such model\"}", "host: the reranker says 'no such model'"},
        {"{\"error\":{\"message\":\"busy\"}}", "host: the reranker says 'busy'"},
        {"{\"error\":3}", "host: the reranker says that it failed"},
        {"[1,2]", "host: a result is no object"},
        {"[{\"score\":1}]", "host: a result has no whole number 'index'"},
        {"[{\"index\":\"0\",\"score\":1}]", "host: a result has no whole number 'index'"},
        {"[{\"index\":2,\"score\":1}]",
         "host: a result for document 2, and 2 were sent (from 0 on)"},
        {"[{\"index\":-1,\"score\":1}]", "host: a result for document -1, and 2 were"},
        {"[{\"index\":0}]", "host: the result for document 0 has no number"},
        {"[{\"index\":0,\"score\":\"1\"}]", "host: the result for document 0 has no num"},
        {"[{\"index\":0,\"score\":1e999}]",
         "host:1:21: number '1e999' does not fit a double"},
        {"[{\"index\":0,\"score\":1},{\"index\":0,\"score\":1}]",
         "host: two results for document 0"},
        {"[{\"index\":0,\"score\":1}]",
         "host: no result for document 1 of 2 (from 0 on); each one needs a score"},
        {"[]", "host: no result for document 0 of 2"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double score[2];

        CHECK_INT(take(cases[i].reply, 2, score), ASSAY_ESYSTEM);
        CHECK_INT(err.status, ASSAY_ESYSTEM);
        if (strncmp(err.text, cases[i].words, strlen(cases[i].words)) != 0)
            CHECK_STR(err.text, cases[i].words);
    }
}
