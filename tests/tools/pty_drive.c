/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a program through a pseudo-terminal: pty_drive PROGRAM ARG... <SCRIPT
 *
 *     size ROWS COLUMNS   the terminal; before the first other line, or a change of size
 *     keys TEXT           type it; \e \r \n \t \b \d \\ and \xHH
 *     see TEXT            wait until the text stands on the screen
 *     row N TEXT          wait until row N (from 1) begins with the text
 *     not TEXT            the text does not stand on the screen
 *     fits                every row that was drawn fits the terminal
 *     signal N            send it to the program
 *     end N               wait for the end; N is the exit code, or -SIGNAL
 *
 * The screen is a model of the few sequences that assay sends.  A line that is not so is
 * told with the screen as it was; exit 1. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 256, CELL = 8, PATIENCE_MS = 20000 };

typedef struct screen {
    int rows, columns, row, column;
    bool has_overrun;               /* something was written beyond the last column */
    char cell[ROWS][COLUMNS][CELL]; /* a character each; "" = behind a wide one */
    char pending[64];
    size_t n_pending;
} screen;

static screen s = {.rows = 24, .columns = 80};
static int terminal = -1;
static pid_t child;

static void blank(int row, int from)
{
    for (int i = from; i < COLUMNS; i++)
        memcpy(s.cell[row][i], " ", 2);
}

static void blank_all(void)
{
    for (int i = 0; i < ROWS; i++)
        blank(i, 0);
}

static int width_of(unsigned code)
{
    return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                   (code >= 0xAC00 && code <= 0xD7A3) ||
                   (code >= 0xF900 && code <= 0xFAFF) ||
                   (code >= 0xFE30 && code <= 0xFE6F) ||
                   (code >= 0xFF00 && code <= 0xFF60)
               ? 2
               : 1;
}

static void put(const char *bytes, size_t len)
{
    unsigned code = (unsigned char)bytes[0];
    int width;

    if (len > 1) {
        code &= 0xFFu >> (len + 1);
        for (size_t i = 1; i < len; i++)
            code = code << 6 | ((unsigned char)bytes[i] & 0x3F);
    }
    width = width_of(code);
    if (s.column + width > s.columns || s.row >= s.rows) {
        s.has_overrun = true;
        return;
    }
    memcpy(s.cell[s.row][s.column], bytes, len);
    s.cell[s.row][s.column][len] = 0;
    if (width == 2)
        s.cell[s.row][s.column + 1][0] = 0;
    s.column += width;
}

/* ESC [ ... letter; marks of private modes and of style change nothing here. */
static void sequence(const char *bytes, size_t len)
{
    int a = 1, b = 1;

    if (sscanf(bytes + 2, "%d;%d", &a, &b) < 1)
        a = b = 1;
    switch (bytes[len - 1]) {
    case 'H':
        s.row = a - 1;
        s.column = b - 1;
        break;
    /* Behind the last column the cursor stands on the last character. */
    case 'K': blank(s.row, s.column < s.columns ? s.column : s.columns - 1); break;
    case 'J':
        if (bytes[2] == '2')
            blank_all();
        else
            for (int i = s.row + 1; i < ROWS; i++)
                blank(i, 0);
        break;
    default: break;
    }
}

static void take_byte(char c)
{
    unsigned char lead;
    size_t want;

    s.pending[s.n_pending++] = c;
    lead = (unsigned char)s.pending[0];
    if (lead == 0x1b) {
        if (s.n_pending < 3 || (unsigned char)c < 0x40) {
            if (s.n_pending + 1 < sizeof s.pending)
                return;
        }
        s.pending[s.n_pending] = 0;
        sequence(s.pending, s.n_pending);
        s.n_pending = 0;
        return;
    }
    want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (s.n_pending < want)
        return;
    if (lead == '\r')
        s.column = 0;
    else if (lead == '\n')
        s.row += s.row + 1 < ROWS;
    else if (lead >= ' ')
        put(s.pending, want);
    s.n_pending = 0;
}

/* False: nothing came in time, or the program is gone. */
static bool listen_ms(int ms)
{
    struct pollfd in = {.fd = terminal, .events = POLLIN};
    char bytes[4096];
    ssize_t n;

    if (poll(&in, 1, ms) <= 0)
        return false;
    n = read(terminal, bytes, sizeof bytes);
    /* Gone, but perhaps not ended yet. */
    if (n <= 0)
        usleep((useconds_t)ms * 1000);
    for (ssize_t i = 0; i < n; i++)
        take_byte(bytes[i]);
    return n > 0;
}

