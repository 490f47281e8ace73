/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, not sockets: programs may open /dev/stdin and /dev/stderr by name, which works for
 * pipes only.  We keep the reading end of the program's input open ourselves.  So writing to
 * a program that is gone is no signal, and what it left unread can be counted: that tells a
 * program that failed at its start from one that failed over a query. */
#include "base/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

extern char **environ;

/* Of POSIX since 2024; older headers show it only together with an strerror_r that is not
 * that of POSIX. */
int pipe2(int fd[2], int flags);

enum {
    STREAMS = 3,
    STEP = 1 << 16,
    LOOK_US = 50000, /* how often we look whether to stop, and whether it lives */
    COMPLAINT = 4096
};

struct assay_talk {
    const assay_talk_settings *settings;
    int ours[STREAMS];   /* -1 = closed */
    int theirs[STREAMS]; /* what becomes 0, 1, 2 of the program; only [0] is kept */
    pid_t pid;
    bool is_reaped;
    bool ends_input; /* close its input when all is sent */
    bool has_ended;  /* its first process is gone; there may be output to be read */
    int status;      /* as of waitpid */
    assay_buffer out;
    size_t sent; /* of `out` */
    assay_buffer in;
    size_t taken;        /* bytes of `in` that were handed out */
    size_t looked;       /* bytes of `in` that hold no line end */
    assay_buffer errors; /* the last of its standard error */
};

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- starting ---- */

/* 0, or errno.  Our ends do not block; theirs do, as programs expect. */
static int open_pipes(assay_talk *t)
{
    for (int i = 0; i < STREAMS; i++) {
        int pair[2];
        int our_end = i == 0; /* we write to the first and read from the others */

        if (pipe2(pair, O_CLOEXEC))
            return errno;
        t->ours[i] = pair[our_end];
        t->theirs[i] = pair[!our_end];
        if (fcntl(t->ours[i], F_SETFL, O_NONBLOCK))
            return errno;
    }
    return 0;
}

static bool is_withheld(const char *const *withheld, const char *variable)
{
    for (; withheld && *withheld; withheld++) {
        size_t len = strlen(*withheld);

        if (strncmp(variable, *withheld, len) == 0 && variable[len] == '=')
            return true;
    }
    return false;
}

/* Our environment without what is withheld; null: no memory. */
static char **environment_of(const assay_talk_settings *settings)
{
    size_t n = 0;
    size_t kept = 0;
    char **out;

    while (environ && environ[n])
        n++;
    out = ASSAY_NEW_ARRAY(char *, n + 1);
    for (size_t i = 0; out && i < n; i++)
        if (!is_withheld(settings->withheld, environ[i]))
            out[kept++] = environ[i];
    return out;
}

/* A group of its own, and signals as they are at the start of a program. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t usual;
    int number = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                                          POSIX_SPAWN_SETSIGMASK |
                                                          POSIX_SPAWN_SETSIGDEF);

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    if (!number)
        number = posix_spawnattr_setpgroup(attributes, 0);
    if (!number)
        number = posix_spawnattr_setsigmask(attributes, &none);
    if (!number)
        number = posix_spawnattr_setsigdefault(attributes, &usual);
    return number;
}

/* dup2 of a descriptor onto itself would leave it close-on-exec; ours are above 2 unless
 * the process runs without standard streams. */
static int set_streams(const assay_talk *t, posix_spawn_file_actions_t *actions)
{
    int number = 0;

    for (int i = 0; !number && i < STREAMS; i++)
        number = t->theirs[i] < STREAMS
                     ? EBADF
                     : posix_spawn_file_actions_adddup2(actions, t->theirs[i], i);
    return number;
}

