/* SPDX-License-Identifier: Apache-2.0 */
/* gz and zst.  Both are streams of members (frames): several in one file mean their
 * contents one behind the other, and bytes that belong to none are an error. */
#include "base/file_pack.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/slice.h"

enum { STEP = 1 << 16, GZIP_FORMAT = 16, ZST_LEVEL = 3 };

static bool is_gz(assay_slice s)
{
    return s.len >= 2 && memcmp(s.ptr, "\x1f\x8b", 2) == 0;
}

/* A frame, or one of those that decoders are to skip (RFC 8878, 3.1.2). */
static bool is_zst(assay_slice s)
{
    return s.len >= 4 &&
           (memcmp(s.ptr, "\x28\xb5\x2f\xfd", 4) == 0 ||
            ((s.ptr[0] & 0xF0) == 0x50 && memcmp(s.ptr + 1, "\x2a\x4d\x18", 3) == 0));
}

assay_pack assay_pack_of(assay_slice bytes)
{
    if (is_gz(bytes))
        return ASSAY_PACK_GZ;
    return is_zst(bytes) ? ASSAY_PACK_ZST : ASSAY_PACK_NONE;
}

assay_pack assay_pack_of_name(const char *path)
{
    assay_slice name = assay_slice_of(path);

    if (assay_slice_ends(name, ".gz"))
        return ASSAY_PACK_GZ;
    return assay_slice_ends(name, ".zst") ? ASSAY_PACK_ZST : ASSAY_PACK_NONE;
}

static assay_status fail_broken(assay_error *err, const char *path, const char *why)
{
    return assay_fail(err, ASSAY_EINPUT, "'%s' is broken: %s", path, why);
}

static assay_status fail_memory(assay_error *err, const char *path)
{
    return assay_fail(err, ASSAY_ENOMEM, "out of memory for '%s'", path);
}

/* What zlib and we may use at once: its counters have 32 bits. */
static uInt clip(size_t n)
{
    return n < UINT_MAX / 2 ? (uInt)n : UINT_MAX / 2;
}

/* ---- gz ---- */

/* Behind the end of a member: go on with the next one, if any. */
static assay_status next_member(z_stream *z, assay_slice rest, const char *path,
                                assay_error *err)
{
    if (rest.len == 0)
        return ASSAY_OK;
    if (!is_gz(rest))
        return fail_broken(err, path, "there are other bytes behind the gzip data");
    return inflateReset(z) == Z_OK ? ASSAY_OK : fail_memory(err, path);
}

static assay_status inflate_all(z_stream *z, assay_slice rest, const char *path,
                                assay_buffer *out, assay_error *err)
{
    int code = Z_OK;

    while (rest.len > 0 || code != Z_STREAM_END) {
        char *room = assay_buffer_reserve(out, STEP);
        uInt n_in = clip(rest.len);
        uInt n_out;

        if (!room)
            return fail_memory(err, path);
        n_out = clip(out->cap - out->len);
        z->next_in = (z_const Bytef *)rest.ptr;
        z->avail_in = n_in;
        z->next_out = (Bytef *)room;
        z->avail_out = n_out;
        code = inflate(z, Z_NO_FLUSH);
        out->len += n_out - z->avail_out;
        rest.ptr += n_in - z->avail_in;
        rest.len -= n_in - z->avail_in;
        if (code == Z_STREAM_END) {
            assay_status st = next_member(z, rest, path, err);

            if (st)
                return st;
        } else if (code == Z_MEM_ERROR) {
            return fail_memory(err, path);
        } else if (code == Z_BUF_ERROR || (code == Z_OK && !rest.len && z->avail_out)) {
            return fail_broken(err, path, "it ends too early");
        } else if (code != Z_OK) {
            return fail_broken(err, path, z->msg ? z->msg : "not gzip data");
        }
    }
    return ASSAY_OK;
}

static assay_status undo_gz(assay_slice bytes, const char *path, assay_buffer *out,
                            assay_error *err)
{
    z_stream z = {0};
    assay_status st;

    if (inflateInit2(&z, MAX_WBITS + GZIP_FORMAT) != Z_OK)
        return fail_memory(err, path);
    st = inflate_all(&z, bytes, path, out, err);
    inflateEnd(&z);
    return st;
}

