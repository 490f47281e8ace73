/* SPDX-License-Identifier: Apache-2.0 */
/* Documents made ready to be stored: hashed, cut, packed.  No database here, so that
 * many threads can do it. */
#include "base/error.h"
#include "base/mem.h"
#include "corpus/corpus_cuts.h"
#include "corpus/corpus_write.h"

/* Below this zstd's head and checksum eat what is won. */
enum { LEAST_PACKED = 128 };

void assay_corpus_packer_clear(assay_corpus_packer *packer)
{
    assay_zblock_clear(&packer->z);
    assay_buffer_clear(&packer->bytes);
    assay_arena_clear(&packer->scratch);
}

bool assay_corpus_pack_head(const assay_document *doc, assay_arena *arena,
                            assay_corpus_packed *out)
{
    size_t n_parts = (doc->text.len + ASSAY_CORPUS_PART - 1) / ASSAY_CORPUS_PART;

    *out = (assay_corpus_packed){
        .id = assay_arena_copy(arena, doc->id),
        .title = assay_arena_copy(arena, doc->title),
        .lang = assay_arena_copy(arena, doc->lang),
        .extractor = assay_arena_copy(arena, doc->extractor),
        .form = doc->form,
        .line = doc->line,
        .bytes = doc->text.len,
        .part = ASSAY_ARENA_ARRAY(arena, assay_corpus_part, n_parts),
        .n_parts = (uint32_t)n_parts,
    };
    return out->id.ptr && out->title.ptr && out->lang.ptr && out->extractor.ptr &&
           out->part;
}

static void add_sized(assay_sha256 *sha, assay_slice s)
{
    uint8_t size[8];

    for (int i = 0; i < 8; i++)
        size[i] = (uint8_t)((uint64_t)s.len >> (8 * i));
    assay_sha256_add(sha, size, sizeof size);
    assay_sha256_add(sha, s.ptr, s.len);
}

/* Over the parts with their lengths before them, so that none can pass for another; of
 * the text its own hash, which is known already where the text is the file. */
void assay_corpus_pack_hash(const assay_document *doc, const uint8_t *text_hash,
                            assay_corpus_packed *out)
{
    const char *form = assay_form_name(doc->form);
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;

    if (!text_hash)
        assay_sha256_of(doc->text, digest);
    assay_sha256_init(&sha);
    add_sized(&sha, doc->id);
    add_sized(&sha, doc->title);
    add_sized(&sha, (assay_slice){form, strlen(form)});
    add_sized(&sha, doc->extractor);
    assay_sha256_add(&sha, text_hash ? text_hash : digest, sizeof digest);
    assay_sha256_end(&sha, out->hash);
}

bool assay_corpus_pack_part(assay_corpus_packer *packer, const assay_document *doc,
                            uint32_t part, assay_arena *arena, assay_corpus_packed *out)
{
    size_t at = (size_t)part * ASSAY_CORPUS_PART;
    size_t left = doc->text.len - at;
    assay_slice text = {doc->text.ptr + at,
                        left < ASSAY_CORPUS_PART ? left : ASSAY_CORPUS_PART};
    assay_slice body = text;

    packer->bytes.len = 0;
    if (text.len >= LEAST_PACKED) {
        if (!assay_zblock_pack(&packer->z, text, &packer->bytes))
            return false;
        if (packer->bytes.len < text.len)
            body = assay_buffer_view(&packer->bytes);
    }
    out->part[part] = (assay_corpus_part){.body = assay_arena_copy(arena, body),
                                          .bytes = (uint32_t)text.len,
                                          .is_packed = body.ptr != text.ptr};
    return out->part[part].body.ptr != NULL;
}

assay_status assay_corpus_pack_cut(assay_corpus_packer *packer, const assay_document *doc,
                                   const assay_chunking *chunking, assay_arena *arena,
                                   assay_corpus_packed *out, assay_error *err)
{
    assay_chunks chunks = {0};
    assay_status st;

    assay_arena_reset(&packer->scratch);
    st = assay_chunking_cut(chunking, doc, &packer->scratch, &chunks, err);
    if (st)
        return st;
    packer->bytes.len = 0;
    assay_cut_encode(&chunks, doc->text, &packer->bytes);
    if (!packer->bytes.has_failed)
        out->cut = assay_arena_copy(arena, assay_buffer_view(&packer->bytes));
    if (packer->bytes.has_failed || !out->cut.ptr)
        return assay_fail_memory(err, "cutting a document");
    out->n_chunks = chunks.n;
    return ASSAY_OK;
}

assay_status assay_corpus_pack(assay_corpus_packer *packer, const assay_document *doc,
                               const uint8_t *text_hash, const assay_chunking *chunking,
                               assay_arena *arena, assay_corpus_packed *out,
                               assay_error *err)
{
    if (!assay_corpus_pack_head(doc, arena, out))
        return assay_fail_memory(err, "packing a document");
    assay_corpus_pack_hash(doc, text_hash, out);
    for (uint32_t i = 0; i < out->n_parts; i++)
        if (!assay_corpus_pack_part(packer, doc, i, arena, out))
            return assay_fail_memory(err, "packing a document");
    return assay_corpus_pack_cut(packer, doc, chunking, arena, out, err);
}
