/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of BERT's basic tokenizer: control characters go, white space parts words,
 * Chinese characters and punctuation stand alone, accents are taken off by canonical
 * decomposition, letters are lowered.  Then each word is cut greedily into the longest
 * pieces of the vocabulary, those behind the first written "##piece"; a word that cannot
 * be cut is [UNK].  Special tokens that stand in the text are taken as such. */
#include "embed/wordpiece.h"

#include <string.h>
#include <utf8proc.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"

static const char *const special_names[] = {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"};
enum { CLS, SEP, UNK };

static bool is_cjk(uint32_t c)
{
    static const uint32_t range[][2] = {
        {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F}, {0x2B820, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};

    for (size_t i = 0; c >= 0x3400 && i < ASSAY_COUNT(range); i++)
        if (c >= range[i][0] && c <= range[i][1])
            return true;
    return false;
}

static bool is_space(uint32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

static bool is_control(uint32_t c)
{
    utf8proc_category_t category;

    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    if (c < 0x80)
        return c < 0x20 || c == 0x7F;
    category = utf8proc_category((utf8proc_int32_t)c);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CS || category == UTF8PROC_CATEGORY_CO;
}

static bool is_punctuation(uint32_t c)
{
    utf8proc_category_t category;

    if (c < 0x80)
        return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
               (c >= 123 && c <= 126);
    category = utf8proc_category((utf8proc_int32_t)c);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

static bool add_id(assay_pieces *p, uint32_t id)
{
    uint32_t *grown;

    if (p->n >= p->most)
        return true;
    grown = assay_mem_grow(p->id, &p->cap, p->n + 1, sizeof *grown);
    if (!grown)
        return false;
    p->id = grown;
    p->id[p->n++] = id;
    return true;
}

/* The number of the longest piece at the beginning of p->piece, behind `head` bytes of
 * prefix; *len gets its length without the prefix. */
static uint32_t longest_piece(const assay_wordpiece *w, const assay_pieces *p,
                              size_t head, size_t *len)
{
    size_t end = p->piece.len < w->longest ? p->piece.len : w->longest;

    for (; end > head; end--) {
        uint32_t number;

        /* Not in the middle of a character. */
        if (end < p->piece.len && ((unsigned char)p->piece.ptr[end] & 0xC0) == 0x80)
            continue;
        number = assay_dict_find(&w->vocab, (assay_slice){p->piece.ptr, end});
        if (number != ASSAY_NONE) {
            *len = end - head;
            return number;
        }
    }
    return ASSAY_NONE;
}

/* Cut the word that was gathered, and begin a new one. */
static bool end_word(const assay_wordpiece *w, assay_pieces *p)
{
    assay_slice word = assay_buffer_view(&p->word);
    size_t before = p->n;
    size_t at = 0;
    bool is_known = assay_utf8_count(word) <= w->most_chars;

    /* To its end even where there is no room any more: its last piece may be unknown. */
    while (is_known && at < word.len) {
        size_t head = at ? 2 : 0;
        size_t len = 0;
        uint32_t number;

        p->piece.len = 0;
        if (at)
            assay_buffer_text(&p->piece, "##");
        assay_buffer_add(&p->piece, word.ptr + at, word.len - at);
        if (p->piece.has_failed)
            return false;
        number = longest_piece(w, p, head, &len);
        is_known = number != ASSAY_NONE;
        if (is_known && !add_id(p, w->id[number]))
            return false;
        at += len;
    }
    p->word.len = 0;
    if (is_known)
        return true;
    p->n = before;
    return add_id(p, w->special[UNK]);
}

static bool add_char(const assay_wordpiece *w, assay_pieces *p, uint32_t c)
{
    char bytes[4];
    bool is_alone = is_punctuation(c);

    if (is_space(c))
        return !p->word.len || end_word(w, p);
    if (is_alone && p->word.len && !end_word(w, p))
        return false;
    assay_buffer_add(&p->word, bytes, assay_utf8_put(c, bytes));
    if (p->word.has_failed)
        return false;
    return !is_alone || end_word(w, p);
}

/* One character as the normaliser leaves it: none, one or several. */
static bool normalise(const assay_wordpiece *w, assay_pieces *p, uint32_t c)
{
    utf8proc_int32_t part[8];
    utf8proc_ssize_t n = 1;
    int last = 0;

    part[0] = (utf8proc_int32_t)c;
    if (w->is_stripped && c >= 0x80) {
        n = utf8proc_decompose_char((utf8proc_int32_t)c, part, 8, UTF8PROC_DECOMPOSE,
                                    &last);
        if (n < 0 || n > 8) {
            part[0] = (utf8proc_int32_t)c;
            n = 1;
        }
    }
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        utf8proc_int32_t x = part[i];

        if (w->is_stripped && x >= 0x80 && utf8proc_category(x) == UTF8PROC_CATEGORY_MN)
            continue;
        if (w->is_lower)
            x = x < 0x80 ? (x >= 'A' && x <= 'Z' ? x + 32 : x) : utf8proc_tolower(x);
        if (!add_char(w, p, (uint32_t)x))
            return false;
    }
    return true;
}

static bool take_char(const assay_wordpiece *w, assay_pieces *p, uint32_t c)
{
    if (w->is_clean && (c == 0 || c == 0xFFFD || is_control(c)))
        return true;
    if (!w->splits_cjk || !is_cjk(c))
        return normalise(w, p, c);
    return (!p->word.len || end_word(w, p)) && normalise(w, p, c) &&
           (!p->word.len || end_word(w, p));
}

/* A special token at the beginning of `text`, or ASSAY_COUNT of them. */
static size_t special_at(const assay_wordpiece *w, assay_slice text)
{
    size_t i = 0;

    for (; i < ASSAY_COUNT(special_names); i++)
        if (w->special[i] != ASSAY_NONE && assay_slice_starts(text, special_names[i]))
            break;
    return i;
}

/* The next code point; what is not UTF-8 is U+FFFD. */
static uint32_t next_char(assay_slice *text)
{
    utf8proc_int32_t c;
    utf8proc_ssize_t len = utf8proc_iterate((const utf8proc_uint8_t *)text->ptr,
                                            (utf8proc_ssize_t)text->len, &c);

    if (len <= 0) {
        c = 0xFFFD;
        len = (utf8proc_ssize_t)assay_utf8_bad(*text);
    }
    text->ptr += len;
    text->len -= (size_t)len;
    return (uint32_t)c;
}

bool assay_wordpiece_cut(const assay_wordpiece *w, assay_slice text, size_t most,
                         assay_pieces *out)
{
    out->n = 0;
    out->word.len = 0;
    out->most = most - 1;
    if (!add_id(out, w->special[CLS]))
        return false;
    while (text.len && out->n < out->most) {
        size_t special =
            *text.ptr == '[' ? special_at(w, text) : ASSAY_COUNT(special_names);

        if (special < ASSAY_COUNT(special_names)) {
            size_t len = strlen(special_names[special]);

            if ((out->word.len && !end_word(w, out)) || !add_id(out, w->special[special]))
                return false;
            text.ptr += len;
            text.len -= len;
        } else if (!take_char(w, out, next_char(&text))) {
            return false;
        }
    }
    if (out->word.len && !end_word(w, out))
        return false;
    out->most = most;
    return add_id(out, w->special[SEP]);
}

void assay_pieces_clear(assay_pieces *pieces)
{
    assay_mem_free(pieces->id);
    assay_buffer_clear(&pieces->word);
    assay_buffer_clear(&pieces->piece);
    *pieces = (assay_pieces){0};
}
