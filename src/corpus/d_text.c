/* SPDX-License-Identifier: Apache-2.0 */
/* Plain text: the file's bytes as they are.  Also what reads any text of no other kind. */
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"

static const char endings[] =
    "txt|text|log|rst|adoc|asciidoc|org|tex|csv|tsv|srt|vtt|eml|mbox";

static int sniff_text(const assay_doc_source *source)
{
    return assay_doc_ends(source, endings) ? 60 : 10;
}

static assay_status read_text(const assay_doc_source *source, assay_doc_sink *emit,
                              void *ctx, assay_error *err)
{
    return assay_doc_whole(source, ASSAY_FORM_PLAIN, ASSAY_LIT(""), ASSAY_LIT(""), emit,
                           ctx, err);
}

const assay_doc_reader assay_doc_reader_text = {
    .name = "text",
    .summary = "plain text, byte for byte; any text file of no other kind",
    .endings = endings,
    .sniff = sniff_text,
    .read = read_text,
};