static assay_status do_gz(assay_slice text, const char *path, assay_buffer *out,
                          assay_error *err)
{
    z_stream z = {0};
    int code = Z_OK;

    /* No name and no time in the header: same text, same bytes. */
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return fail_memory(err, path);
    while (code != Z_STREAM_END) {
        char *room = assay_buffer_reserve(out, STEP);
        uInt n_in = clip(text.len);
        uInt n_out;

        if (!room)
            break;
        n_out = clip(out->cap - out->len);
        z.next_in = (z_const Bytef *)text.ptr;
        z.avail_in = n_in;
        z.next_out = (Bytef *)room;
        z.avail_out = n_out;
        code = deflate(&z, n_in == text.len ? Z_FINISH : Z_NO_FLUSH);
        out->len += n_out - z.avail_out;
        text.ptr += n_in - z.avail_in;
        text.len -= n_in - z.avail_in;
    }
    deflateEnd(&z);
    return out->has_failed ? fail_memory(err, path) : ASSAY_OK;
}

/* ---- zst ---- */

static assay_status decompress_all(ZSTD_DStream *z, assay_slice bytes, const char *path,
                                   assay_buffer *out, assay_error *err)
{
    ZSTD_inBuffer in = {bytes.ptr, bytes.len, 0};
    size_t left = 1; /* 0 = a frame is complete and all of it was handed out */
    bool is_full = false;

    while (in.pos < in.size || is_full) {
        char *room = assay_buffer_reserve(out, STEP);
        ZSTD_outBuffer to;

        if (!room)
            return fail_memory(err, path);
        if (left == 0 && !is_zst((assay_slice){bytes.ptr + in.pos, in.size - in.pos}))
            return fail_broken(err, path, "there are other bytes behind the zstd data");
        to = (ZSTD_outBuffer){room, out->cap - out->len, 0};
        left = ZSTD_decompressStream(z, &to, &in);
        if (ZSTD_isError(left))
            return fail_broken(err, path, ZSTD_getErrorName(left));
        out->len += to.pos;
        is_full = to.pos == to.size && left != 0;
    }
    return left == 0 ? ASSAY_OK : fail_broken(err, path, "it ends too early");
}

static assay_status undo_zst(assay_slice bytes, const char *path, assay_buffer *out,
                             assay_error *err)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    assay_status st;

    if (!z)
        return fail_memory(err, path);
    st = decompress_all(z, bytes, path, out, err);
    ZSTD_freeDStream(z);
    return st;
}

static assay_status do_zst(assay_slice text, const char *path, assay_buffer *out,
                           assay_error *err)
{
    size_t most = ZSTD_compressBound(text.len);
    char *room = assay_buffer_reserve(out, most);
    size_t n;

    if (!room)
        return fail_memory(err, path);
    n = ZSTD_compress(room, most, text.ptr, text.len, ZST_LEVEL);
    if (ZSTD_isError(n))
        return assay_fail(err, ASSAY_ENOMEM, "cannot pack '%s': %s", path,
                          ZSTD_getErrorName(n));
    out->len += n;
    return ASSAY_OK;
}

assay_status assay_pack_undo(assay_pack kind, assay_slice bytes, const char *path,
                             assay_buffer *out, assay_error *err)
{
    /* Text is packed to a quarter or so: start with room for that. */
    if (bytes.len < SIZE_MAX / 8 && !assay_buffer_reserve(out, bytes.len * 4))
        return fail_memory(err, path);
    return kind == ASSAY_PACK_GZ ? undo_gz(bytes, path, out, err)
                                 : undo_zst(bytes, path, out, err);
}

assay_status assay_pack_do(assay_pack kind, assay_slice text, const char *path,
                           assay_buffer *out, assay_error *err)
{
    return kind == ASSAY_PACK_GZ ? do_gz(text, path, out, err)
                                 : do_zst(text, path, out, err);
}
