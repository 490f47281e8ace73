/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include <errno.h>

#include "base/child.h"
#include "base/slice.h"

static assay_buffer out;
static assay_buffer complaint;
static int number;

/* Run a line of shell with `input`; what it wrote is in `out` until the next call. */
static assay_child_end run(const char *line, assay_slice input, uint32_t seconds)
{
    const char *const argv[] = {"sh", "-c", line, NULL};
    assay_child child = {.argv = argv,
                         .input = input,
                         .seconds = seconds,
                         .max_output = 20 << 20,
                         .out = &out,
                         .complaint = &complaint};
    assay_child_end end;
    assay_error err;

    out.len = complaint.len = 0;
    if (assay_child_run(&child, &end, &number, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return end;
}

static void clear(void)
{
    assay_buffer_clear(&out);
    assay_buffer_clear(&complaint);
}

TEST(large_input_and_output_pass_at_the_same_time)
{
    assay_buffer big = ASSAY_BUFFER_EMPTY;

    for (int i = 0; i < 700000; i++)
        assay_buffer_printf(&big, "%d\n", i);
    CHECK(run("cat", assay_buffer_view(&big), 60) == ASSAY_CHILD_EXITED);
    CHECK_INT(number, 0);
    CHECK(assay_slice_eq(assay_buffer_view(&big), assay_buffer_view(&out)));
    assay_buffer_clear(&big);
    clear();
}

TEST(a_program_that_does_not_read_its_input_is_no_fault)
{
    assay_buffer big = ASSAY_BUFFER_EMPTY;

    for (int i = 0; i < 700000; i++)
        assay_buffer_printf(&big, "%d\n", i);
    CHECK(run("echo done", assay_buffer_view(&big), 60) == ASSAY_CHILD_EXITED);
    CHECK(assay_slice_is(assay_buffer_view(&out), "done\n"));
    assay_buffer_clear(&big);
    clear();
}

TEST(exit_codes_signals_and_complaints_are_told)
{
    CHECK(run("echo no >&2; exit 3", ASSAY_LIT(""), 60) == ASSAY_CHILD_EXITED);
    CHECK_INT(number, 3);
    CHECK(assay_slice_is(assay_buffer_view(&complaint), "no\n"));
    CHECK(run("kill -SEGV $$", ASSAY_LIT(""), 60) == ASSAY_CHILD_KILLED);
    CHECK_INT(number, SIGSEGV);
    CHECK(run("head -c 100000 /dev/zero >&2", ASSAY_LIT(""), 60) == ASSAY_CHILD_EXITED);
    CHECK(complaint.len >= 4096 && complaint.len < 100000);
    clear();
}

TEST(nothing_of_our_environment_is_passed_on)
{
    CHECK(setenv("ASSAY_TEST_SECRET", "x", 1) == 0);
    CHECK(run("echo \"$ASSAY_TEST_SECRET$LC_ALL\"", ASSAY_LIT(""), 60) ==
          ASSAY_CHILD_EXITED);
    CHECK(assay_slice_is(assay_buffer_view(&out), "C\n"));
    clear();
}

TEST(a_program_that_takes_too_long_or_writes_too_much_is_killed)
{
    CHECK(run("exec sleep 600", ASSAY_LIT(""), 1) == ASSAY_CHILD_LATE);
    CHECK(run("exec sleep 600 >&- 2>&-", ASSAY_LIT(""), 1) == ASSAY_CHILD_LATE);
    CHECK(run("exec cat /dev/zero", ASSAY_LIT(""), 60) == ASSAY_CHILD_TOO_MUCH);
    clear();
}

TEST(a_program_that_is_not_there_was_not_begun)
{
    const char *const argv[] = {"no-such-program-here", NULL};
    assay_child child = {
        .argv = argv, .seconds = 5, .out = &out, .complaint = &complaint};
    assay_child_end end;

    CHECK(assay_child_run(&child, &end, &number, NULL) == ASSAY_OK);
    CHECK(end == ASSAY_CHILD_NOT_BEGUN);
    CHECK_INT(number, ENOENT);
    clear();
}