static int spawn(assay_talk *t)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **environment = environment_of(t->settings);
    int number = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;

    if (number) {
        assay_mem_free(environment);
        return number;
    }
    number = posix_spawnattr_init(&attributes);
    if (!number) {
        number = set_attributes(&attributes);
        if (!number)
            number = set_streams(t, &actions);
        if (!number)
            number =
                posix_spawnp(&t->pid, t->settings->argv[0], &actions, &attributes,
                             (char *const *)(uintptr_t)t->settings->argv, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    assay_mem_free(environment);
    return number;
}

static assay_status fail_start(assay_error *err, const char *program, int number)
{
    char words[200];

    if (number == ENOMEM)
        return assay_fail_memory(err, "starting a program");
    if (number == ENOENT)
        return assay_fail(err, ASSAY_ESYSTEM,
                          "cannot start '%s': there is no such program%s", program,
                          strchr(program, '/') ? "" : " in PATH");
    if (number == ENOEXEC)
        return assay_fail(err, ASSAY_ESYSTEM,
                          "cannot start '%s': not a program; a script begins with a line "
                          "such as '#!/bin/sh'",
                          program);
    if (strerror_r(number, words, sizeof words))
        words[0] = '\0';
    return assay_fail(err, ASSAY_ESYSTEM, "cannot start '%s': %s", program, words);
}

static void free_talk(assay_talk *t)
{
    for (int i = 0; i < STREAMS; i++) {
        close_one(&t->ours[i]);
        close_one(&t->theirs[i]);
    }
    assay_buffer_clear(&t->out);
    assay_buffer_clear(&t->in);
    assay_buffer_clear(&t->errors);
    assay_mem_free(t);
}

assay_status assay_talk_start(const assay_talk_settings *settings, assay_talk **out,
                              assay_error *err)
{
    assay_talk *t = ASSAY_NEW(assay_talk);
    int number;

    if (!t)
        return assay_fail_memory(err, "starting a program");
    t->settings = settings;
    for (int i = 0; i < STREAMS; i++)
        t->ours[i] = t->theirs[i] = -1;
    number = open_pipes(t);
    if (!number)
        number = spawn(t);
    if (number) {
        free_talk(t);
        return fail_start(err, settings->argv[0], number);
    }
    close_one(&t->theirs[1]);
    close_one(&t->theirs[2]);
    *out = t;
    return ASSAY_OK;
}

/* ---- talking ---- */

bool assay_talk_say(assay_talk *t, assay_slice bytes)
{
    if (t->sent == t->out.len)
        t->out.len = t->sent = 0;
    assay_buffer_slice(&t->out, bytes);
    return !t->out.has_failed;
}

void assay_talk_end_input(assay_talk *t)
{
    t->ends_input = true;
    if (t->sent == t->out.len) {
        close_one(&t->ours[0]);
        close_one(&t->theirs[0]);
    }
}

static bool is_for_now(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR;
}

static void send_some(assay_talk *t)
{
    size_t left = t->out.len - t->sent;
    ssize_t n = write(t->ours[0], t->out.ptr + t->sent, left < STEP ? left : STEP);

    if (n < 0 && !is_for_now(errno))
        n = (ssize_t)left; /* cannot be with a pipe that we hold ourselves */
    if (n > 0)
        t->sent += (size_t)n;
    if (t->sent == t->out.len && t->ends_input)
        assay_talk_end_input(t);
}

/* The last COMPLAINT bytes stay. */
static void trim_errors(assay_buffer *b)
{
    if (b->len <= (size_t)2 * COMPLAINT)
        return;
    memmove(b->ptr, b->ptr + b->len - COMPLAINT, COMPLAINT);
    b->len = COMPLAINT;
}

/* False: no memory. */
static bool receive_some(assay_talk *t, int stream)
{
    assay_buffer *into = stream == 1 ? &t->in : &t->errors;
    char *room = assay_buffer_reserve(into, STEP);
    ssize_t n;

    if (!room)
        return false;
    n = read(t->ours[stream], room, STEP);
    if (n > 0)
        into->len += (size_t)n;
    else if (n == 0 || !is_for_now(errno))
        close_one(&t->ours[stream]);
    if (stream == 2)
        trim_errors(into);
    return true;
}

/* Look whether its first process has ended, without reaping it: as long as it is not
 * reaped, the number of its group is nobody else's. */
static void look(assay_talk *t)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    if (!t->has_ended &&
        waitid(P_PID, (id_t)t->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
        t->has_ended = info.si_pid == t->pid;
}

/* Move bytes for a moment, no longer than until the deadline.  *moved: some came in. */
static assay_talk_end pump(assay_talk *t, int64_t deadline_us, bool *moved)
{
    struct pollfd fds[STREAMS];
    int64_t left = deadline_us - assay_clock_us();
    bool is_sending = t->ours[0] >= 0 && t->sent < t->out.len;
    int ms;

    *moved = false;
    if (t->settings->stop && atomic_load(t->settings->stop))
        return ASSAY_TALK_STOPPED;
    left = left < 0 ? 0 : left < LOOK_US ? left : LOOK_US;
    /* Of one that has ended, take what there is; its children may hold the pipes open. */
    ms = t->has_ended ? 0 : (int)((left + 999) / 1000);
    for (int i = 0; i < STREAMS; i++)
        fds[i] = (struct pollfd){.fd = i || is_sending ? t->ours[i] : -1,
                                 .events = i ? POLLIN : POLLOUT};
    if (poll(fds, STREAMS, ms) < 0)
        return ASSAY_TALK_OK; /* a signal */
    if (fds[0].revents)
        send_some(t);
    for (int i = 1; i < STREAMS; i++) {
        if (!fds[i].revents || t->ours[i] < 0)
            continue;
        *moved = true;
        if (!receive_some(t, i))
            return ASSAY_TALK_NO_MEMORY;
    }
    return ASSAY_TALK_OK;
}

/* Nothing came; will anything? */
static bool is_over(assay_talk *t)
{
    bool had_ended = t->has_ended;

    look(t);
    /* What it wrote last came between the poll and this look. */
    return t->ours[1] < 0 || had_ended;
}

/* What was handed out is forgotten. */
static void forget(assay_talk *t)
{
    if (!t->taken)
        return;
    memmove(t->in.ptr, t->in.ptr + t->taken, t->in.len - t->taken);
    t->in.len -= t->taken;
    t->taken = t->looked = 0;
}

static bool find_line(assay_talk *t, assay_slice *line)
{
    const char *from = t->in.ptr ? t->in.ptr + t->looked : NULL;
    const char *lf = from ? memchr(from, '\n', t->in.len - t->looked) : NULL;

    if (!lf) {
        t->looked = t->in.len;
        return false;
    }
    *line = (assay_slice){t->in.ptr, (size_t)(lf - t->in.ptr)};
    t->taken = line->len + 1;
    return true;
}

assay_talk_end assay_talk_line(assay_talk *t, int64_t deadline_us, assay_slice *line)
{
    *line = (assay_slice){"", 0};
    forget(t);
    while (!find_line(t, line)) {
        bool moved;
        assay_talk_end end;

        *line = assay_buffer_view(&t->in);
        if (t->in.len > t->settings->most_bytes)
            return ASSAY_TALK_TOO_MUCH;
        if (assay_clock_us() >= deadline_us)
            return ASSAY_TALK_LATE;
        if (t->ours[1] < 0)
            return ASSAY_TALK_GONE;
        end = pump(t, deadline_us, &moved);
        if (end)
            return end;
        if (!moved && is_over(t))
            return ASSAY_TALK_GONE;
    }
    return line->len > t->settings->most_bytes ? ASSAY_TALK_TOO_MUCH : ASSAY_TALK_OK;
}

assay_talk_end assay_talk_all(assay_talk *t, int64_t deadline_us, assay_slice *out)
{
    bool moved;

    *out = (assay_slice){"", 0};
    forget(t);
    do {
        assay_talk_end end = pump(t, deadline_us, &moved);

        *out = assay_buffer_view(&t->in);
        if (end)
            return end;
        if (t->in.len > t->settings->most_bytes)
            return ASSAY_TALK_TOO_MUCH;
        if (assay_clock_us() >= deadline_us)
            return ASSAY_TALK_LATE;
    } while (moved || !is_over(t));
    /* It closed its output, but is that its end? */
    return assay_talk_is_alive(t, deadline_us) ? ASSAY_TALK_LATE : ASSAY_TALK_OK;
}

bool assay_talk_discard(assay_talk *t)
{
    enum { MOST_STEPS = 64 }; /* one that never stops is found out later */
    bool moved = true;

    forget(t);
    for (int i = 0; moved && i < MOST_STEPS && t->ours[1] >= 0; i++)
        if (pump(t, 0, &moved))
            break;
    moved = t->in.len > 0;
    t->in.len = t->looked = 0;
    return moved;
}

bool assay_talk_is_alive(assay_talk *t, int64_t deadline_us)
{
    enum { NAP_US = 2000 };

    for (;;) {
        bool moved;
        int64_t now = assay_clock_us();

        look(t);
        if (t->has_ended || now >= deadline_us)
            return !t->has_ended;
        if (pump(t, now + NAP_US < deadline_us ? now + NAP_US : deadline_us, &moved))
            return true;
    }
}

bool assay_talk_was_heard(const assay_talk *t)
{
    int unread = 0;

    if (t->sent < t->out.len)
        return false;
    return t->theirs[0] < 0 || ioctl(t->theirs[0], FIONREAD, &unread) || unread == 0;
}

/* ---- the end ---- */

/* What it says last on its standard error tells why it ended; it may come a little later than
 * the end of its output. */
static void hear_last_words(assay_talk *t)
{
    int64_t deadline = assay_clock_in(0.2);
    bool moved;

    while (t->ours[2] >= 0 && assay_clock_us() < deadline) {
        bool had_ended = t->has_ended;

        if (pump(t, deadline, &moved) || (had_ended && !moved))
            break;
        look(t);
    }
}

static void reap(assay_talk *t)
{
    if (t->is_reaped)
        return;
    kill(-t->pid, SIGKILL);
    while (waitpid(t->pid, &t->status, 0) < 0 && errno == EINTR)
        ;
    t->is_reaped = true;
    t->has_ended = true;
}

void assay_talk_ended(assay_talk *t, assay_buffer *out)
{
    if (!t->is_reaped)
        hear_last_words(t);
    reap(t);
    if (WIFSIGNALED(t->status))
        assay_buffer_printf(out, "killed by signal %d", WTERMSIG(t->status));
    else
        assay_buffer_printf(out, "exit %d", WEXITSTATUS(t->status));
}

int assay_talk_code(assay_talk *t)
{
    reap(t);
    return WIFSIGNALED(t->status) ? -1 : WEXITSTATUS(t->status);
}

assay_slice assay_talk_complaint(const assay_talk *t)
{
    assay_slice rest = assay_slice_trim(assay_buffer_view(&t->errors));
    size_t at = rest.len;

    while (at && rest.ptr[at - 1] != '\n')
        at--;
    return assay_slice_trim((assay_slice){rest.ptr + at, rest.len - at});
}

void assay_talk_kill(assay_talk *t)
{
    if (!t)
        return;
    reap(t);
    free_talk(t);
}

void assay_talk_close(assay_talk *t, double grace_s)
{
    int64_t deadline = assay_clock_in(grace_s);

    if (!t)
        return;
    t->sent = t->out.len;
    assay_talk_end_input(t);
    (void)assay_talk_is_alive(t, deadline);
    assay_talk_kill(t);
}
