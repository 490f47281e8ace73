/* SPDX-License-Identifier: Apache-2.0 */
/* Times commands against each other and says how much memory each one took.
 *
 * The commands are run in turn, one round after the other, so that a machine that grows
 * slower or faster meanwhile does so for all of them, and a ratio is taken within a
 * round. Wall time is CLOCK_MONOTONIC from before the fork to after the wait; CPU time
 * and the peak of resident memory come from wait4.  The peak includes pages of mapped
 * files.
 *
 * A plan has one command a line, fields separated by tabs, so that nothing needs quoting
 * and no shell is started in the measured time:
 *
 *     name  rounds  repeats  program  argument ...
 *
 * A command takes part in the first `rounds` rounds and runs `repeats` times in each.
 * Before the first round each command runs once uncounted: this warms the page cache,
 * keeps what it printed in OUT/name.out and OUT/name.err, and drops it when it fails.
 */
#define _DEFAULT_SOURCE

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,
    EXIT_SYSTEM = 4,
    MAX_COMMANDS = 64,
    MAX_ARGS = 64,
    MAX_RATIOS = 32,
    MAX_RUNS = 100000, /* rounds x repeats of one command */
    PATH_ROOM = 4096,
};

typedef struct sample {
    double wall_ms;
    double cpu_ms;
    long peak_kb;
    int exit_code; /* 128 + signal when it was killed */
} sample;

typedef struct command {
    char *line; /* owns name and args */
    const char *name;
    char *args[MAX_ARGS + 1];
    uint32_t n_rounds;
    uint32_t n_repeats;
    sample *samples;    /* run k of round r at r * n_repeats + k */
    uint32_t n_samples; /* so far */
    int exit_code;      /* of the run that failed, 0 when none did */
} command;

typedef struct plan {
    command commands[MAX_COMMANDS];
    size_t n_commands;
    uint32_t n_rounds; /* of the command that has most */
} plan;

static void die(int code, const char *what, const char *name)
{
    fprintf(stderr, "measure: %s '%s'%s%s\n", what, name, errno ? ": " : "",
            errno ? strerror(errno) : "");
    exit(code);
}

/* The plan. */

static uint32_t to_count(const char *text, const char *line)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (end == text || *end || n < 1 || n > MAX_RUNS) {
        errno = 0;
        die(EXIT_INPUT, "want name, rounds, repeats and a program, separated by tabs, in",
            line);
    }
    return (uint32_t)n;
}

static void add_command(plan *p, const char *line)
{
    command *c = &p->commands[p->n_commands];
    char *field[MAX_ARGS + 3];
    size_t n_fields = 0;
    char *rest, *next;

    errno = 0;
    if (p->n_commands == MAX_COMMANDS)
        die(EXIT_INPUT, "too many commands at", line);
    c->line = strdup(line);
    if (!c->line)
        die(EXIT_SYSTEM, "no memory for", line);
    for (rest = c->line; rest; rest = next) {
        next = strchr(rest, '\t');
        if (next)
            *next++ = '\0';
        if (n_fields == MAX_ARGS + 3)
            die(EXIT_INPUT, "too many arguments in", line);
        field[n_fields++] = rest;
    }
    if (n_fields < 4)
        die(EXIT_INPUT, "want name, rounds, repeats and a program, separated by tabs, in",
            line);
    c->name = field[0];
    c->n_rounds = to_count(field[1], line);
    c->n_repeats = to_count(field[2], line);
    memcpy(c->args, field + 3, (n_fields - 3) * sizeof *field);
    if ((uint64_t)c->n_rounds * c->n_repeats > MAX_RUNS)
        die(EXIT_INPUT, "too many runs asked for in", line);
    c->samples = calloc((size_t)c->n_rounds * c->n_repeats, sizeof *c->samples);
    if (!c->samples)
        die(EXIT_SYSTEM, "no memory for the samples of", c->name);
    if (c->n_rounds > p->n_rounds)
        p->n_rounds = c->n_rounds;
    p->n_commands++;
}

static void read_plan(plan *p, const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (!f)
        die(EXIT_SYSTEM, "cannot read", path);
    while ((n = getline(&line, &room, f)) >= 0) {
        if (n && line[n - 1] == '\n')
            line[n - 1] = '\0';
        if (*line && *line != '#')
            add_command(p, line);
    }
    free(line);
    fclose(f);
    errno = 0;
    if (p->n_commands == 0)
        die(EXIT_INPUT, "no command in", path);
}

/* Running. */

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* In the child: the only way out is exec or _exit. */
static void become(char *const *args, const char *out, const char *err)
{
    int in_fd = open("/dev/null", O_RDONLY);
    int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int err_fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (in_fd < 0 || out_fd < 0 || err_fd < 0 || dup2(in_fd, 0) < 0 ||
        dup2(out_fd, 1) < 0 || dup2(err_fd, 2) < 0)
        _exit(126);
    close(in_fd);
    close(out_fd);
    close(err_fd);
    execvp(args[0], args);
    _exit(127);
}

