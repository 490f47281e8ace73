/* SPDX-License-Identifier: Apache-2.0 */
/* A real HTTP server on loopback that answers queries, well or badly, as the path asks:
 *
 *     /good       hits of the protocol       /other     the same in another shape
 *     /text       hits with text only        /answer    hits, answer, citations, usage
 *     /flaky      500, then 429 with Retry-After: 1, then as /good
 *     /down       always 503 "maintenance"   /refuse    401 that echoes what was sent
 *     /garbage    no JSON                    /mute      closes without a word
 *     /slow       answers after 30 seconds   /half      half of what Content-Length says
 *     /endless    a body without end         /error     200 with {"error": ...}
 *     /wrong      a reply for another id     /echo      what was sent, as an error
 *     /empty      200 without a body
 *
 * One process for each connection, so that several may be asked at once. */
#ifndef ODD_SYSTEM_H
#define ODD_SYSTEM_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ODD_ROOM = 1 << 20 };

/* A socket that listens on a free port, or -1. */
static inline int odd_listen(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int s = socket(AF_INET, SOCK_STREAM, 0);

    if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof at) || listen(s, 64) ||
        getsockname(s, (struct sockaddr *)&at, &size))
        return -1;
    *port = ntohs(at.sin_port);
    return s;
}

static inline void odd_send(int fd, const char *text)
{
    size_t len = strlen(text);
    size_t sent = 0;
    ssize_t n = 1;

    for (; sent < len && n > 0; sent += n > 0 ? (size_t)n : 0)
        n = send(fd, text + sent, len - sent, MSG_NOSIGNAL);
}

/* `claimed` bytes are promised. */
static inline void odd_respond(int fd, const char *status, const char *more,
                               const char *body, size_t claimed)
{
    char head[400];

    snprintf(
        head, sizeof head,
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n",
        status, more, claimed);
    odd_send(fd, head);
    odd_send(fd, body);
}

static inline void odd_ok(int fd, const char *body)
{
    odd_respond(fd, "200 OK", "", body, strlen(body));
}

/* The whole request in `in`; returns its body, or null. */
static inline char *odd_receive(int fd, char *in)
{
    size_t got = 0;
    char *body = NULL;
    size_t want = 0;

    while (got < ODD_ROOM - 1) {
        ssize_t n = recv(fd, in + got, ODD_ROOM - 1 - got, 0);

        if (n <= 0)
            return NULL;
        got += (size_t)n;
        in[got] = '\0';
        body = strstr(in, "\r\n\r\n");
        if (body) {
            const char *at = strstr(in, "Content-Length:");

            body += 4;
            want = at ? strtoul(at + 15, NULL, 10) : 0;
        }
        if (body && got - (size_t)(body - in) >= want)
            return body;
    }
    return NULL;
}

/* The string behind "key":" in a request. */
static inline void odd_member(const char *body, const char *key, char *out, size_t size)
{
    char mark[50];
    const char *p;

    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    p = strstr(body, mark);
    snprintf(out, size, "%.*s", p ? (int)strcspn(p + strlen(mark), "\"") : 0,
             p ? p + strlen(mark) : "");
}

static inline void odd_endless(int fd)
{
    static char much[65537];

    memset(much, 'x', sizeof much - 1);
    odd_send(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
    while (send(fd, much, sizeof much - 1, MSG_NOSIGNAL) > 0)
        ;
}

/* One request.  `*n` counts those to /flaky.  False: close the connection. */
static inline int odd_answer(int fd, char *in, int *n, FILE *log)
{
    static char out[ODD_ROOM];
    char path[100] = "", id[100], query[500];
    char *body = odd_receive(fd, in);

    if (!body || sscanf(in, "POST %99s", path) != 1)
        return 0;
    odd_member(body, "id", id, sizeof id);
    odd_member(body, "query", query, sizeof query);
    fprintf(log, "%s %s%s%s\n", path, body,
            strstr(in, "Authorization: Bearer secret-key") ? " with key" : "",
            strstr(in, "X-Team: search") ? " with header" : "");
    fflush(log);
    path[strcspn(path, "?")] = '\0';
    if (!strcmp(path, "/mute"))
        return 0;
    if (!strcmp(path, "/slow"))
        sleep(30);
    if (!strcmp(path, "/flaky") && ++*n < 3) {
        odd_respond(fd, *n == 1 ? "500 Oops" : "429 Too Many",
                    *n == 1 ? "" : "Retry-After: 1\r\n", "later", 5);
        return 1;
    }
    if (!strcmp(path, "/down")) {
        odd_respond(fd, "503 Down", "", "maintenance", 11);
    } else if (!strcmp(path, "/refuse")) {
        snprintf(out, sizeof out, "no: %.500s", in);
        odd_respond(fd, "401 No", "", out, strlen(out));
    } else if (!strcmp(path, "/echo")) {
        snprintf(out, sizeof out, "you sent %.500s", in);
        odd_ok(fd, out);
    } else if (!strcmp(path, "/garbage")) {
        odd_ok(fd, "<html>hello</html>");
    } else if (!strcmp(path, "/empty")) {
        odd_ok(fd, "");
    } else if (!strcmp(path, "/error")) {
        odd_ok(fd, "{\"error\":\"index is being built\"}");
    } else if (!strcmp(path, "/half")) {
        odd_respond(fd, "200 OK", "", "{\"hits\":[", 500);
        return 0;
    } else if (!strcmp(path, "/endless")) {
        odd_endless(fd);
        return 0;
    } else if (!strcmp(path, "/wrong")) {
        odd_ok(fd, "{\"id\":\"someone\",\"hits\":[]}");
    } else if (!strcmp(path, "/text")) {
        odd_ok(fd, "{\"hits\":[{\"text\":\"The harbour is open.\",\"score\":1}]}");
    } else if (!strcmp(path, "/other")) {
        odd_ok(fd,
               "{\"took\":3,\"results\":{\"items\":[{\"document\":{\"id\":7},\"rank/"
               "score\":0.5,\"body\":\"seven\"},{\"document\":{\"id\":\"eight\"}}]},"
               "\"summary\":\"it is seven\",\"sources\":[\"7\"],\"tokens\":{\"in\":11,"
               "\"out\":4}}");
    } else if (!strcmp(path, "/answer")) {
        odd_ok(fd,
               "{\"hits\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20,"
               "\"cost\":0.25},\"answer\":{\"answer\":\"yes\",\"citations\":[{\"doc_"
               "id\":\"d1\"}]}}");
    } else {
        snprintf(out, sizeof out,
                 "{\"id\":\"%s\",\"hits\":[{\"doc_id\":\"d-%s\",\"score\":2},{\"doc_id\":"
                 "\"e\",\"score\":1}]}",
                 id, id);
        odd_ok(fd, out);
    }
    return 1;
}

static inline void odd_serve(int s, FILE *log)
{
    static char in[ODD_ROOM];

    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int fd = accept(s, NULL, NULL);
        int n = 0;

        if (fd < 0)
            continue;
        if (fork() == 0) {
            close(s);
            while (odd_answer(fd, in, &n, log))
                ;
            close(fd);
            _exit(0);
        }
        close(fd);
    }
}

#endif
