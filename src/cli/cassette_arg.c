/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cassette_arg.h"

#include "base/error.h"

assay_status assay_cassette_arg_open(const assay_cli *cli, bool goes_on,
                                     assay_cassette **out, assay_error *err)
{
    const char *record = assay_cli_text(cli, "record");
    const char *replay = assay_cli_text(cli, "replay");
    assay_cassette_mode mode = replay    ? ASSAY_CASSETTE_REPLAY
                               : goes_on ? ASSAY_CASSETTE_EXTEND
                                         : ASSAY_CASSETTE_RECORD;
    assay_cassette *cassette = NULL;
    assay_status st;

    if (!record && !replay)
        return ASSAY_OK;
    if (record && replay)
        return assay_fail(err, ASSAY_EUSAGE, "--record and --replay exclude each other");
    st = assay_cassette_open(record ? record : replay, mode, &cassette, err);
    if (!st)
        st = assay_cassette_hide(cassette, cli->api_key, err);
    if (st)
        assay_cassette_close(cassette);
    else
        *out = cassette;
    return st;
}

assay_status assay_cassette_arg_finish(const assay_cli *cli, assay_cassette *cassette,
                                       assay_status st, assay_error *err)
{
    assay_error own = {ASSAY_OK, ""};
    assay_status end;

    if (!cassette)
        return st;
    /* What was missed is the cause of whatever went wrong after it. */
    if (st == ASSAY_OK || st == ASSAY_NO || assay_cassette_is_replay(cassette)) {
        end = assay_cassette_finish(cassette, &own);
        if (end)
            st = assay_fail(err, end, "%s", own.text);
    } else {
        assay_cli_warn(cli,
                       "the recording is not complete; what there is stays in '%s.part'",
                       assay_cli_text(cli, "record"));
    }
    assay_cassette_close(cassette);
    return st;
}
