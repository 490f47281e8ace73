/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a recording: what is taken can be written and read back, with the same
 * contents.  Any bytes as a reply: JSON stays JSON without its secrets, and one form of
 * JSON is its own. */
#include <stdlib.h>
#include <string.h>

#include "base/canonical.h"
#include "base/cassette_file.h"
#include "base/cassette_near.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/slice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static void check_nearest(const assay_tape *tape)
{
    assay_tape_looks *looks = assay_tape_looks_new(tape);
    assay_buffer words = ASSAY_BUFFER_EMPTY;

    PROMISE(looks);
    for (size_t i = 0; i < tape->n && i < 5; i++) {
        const assay_taped *near = assay_tape_nearest(tape, looks, &tape->item[i]);

        PROMISE(near && assay_slice_eq(near->kind, tape->item[i].kind));
        assay_tape_show_miss(&tape->item[i], near, &words);
        PROMISE(!words.has_failed && !memchr(words.ptr, '\n', words.len));
        words.len = 0;
    }
    assay_buffer_clear(&words);
    assay_tape_looks_free(looks);
}

static void check_tape(const assay_tape *tape)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_tape again = {0};
    assay_error err;

    assay_tape_write_head(&text);
    for (size_t i = 0; i < tape->n; i++) {
        assay_buffer request = ASSAY_BUFFER_EMPTY;
        assay_taped call = tape->item[i];
        bool is_json = assay_tape_request(call.request, &request);

        call.request = assay_buffer_view(&request);
        assay_tape_write(&call, is_json, &text);
        assay_buffer_clear(&request);
    }
    PROMISE(assay_tape_read(&again, "again", assay_buffer_view(&text), false, &err) ==
            ASSAY_OK);
    PROMISE(again.n == tape->n);
    for (size_t i = 0; i < tape->n; i++) {
        PROMISE(assay_slice_eq(again.item[i].key, tape->item[i].key));
        PROMISE(assay_slice_eq(again.item[i].reply, tape->item[i].reply));
        PROMISE(again.item[i].has_failed == tape->item[i].has_failed);
        PROMISE(again.item[i].ms == tape->item[i].ms);
    }
    check_nearest(&again);
    assay_tape_clear(&again);
    assay_buffer_clear(&text);
}

static bool has(assay_slice text, const char *secret)
{
    size_t n = strlen(secret);

    for (size_t i = 0; i + n <= text.len; i++)
        if (memcmp(text.ptr + i, secret, n) == 0)
            return true;
    return false;
}

static void check_reply(assay_slice text)
{
    static const char secret[] = "sk-\"12345\"";
    assay_buffer canonical = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;
    assay_buffer clean = ASSAY_BUFFER_EMPTY;
    assay_buffer again = ASSAY_BUFFER_EMPTY;
    assay_secrets secrets = {0};

    PROMISE(assay_secrets_add(&secrets, assay_slice_of(secret)));
    assay_secrets_redact(&secrets, text, &clean);
    PROMISE(!clean.has_failed && !has(assay_buffer_view(&clean), secret));
    assay_secrets_redact(&secrets, assay_buffer_view(&clean), &again);
    if (assay_canonical_json(text, 100, &canonical)) {
        PROMISE(assay_slice_eq(assay_buffer_view(&clean), assay_buffer_view(&again)));
        PROMISE(assay_canonical_json(assay_buffer_view(&canonical), 100, &twice));
        PROMISE(assay_slice_eq(assay_buffer_view(&canonical), assay_buffer_view(&twice)));
    }
    assay_buffer_clear(&canonical);
    assay_buffer_clear(&twice);
    assay_buffer_clear(&clean);
    assay_buffer_clear(&again);
    assay_secrets_clear(&secrets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {size ? (const char *)data : "", size};

    for (int is_part = 0; is_part < 2; is_part++) {
        assay_error err = {ASSAY_OK, ""};
        assay_tape tape = {0};
        assay_status st = assay_tape_read(&tape, "input", text, is_part != 0, &err);

        PROMISE(st == ASSAY_OK || err.text[0]);
        PROMISE(tape.n_bytes <= size);
        if (!st)
            check_tape(&tape);
        assay_tape_clear(&tape);
    }
    check_reply(text);
    return 0;
}
