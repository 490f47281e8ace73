/* SPDX-License-Identifier: Apache-2.0 */
/* What a unit or contract test needs, over cmocka.
 *
 *     #include "testing.h"
 *
 *     TEST(empty_list_has_no_first)
 *     {
 *         CHECK(first(NULL) == NULL);
 *     }
 *
 * That is all: the Makefile lists the TEST(...) lines of the file (TEST_LIST), and main is
 * here. A test program takes a piece of a test's name to run only the tests that have it. It
 * runs in an empty folder of its own, which is removed at the end. */
#ifndef TESTING_H
#define TESTING_H

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka.h wants the four headers above it. */
#include <cmocka.h>

#define TEST(name) static void test_##name(void)

/* Each failed check ends its test, after one line that says where and why. */
#define CHECK(cond)                                                \
    do {                                                           \
        if (!(cond))                                               \
            check_failed(__FILE__, __LINE__, "not so: %s", #cond); \
    } while (0)
#define CHECK_NEAR(a, b, eps) check_near(__FILE__, __LINE__, #a, (a), (b), (eps))
#define CHECK_STR(a, b)       check_str(__FILE__, __LINE__, #a, (a), (b))
#define CHECK_INT(a, b)       check_int(__FILE__, __LINE__, #a, (int64_t)(a), (int64_t)(b))

/* End the test without a verdict, e.g. for want of a server. */
#define SKIP(reason)                                     \
    do {                                                 \
        printf("%s: skipped: %s\n", test_now, (reason)); \
        n_skipped++;                                     \
        skip();                                          \
    } while (0)

static const char *test_now = "";
static int n_skipped;

static inline void check_failed(const char *file, int line, const char *format, ...)
{
    va_list args;

    printf("%s:%d: %s: ", file, line, test_now);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
    _fail(file, line);
}

static inline void check_near(const char *file, int line, const char *what, double got,
                              double want, double eps)
{
    /* Written so that a NaN on either side fails. */
    if (!(fabs(got - want) <= eps))
        check_failed(file, line, "%s is %.17g, want %.17g within %g", what, got, want,
                     eps);
}

static inline void check_str(const char *file, int line, const char *what,
                             const char *got, const char *want)
{
    const char *g = got ? got : "(null)";
    const char *w = want ? want : "(null)";

    if (!got != !want || strcmp(g, w) != 0)
        check_failed(file, line, "%s is '%s', want '%s'", what, g, w);
}

static inline void check_int(const char *file, int line, const char *what, int64_t got,
                             int64_t want)
{
    if (got != want)
        check_failed(file, line, "%s is %lld, want %lld", what, (long long)got,
                     (long long)want);
}

/* Write `text` to `path`, in the test's own folder if relative. */
static inline void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        check_failed(__FILE__, __LINE__, "cannot write '%s'", path);
}

/* The full path of tests/fixtures/<name>; valid until the fourth call from now. */
static inline const char *fixture(const char *name)
{
    static char path[4][1024];
    static unsigned next;
    char *p = path[next++ % 4];

    snprintf(p, sizeof path[0], "%s/tests/fixtures/%s", TEST_SRC, name);
    return p;
}

/* A failed assertion is one failed test, not the end of the program. */
static inline void on_abort(int sig)
{
    (void)sig;
    check_failed(test_now, 0, "aborted");
}

#define LISTED(name)                     \
    static void test_##name(void);       \
    static void run_##name(void **state) \
    {                                    \
        (void)state;                     \
        test_now = #name;                \
        signal(SIGABRT, on_abort);       \
        test_##name();                   \
    }
#include TEST_LIST
#undef LISTED

#define LISTED(name) {#name, run_##name, NULL, NULL, NULL},
static const struct CMUnitTest all_tests[] = {
#include TEST_LIST
    {NULL, NULL, NULL, NULL, NULL}};
#undef LISTED

/* argv[1]: run tests that have this in their name. argv[2]: what to put before each name
 * first, as in unit/test_json; used by tests/run_all.sh, for which no match is no error. */
int main(int argc, char **argv)
{
    static struct CMUnitTest chosen[sizeof all_tests / sizeof all_tests[0]];
    const char *slash = strrchr(argv[0], '/');
    const char *tmp = getenv("TMPDIR");
    char folder[1024], name[1024], command[1100];
    size_t n = 0;
    int failed, is_gone;

    for (const struct CMUnitTest *t = all_tests; t->name; t++) {
        snprintf(name, sizeof name, "%s%s%s", argc > 2 ? argv[2] : "",
                 argc > 2 ? "/" : "", t->name);
        if (argc < 2 || strstr(name, argv[1]))
            chosen[n++] = *t;
    }
    if (n == 0) {
        printf("no test matches\n0 passed, 0 failed\n");
        return argc > 2 ? 0 : 1;
    }

    snprintf(folder, sizeof folder, "%s/assay-test-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    failed = _cmocka_run_group_tests(slash ? slash + 1 : argv[0], chosen, n, NULL, NULL);

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    is_gone = chdir("/") == 0 && system(command) == 0;
    if (!is_gone)
        printf("left behind: %s\n", folder);
    printf("%d passed, %d failed", (int)n - failed - n_skipped, failed);
    if (n_skipped)
        printf(", %d skipped", n_skipped);
    printf("\n");
    return failed ? 1 : 0;
}

#endif
