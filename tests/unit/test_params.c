/* SPDX-License-Identifier: Apache-2.0 */
#include "base/params.h"

#include "base/slice.h"
#include "testing.h"

static const assay_param table[] = {
    {"k", ASSAY_PARAM_COUNT, 0, 1000, NULL, "60", "constant"},
    {"w", ASSAY_PARAM_REAL, 0, 1, NULL, "0.5", "weight"},
    {"norm", ASSAY_PARAM_WORD, 0, 0, "max|minmax", "minmax", "how"},
    {"tag", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "any"},
    {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

static assay_status read_x(const char *text, assay_param_value *value, assay_error *err)
{
    return assay_params_read("thing 'x'", table, assay_slice_of(text), value, err);
}

TEST(a_spelling_has_a_name_an_argument_and_parameters)
{
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_error err;

    CHECK_INT(assay_params_split(ASSAY_LIT("ollama:qwen3:0.6b(dims=256)"), &name,
                                 &argument, &params, &err),
              ASSAY_OK);
    CHECK(assay_slice_is(name, "ollama"));
    CHECK(assay_slice_is(argument, "qwen3:0.6b"));
    CHECK(assay_slice_is(params, "dims=256"));
    CHECK_INT(assay_params_split(ASSAY_LIT(" lsa "), &name, &argument, &params, &err),
              ASSAY_OK);
    CHECK(assay_slice_is(name, "lsa") && !argument.len && !params.len);
    CHECK_INT(
        assay_params_split(ASSAY_LIT("lsa(dims=2"), &name, &argument, &params, &err),
        ASSAY_EUSAGE);
    CHECK_STR(err.text, "'lsa(dims=2' lacks its closing bracket");
}

TEST(what_is_read_is_printed_in_full)
{
    assay_param_value value[4];
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    CHECK_INT(read_x("w=0.25, norm=max", value, NULL), ASSAY_OK);
    assay_params_print("x", table, value, &out);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, "x(k=60,w=0.25,norm=max)");
    CHECK_INT(value[2].choice, 0);
    assay_buffer_clear(&out);
}

TEST(wrong_parameters_are_named)
{
    static const struct {
        const char *text;
        const char *want;
    } bad[] = {
        {"kk=1", "thing 'x' has no parameter 'kk'; did you mean 'k'?"},
        {"other=1", "thing 'x' has no parameter 'other'"},
        {"k", "thing 'x': want NAME=VALUE, not 'k'"},
        {"k=1.5", "thing 'x': k is a whole number from 0 to 1000, not '1.5'"},
        {"w=2", "thing 'x': w is a number from 0 to 1, not '2'"},
        {"w=nan", "thing 'x': w is a number from 0 to 1, not 'nan'"},
        {"w=", "thing 'x': w is a number from 0 to 1, not ''"},
        {"norm=min", "thing 'x': norm is one of max|minmax, not 'min'"},
        {"k=1,k=2", "thing 'x': k is given twice"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_param_value value[4];
        assay_error err;

        CHECK_INT(read_x(bad[i].text, value, &err), ASSAY_EUSAGE);
        CHECK_STR(err.text, bad[i].want);
    }
}
