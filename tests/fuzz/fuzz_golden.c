/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a golden set, in every format that is one file.  What loads is written in
 * all of them, and assay's own must read back as many queries and judgments. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/slice.h"
#include "golden/golden.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t judgments(const assay_golden *golden)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < golden->n_queries; i++)
        n += golden->query[i].n_judgments;
    return n;
}

static void read_back(const assay_golden *golden, const assay_buffer *text)
{
    const assay_golden_options options = {.format = "assay"};
    assay_golden *back = NULL;
    assay_error err;

    if (assay_golden_parse("back", assay_buffer_view(text), &options, &back, &err))
        abort();
    if (back->n_queries != golden->n_queries || judgments(back) != judgments(golden))
        abort();
    assay_golden_free(back);
}

static void write_all(const assay_golden *golden)
{
    const assay_golden_format *f;

    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_buffer out = ASSAY_BUFFER_EMPTY;
        assay_notes lost = {0};
        assay_golden_target target = {.out = &out, .lost = &lost, .arena = &arena};

        if (!f->is_folder && assay_golden_write(golden, f, &target, NULL))
            abort();
        if (i == 0)
            read_back(golden, &out);
        out.len = 0;
        target.is_json = true;
        if (i == 0 && assay_golden_write(golden, f, &target, NULL))
            abort();
        if (i == 0)
            read_back(golden, &out);
        assay_notes_clear(&lost);
        assay_buffer_clear(&out);
        assay_arena_clear(&arena);
    }
}

static void try_format(const char *format, assay_slice text)
{
    const assay_golden_options options = {.format = format};
    assay_golden *golden = NULL;
    assay_error err;

    if (assay_golden_parse("fuzz", text, &options, &golden, &err)) {
        if (golden || !err.text[0])
            abort();
        return;
    }
    write_all(golden);
    assay_golden_free(golden);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const assay_slice text = {(const char *)data, size};
    const assay_golden_format *f;

    try_format(NULL, text);
    for (size_t i = 0; (f = assay_golden_format_at(i)) != NULL; i++)
        if (!f->is_folder)
            try_format(f->name, text);
    return 0;
}
