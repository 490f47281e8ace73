/* SPDX-License-Identifier: Apache-2.0 */
/* A system for --system cmd:, whose hits follow from the query's words alone.  It appends the
 * id of each query to the file LOG before it answers: once a process is asked for a second
 * query, the result of the first must be in the store.
 *
 *     crash_system LOG [MILLISECONDS]     a query takes that long */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The string behind "key": in a line of JSON without escapes. */
static int find(const char *line, const char *key, char *out, size_t size)
{
    char mark[40];
    const char *p;

    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    p = strstr(line, mark);
    if (!p)
        return 0;
    p += strlen(mark);
    snprintf(out, size, "%.*s", (int)strcspn(p, "\""), p);
    return 1;
}

int main(int argc, char **argv)
{
    static char line[65536], id[256], query[4096], text[600];
    long ms = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    int log = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

    if (log < 0)
        return 2;
    while (fgets(line, sizeof line, stdin)) {
        unsigned long h = 5381;

        if (!find(line, "id", id, sizeof id) || !find(line, "query", query, sizeof query))
            return 3;
        snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), id);
        if (write(log, text, strlen(text)) < 0)
            return 4;
        nanosleep(&pause, NULL);
        for (const char *p = query; *p; p++)
            h = h * 33 + (unsigned char)*p;
        printf("{\"id\":\"%s\",\"hits\":[", id);
        for (int i = 0; i < 20; i++)
            printf("%s{\"doc_id\":\"d%lu\",\"score\":%d}", i ? "," : "",
                   (h + (unsigned long)i * 7919) % 300, 100 - i);
        printf("]}\n");
        fflush(stdout);
    }
    return 0;
}