static void row_text(int row, char *out, size_t size)
{
    size_t n = 0;

    for (int i = 0; i < s.columns && n + CELL < size; i++) {
        size_t len = strlen(s.cell[row][i]);

        memcpy(out + n, s.cell[row][i], len);
        n += len;
    }
    while (n && out[n - 1] == ' ')
        n--;
    out[n] = 0;
}

static bool is_on_screen(const char *text)
{
    char row[COLUMNS * CELL];

    for (int i = 0; i < s.rows; i++) {
        row_text(i, row, sizeof row);
        if (strstr(row, text))
            return true;
    }
    return false;
}

static void fail(int line, const char *what)
{
    char row[COLUMNS * CELL];

    printf("line %d is not so: %s\n", line, what);
    for (int i = 0; i < s.rows; i++) {
        row_text(i, row, sizeof row);
        printf("%2d|%s\n", i + 1, row);
    }
    kill(child, SIGKILL);
    exit(1);
}

static void type_keys(const char *text)
{
    char out[4096];
    size_t n = 0;

    for (; *text && n + 1 < sizeof out; text++) {
        char c = *text;

        if (c == '\\' && text[1]) {
            unsigned hex = 0;

            c = *++text;
            c = c == 'e'   ? '\x1b'
                : c == 'r' ? '\r'
                : c == 't' ? '\t'
                : c == 'b' ? '\b'
                : c == 'd' ? '\x7f'
                : c == 'n' ? '\n'
                           : c;
            if (c == 'x' && sscanf(text + 1, "%2x", &hex) == 1) {
                c = (char)hex;
                text += 2;
            }
        }
        out[n++] = c;
    }
    if (write(terminal, out, n) != (ssize_t)n)
        perror("write");
}

static void set_size(void)
{
    struct winsize size = {.ws_row = (unsigned short)s.rows,
                           .ws_col = (unsigned short)s.columns};

    ioctl(terminal, TIOCSWINSZ, &size);
}

static void start(char **argv)
{
    const char *name;

    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) {
        perror("pty");
        exit(77);
    }
    name = ptsname(terminal);
    set_size();
    child = fork();
    if (child == 0) {
        int own;

        setsid();
        own = open(name, O_RDWR);
        if (own < 0)
            _exit(126);
        ioctl(own, TIOCSCTTY, 0);
        dup2(own, 0);
        dup2(own, 1);
        dup2(own, 2);
        close(own);
        close(terminal);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
}

static int wait_for_end(void)
{
    int status = 0;

    for (int left = PATIENCE_MS; left > 0; left -= 50) {
        while (listen_ms(50))
            ;
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    return -1000;
}

static bool is_seen(const char *text)
{
    for (int left = PATIENCE_MS; !is_on_screen(text); left -= 50)
        if (left <= 0 || (!listen_ms(50) && left <= 0))
            return false;
    return true;
}

static void obey(int line, char *text)
{
    char row[COLUMNS * CELL];
    char *rest = strchr(text, ' ');
    int n = 0;

    rest = rest ? rest + 1 : text + strlen(text);
    if (strncmp(text, "size ", 5) == 0) {
        sscanf(rest, "%d %d", &s.rows, &s.columns);
        if (child) {
            set_size();
            kill(child, SIGWINCH);
        }
    } else if (strncmp(text, "keys ", 5) == 0) {
        type_keys(rest);
    } else if (strncmp(text, "see ", 4) == 0) {
        if (!is_seen(rest))
            fail(line, text);
    } else if (strncmp(text, "not ", 4) == 0) {
        if (is_on_screen(rest))
            fail(line, text);
    } else if (strncmp(text, "row ", 4) == 0) {
        n = (int)strtol(rest, &rest, 10);
        rest += *rest == ' ';
        for (int left = PATIENCE_MS;; left -= 50) {
            row_text(n - 1, row, sizeof row);
            if (strncmp(row, rest, strlen(rest)) == 0)
                break;
            if (left <= 0)
                fail(line, text);
            listen_ms(50);
        }
    } else if (strcmp(text, "fits") == 0) {
        if (s.has_overrun)
            fail(line, text);
    } else if (strncmp(text, "signal ", 7) == 0) {
        kill(child, (int)strtol(rest, NULL, 10));
    } else if (strncmp(text, "end ", 4) == 0) {
        if (wait_for_end() != (int)strtol(rest, NULL, 10))
            fail(line, text);
        child = 0;
    } else {
        fail(line, text);
    }
}

int main(int argc, char **argv)
{
    char text[4096];
    int line = 0;

    if (argc < 2)
        return 2;
    blank_all();
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = 0;
        line++;
        if (!text[0] || text[0] == '#')
            continue;
        if (!child && terminal < 0 && strncmp(text, "size ", 5) != 0)
            start(argv);
        obey(line, text);
    }
    if (child)
        kill(child, SIGKILL);
    return 0;
}
