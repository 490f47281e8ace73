/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/doc_name.h"

#include <string.h>

#include "base/slice.h"

assay_slice assay_doc_name(const assay_doc_source *source)
{
    const char *slash = strrchr(source->path, '/');
    assay_slice name = assay_slice_of(slash ? slash + 1 : source->path);

    if (assay_slice_ends(name, ".gz"))
        name.len -= 3;
    else if (assay_slice_ends(name, ".zst"))
        name.len -= 4;
    return name;
}

assay_slice assay_doc_ending(const assay_doc_source *source)
{
    assay_slice name = assay_doc_name(source);

    for (size_t i = name.len; i > 1; i--)
        if (name.ptr[i - 1] == '.')
            return (assay_slice){name.ptr + i, name.len - i};
    return ASSAY_LIT("");
}

bool assay_doc_is_one_of(assay_slice word, const char *list)
{
    assay_slice rest = assay_slice_of(list);
    assay_slice part;

    while (assay_slice_part(&rest, '|', &part)) {
        size_t i = 0;

        while (part.len == word.len && i < word.len) {
            unsigned char c = (unsigned char)word.ptr[i];

            if (c >= 'A' && c <= 'Z')
                c = (unsigned char)(c + ('a' - 'A'));
            if (c != (unsigned char)part.ptr[i])
                break;
            i++;
        }
        if (part.len == word.len && i == word.len)
            return true;
    }
    return false;
}

bool assay_doc_ends(const assay_doc_source *source, const char *endings)
{
    assay_slice ending = assay_doc_ending(source);

    return ending.len && assay_doc_is_one_of(ending, endings);
}

assay_slice assay_doc_text(const assay_doc_source *source)
{
    assay_slice text = source->bytes;

    if (assay_slice_starts(text, "\xef\xbb\xbf")) {
        text.ptr += 3;
        text.len -= 3;
    }
    return text;
}

assay_slice assay_doc_head(const assay_doc_source *source)
{
    assay_slice text = assay_doc_text(source);

    if (text.len > ASSAY_DOC_HEAD)
        text.len = ASSAY_DOC_HEAD;
    return text;
}

assay_status assay_doc_whole(const assay_doc_source *source, assay_form form,
                             assay_slice lang, assay_slice title, assay_doc_sink *emit,
                             void *ctx, assay_error *err)
{
    assay_document doc = {.id = source->id,
                          .title = title,
                          .text = assay_doc_text(source),
                          .form = form,
                          .lang = lang,
                          .extractor = ASSAY_LIT("")};

    return emit(ctx, &doc, err);
}
