/* SPDX-License-Identifier: Apache-2.0 */
#include "base/zblock.h"

#include <zstd.h>

#include "base/error.h"

enum { LEVEL = 1 };

static ZSTD_CCtx *packer_of(assay_zblock *z)
{
    ZSTD_CCtx *made;

    if (z->packer)
        return z->packer;
    made = ZSTD_createCCtx();
    if (!made)
        return NULL;
    ZSTD_CCtx_setParameter(made, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(made, ZSTD_c_checksumFlag, 1);
    z->packer = made;
    return made;
}

bool assay_zblock_pack(assay_zblock *z, assay_slice block, assay_buffer *out)
{
    ZSTD_CCtx *packer = packer_of(z);
    size_t most = ZSTD_compressBound(block.len);
    char *room = packer ? assay_buffer_reserve(out, most) : NULL;
    size_t n;

    if (!room)
        return false;
    n = ZSTD_compress2(packer, room, most, block.ptr, block.len);
    /* With room for the worst case only memory can be missing. */
    if (ZSTD_isError(n))
        return false;
    out->len += n;
    return true;
}

assay_status assay_zblock_unpack(assay_zblock *z, assay_slice packed, char *out,
                                 size_t len, const char *what, assay_error *err)
{
    size_t n;

    if (!z->unpacker)
        z->unpacker = ZSTD_createDCtx();
    if (!z->unpacker)
        return assay_fail_memory(err, "unpacking");
    n = ZSTD_decompressDCtx(z->unpacker, out, len, packed.ptr, packed.len);
    if (ZSTD_isError(n))
        return assay_fail(err, ASSAY_EINPUT, "%s is damaged: %s", what,
                          ZSTD_getErrorName(n));
    if (n != len)
        return assay_fail(err, ASSAY_EINPUT, "%s is damaged: %zu bytes, want %zu", what,
                          n, len);
    return ASSAY_OK;
}

void assay_zblock_clear(assay_zblock *z)
{
    ZSTD_freeCCtx(z->packer);
    ZSTD_freeDCtx(z->unpacker);
    *z = (assay_zblock){0};
}
