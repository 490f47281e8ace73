/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader a file belongs to, and which files hold no text at all. */
#include "corpus/document.h"

#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document_roster.h"

#define X(id) extern const assay_doc_reader assay_doc_reader_##id;
ASSAY_DOCUMENT_ROSTER(X)
#undef X

#define X(id) &assay_doc_reader_##id,
static const assay_doc_reader *const roster[] = {ASSAY_DOCUMENT_ROSTER(X)};
#undef X

const char *assay_form_name(assay_form form)
{
    static const char *const name[] = {"plain", "markdown", "code"};

    return name[form];
}

const assay_doc_reader *assay_doc_reader_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_doc_reader *assay_doc_reader_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

/* ---- what is no text ---- */

/* First bytes of files that may come without a zero byte in their first 64 kB. */
static const char *const magic[] = {
    "%PDF-",
    "7z\xbc\xaf\x27\x1c",
    "BZh",
    "\xfd\x37zXZ",
    "Rar!\x1a\x07",
    "PK\x03\x04",
    "GIF87a",
    "GIF89a",
    "\x89PNG\r\n",
    "\xff\xd8\xff",
    "\x7f"
    "ELF",
    "OggS",
    "ID3",
    "\xca\xfe\xba\xbe",
};

/* Control bytes that no text has; one in ten is too many. */
static bool is_control(unsigned char c)
{
    return (c < 0x20 && !(c >= '\b' && c <= '\r') && c != 0x1b) || c == 0x7f;
}

static bool is_binary(const assay_doc_source *source)
{
    assay_slice head = assay_doc_head(source);
    size_t n = 0;

    for (size_t i = 0; i < ASSAY_COUNT(magic); i++)
        if (assay_slice_starts(head, magic[i]))
            return true;
    if (memchr(head.ptr, 0, head.len))
        return true;
    for (size_t i = 0; i < head.len; i++)
        n += is_control((unsigned char)head.ptr[i]);
    return n * 10 > head.len;
}

static bool is_utf16(assay_slice bytes)
{
    return assay_slice_starts(bytes, "\xff\xfe") || assay_slice_starts(bytes, "\xfe\xff");
}

/* A BEIR folder has its queries and judgments beside the documents; they would be taken
 * for documents, and a query that finds itself spoils every number. */
static const char *beside_documents(const assay_doc_source *source)
{
    assay_slice path = assay_slice_of(source->path);
    assay_slice name = assay_doc_name(source);
    size_t folder;

    if (source->is_named)
        return NULL;
    if (assay_slice_is(name, "queries.jsonl"))
        return "queries, no documents";
    folder = (size_t)(name.ptr - path.ptr);
    path.len = folder;
    if (assay_doc_ends(source, "tsv") && assay_slice_ends(path, "qrels/"))
        return "judgments, no documents";
    return NULL;
}

static const char *why_not(const assay_doc_source *source)
{
    if (!assay_doc_text(source).len)
        return "empty";
    if (is_utf16(source->bytes))
        return "UTF-16";
    return beside_documents(source);
}

const assay_doc_reader *assay_doc_reader_for(const assay_doc_source *source,
                                             const char **why)
{
    const assay_doc_reader *best = NULL;
    bool is_text;
    int most = 0;

    *why = why_not(source);
    if (*why)
        return NULL;
    is_text = !is_binary(source);
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++) {
        int sure = is_text || roster[i]->is_binary ? roster[i]->sniff(source) : 0;

        if (sure > most) {
            most = sure;
            best = roster[i];
        }
    }
    if (!best)
        *why = is_text ? "unknown kind" : "binary";
    return best;
}