static sample run_once(char *const *args, const char *out, const char *err)
{
    sample s = {0};
    struct rusage use;
    int status;
    double start = now_ms();
    pid_t pid = fork();

    if (pid < 0)
        die(EXIT_SYSTEM, "cannot fork for", args[0]);
    if (pid == 0)
        become(args, out, err);
    while (wait4(pid, &status, 0, &use) < 0)
        if (errno != EINTR)
            die(EXIT_SYSTEM, "cannot wait for", args[0]);
    s.wall_ms = now_ms() - start;
    s.cpu_ms = ms_of(use.ru_utime) + ms_of(use.ru_stime);
    s.peak_kb = use.ru_maxrss;
    s.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return s;
}

/* OUT/name.suffix, with every character of the name that is not a letter or digit as '-'.
 */
static void name_file(char *path, const char *dir, const char *name, const char *suffix)
{
    size_t n_dir = strlen(dir) + 1;
    int n = snprintf(path, PATH_ROOM, "%s/%s%s", dir, name, suffix);

    errno = 0;
    if (n < 0 || n >= PATH_ROOM)
        die(EXIT_SYSTEM, "no room for a file name in", dir);
    for (char *p = path + n_dir; *p && (size_t)(p - path) < n_dir + strlen(name); p++)
        if (!isalnum((unsigned char)*p))
            *p = '-';
}

static void warm_up(plan *p, const char *dir)
{
    for (size_t i = 0; i < p->n_commands; i++) {
        command *c = &p->commands[i];
        char out[PATH_ROOM] = "/dev/null", err[PATH_ROOM] = "/dev/null";

        if (dir) {
            name_file(out, dir, c->name, ".out");
            name_file(err, dir, c->name, ".err");
        }
        c->exit_code = run_once(c->args, out, err).exit_code;
        if (c->exit_code)
            fprintf(stderr, "measure: dropped '%s', exit %d%s%s\n", c->name, c->exit_code,
                    dir ? "; see " : "", dir ? err : "");
    }
}

static void run_rounds(plan *p)
{
    bool is_shown = isatty(2);

    for (uint32_t round = 0; round < p->n_rounds; round++) {
        if (is_shown)
            fprintf(stderr, "\rmeasure: round %u of %u", round + 1, p->n_rounds);
        for (size_t i = 0; i < p->n_commands; i++) {
            command *c = &p->commands[i];

            for (uint32_t k = 0; k < c->n_repeats; k++) {
                sample s;

                if (c->exit_code || round >= c->n_rounds)
                    break;
                s = run_once(c->args, "/dev/null", "/dev/null");
                c->exit_code = s.exit_code;
                c->samples[c->n_samples++] = s;
            }
        }
    }
    if (is_shown)
        fputc('\n', stderr);
}

/* Numbers. */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
    assert(n > 0);
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double wall_of(const sample *s)
{
    return s->wall_ms;
}
static double cpu_of(const sample *s)
{
    return s->cpu_ms;
}
static double peak_of(const sample *s)
{
    return (double)s->peak_kb;
}

/* The median over samples first .. first + n - 1. */
static double median_of(const command *c, size_t first, size_t n,
                        double (*value)(const sample *))
{
    double *v = calloc(n, sizeof *v);
    double m;

    if (!v)
        die(EXIT_SYSTEM, "no memory to sort the samples of", c->name);
    for (size_t i = 0; i < n; i++)
        v[i] = value(&c->samples[first + i]);
    m = median(v, n);
    free(v);
    return m;
}

static double least_wall(const command *c)
{
    double least = c->samples[0].wall_ms;

    for (size_t i = 1; i < c->n_samples; i++)
        if (c->samples[i].wall_ms < least)
            least = c->samples[i].wall_ms;
    return least;
}

/* The median over rounds of c's time by base's time in the same round; negative when the
 * two have no round in common. */
static double ratio_of(const command *c, const command *base)
{
    uint32_t n = c->n_rounds < base->n_rounds ? c->n_rounds : base->n_rounds;
    double *v = calloc(n, sizeof *v);
    double m;

    if (!v)
        die(EXIT_SYSTEM, "no memory for the ratios of", c->name);
    if (c->exit_code || base->exit_code) {
        free(v);
        return -1;
    }
    for (uint32_t r = 0; r < n; r++)
        v[r] = median_of(c, (size_t)r * c->n_repeats, c->n_repeats, wall_of) /
               median_of(base, (size_t)r * base->n_repeats, base->n_repeats, wall_of);
    m = median(v, n);
    free(v);
    return m;
}

static const command *find(const plan *p, const char *name)
{
    for (size_t i = 0; i < p->n_commands; i++)
        if (strcmp(p->commands[i].name, name) == 0)
            return &p->commands[i];
    return NULL;
}

/* What is printed. */

