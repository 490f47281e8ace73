/* SPDX-License-Identifier: Apache-2.0 */
#include "base/redact.h"

#include <string.h>

#include "base/edits.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"

enum { SHORTEST = 4, ANYWHERE = 8, KEY_MOST = 40 };

/* Names without '-', '_', blanks and case. */
static const char *const secret_keys[] = {
    "apikey",       "xapikey",     "authorization",   "proxyauthorization",
    "password",     "passwd",      "passphrase",      "token",
    "accesstoken",  "authtoken",   "refreshtoken",    "bearer",
    "bearertoken",  "secret",      "clientsecret",    "secretkey",
    "secretaccess", "accesskey",   "privatekey",      "cookie",
    "setcookie",    "credentials", "subscriptionkey",
};

bool assay_secrets_is_key(assay_slice name)
{
    char plain[KEY_MOST + 1];
    size_t n = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c == '-' || c == '_' || c == ' ')
            continue;
        if (n == KEY_MOST)
            return false;
        plain[n++] = c;
    }
    for (size_t i = 0; i < ASSAY_COUNT(secret_keys); i++)
        if (assay_slice_is_nocase((assay_slice){plain, n}, secret_keys[i]))
            return true;
    return false;
}

/* ---- what to look for ---- */

static bool add_form(assay_secrets *s, assay_slice text, bool is_word)
{
    assay_secret *grown;

    for (size_t i = 0; i < s->n; i++)
        if (assay_slice_eq(s->form[i].text, text))
            return true;
    grown = assay_mem_grow(s->form, &s->cap, s->n + 1, sizeof *grown);
    if (!grown)
        return false;
    s->form = grown;
    text = assay_arena_copy(&s->arena, text);
    if (!text.ptr)
        return false;
    s->form[s->n++] = (assay_secret){text, is_word};
    s->begins[(unsigned char)text.ptr[0]] = true;
    return true;
}

static bool is_plain_in_url(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_' || c == '.' || c == '~';
}

static void encode_url(assay_slice text, const char *digits, bool has_plus,
                       assay_buffer *out)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (is_plain_in_url(text.ptr[i])) {
            assay_buffer_char(out, text.ptr[i]);
        } else if (c == ' ' && has_plus) {
            assay_buffer_char(out, '+');
        } else {
            assay_buffer_char(out, '%');
            assay_buffer_char(out, digits[c >> 4]);
            assay_buffer_char(out, digits[c & 15]);
        }
    }
}

static bool add_buffer(assay_secrets *s, assay_buffer *form, bool is_word)
{
    bool ok = !form->has_failed && add_form(s, assay_buffer_view(form), is_word);

    form->len = 0;
    return ok;
}

static bool is_part_of_mark(assay_slice secret)
{
    static const char mark[] = ASSAY_REDACTED;

    for (size_t i = 0; i + secret.len < sizeof mark; i++)
        if (memcmp(mark + i, secret.ptr, secret.len) == 0)
            return true;
    return false;
}

bool assay_secrets_add(assay_secrets *secrets, assay_slice secret)
{
    bool is_word = secret.len < ANYWHERE;
    assay_buffer form = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&form, 0);
    bool ok;

    /* "[redacted]" itself must stay as it is when it is cleaned again. */
    if (secret.len < SHORTEST || is_part_of_mark(secret))
        return true;
    ok = add_form(secrets, secret, is_word);
    for (int way = 0; way < 3 && ok; way++) {
        encode_url(secret, way == 1 ? "0123456789abcdef" : "0123456789ABCDEF", way == 2,
                   &form);
        ok = add_buffer(secrets, &form, is_word);
    }
    assay_json_string(&w, secret);
    if (ok && !form.has_failed)
        ok = add_form(secrets, (assay_slice){form.ptr + 1, form.len - 2}, is_word);
    ok = ok && !form.has_failed;
    assay_buffer_clear(&form);
    return ok;
}

void assay_secrets_clear(assay_secrets *secrets)
{
    assay_mem_free(secrets->form);
    assay_arena_clear(&secrets->arena);
    *secrets = (assay_secrets){0};
}

/* ---- strings ---- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_';
}

/* Length of the longest secret at `at`, or 0. */
static size_t match(const assay_secrets *s, assay_slice text, size_t at)
{
    size_t longest = 0;

    for (size_t i = 0; i < s->n; i++) {
        assay_slice form = s->form[i].text;
        size_t end = at + form.len;

        if (form.len <= longest || form.len > text.len - at ||
            memcmp(text.ptr + at, form.ptr, form.len) != 0)
            continue;
        if (s->form[i].is_word && ((at && is_word_char(text.ptr[at - 1])) ||
                                   (end < text.len && is_word_char(text.ptr[end]))))
            continue;
        longest = form.len;
    }
    return longest;
}

/* Where the next secret begins, from `at` on; text.len when there is none. */
static size_t next_secret(const assay_secrets *s, assay_slice text, size_t at,
                          size_t *len)
{
    for (; s->n && at < text.len; at++) {
        if (!s->begins[(unsigned char)text.ptr[at]])
            continue;
        *len = match(s, text, at);
        if (*len)
            return at;
    }
    return text.len;
}

