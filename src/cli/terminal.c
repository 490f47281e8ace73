/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* How long the rest of a sequence may take, and how long a signal may wait. */
enum { REST_MS = 50, SIGNAL_MS = 100, READ_BYTES = 4096 };

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void send(const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(STDOUT_FILENO, bytes, len);

        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
}

static void send_text(const char *text)
{
    send(text, strlen(text));
}

static void measure(assay_terminal *t)
{
    struct winsize size;
    bool is_known =
        !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col && size.ws_row;

    t->rows = is_known ? size.ws_row : 24;
    t->columns = is_known ? size.ws_col : 80;
}

static void signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGWINCH);
    for (size_t i = 0; i < ASSAY_COUNT(ending); i++)
        sigaddset(set, ending[i]);
}

assay_status assay_terminal_open(assay_terminal *t, assay_error *err)
{
    struct termios raw;
    sigset_t set;

    *t = (assay_terminal){0};
    if (tcgetattr(STDIN_FILENO, &t->before))
        return assay_fail(err, ASSAY_ESYSTEM, "standard input is no terminal: %s",
                          strerror(errno));
    signals(&set);
    (void)sigprocmask(SIG_BLOCK, &set, &t->mask_before);
    raw = t->before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)) {
        (void)sigprocmask(SIG_SETMASK, &t->mask_before, NULL);
        return assay_fail(err, ASSAY_ESYSTEM, "cannot set up the terminal: %s",
                          strerror(errno));
    }
    t->is_open = true;
    measure(t);
    /* The other screen, and marks around what is pasted. */
    send_text("\033[?1049h\033[?2004h\033[2J");
    return ASSAY_OK;
}

void assay_terminal_close(assay_terminal *t)
{
    if (t->is_open) {
        send_text("\033[0m\033[?25h\033[?2004l\033[?1049l");
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &t->before);
        (void)sigprocmask(SIG_SETMASK, &t->mask_before, NULL);
    }
    t->is_open = false;
    assay_buffer_clear(&t->in);
    assay_buffer_clear(&t->out);
}

/* ---- keys ---- */

static void take_signals(assay_terminal *t)
{
    const struct timespec now = {0, 0};
    sigset_t set;
    int number;

    signals(&set);
    while ((number = sigtimedwait(&set, NULL, &now)) > 0) {
        if (number == SIGWINCH) {
            measure(t);
            t->is_resized = true;
        } else {
            t->signal = number;
        }
    }
}

/* Wait for more bytes: 1 = some came, 0 = none did in time, -1 = the terminal is gone. */
static int fetch(assay_terminal *t, int wait_ms)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&in, 1, wait_ms);
    char *room;
    ssize_t n;

    if (ready <= 0)
        return ready < 0 && errno != EINTR ? -1 : 0;
    room = assay_buffer_reserve(&t->in, READ_BYTES);
    n = room ? read(STDIN_FILENO, room, READ_BYTES) : -1;
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -1;
    if (!n)
        return -1;
    t->in.len += (size_t)n;
    return 1;
}

static uint32_t take_key(assay_terminal *t, bool is_all)
{
    assay_slice left = assay_buffer_view(&t->in);
    uint32_t key = assay_key_next(&t->reader, &left, is_all);

    if (left.len && left.ptr != t->in.ptr)
        memmove(t->in.ptr, left.ptr, left.len);
    t->in.len = left.len;
    return key;
}

uint32_t assay_terminal_key(assay_terminal *t)
{
    t->is_resized = false;
    for (;;) {
        uint32_t key = take_key(t, false);
        int got;

        if (key)
            return key;
        got = fetch(t, t->in.len ? REST_MS : SIGNAL_MS);
        if (got < 0)
            t->signal = SIGHUP;
        if (!got && t->in.len) {
            key = take_key(t, true);
            if (key)
                return key;
        }
        take_signals(t);
        if (t->signal || t->is_resized)
            return ASSAY_KEY_NONE;
    }
}

/* ---- pictures ---- */

void assay_terminal_draw(assay_terminal *t, const assay_picture *picture)
{
    assay_buffer *out = &t->out;

    out->len = 0;
    /* A line is emptied before it is written: behind its last column the cursor still stands
     * on the last character, which would go, too. */
    assay_buffer_text(out, "\033[?25l\033[H\033[0m\033[K");
    for (size_t i = 0; i < picture->text.len; i++) {
        char c = picture->text.ptr[i];

        switch (c) {
        case ASSAY_MARK_PLAIN: assay_buffer_text(out, "\033[0m"); break;
        case ASSAY_MARK_REVERSE: assay_buffer_text(out, "\033[7m"); break;
        case ASSAY_MARK_BOLD: assay_buffer_text(out, "\033[1m"); break;
        case '\n': assay_buffer_text(out, "\r\n\033[K"); break;
        default: assay_buffer_char(out, c); break;
        }
    }
    if (picture->has_cursor)
        assay_buffer_printf(out, "\033[%u;%uH\033[?25h", picture->row + 1,
                            picture->column + 1);
    if (!out->has_failed)
        send(out->ptr, out->len);
}
