/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of PostgreSQL's, and keeping what is secret in them out of messages. */
#include "base/pq_url.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/pq.h"
#include "base/slice.h"

static const char *const schemes[] = {"postgresql://", "postgres://"};

static size_t scheme_length(const char *place)
{
    for (size_t i = 0; i < ASSAY_COUNT(schemes); i++)
        if (strncmp(place, schemes[i], strlen(schemes[i])) == 0)
            return strlen(schemes[i]);
    return 0;
}

bool assay_pq_is_url(const char *place)
{
    return scheme_length(place) > 0;
}

/* Up to the options; or up to a port that is none, since it may be a password whose '@host'
 * was forgotten. */
static size_t host_length(const char *host)
{
    size_t i = 0;

    if (host[0] == '[')
        i = strcspn(host, "]");
    for (i += strcspn(host + i, ":/?"); host[i] == ':'; i += strcspn(host + i, ":/?")) {
        size_t n = strspn(host + i + 1, "0123456789");

        if (!strchr(",/?", host[i + 1 + n]))
            return i;
        i += 1 + n;
    }
    return i + strcspn(host + i, "?");
}

/* The last '@' decides, wherever it stands: people forget to write the special characters of
 * a password as %XX, and then all before it is password. */
static const char *host_of(const char *url)
{
    const char *user = url + scheme_length(url);
    const char *at = strrchr(user, '@');

    return at ? at + 1 : user;
}

/* The value of the parameter 'schema', of which libpq knows nothing; "" = none. */
static assay_slice schema_in(const char *url)
{
    static const char name[] = "schema=";
    const char *p = strchr(host_of(url), '?');

    for (; p; p = strchr(p + 1, '&'))
        if (strncmp(p + 1, name, sizeof name - 1) == 0)
            return (assay_slice){p + sizeof name, strcspn(p + sizeof name, "&")};
    return (assay_slice){"", 0};
}

/* So that it needs no quoting, neither in the address nor in SQL. */
static bool is_name(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_", s.ptr[i]))
            return false;
    return s.len < ASSAY_PQ_SCHEMA_SIZE;
}

void assay_pq_public_url(const char *url, char *out, size_t size)
{
    size_t scheme = scheme_length(url);
    const char *user = url + scheme;
    const char *host = host_of(url);
    size_t n_user = host > user ? strcspn(user, ":@/?") : 0;
    assay_slice schema = schema_in(url);
    bool shows_schema = schema.len && is_name(schema);

    snprintf(out, size, "%.*s%.*s%s%.*s%s%.*s", (int)scheme, url, (int)n_user, user,
             n_user ? "@" : "", (int)host_length(host), host,
             shows_schema ? "?schema=" : "", shows_schema ? (int)schema.len : 0,
             schema.ptr);
}

void assay_pq_split_url(const char *url, char *plain, char *schema)
{
    assay_slice name = schema_in(url);
    const char *end = name.ptr + name.len;
    size_t before = name.len ? (size_t)(name.ptr - url) - strlen("schema=") : strlen(url);

    schema[0] = '\0';
    memcpy(plain, url, before);
    plain[before] = '\0';
    if (!name.len)
        return;
    if (is_name(name))
        snprintf(schema, ASSAY_PQ_SCHEMA_SIZE, "%.*s", (int)name.len, name.ptr);
    /* What comes behind takes its place; the sign before it goes with the last. */
    if (*end == '&')
        memcpy(plain + before, end + 1, strlen(end + 1) + 1);
    else
        plain[before - 1] = '\0';
}

/* A password with a bare '@' or '/' in it would be read as host, port or database, and these
 * are named in messages. */
static bool is_unescaped(const char *url)
{
    const char *rest = url + scheme_length(url);
    const char *at = strrchr(rest, '@');

    return at && strcspn(rest, "@/?") < (size_t)(at - rest);
}

static const char *value_of(const assay_pq_option *options, const char *keyword)
{
    for (const assay_pq_option *o = options; o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val ? o->val : "";
    return "";
}

assay_status assay_pq_check_url(const assay_pq_lib *lib, const char *url,
                                const char *plain, const char *place, assay_error *err)
{
    assay_pq_option *options = NULL;
    char *words = NULL; /* may quote a piece of the password */
    bool is_good = false;

    if (!is_name(schema_in(url)))
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%s': the name of a schema has small letters, digits and '_', "
                          "at most %d",
                          place, ASSAY_PQ_SCHEMA_SIZE - 1);
    if (!is_unescaped(url))
        options = lib->conninfo_parse(plain, &words);
    if (options) {
        const char *port = value_of(options, "port");

        is_good = port[strspn(port, "0123456789,")] == '\0';
    }
    lib->conninfo_free(options);
    lib->freemem(words);
    if (is_good)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "'%s' is no address of a PostgreSQL database; want "
                      "'postgresql://user:password@host:port/database', in which '@', "
                      "'/', '?' and '%%' of a password are written %%40, %%2F, %%3F and "
                      "%%25",
                      place);
}
