/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/shell_words.h"
#include "base/slice.h"
#include "base/talk.h"

static atomic_int stop;
static const char *shell[] = {"sh", "-c", "", NULL};
static const assay_talk_settings settings = {
    .argv = shell, .most_bytes = 1 << 20, .stop = &stop};

static assay_talk *start(const char *line)
{
    assay_talk *talk = NULL;
    assay_error err;

    atomic_store(&stop, 0);
    shell[2] = line;
    if (assay_talk_start(&settings, &talk, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return talk;
}

static int count_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

TEST(lines_go_in_and_come_out)
{
    assay_talk *talk = start("while read -r x; do echo \"<$x>\"; done");
    assay_slice line;

    for (int i = 0; i < 100; i++) {
        CHECK(assay_talk_say(talk, ASSAY_LIT("hello\n")));
        CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
        CHECK(assay_slice_is(line, "<hello>"));
    }
    assay_talk_close(talk, 5);
}

TEST(large_lines_pass_while_it_writes_and_reads_at_once)
{
    assay_talk *talk = start("cat");
    assay_buffer big = ASSAY_BUFFER_EMPTY;
    assay_slice line;

    for (int i = 0; i < 60000; i++)
        assay_buffer_printf(&big, "%d ", i);
    CHECK(assay_talk_say(talk, assay_buffer_view(&big)));
    CHECK(assay_talk_say(talk, ASSAY_LIT("\n")));
    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
    CHECK(assay_slice_eq(line, assay_buffer_view(&big)));
    assay_talk_kill(talk);
    assay_buffer_clear(&big);
}

TEST(one_that_does_not_read_is_late_and_not_heard)
{
    assay_talk *talk = start("sleep 30");
    assay_buffer big = ASSAY_BUFFER_EMPTY;
    assay_slice line;

    for (int i = 0; i < 100000; i++)
        assay_buffer_printf(&big, "%d ", i);
    CHECK(assay_talk_say(talk, assay_buffer_view(&big)));
    CHECK(assay_talk_line(talk, assay_clock_in(0.1), &line) == ASSAY_TALK_LATE);
    CHECK(!assay_talk_was_heard(talk));
    assay_talk_kill(talk);
    assay_buffer_clear(&big);
}

TEST(its_end_is_told_with_code_partial_line_and_last_words)
{
    assay_talk *talk = start("echo a >&2; echo; echo 'b ' >&2; printf '{\"id'; exit 3");
    assay_buffer how = ASSAY_BUFFER_EMPTY;
    assay_slice line;

    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
    CHECK_INT(line.len, 0);
    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_GONE);
    CHECK(assay_slice_is(line, "{\"id"));
    assay_talk_ended(talk, &how);
    CHECK(assay_slice_is(assay_buffer_view(&how), "exit 3"));
    CHECK(assay_slice_is(assay_talk_complaint(talk), "b"));
    CHECK_INT(assay_talk_code(talk), 3);
    assay_talk_kill(talk);
    assay_buffer_clear(&how);
}

TEST(a_signal_is_told)
{
    assay_talk *talk = start("kill -SEGV $$");
    assay_buffer how = ASSAY_BUFFER_EMPTY;
    assay_slice line;

    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_GONE);
    assay_talk_ended(talk, &how);
    CHECK(assay_slice_is(assay_buffer_view(&how), "killed by signal 11"));
    CHECK_INT(assay_talk_code(talk), -1);
    assay_talk_kill(talk);
    assay_buffer_clear(&how);
}

TEST(a_line_without_end_is_too_much)
{
    assay_talk *talk = start("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
    assay_slice line;

    CHECK(assay_talk_line(talk, assay_clock_in(60), &line) == ASSAY_TALK_TOO_MUCH);
    assay_talk_kill(talk);
}

TEST(endless_complaints_do_not_keep_it_from_being_late)
{
    assay_talk *talk = start("while :; do echo oh >&2; done");
    assay_slice line;

    CHECK(assay_talk_line(talk, assay_clock_in(0.2), &line) == ASSAY_TALK_LATE);
    CHECK(assay_slice_is(assay_talk_complaint(talk), "oh"));
    (void)assay_talk_discard(talk);
    assay_talk_kill(talk);
}

TEST(a_stop_ends_the_waiting)
{
    assay_talk *talk = start("sleep 30");
    int64_t began = assay_clock_us();
    assay_slice line;

    atomic_store(&stop, 2);
    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_STOPPED);
    CHECK(assay_clock_us() - began < 10000000); /* not when the program ends */
    assay_talk_kill(talk);
}

TEST(its_children_go_with_it)
{
    assay_talk *talk = start("sleep 30 & echo $!; wait");
    assay_slice line;
    char number[20] = "";

    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
    CHECK(line.len < sizeof number);
    memcpy(number, line.ptr, line.len);
    assay_talk_kill(talk);
    /* It is nobody's zombie either, once init has seen to it. */
    for (int i = 0; i < 500 && kill((pid_t)strtol(number, NULL, 10), 0) == 0; i++)
        (void)assay_clock_sleep(assay_clock_us() + 10000, NULL);
    CHECK(kill((pid_t)strtol(number, NULL, 10), 0) != 0 && errno == ESRCH);
}

TEST(the_end_is_seen_although_a_child_holds_the_pipes)
{
    assay_talk *talk = start("sleep 30 & echo one; exit 5");
    assay_slice line;

    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_GONE);
    CHECK_INT(assay_talk_code(talk), 5);
    assay_talk_kill(talk);
}

