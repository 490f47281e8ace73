#!/usr/bin/env bash
# The progress line on a real pseudo-terminal: redrawn in place, never wider than it, gone at
# the end; nothing of it in a pipe, with --quiet or on a dumb terminal; Ctrl-C ends the job.
set -u
command -v script >/dev/null || { echo 'skipped: no script(1)'; exit 77; }
passed=0 failed=0
flags=
case $BUILD in
*asan) flags=-fsanitize=address,undefined ;;
*tsan) flags=-fsanitize=thread ;;
esac
libs=$(pkg-config --libs yaml-0.1 zlib libzstd libutf8proc sqlite3 gumbo) || exit 77
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L $flags -I"$SRC/src" -I"$SRC/include" -o driver \
    "$SRC/tests/tools/progress_driver.c" "$SRC/$BUILD/obj/cli/progress.o" \
    "$SRC/$BUILD/libassay.a" $libs -lstemmer -lm -pthread || exit 1

# check WHAT: the command before it said yes.
check()
{
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        od -c out | head -n 40
    fi
}

# on COLUMNS COMMAND: what a terminal of this width is sent.
on()
{
    TERM=xterm script -qec "stty cols $1; $2" /dev/null </dev/null >out
}

# The frames that were drawn, one a line, colours taken out.
frames()
{
    tr '\r' '\n' <out | grep 'work ' | sed 's/\x1b\[[0-9;]*[mK]//g'
}

on 80 './driver 40'
tr -d '\n' <out | grep -q $'\r\x1b\\[K'; check 'the line is taken away'
grep -q '^done' <(tr '\r' '\n' <out | sed 's/\x1b\[K//g'); check 'the result is on a line of its own'
grep -q '^half' <(tr '\r' '\n' <out | sed 's/\x1b\[K//g'); check 'words in between are on a line of their own'
grep -q $'\x1b\\[31m.*failed' out; check 'failures are red'
[ "$(frames | wc -l)" -ge 2 ] && [ "$(frames | wc -l)" -le 12 ]; check 'at most ten frames a second'
frames | grep -q '설정/a\\x0ab.md'; check 'the name is shown, its line break escaped'
frames | grep -q 'MB/s  .* files/s  0:0[0-9] left'; check 'rate and time are shown'
on 40 './driver 20'
[ -n "$(frames)" ] && ! frames | grep -q '.\{40\}'; check 'no frame is as wide as a narrow terminal'
on 5 './driver 20'
! tr '\r' '\n' <out | sed 's/\x1b\[[0-9;]*[mK]//g' | grep -v '^half\|^done' | grep -q '.\{5\}'
check 'nor as wide as a tiny one'
on 80 './driver 20 p'
[ -n "$(frames)" ] && ! grep -q $'\x1b\\[31m' out; check 'no colour with NO_COLOR'
on 80 './driver 20 q'
[ -z "$(frames)" ]; check 'nothing with --quiet'
on 80 './driver 20 d'
[ -z "$(frames)" ]; check 'nothing redrawn on a dumb terminal'
./driver 20 >out 2>&1
[ "$(cat out)" = "half
done" ]; check 'nothing in a pipe when it is short'

./driver 2000 >out 2>/dev/null &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid; check 'a signal ends it in order'
grep -q stopped out; check 'the job knew that it was stopped'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