void assay_secrets_redact_string(const assay_secrets *secrets, assay_slice text,
                                 assay_buffer *out)
{
    size_t done = 0;

    while (done < text.len) {
        size_t len = 0;
        size_t at = next_secret(secrets, text, done, &len);

        assay_buffer_add(out, text.ptr + done, at - done);
        if (at < text.len)
            assay_buffer_text(out, ASSAY_REDACTED);
        done = at + len;
    }
}

/* ---- JSON ---- */

static bool has_secret(const assay_secrets *s, assay_slice text)
{
    size_t len;

    return next_secret(s, text, 0, &len) < text.len;
}

/* The byte behind a string that begins at `p` with its quote. */
static const char *behind_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

typedef struct finder {
    const assay_secrets *secrets;
    assay_slice text;
    assay_edits edits;
    assay_arena arena;
    assay_buffer scratch;
    bool has_failed;
} finder;

/* Write the string at `at` anew: all of it hidden, or what is in it. */
static void change(finder *f, const assay_json_token *t, bool is_hidden)
{
    assay_buffer plain = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&f->scratch, 0);
    const char *end = t->kind == ASSAY_JSON_NUMBER
                          ? t->at + t->text.len
                          : behind_string(t->at, f->text.ptr + f->text.len);

    f->scratch.len = 0;
    if (is_hidden)
        assay_buffer_text(&plain, ASSAY_REDACTED);
    else
        assay_secrets_redact_string(f->secrets, t->text, &plain);
    assay_json_string(&w, assay_buffer_view(&plain));
    if (plain.has_failed || f->scratch.has_failed ||
        !assay_edits_add(&f->edits, &f->arena, (size_t)(t->at - f->text.ptr),
                         (size_t)(end - f->text.ptr), assay_buffer_view(&f->scratch)))
        f->has_failed = true;
    assay_buffer_clear(&plain);
}

static void look_at(finder *f, const assay_json_token *t, bool is_secret)
{
    switch (t->kind) {
    case ASSAY_JSON_STRING:
        if (is_secret && t->text.len)
            change(f, t, true);
        else if (has_secret(f->secrets, t->text))
            change(f, t, false);
        break;
    case ASSAY_JSON_KEY:
        if (has_secret(f->secrets, t->text))
            change(f, t, false);
        break;
    case ASSAY_JSON_NUMBER:
        for (size_t i = 0; i < f->secrets->n; i++)
            if (!f->secrets->form[i].is_word &&
                assay_slice_eq(f->secrets->form[i].text, t->text))
                change(f, t, true);
        break;
    default: break;
    }
}

/* False when the text is no JSON object or list. */
static bool find_in_json(finder *f, assay_json *json)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    bool is_secret = false;
    assay_json_token t;
    assay_status st;

    assay_json_init(json, "", 1, f->text, &arena);
    st = assay_json_next(json, &t, NULL);
    if (!st && t.kind != ASSAY_JSON_OBJECT && t.kind != ASSAY_JSON_LIST)
        st = ASSAY_EINPUT;
    while (!st && t.kind != ASSAY_JSON_END) {
        look_at(f, &t, is_secret);
        is_secret = t.kind == ASSAY_JSON_KEY && assay_secrets_is_key(t.text);
        st = assay_json_next(json, &t, NULL);
    }
    assay_json_clear(json);
    assay_arena_clear(&arena);
    f->has_failed |= st == ASSAY_ENOMEM;
    return st == ASSAY_OK || st == ASSAY_ENOMEM;
}

/* ---- other texts ---- */

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* Where `"name": "value"` begins at p and the name is one of secrets: the value's first
 * quote, else null.  So JSON that is broken, or one of many in a stream, is cleaned too. */
static const char *secret_value(const char *p, const char *end)
{
    const char *name = p + 1;

    p = behind_string(p, end);
    if (p - name > KEY_MOST || p - name < 2 ||
        !assay_secrets_is_key((assay_slice){name, (size_t)(p - name) - 1}))
        return NULL;
    p = skip_blanks(p, end);
    if (p == end || *p != ':')
        return NULL;
    p = skip_blanks(p + 1, end);
    return p < end && *p == '"' ? p : NULL;
}

static void redact_text(const assay_secrets *s, assay_slice text, assay_buffer *out)
{
    const char *end = text.ptr + text.len;
    const char *done = text.ptr;

    for (const char *p = text.ptr; p && p < end; p = memchr(p, '"', (size_t)(end - p))) {
        const char *value = *p == '"' ? secret_value(p, end) : NULL;

        if (!value) {
            p++;
            continue;
        }
        assay_secrets_redact_string(s, (assay_slice){done, (size_t)(value - done)}, out);
        assay_buffer_text(out, "\"" ASSAY_REDACTED "\"");
        p = done = behind_string(value, end);
    }
    assay_secrets_redact_string(s, (assay_slice){done, (size_t)(end - done)}, out);
}

void assay_secrets_redact(const assay_secrets *secrets, assay_slice text,
                          assay_buffer *out)
{
    finder f = {.secrets = secrets, .text = text};
    assay_json *json = ASSAY_NEW(assay_json);

    if (!json)
        out->has_failed = true;
    else if (!find_in_json(&f, json))
        redact_text(secrets, text, out);
    else if (f.has_failed || !assay_edits_apply(&f.edits, text, out))
        out->has_failed = true;
    assay_mem_free(json);
    assay_buffer_clear(&f.scratch);
    assay_edits_clear(&f.edits);
    assay_arena_clear(&f.arena);
}