TEST(no_descriptor_and_no_process_is_left)
{
    int before = count_descriptors();
    assay_slice line;

    for (int i = 0; i < 20; i++) {
        assay_talk *a = start("cat");
        assay_talk *b = start("cat");

        /* b did not inherit a's pipes: closing a's input ends it. */
        CHECK(assay_talk_say(a, ASSAY_LIT("x\n")));
        CHECK(assay_talk_line(a, assay_clock_in(20), &line) == ASSAY_TALK_OK);
        assay_talk_close(a, 20);
        assay_talk_kill(b);
    }
    CHECK_INT(count_descriptors(), before);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

TEST(a_program_that_is_not_there_is_named)
{
    static const char *const argv[] = {"no-such-program", NULL};
    const assay_talk_settings none = {.argv = argv, .most_bytes = 1};
    assay_talk *talk = NULL;
    assay_error err;

    CHECK(assay_talk_start(&none, &talk, &err) == ASSAY_ESYSTEM);
    CHECK_STR(err.text,
              "cannot start 'no-such-program': there is no such program in PATH");
    CHECK(!talk);
}

TEST(our_environment_goes_on_but_for_what_is_withheld)
{
    static const char *const withheld[] = {"ASSAY_TEST_KEY", NULL};
    static const char *const argv[] = {"sh", "-c",
                                       "echo \"$ASSAY_TEST_KEY|$ASSAY_TEST_KEY2\"", NULL};
    const assay_talk_settings s = {.argv = argv, .withheld = withheld, .most_bytes = 100};
    assay_talk *talk = NULL;
    assay_slice line;

    CHECK(setenv("ASSAY_TEST_KEY", "secret", 1) == 0);
    CHECK(setenv("ASSAY_TEST_KEY2", "mine", 1) == 0);
    CHECK(assay_talk_start(&s, &talk, NULL) == ASSAY_OK);
    CHECK(assay_talk_line(talk, assay_clock_in(20), &line) == ASSAY_TALK_OK);
    CHECK(assay_slice_is(line, "|mine"));
    assay_talk_kill(talk);
}

TEST(standard_streams_can_be_opened_by_name)
{
    assay_talk *talk = start("echo why >/dev/stderr; cat /dev/stdin >/dev/stdout");
    assay_slice all;

    CHECK(assay_talk_say(talk, ASSAY_LIT("a\nb")));
    assay_talk_end_input(talk);
    CHECK(assay_talk_all(talk, assay_clock_in(20), &all) == ASSAY_TALK_OK);
    CHECK(assay_slice_is(all, "a\nb"));
    CHECK(assay_slice_is(assay_talk_complaint(talk), "why"));
    assay_talk_kill(talk);
}

/* ---- words of a command ---- */

/* "[a][b c]", or the message. */
static const char *words_of(const char *line)
{
    static char out[1000];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err;
    char **word;
    size_t n = 0;
    size_t used = 0;

    if (assay_shell_words(assay_slice_of(line), &arena, &word, &n, &err)) {
        snprintf(out, sizeof out, "%s", err.text);
        assay_arena_clear(&arena);
        return out;
    }
    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "[%s]", word[i]);
    CHECK(word[n] == NULL);
    assay_arena_clear(&arena);
    return out;
}

/* What the shell itself makes of the line. */
static void check_like_shell(const char *line)
{
    static char script[1000];
    const char *const argv[] = {"sh", "-c", script, NULL};
    const assay_talk_settings s = {.argv = argv, .most_bytes = 10000};
    assay_talk *talk = NULL;
    assay_slice all;
    char ours[1000];

    snprintf(ours, sizeof ours, "%s", words_of(line));
    snprintf(script, sizeof script, "printf '[%%s]' %s", line);
    CHECK(assay_talk_start(&s, &talk, NULL) == ASSAY_OK);
    assay_talk_end_input(talk);
    CHECK(assay_talk_all(talk, assay_clock_in(20), &all) == ASSAY_TALK_OK);
    if (!assay_slice_is(all, ours))
        check_failed(__FILE__, __LINE__, "'%s': we %s, sh %.*s", line, ours, (int)all.len,
                     all.ptr);
    assay_talk_kill(talk);
}

TEST(words_are_cut_as_a_shell_cuts_them)
{
    static const char *const lines[] = {
        "a b  c",
        "'a b' c",
        "\"a b\"c\" d\"",
        "a\\ b 'c\\d' \"e\\\\f\" \"g\\h\"",
        "\"it's\" 'say \"x\"' '' \"\"x",
        "--flag='{query} and' k={k}",
        "\"\\\"\" \\' '\\'",
        "a'b'\"c\"\\d",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        check_like_shell(lines[i]);
}

TEST(nothing_is_expanded)
{
    CHECK_STR(words_of("echo $HOME * ~ '`id`'"), "[echo][$HOME][*][~][`id`]");
}

TEST(commands_that_cannot_be_cut_are_told)
{
    CHECK_STR(words_of("a 'b c"), "a single quote is not closed in the command 'a 'b c'");
    CHECK_STR(words_of("a \"b\\\""),
              "a double quote is not closed in the command 'a \"b\\\"'");
    CHECK_STR(words_of("  "), "a command is missing, as in 'cmd:python3 my_search.py'");
    CHECK_STR(words_of("a | b"),
              "'|' needs a shell, and none is started: put it in quotes, or "
              "write cmd:sh -c '...'");
}
