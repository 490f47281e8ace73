/* SPDX-License-Identifier: Apache-2.0 */
/* Source code: identifiers cut at underlines and where the case changes (parseHTTPReply ->
 * parse, http, reply), numbers apart from letters, and the whole identifier as well where
 * it was cut.  Words of comments come out of the same rules. */
#include <string.h>

#include "text/dense.h"
#include "text/english.h"
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

typedef enum sort { LOWER, UPPER, DIGIT, LINE, OTHER } sort;

static sort sort_of(char c)
{
    if (c >= 'a' && c <= 'z')
        return LOWER;
    if (c >= 'A' && c <= 'Z')
        return UPPER;
    if (c >= '0' && c <= '9')
        return DIGIT;
    return c == '_' ? LINE : OTHER;
}

/* The end of the part that begins at p: one case, a capital before small letters, digits. */
static const char *part_end(const char *p, const char *end)
{
    sort first = sort_of(*p++);

    if (first == UPPER && p < end && sort_of(*p) == LOWER)
        first = LOWER;
    while (p < end && sort_of(*p) == first) {
        /* HTTPReply: the R belongs to what follows */
        if (first == UPPER && p + 1 < end && sort_of(p[1]) == LOWER)
            break;
        p++;
    }
    return p;
}

static void lower(char *p, const char *end)
{
    for (; p < end; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p + 0x20);
}

/* Terms of an identifier of ASCII.  The whole is copied first, since stems are written
 * over the parts. */
static void cut_identifier(assay_token_worker *worker, char *word, size_t len)
{
    bool keeps_whole = worker->tokenizing.value[2].choice == 0;
    char *end = word + len;
    char *p = word;
    assay_slice whole = {NULL, 0};

    if (keeps_whole && (*p == '_' || part_end(p, end) < end)) {
        whole = assay_arena_copy(&worker->spill, (assay_slice){word, len});
        worker->has_failed |= !whole.ptr;
    }
    while (p < end) {
        char *behind = word + (part_end(p, end) - word);

        if (sort_of(*p) != LINE) {
            lower(p, behind);
            assay_token_stemmed(worker, worker->stems[0], p, (size_t)(behind - p));
        }
        p = behind;
    }
    if (whole.ptr) {
        char *copy = (char *)(uintptr_t)whole.ptr; /* the arena's, so ours to change */

        lower(copy, copy + len);
        assay_token_emit(worker, copy, len);
    }
}

/* Any other word: folded as a whole. */
static void cut_foreign(assay_token_worker *worker, const char *word, size_t len)
{
    assay_slice folded;
    assay_slice kept = {NULL, 0};

    if (assay_normal_fold(&worker->other, (assay_slice){word, len}, false, &folded))
        kept = assay_arena_copy(&worker->spill, folded);
    worker->has_failed |= !kept.ptr;
    if (kept.len)
        assay_token_stemmed(worker, worker->stems[0], (char *)(uintptr_t)kept.ptr,
                            kept.len);
}

/* Letters, digits and underlines of ASCII, nothing else: 3.14 and don't are no such. */
static bool is_identifier(const char *p, const char *end)
{
    while (p < end && sort_of(*p) != OTHER)
        p++;
    return p == end;
}

static void cut_code(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, ASSAY_WORD_UNDERLINE, &word_end, &kind)) !=
           NULL) {
        size_t n = assay_english_trim(p, (size_t)(word_end - p));

        if (assay_break_is_dense(kind))
            assay_dense_grams(worker, p, word_end, 2);
        else if (is_identifier(p, p + n))
            cut_identifier(worker, text + (p - text), n);
        else
            cut_foreign(worker, p, n);
        p = word_end;
    }
}

static assay_status open_code(assay_token_worker *worker, assay_error *err)
{
    return assay_english_open(&worker->tokenizing.value[0], &worker->tokenizing.value[1],
                              &worker->stems[0], err);
}

const assay_tokenizer assay_tokenizer_code = {
    .name = "code",
    .summary = "identifiers cut at underlines and changes of case, and whole",
    .param = {ASSAY_ENGLISH_STEM,
              ASSAY_ENGLISH_STOP,
              {.name = "whole",
               .kind = ASSAY_PARAM_WORD,
               .choices = "yes|no",
               .standard = "yes",
               .help = "whether an identifier that was cut is a term itself too"}},
    .keeps_case = true,
    .open = open_code,
    .cut = cut_code,
};
