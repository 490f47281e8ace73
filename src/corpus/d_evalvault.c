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

/* Whether the first object has `documents` with a list of objects among its first keys. */
static bool has_documents(assay_slice head)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json;
    assay_json_token token;
    assay_json_token value;
    bool is_found = false;

    memset(&json, 0, sizeof json);
    assay_json_init(&json, "", 1, head, &arena);
    if (assay_json_next(&json, &token, NULL) || token.kind != ASSAY_JSON_OBJECT)
        goto done;
    while (!assay_json_next(&json, &token, NULL) && token.kind == ASSAY_JSON_KEY) {
        bool is_it = assay_slice_is(token.text, "documents");

        if (assay_json_next(&json, &value, NULL))
            break;
        is_found = is_it && value.kind == ASSAY_JSON_LIST;
        if (is_it || assay_json_skip(&json, value, NULL))
            break;
    }
done:
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return is_found;
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
