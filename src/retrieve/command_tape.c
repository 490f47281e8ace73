/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on a recording.  The call is known by command line and request; what is kept is
 * the reply as it came, or the words of the error.  What a recording must not have is taken
 * out before the reply is read, so that a replay goes the same way. */
#include "base/error.h"
#include "base/slice.h"
#include "retrieve/command.h"

static assay_call call_of(const assay_asker *a)
{
    return (assay_call){.kind = "cmd",
                        .target = assay_buffer_view(&a->command->target),
                        .request = assay_buffer_view(&a->request)};
}

/* Words of an error that was recorded, or a reply that is read again. */
static assay_status read_back(assay_asker *a, const assay_question *q,
                              const assay_buffer *reply, const assay_call_reply *how,
                              assay_arena *arena, assay_result *out, assay_error *err)
{
    assay_error why = {.status = ASSAY_OK};
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (how->has_failed) {
        st = assay_reply_fail(reply, arena, out, err);
    } else if (assay_command_read(a, q, assay_buffer_view(reply), arena, out, &why)) {
        if (why.status == ASSAY_ENOMEM)
            return assay_fail_memory(err, "reading a reply");
        assay_buffer_text(&words, why.text);
        st = assay_reply_fail(&words, arena, out, err);
        assay_buffer_clear(&words);
    }
    out->elapsed_ms = how->ms;
    return st;
}

assay_status assay_command_record(assay_asker *a, const assay_question *q,
                                  assay_buffer *raw, double ms, assay_arena *arena,
                                  assay_result *out, assay_error *err)
{
    bool is_reply = !out->error.len;
    assay_call_reply how = {.has_failed = !is_reply, .ms = ms};
    assay_call call = call_of(a);
    assay_status st;

    if (!is_reply) {
        raw->len = 0;
        assay_buffer_slice(raw, out->error);
    }
    if (raw->has_failed)
        return assay_fail_memory(err, "recording a reply");
    st = assay_cassette_clean(a->command->cassette, raw, err);
    if (!st)
        st = assay_cassette_add(a->command->cassette, &call, assay_buffer_view(raw), &how,
                                err);
    return st ? st : read_back(a, q, raw, &how, arena, out, err);
}

assay_status assay_command_replay(assay_asker *a, const assay_question *q,
                                  assay_arena *arena, assay_result *out, assay_error *err)
{
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_call_reply how = {.has_failed = false};
    assay_call call = call_of(a);
    assay_status st = assay_cassette_play(a->command->cassette, &call, &reply, &how, err);

    if (!st)
        st = read_back(a, q, &reply, &how, arena, out, err);
    assay_buffer_clear(&reply);
    return st;
}
