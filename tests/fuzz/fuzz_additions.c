/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as lines for 'assay golden add', against a set in block style, one in flow
 * style and none; and any bytes as the file that is added to.  What is merged must read
 * back, which assay_additions_merge itself makes sure of: only its judgment that the file
 * cannot be added to is allowed to fail. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "golden/additions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char block[] = "version: 1\n"
                            "queries:\n"
                            "  - id: q-1 # one\n"
                            "    query: One\n"
                            "    relevant:\n"
                            "      - {doc: a.md}\n"
                            "  - id: q-2\n"
                            "    query: Two\n";
static const char flow[] = "{\"version\": 1, \"queries\": [{\"id\": \"q-1\", \"query\": "
                           "\"One\", \"relevant\": []}]}";
static const char line[] =
    "{\"id\": \"q-1\", \"doc\": \"new.md\", \"quote\": \"a\\nb\"}\n"
    "{\"query\": \"Three?\", \"doc\": \"new.md\"}\n";

/* `is_ours`: the file is written as we know it, so that anything fits in. */
static void try_both(assay_slice file, assay_slice lines, bool is_ours)
{
    const assay_golden_options options = {.format = "assay"};
    assay_golden *base = NULL;
    assay_additions a;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_error err = {ASSAY_OK, ""};

    if (file.len && assay_golden_parse("base", file, &options, &base, &err))
        return;
    if (!assay_additions_read(&a, "lines", 1, lines, base, &err)) {
        if (!a.bad.n && a.set->n_queries &&
            assay_additions_merge(&a, "base", file, &out, &err) &&
            (!err.text[0] || (is_ours && strstr(err.text, "cannot be added to"))))
            abort();
        assay_additions_clear(&a);
    }
    assay_buffer_clear(&out);
    assay_golden_free(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const assay_slice text = {(const char *)data, size};

    try_both(assay_slice_of(block), text, true);
    try_both(assay_slice_of(flow), text, true);
    try_both(ASSAY_LIT(""), text, true);
    if (size)
        try_both(text, assay_slice_of(line), false);
    return 0;
}
