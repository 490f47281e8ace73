/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of golden sets that take several files: a BEIR folder and TREC topics.  The
 * input is cut at bytes of 1 into qrels, queries, corpus and topics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slice.h"
#include "golden/golden.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const part[] = {"qrels/test.tsv", "queries.jsonl", "corpus.jsonl",
                                   "topics"};

static char folder[] = "/tmp/fuzz-golden-XXXXXX";

static void clean_up(void)
{
    char path[100];

    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, part[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/qrels", folder);
    rmdir(path);
    rmdir(folder);
}

static void make_folder(void)
{
    static int is_made;
    char path[100];

    if (is_made)
        return;
    is_made = 1;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/qrels", folder);
    if (mkdir(path, 0700) != 0)
        abort();
    atexit(clean_up);
}

static void put(const char *name, assay_slice text)
{
    char path[100];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    if (!f || fwrite(text.ptr, 1, text.len, f) != text.len || fclose(f) != 0)
        abort();
}

static void load(const char *path, const assay_golden_options *options)
{
    assay_golden *golden = NULL;
    assay_error err;

    if (assay_golden_load(path, options, &golden, &err) && (golden || !err.text[0]))
        abort();
    assay_golden_free(golden);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const assay_golden_options beir = {.format = "beir", .with_documents = true};
    char topics[100];
    const assay_golden_options trec = {.format = "trec", .topics = topics};
    assay_slice rest = {(const char *)data, size};
    assay_golden *golden = NULL;

    make_folder();
    for (size_t i = 0; i < 4; i++) {
        assay_slice text = ASSAY_LIT("");

        assay_slice_part(&rest, '\x01', &text);
        put(part[i], text);
    }
    load(folder, &beir);
    snprintf(topics, sizeof topics, "%s/topics", folder);
    if (!assay_golden_parse("qrels", ASSAY_LIT("q1 0 d1 1\nq2 0 d1 1\n"), &trec, &golden,
                            NULL))
        assay_golden_free(golden);
    return 0;
}
