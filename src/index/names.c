/* SPDX-License-Identifier: Apache-2.0 */
#include "index/names.h"

#include <string.h>
#include <utf8proc.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"
#include "text/fold.h"
#include "text/sentences.h"

enum { NAME_WORDS = 8, NAME_BYTES = 120, SENTENCE_WORDS = 4096 };

/* ---- words ---- */

typedef enum script { LATIN, HANGUL, DENSE } script;

typedef struct word {
    size_t start;
    size_t end;
    script script;
    uint16_t n_chars;
    bool is_capital; /* begins with one */
    bool is_number;  /* begins with a digit */
    bool is_code;    /* has an underline or a hump inside */
} word;

typedef struct sentence {
    assay_slice text; /* the whole text; words stand in it */
    word *word;
    size_t n;
    size_t cap;
} sentence;

typedef struct character {
    size_t len;
    bool is_letter; /* or digit, mark, underline */
    bool is_capital;
    bool is_small;
    bool is_number;
    script script;
} character;

static script script_of(utf8proc_int32_t code)
{
    if (code >= 0xAC00 && code <= 0xD7A3)
        return HANGUL;
    return (code >= 0x3041 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF) ||
                   (code >= 0xF900 && code <= 0xFAFF) || code >= 0x20000
               ? DENSE
               : LATIN;
}

static character look(assay_slice text, size_t at)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t len = utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at,
                                            (utf8proc_ssize_t)(text.len - at), &code);
    character c = {.len = len > 0 ? (size_t)len : 1, .script = LATIN};

    if (len <= 0)
        return c;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: c.is_capital = c.is_letter = true; break;
    case UTF8PROC_CATEGORY_LL: c.is_small = c.is_letter = true; break;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC: c.is_letter = true; break;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL: c.is_number = c.is_letter = true; break;
    default: c.is_letter = code == '_'; break;
    }
    c.script = script_of(code);
    return c;
}

/* The word at `at`, where a letter stands. */
static word read_word(assay_slice text, size_t at, size_t end)
{
    character first = look(text, at);
    word w = {.start = at,
              .script = first.script,
              .is_capital = first.is_capital,
              .is_number = first.is_number};
    bool after_small = false;

    while (at < end) {
        character c = look(text, at);

        if (!c.is_letter || c.script != w.script)
            break;
        w.is_code = w.is_code || (c.is_capital && after_small) ||
                    (text.ptr[at] == '_' && at > w.start && at + 1 < end &&
                     look(text, at + 1).is_letter);
        after_small = c.is_small;
        w.n_chars = (uint16_t)(w.n_chars + (w.n_chars < UINT16_MAX));
        at += c.len;
    }
    w.end = at;
    return w;
}

static bool read_words(sentence *s, size_t from, size_t to)
{
    s->n = 0;
    while (from < to && s->n < SENTENCE_WORDS) {
        character c = look(s->text, from);
        word *grown;

        if (!c.is_letter) {
            from += c.len;
            continue;
        }
        grown = assay_mem_grow(s->word, &s->cap, s->n + 1, sizeof *grown);
        if (!grown)
            return false;
        s->word = grown;
        grown[s->n] = read_word(s->text, from, to);
        from = grown[s->n++].end;
    }
    return true;
}

/* ---- lists ---- */

/* What may stand inside a name, between two capitals. */
static const char *const connectors[] = {"of",  "the", "de", "la", "von",
                                         "van", "der", "du", "del"};

/* What begins a sentence, or a noun phrase, and is no part of a name. */
static const char *const openers[] = {
    "a",     "after",  "all",   "also",    "although", "an",    "and",  "are",   "as",
    "at",    "be",     "been",  "before",  "but",      "by",    "can",  "did",   "do",
    "does",  "during", "each",  "for",     "from",     "had",   "has",  "have",  "he",
    "her",   "his",    "how",   "however", "i",        "if",    "in",   "is",    "it",
    "its",   "many",   "more",  "most",    "my",       "no",    "not",  "of",    "on",
    "one",   "or",     "our",   "she",     "since",    "so",    "some", "such",  "than",
    "that",  "the",    "their", "then",    "there",    "these", "they", "this",  "those",
    "to",    "under",  "was",   "we",      "were",     "what",  "when", "where", "which",
    "while", "who",    "with",  "would",   "you",      "your",
};

static bool is_listed(const sentence *s, const word *w, const char *const *list, size_t n)
{
    assay_slice text = {s->text.ptr + w->start, w->end - w->start};

    for (size_t i = 0; i < n; i++)
        if (assay_slice_is_nocase(text, list[i]))
            return true;
    return false;
}

static bool is_opener(const sentence *s, const word *w)
{
    return is_listed(s, w, openers, ASSAY_COUNT(openers));
}

/* ---- names ---- */

typedef struct search {
    sentence s;
    uint32_t number; /* of the sentence */
    assay_arena *arena;
    assay_names *out;
} search;

