#!/usr/bin/env bash
# `make check` counts what passed, failed, crashed or was skipped, and says so last.
set -u
. "$(dirname "$0")/sandbox.inc"

# The last line of standard output, which is what a machine reads.
last() { grep -v '^make' log | tail -n 1 >line; mv line log; }
counts()
{
    last
    expect "$1" "$2" "$3"
}

sandbox
try make check
counts 'all is well' 0 '3 passed, 0 failed'
try make check T=cli/add/plain
counts 'one cli case' 0 '1 passed, 0 failed'
try make check T=unit/test_add
counts 'one unit file' 0 '2 passed, 0 failed'
try make check T=order_does
counts 'one unit test' 0 '1 passed, 0 failed'
try make check T=nothing_like_it
counts 'a filter that matches nothing' bad '0 passed, 0 failed'

cat >>tests/unit/test_add.c <<'C'

TEST(fails)
{
    CHECK_INT(assay_add(1, 1), 3);
}

TEST(crashes)
{
    raise(SIGSEGV);
}

TEST(aborts)
{
    abort();
}

TEST(is_left_out)
{
    SKIP("no reason");
}
C
try make check
expect 'where it failed' bad 'tests/unit/test_add.c:18: fails: assay_add(1, 1) is 2, want 3'
expect 'what was skipped' bad 'is_left_out: skipped: no reason'
expect 'how many were skipped' bad '1 skipped'
counts 'failure, crash and abort count one each' bad '3 passed, 3 failed'

sandbox
cat >>tests/unit/test_add.c <<'C'

TEST(reads_past_the_end)
{
    char *p = malloc(4);
    volatile int i = 4;

    CHECK(p);
    p[i] = 1;
    free(p);
}
C
try make check MODE=asan
expect 'the sanitizer speaks' bad 'runtime error'
counts 'the sanitizer ends the program' bad '1 passed, 1 failed'

sandbox
echo 3 >tests/cli/add/plain.out
printf '"$ASSAY" a b\necho words >&2\n"$ASSAY" a b' >tests/cli/add/coded.sh
printf '4\n4\n' >tests/cli/add/coded.out
echo 3 >tests/cli/add/coded.rc
echo words >tests/cli/add/coded.err
printf 'echo skipped: no net\nexit 77\n' >tests/cli/add/net.sh
try make check T=cli
expect 'a diff is shown' bad '-3'
expect 'why it was skipped' bad 'cli/add/net: skipped: no net'
counts 'cli cases' bad '1 passed, 1 failed'
try tests/cli/run.sh --accept add/plain
try tests/cli/run.sh
expect 'accepted' 0 '2 passed, 0 failed, 1 skipped'

mkdir tests/reference tests/docs
printf '#!/bin/sh\nexit 3\n' >tests/reference/other.sh
printf '#!/bin/sh\necho "4 passed, 1 failed"\nexit 1\n' >tests/docs/pages.sh
chmod +x tests/*/*.sh
try make check
counts 'scripts' bad '8 passed, 2 failed'
finish
