/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal_keys.h"

#include "base/compiler.h"
#include "base/slice.h"
#include "base/utf8.h"

/* What stands behind ESC. */
static const struct {
    const char *bytes;
    uint32_t key;
} sequences[] = {
    {"[A", ASSAY_KEY_UP},         {"[B", ASSAY_KEY_DOWN},    {"[C", ASSAY_KEY_RIGHT},
    {"[D", ASSAY_KEY_LEFT},       {"OA", ASSAY_KEY_UP},      {"OB", ASSAY_KEY_DOWN},
    {"OC", ASSAY_KEY_RIGHT},      {"OD", ASSAY_KEY_LEFT},    {"[H", ASSAY_KEY_HOME},
    {"[F", ASSAY_KEY_END},        {"OH", ASSAY_KEY_HOME},    {"OF", ASSAY_KEY_END},
    {"[1~", ASSAY_KEY_HOME},      {"[4~", ASSAY_KEY_END},    {"[7~", ASSAY_KEY_HOME},
    {"[8~", ASSAY_KEY_END},       {"[3~", ASSAY_KEY_DELETE}, {"[5~", ASSAY_KEY_PAGE_UP},
    {"[6~", ASSAY_KEY_PAGE_DOWN},
};

static void skip(assay_slice *in, size_t n)
{
    in->ptr += n;
    in->len -= n;
}

/* Length of the sequence that begins with ESC: CSI ends with a byte from @ on, SS3 has one
 * byte, anything else is ESC alone.  0: it is not all there. */
static size_t sequence_length(assay_slice in)
{
    if (in.len < 2)
        return 0;
    if (in.ptr[1] == 'O')
        return in.len < 3 ? 0 : 3;
    if (in.ptr[1] != '[')
        return 1;
    for (size_t i = 2; i < in.len; i++)
        if ((unsigned char)in.ptr[i] >= 0x40)
            return i + 1;
    return 0;
}

static uint32_t escape(assay_key_reader *reader, assay_slice *in, bool is_all)
{
    size_t len = sequence_length(*in);
    assay_slice bytes = {in->ptr + 1, len ? len - 1 : 0};

    if (!len && !is_all)
        return ASSAY_KEY_NONE;
    skip(in, len ? len : 1);
    if (len <= 1)
        return ASSAY_KEY_ESCAPE;
    if (assay_slice_is(bytes, "[200~") || assay_slice_is(bytes, "[201~")) {
        reader->is_paste = assay_slice_is(bytes, "[200~");
        return assay_key_next(reader, in, is_all);
    }
    for (size_t i = 0; i < ASSAY_COUNT(sequences); i++)
        if (assay_slice_is(bytes, sequences[i].bytes))
            return sequences[i].key;
    /* A key that means nothing here. */
    return assay_key_next(reader, in, is_all);
}

/* Whether the bytes are the beginning of a longer character. */
static bool is_beginning(assay_slice in)
{
    unsigned char lead = (unsigned char)in.ptr[0];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;

    if (in.len >= want)
        return false;
    for (size_t i = 1; i < in.len; i++)
        if (((unsigned char)in.ptr[i] & 0xC0) != 0x80)
            return false;
    return true;
}

uint32_t assay_key_next(assay_key_reader *reader, assay_slice *in, bool is_all)
{
    uint32_t code;
    size_t len;

    if (!in->len)
        return ASSAY_KEY_NONE;
    if (in->ptr[0] == '\x1b')
        return escape(reader, in, is_all);
    if (!is_all && is_beginning(*in))
        return ASSAY_KEY_NONE;
    code = assay_utf8_get(*in, &len);
    skip(in, len);
    if (reader->is_paste)
        return code < ' ' ? ' ' : code;
    switch (code) {
    case '\r':
    case '\n': return ASSAY_KEY_ENTER;
    case '\t': return ASSAY_KEY_TAB;
    case '\b':
    case 0x7F: return ASSAY_KEY_BACKSPACE;
    /* Ctrl-space means nothing. */
    case 0: return assay_key_next(reader, in, is_all);
    default: return code;
    }
}
