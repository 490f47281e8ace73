/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/scripts.h"

#include <utf8proc.h>

#include "base/compiler.h"

static const char *const names[] = {
    "Latin",   "Hangul", "Han",        "Kana",  "Cyrillic", "Greek",
    "Arabic",  "Hebrew", "Devanagari", "Thai",  "Armenian", "Georgian",
    "Bengali", "Tamil",  "Telugu",     "other",
};

enum {
    LATIN,
    HANGUL,
    HAN,
    KANA,
    CYRILLIC,
    GREEK,
    ARABIC,
    HEBREW,
    DEVANAGARI,
    THAI,
    ARMENIAN,
    GEORGIAN,
    BENGALI,
    TAMIL,
    TELUGU,
    OTHER
};

/* Ascending, apart from each other. */
static const struct {
    int32_t first;
    int32_t last;
    uint8_t script;
} ranges[] = {
    {0x0041, 0x02af, LATIN},    {0x0370, 0x03ff, GREEK},    {0x0400, 0x052f, CYRILLIC},
    {0x0530, 0x058f, ARMENIAN}, {0x0590, 0x05ff, HEBREW},   {0x0600, 0x06ff, ARABIC},
    {0x0750, 0x077f, ARABIC},   {0x08a0, 0x08ff, ARABIC},   {0x0900, 0x097f, DEVANAGARI},
    {0x0980, 0x09ff, BENGALI},  {0x0b80, 0x0bff, TAMIL},    {0x0c00, 0x0c7f, TELUGU},
    {0x0e00, 0x0e7f, THAI},     {0x10a0, 0x10ff, GEORGIAN}, {0x1100, 0x11ff, HANGUL},
    {0x1c80, 0x1c8f, CYRILLIC}, {0x1d00, 0x1dbf, LATIN},    {0x1e00, 0x1eff, LATIN},
    {0x1f00, 0x1fff, GREEK},    {0x2c60, 0x2c7f, LATIN},    {0x2e80, 0x2fdf, HAN},
    {0x3005, 0x3007, HAN},      {0x3040, 0x30ff, KANA},     {0x3130, 0x318f, HANGUL},
    {0x31f0, 0x31ff, KANA},     {0x3400, 0x4dbf, HAN},      {0x4e00, 0x9fff, HAN},
    {0xa640, 0xa69f, CYRILLIC}, {0xa720, 0xa7ff, LATIN},    {0xa960, 0xa97f, HANGUL},
    {0xac00, 0xd7ff, HANGUL},   {0xf900, 0xfaff, HAN},      {0xfb1d, 0xfb4f, HEBREW},
    {0xfb50, 0xfdff, ARABIC},   {0xfe70, 0xfeff, ARABIC},   {0xff21, 0xff5a, LATIN},
    {0xff66, 0xff9f, KANA},     {0xffa0, 0xffdc, HANGUL},   {0x20000, 0x323af, HAN},
};

const char *assay_script_name(size_t i)
{
    return i < ASSAY_COUNT(names) ? names[i] : NULL;
}

static size_t script_of(int32_t code)
{
    size_t low = 0;
    size_t high = ASSAY_COUNT(ranges);

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (code > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ASSAY_COUNT(ranges) && code >= ranges[low].first ? ranges[low].script
                                                                  : OTHER;
}

static int is_letter(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

void assay_scripts_count(assay_slice text, uint64_t *count)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text.ptr;
    const utf8proc_uint8_t *end = p + text.len;

    while (p < end) {
        utf8proc_int32_t code = *p;
        utf8proc_ssize_t len;

        if (code < 0x80) {
            code |= 0x20;
            count[LATIN] += code >= 'a' && code <= 'z';
            p++;
            continue;
        }
        len = utf8proc_iterate(p, end - p, &code);
        p += len > 0 ? len : 1;
        if (len > 0 && is_letter(code))
            count[script_of(code)]++;
    }
}
