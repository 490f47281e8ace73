/* SPDX-License-Identifier: Apache-2.0 */
/* A real HTTP server on loopback that answers embedding requests, well or badly, as the
 * path asks:
 *
 *     /good/...      vectors of 8 numbers made from the text's bytes
 *     /flaky/...     500, then 429 with Retry-After: 1, then as /good
 *     /down/...      always 503        /refuse/...   always 401
 *     /garbage/...   no JSON           /mute/...     closes without a word
 *     /slow/...      answers after 30 seconds        /cut/...  half an answer
 *     /few/...       one vector less   /short/...    each vector shorter than the last
 *     /nan/...       a vector with a word in it      /error/... 200 with {"error": ...}
 *     /echo/...      as /good, and tells what key it was sent
 *
 * and chat requests (/v1/chat/completions), where the flaky, down, refuse, garbage, mute,
 * slow, cut and error ones do as above, and others say:
 *
 *     /good/...      a sentence that cites [#1]       /two/...      one that cites [2] and [1]
 *     /unknown/...   one that cites [#99]             /bare/...     one without a marker
 *     /empty/...     nothing            /null/...     content null   /parts/...  a list of parts
 *     /refusal/...   that the sources do not say, with a marker
 *     /think/...     its thoughts first               /nochoices/... an object without choices
 *     /nomessage/... a choice without a message       /list/...     a list
 *
 * and rerank requests (/rerank), which get scores made from the documents' bytes; /list/ sends
 * them as a list, /few/ one less, /nan/ a word for a score, /twice/ one document twice.
 *
 * Prints its port, serves until it is killed, and writes a line for each request to the
 * file that is its argument: path, number of texts. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DIMS = 8, ROOM = 1 << 22 };

static char request[ROOM];
static char answer[ROOM];
static size_t len;
static int n_flaky;

static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    len += (size_t)vsnprintf(answer + len, sizeof answer - len, format, args);
    va_end(args);
}

/* The strings of "input" or "documents", one after the other; returns how many. */
static int texts(const char *body, unsigned long *hash, int most)
{
    const char *p = strstr(body, "\"input\":[");
    int n = 0;

    if (!p)
        p = strstr(body, "\"documents\":[");
    if (!p)
        return 0;
    p = strchr(p, '[') + 1;
    while (*p == '"' && n < most) {
        unsigned long h = 5381;

        for (p++; *p && *p != '"'; p++) {
            if (*p == '\\' && p[1])
                p++;
            h = h * 33 + (unsigned char)*p;
        }
        hash[n++] = h;
        p += *p == '"';
        p += *p == ',';
    }
    return n;
}

static void put_vector(unsigned long hash, int dims, int is_word)
{
    say("[");
    for (int i = 0; i < dims; i++) {
        hash = hash * 6364136223846793005UL + 1442695040888963407UL;
        if (is_word && i == 2)
            say(",\"x\"");
        else
            say("%s%.4f", i ? "," : "", (double)(hash >> 40) / (1 << 24) - 0.5);
    }
    say("]");
}

static void put_vectors(const char *path, const unsigned long *hash, int n)
{
    int is_openai = strstr(path, "/v1/embeddings") != NULL;
    int is_short = strncmp(path, "/short/", 7) == 0;
    int is_word = strncmp(path, "/nan/", 5) == 0;
    const char *key = strstr(request, "Authorization: Bearer ");

    n -= strncmp(path, "/few/", 5) == 0;
    say("{");
    if (key && strncmp(path, "/echo/", 6) == 0)
        say("\"sent\":\"a bearer %.*s\",", (int)strcspn(key + 22, "\r\n"), key + 22);
    say(is_openai ? "\"object\":\"list\",\"data\":[" : "\"embeddings\":[");
    /* OpenAI's items have their index behind the vector, and here the last come first. */
    for (int i = 0; i < n; i++) {
        int at = is_openai ? n - 1 - i : i;

        say(i ? "," : "");
        say(is_openai ? "{\"object\":\"embedding\",\"embedding\":" : "%s", "");
        put_vector(hash[at], is_short ? DIMS - i : DIMS, is_word);
        if (is_openai)
            say(",\"index\":%d}", at);
    }
    say("]}");
}

/* ---- rerank ---- */

static void put_scores(const char *path, const unsigned long *hash, int n)
{
    int is_list = strncmp(path, "/list/", 6) == 0;
    int is_word = strncmp(path, "/nan/", 5) == 0;
    int is_twice = strncmp(path, "/twice/", 7) == 0;

    n -= strncmp(path, "/few/", 5) == 0;
    say(is_list ? "[" : "{\"model\":\"m\",\"results\":[");
    for (int i = 0; i < n; i++)
        say("%s{\"index\":%d,\"%s\":%s%.4f%s}", i ? "," : "", is_twice ? 0 : n - 1 - i,
            is_list ? "score" : "relevance_score", is_word ? "\"" : "",
            (double)(hash[n - 1 - i] % 1000) / 1000, is_word ? "\"" : "");
    say(is_list ? "]" : "]}");
}

/* ---- chat ---- */

