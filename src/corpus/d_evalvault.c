/* SPDX-License-Identifier: Apache-2.0 */
/* The documents inside evalvault's retrieval ground truth:
 *
 *     {"documents": [{"doc_id": "doc-001", "content": "..."}], "test_cases": [...]} */
#include <string.h>

#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/doc_records.h"
#include "corpus/document.h"

/* Where `word` stands in `text`, or null. */
static const char *find_word(assay_slice text, const char *word)
{
    size_t len = strlen(word);
    const char *p = text.ptr;
    const char *end = text.ptr + text.len;

    while ((p = memchr(p, word[0], (size_t)(end - p))) != NULL) {
        if ((size_t)(end - p) < len)
            return NULL;
        if (memcmp(p, word, len) == 0)
            return p;
        p++;
    }
    return NULL;
}

/* Behind the first brace: whether `documents` with a list is among the first keys. */
static assay_status find_documents(assay_json *json, bool *is_there)
{
    assay_json_token key;
    assay_json_token value;
    assay_status st;

    while (!(st = assay_json_next(json, &key, NULL)) && key.kind == ASSAY_JSON_KEY) {
        st = assay_json_next(json, &value, NULL);
        if (st || assay_slice_is(key.text, "documents")) {
            *is_there = !st && value.kind == ASSAY_JSON_LIST;
            return st;
        }
        st = assay_json_skip(json, value, NULL);
        if (st)
            return st;
    }
    return st;
}

static bool has_documents(assay_slice head)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json;
    assay_json_token token;
    bool is_there = false;
    assay_status st;

    memset(&json, 0, sizeof json);
    assay_json_init(&json, "", 1, head, &arena);
    st = assay_json_next(&json, &token, NULL);
    if (!st && token.kind == ASSAY_JSON_OBJECT)
        st = find_documents(&json, &is_there);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    /* Reading will say it when there is no memory. */
    return is_there || st == ASSAY_ENOMEM;
}

/* The test cases stand behind the documents, perhaps far behind: they are looked for as a
 * word, which is quick. */
static int sniff_evalvault(const assay_doc_source *source)
{
    if (!assay_doc_ends(source, "json") && !source->is_named)
        return 0;
    if (!has_documents(assay_doc_head(source)))
        return 0;
    return find_word(assay_doc_text(source), "\"test_cases\"") ? 95 : 0;
}

static assay_status read_evalvault(const assay_doc_source *source, assay_doc_sink *emit,
                                   void *ctx, assay_error *err)
{
    assay_doc_records r;

    assay_doc_records_init(&r, source, emit, ctx);
    return assay_doc_records_finish(
        &r, assay_doc_records_object(&r, ASSAY_LIT("documents"), err), err);
}

const assay_doc_reader assay_doc_reader_evalvault = {
    .name = "evalvault",
    .summary = "the documents inside evalvault's retrieval ground truth",
    .endings = "json",
    .sniff = sniff_evalvault,
    .read = read_evalvault,
};