static void print_table(const plan *p, const command *base)
{
    printf("| %-34s | runs | median ms |    min ms |    cpu ms | x %-7.7s |  peak MB |\n",
           "command", base ? base->name : "");
    printf(
        "| ---------------------------------- | ---: | --------: | --------: | --------: |"
        " --------: | -------: |\n");
    for (size_t i = 0; i < p->n_commands; i++) {
        const command *c = &p->commands[i];
        char ratio[32] = "";

        if (c->exit_code) {
            printf("| %-34s | failed, exit %d |\n", c->name, c->exit_code);
            continue;
        }
        if (base && ratio_of(c, base) >= 0)
            snprintf(ratio, sizeof ratio, "%.2f", ratio_of(c, base));
        printf("| %-34s | %4u | %9.2f | %9.2f | %9.2f | %9s | %8.1f |\n", c->name,
               c->n_samples, median_of(c, 0, c->n_samples, wall_of), least_wall(c),
               median_of(c, 0, c->n_samples, cpu_of), ratio,
               median_of(c, 0, c->n_samples, peak_of) * 1024 / 1e6);
    }
}

/* For a script: `time name median min cpu peak_kb` and `ratio name base value`, by tabs.
 */
static void write_summary(const plan *p, const char *path, char *const *ratios,
                          size_t n_ratios)
{
    FILE *f = fopen(path, "w");

    if (!f)
        die(EXIT_SYSTEM, "cannot write", path);
    for (size_t i = 0; i < p->n_commands; i++) {
        const command *c = &p->commands[i];

        if (!c->exit_code)
            fprintf(f, "time\t%s\t%.4f\t%.4f\t%.4f\t%.0f\n", c->name,
                    median_of(c, 0, c->n_samples, wall_of), least_wall(c),
                    median_of(c, 0, c->n_samples, cpu_of),
                    median_of(c, 0, c->n_samples, peak_of));
    }
    for (size_t i = 0; i < n_ratios; i++) {
        char *eq = strchr(ratios[i], '=');
        const command *c, *base;

        assert(eq);
        *eq = '\0';
        c = find(p, ratios[i]);
        base = find(p, eq + 1);
        if (c && base && ratio_of(c, base) >= 0)
            fprintf(f, "ratio\t%s\t%s\t%.4f\n", c->name, base->name, ratio_of(c, base));
    }
    if (fclose(f))
        die(EXIT_SYSTEM, "cannot write", path);
}

static void write_samples(const plan *p, const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        die(EXIT_SYSTEM, "cannot write", path);
    fputs("name\tround\trepeat\twall_ms\tcpu_ms\tpeak_kb\texit\n", f);
    for (size_t i = 0; i < p->n_commands; i++) {
        const command *c = &p->commands[i];

        for (uint32_t k = 0; k < c->n_samples; k++)
            fprintf(f, "%s\t%u\t%u\t%.4f\t%.4f\t%ld\t%d\n", c->name, k / c->n_repeats + 1,
                    k % c->n_repeats + 1, c->samples[k].wall_ms, c->samples[k].cpu_ms,
                    c->samples[k].peak_kb, c->samples[k].exit_code);
    }
    if (fclose(f))
        die(EXIT_SYSTEM, "cannot write", path);
}

static const char usage[] =
    "usage: measure [--base NAME] [--ratio NAME=BASE]... [--out DIR]\n"
    "               [--summary FILE] [--samples FILE] PLAN\n"
    "  --base NAME        the command that the table's ratios are taken to\n"
    "  --ratio NAME=BASE  a further ratio, for the summary\n"
    "  --out DIR          keep what each command prints, once\n"
    "  --summary FILE     medians and ratios, by tabs\n"
    "  --samples FILE     every single measurement, by tabs\n";

int main(int argc, char **argv)
{
    static const struct option table[] = {
        {"base", required_argument, NULL, 'b'},
        {"ratio", required_argument, NULL, 'r'},
        {"out", required_argument, NULL, 'o'},
        {"summary", required_argument, NULL, 's'},
        {"samples", required_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static plan p; /* too big for the stack */
    const char *base = NULL, *out = NULL, *summary = NULL, *samples = NULL;
    char *ratios[MAX_RATIOS];
    size_t n_ratios = 0;
    int c, code = 0;

    while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
        switch (c) {
        case 'b': base = optarg; break;
        case 'o': out = optarg; break;
        case 's': summary = optarg; break;
        case 'a': samples = optarg; break;
        case 'h': fputs(usage, stdout); return 0;
        case 'r':
            if (n_ratios == MAX_RATIOS || !strchr(optarg, '='))
                die(EXIT_USAGE, "want NAME=BASE, and not too many, at --ratio", optarg);
            ratios[n_ratios++] = optarg;
            break;
        default: fputs(usage, stderr); return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    read_plan(&p, argv[optind]);
    if (base && !find(&p, base))
        die(EXIT_USAGE, "the plan has no command called", base);
    warm_up(&p, out);
    run_rounds(&p);
    print_table(&p, base ? find(&p, base) : NULL);
    if (samples)
        write_samples(&p, samples);
    if (summary)
        write_summary(&p, summary, ratios, n_ratios);
    for (size_t i = 0; i < p.n_commands; i++) {
        code |= p.commands[i].exit_code != 0;
        free(p.commands[i].line);
        free(p.commands[i].samples);
    }
    return code;
}