static bool add(search *f, size_t start, size_t end, assay_name_kind kind)
{
    assay_names *out = f->out;
    assay_slice text = {f->s.text.ptr + start, end - start};
    assay_slice key;
    assay_name *grown;

    if (text.len > NAME_BYTES)
        return true;
    if (!assay_fold_key(text, f->arena, &key))
        return false;
    if (key.len < 2)
        return true;
    grown = assay_mem_grow(out->item, &out->cap, out->n + 1, sizeof *grown);
    if (!grown)
        return false;
    out->item = grown;
    grown[out->n++] = (assay_name){text, key, f->number, kind};
    return true;
}

/* Whether nothing but a blank, a hyphen, an apostrophe or the stop of an initial stands
 * between a word and the next. */
static bool joins(const sentence *s, size_t i)
{
    const word *w = &s->word[i];
    assay_slice gap = {s->text.ptr + w->end, s->word[i + 1].start - w->end};

    if (gap.len == 1)
        return memchr(" \n-'.", gap.ptr[0], 6) != NULL;
    if (w->n_chars == 1 && gap.len == 2)
        return gap.ptr[0] == '.' && gap.ptr[1] == ' ';
    return assay_slice_is(gap, "\xe2\x80\x99") || gap.len == 0;
}

/* How many words from `i` on go on with a name: a capital or a number, or a capital
 * behind one or two connectors; 0 = none. */
static size_t goes_on(const sentence *s, size_t i)
{
    enum { CONNECTORS = 2 };

    for (size_t n = 0; n <= CONNECTORS && i + n < s->n && joins(s, i + n - 1); n++) {
        const word *w = &s->word[i + n];

        if (w->is_capital || (!n && w->is_number && w->script == LATIN))
            return n + 1;
        if (!is_listed(s, w, connectors, ASSAY_COUNT(connectors)))
            return 0;
    }
    return 0;
}

/* The last word of the name that begins with word `i`. */
static size_t last_of_name(const sentence *s, size_t i)
{
    size_t last = i;
    size_t more;

    while (last - i + 1 < NAME_WORDS && (more = goes_on(s, last + 1)) > 0)
        last += more;
    return last;
}

/* "Love's": the last word is a possessive. */
static bool is_possessive(const sentence *s, const word *w)
{
    return w->n_chars == 1 && s->text.ptr[w->start] == 's';
}

static bool add_proper(search *f, size_t *at)
{
    const sentence *s = &f->s;
    size_t first = *at;
    size_t last = last_of_name(s, first);

    *at = last + 1;
    while (first <= last && (is_opener(s, &s->word[first]) || !s->word[first].is_capital))
        first++;
    while (last > first && is_possessive(s, &s->word[last]))
        last--;
    if (first > last)
        return true;
    /* A capital at the beginning of a sentence says nothing by itself. */
    if (first == 0 && last == 0 && !s->word[0].is_code)
        return true;
    return add(f, s->word[first].start, s->word[last].end, ASSAY_NAME_PROPER);
}

/* A Hangul word, and the same without its last one or two syllables. */
static bool add_hangul(search *f, const word *w)
{
    enum { SYLLABLE = 3, LEAST = 2, MOST = 10 };

    if (w->n_chars > MOST)
        return true;
    for (unsigned cut = 0; cut < 3 && w->n_chars >= LEAST + cut; cut++)
        if (!add(f, w->start, w->end - SYLLABLE * cut, ASSAY_NAME_PHRASE))
            return false;
    return true;
}

static bool is_plain(const sentence *s, const word *w)
{
    return w->script == LATIN && !w->is_capital && !w->is_number && !w->is_code &&
           w->n_chars > 2 && !is_opener(s, w);
}

static bool add_phrases(search *f, size_t i)
{
    const sentence *s = &f->s;
    const word *w = &s->word[i];

    if (w->script == HANGUL)
        return add_hangul(f, w);
    if (w->script == DENSE)
        return w->n_chars < 2 || w->n_chars > 8 ||
               add(f, w->start, w->end, ASSAY_NAME_PHRASE);
    if (i + 1 < s->n && is_plain(s, w) && is_plain(s, w + 1) && joins(s, i))
        return add(f, w->start, w[1].end, ASSAY_NAME_PHRASE);
    return true;
}

static bool find_in_sentence(search *f, bool phrases)
{
    const sentence *s = &f->s;

    for (size_t i = 0; phrases && i < s->n; i++)
        if (!add_phrases(f, i))
            return false;
    for (size_t i = 0; i < s->n;) {
        const word *w = &s->word[i];

        if (w->script == LATIN && w->is_capital) {
            if (!add_proper(f, &i))
                return false;
            continue;
        }
        if (w->is_code && !add(f, w->start, w->end, ASSAY_NAME_PROPER))
            return false;
        i++;
    }
    return true;
}

bool assay_names_find(assay_slice text, bool phrases, assay_arena *arena,
                      assay_names *out)
{
    search f = {.s = {.text = text}, .arena = arena, .out = out};
    bool ok = true;

    for (size_t at = 0; ok && at < text.len; f.number++) {
        size_t end = assay_sentence_end(text, at);

        ok = read_words(&f.s, at, end) && find_in_sentence(&f, phrases);
        at = end;
    }
    assay_mem_free(f.s.word);
    return ok;
}

void assay_names_clear(assay_names *names)
{
    assay_mem_free(names->item);
    *names = (assay_names){NULL, 0, 0};
}