static const struct {
    const char *way;
    const char *content; /* as JSON */
} sayings[] = {
    {"/two/", "\"Ships pay at the office [2], at noon [1].\""},
    {"/unknown/", "\"Ships pay at the office [#99].\""},
    {"/bare/", "\"Ships pay at the office.\""},
    {"/empty/", "\"\""},
    {"/null/", "null,\"refusal\":null"},
    {"/parts/", "[{\"type\":\"text\",\"text\":\"Ships pay \"},"
                "{\"type\":\"text\",\"text\":\"there [#1].\"}]"},
    {"/refusal/", "\"The sources do not say who pays. [#1]\""},
    {"/think/", "\"<think>\\nIs it [#7]?\\n</think>\\nShips pay there [#1].\""},
    {"", "\"Ships pay at the office [#1].\""},
};

static void put_chat(const char *path)
{
    size_t i = 0;

    while (strncmp(path, sayings[i].way, strlen(sayings[i].way)) != 0)
        i++;
    if (strncmp(path, "/nochoices/", 11) == 0)
        say("{\"object\":\"list\"}");
    else if (strncmp(path, "/nomessage/", 11) == 0)
        say("{\"choices\":[{\"text\":\"old\"}]}");
    else if (strncmp(path, "/list/", 6) == 0)
        say("[1,2]");
    else
        say("{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":\"m-2026\",\"choices\":"
            "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":%s},"
            "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":321,"
            "\"completion_tokens\":12,\"total_tokens\":333}}",
            sayings[i].content);
}

/* What was asked for, for the log. */
static void tell_chat(const char *body, FILE *log)
{
    const char *temperature = strstr(body, "\"temperature\":");
    const char *seed = strstr(body, "\"seed\":");
    int n_sources = 0;

    for (const char *p = body; (p = strstr(p, "\\n[#")) != NULL; p++)
        n_sources++;
    fprintf(log, " temperature=%.*s seed=%.*s sources=%d%s",
            temperature ? (int)strcspn(temperature + 14, ",}") : 0,
            temperature ? temperature + 14 : "", seed ? (int)strcspn(seed + 7, ",}") : 0,
            seed ? seed + 7 : "", n_sources,
            strstr(body, "\"role\":\"system\"") ? "" : " no system");
}

static void respond(int fd, const char *status, const char *more)
{
    char head[300];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%s"
                     "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                     status, more, len);

    if (write(fd, head, (size_t)n) != n || write(fd, answer, len) != (ssize_t)len)
        perror("write");
}

/* Reads one request; null when it is none. */
static char *receive(int fd, char *path, size_t size)
{
    size_t got = 0;
    size_t want = 0;
    char *body = NULL;

    while (got < sizeof request - 1) {
        ssize_t n = read(fd, request + got, sizeof request - 1 - got);

        if (n <= 0)
            return NULL;
        got += (size_t)n;
        request[got] = '\0';
        if (!body && (body = strstr(request, "\r\n\r\n")) != NULL) {
            const char *at = strcasestr(request, "Content-Length:");

            body += 4;
            want = at ? strtoul(at + 15, NULL, 10) : 0;
        }
        if (body && got - (size_t)(body - request) >= want)
            break;
    }
    if (!body || sscanf(request, "POST %199s", path) != 1)
        return NULL;
    (void)size;
    return body;
}

static int is(const char *path, const char *way)
{
    return strncmp(path, way, strlen(way)) == 0;
}

static int is_chat(const char *path)
{
    return strstr(path, "/v1/chat/completions") != NULL;
}

static void serve(int fd, FILE *log)
{
    static unsigned long hash[10000];
    char path[200] = "";
    char *body = receive(fd, path, sizeof path);
    int n;

    len = 0;
    if (!body)
        return;
    n = texts(body, hash, 10000);
    fprintf(log, "%s %d%s", path, n,
            strstr(request, "Authorization: Bearer secret") ? " with key" : "");
    if (is_chat(path))
        tell_chat(body, log);
    fprintf(log, "\n");
    fflush(log);
    if (is(path, "/mute/"))
        return;
    if (is(path, "/slow/"))
        sleep(30);
    if (is(path, "/flaky/") && n_flaky < 2) {
        n_flaky++;
        say("{\"error\":\"not now\"}");
        respond(fd, n_flaky == 1 ? "500 Oops" : "429 Too Many",
                n_flaky == 1 ? "" : "Retry-After: 1\r\n");
    } else if (is(path, "/down/")) {
        say("maintenance\nuntil noon");
        respond(fd, "503 Down", "");
    } else if (is(path, "/refuse/")) {
        say("{\"error\":\"bad key\"}");
        respond(fd, "401 No", "");
    } else if (is(path, "/garbage/")) {
        say("<html>hello</html>");
        respond(fd, "200 OK", "");
    } else if (is(path, "/error/")) {
        say("{\"error\":\"model not found\"}");
        respond(fd, "200 OK", "");
    } else {
        if (is_chat(path))
            put_chat(path);
        else if (strstr(path, "/rerank"))
            put_scores(path, hash, n);
        else
            put_vectors(path, hash, n);
        if (is(path, "/cut/"))
            len /= 2;
        respond(fd, "200 OK", "");
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    FILE *log = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
    int s = socket(AF_INET, SOCK_STREAM, 0);

    if (!log || s < 0 || bind(s, (struct sockaddr *)&at, sizeof at) || listen(s, 64) ||
        getsockname(s, (struct sockaddr *)&at, &size)) {
        perror("odd_server");
        return 1;
    }
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    for (;;) {
        int fd = accept(s, NULL, NULL);

        if (fd < 0)
            continue;
        serve(fd, log);
        close(fd);
    }
}
