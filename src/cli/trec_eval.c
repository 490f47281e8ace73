/* SPDX-License-Identifier: Apache-2.0 */
/* The drop-in: trec_eval's arguments in, trec_eval's lines and exit codes out.
 *
 * Exit codes are trec_eval's own: 1 usage or an unknown measure, 2 a file that cannot be
 * read or a measure's parameters, 4 a topic that cannot be measured, 7 no topic at all,
 * 255 the z-scores; and 5 where memory runs out. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "golden/zscores.h"
#include "pipeline/trec.h"

enum {
    EXIT_USAGE = 1,
    EXIT_INPUT = 2,
    EXIT_TOPIC = 4,
    EXIT_MEMORY = 5, /* trec_eval has no code of its own for it */
    EXIT_NO_TOPIC = 7,
    EXIT_ZSCORES = 255,
    MEASURES_MOST = 64
};

/* One evaluation, from arguments to results. */
typedef struct drop_in {
    assay_trec_options options;
    bool per_query;
    bool no_summary;
    bool is_full; /* --full: all digits */
    bool wants_help;
    const char *format;  /* -R */
    const char *results; /* -T */
    const char *zscores_path;
    bool is_marked[MEASURES_MOST];
    const char *params[MEASURES_MOST]; /* of the first -m with any */
    bool has_measure;
    assay_qrels qrels;
    assay_trec_run run;
    assay_zscores zscores;
    assay_trec_plan plan;
    assay_trec_scores scores;
    assay_buffer out;
} drop_in;

static const char usage[] =
    "usage: trec_eval [-h] [-q] [-m measure]... [other options] judgments run\n"
    "   -h: all options; with -m also what the measures are\n"
    "   -q: a line for each query too\n"
    "   -m: measures to print: a name, or official (default), all_trec, set, prefs ...\n";

static const char help[] =
    "trec_eval [options] judgments run\n"
    "\n"
    "Measures a run against judgments and prints what trec_eval prints.  The run may be\n"
    "'-' for standard input.\n"
    "\n"
    " -h, --help                        this text, and the measures named by -m\n"
    " -v, --version                     version, on standard error\n"
    " -q, --query_eval_wanted           values of each query, before the summary\n"
    " -n, --nosummary                   no summary\n"
    " -m, --measure NAME[.PARAMS]       a measure or a set of them; repeatable\n"
    " -c, --complete_rel_info_wanted    average over all judged queries\n"
    " -l, --level_for_rel N             lowest grade that is relevant (1)\n"
    " -M, --Max_retrieved_per_topic N   only the first N documents of a query\n"
    " -J, --Judged_docs_only            drop unjudged documents first\n"
    " -N, --Number_docs_in_coll N       size of the collection (utility)\n"
    " -R, --Rel_info_format FORMAT      qrels, qrels_jg, prefs, qrels_prefs\n"
    " -T, --Results_format FORMAT       trec_results\n"
    " -Z, --Zscore FILE                 z-scores by a file of means and deviations\n"
    " -D, --Debug_level N[.QUERY]       only QUERY is measured\n"
    "\n"
    "Beyond trec_eval:\n"
    "     --compat 9|10                 which version to agree with (10)\n"
    "     --full                        values with all their digits\n"
    "     --threads N                   threads (one for each core)\n"
    "\n"
    "Sets of measures: official, all_trec, set, prefs, all_prefs, qrels_jg.\n";

static void say(const char *format, const char *what)
{
    fputs("trec_eval: ", stderr);
    fprintf(stderr, format, what);
    fputc('\n', stderr);
}

/* ---- arguments ---- */

/* Mark what "-m NAME[.PARAMS]" names; false when there is no such measure. */
static bool mark(drop_in *d, const char *text)
{
    const char *dot = strchr(text, '.');
    assay_slice name = {text, dot ? (size_t)(dot - text) : strlen(text)};
    unsigned nickname = assay_trec_nickname(name);
    const assay_trec_measure *m;
    bool is_known = nickname != 0;

    if (dot && !dot[1])
        return false;
    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++) {
        bool is_named = !nickname && assay_slice_is(name, m->name);

        if ((!is_named && !(m->nicknames & nickname)) ||
            (m->is_only_v10 && d->options.is_trec9))
            continue;
        is_known = true;
        d->is_marked[i] = true;
        if (is_named && dot && !d->params[i])
            d->params[i] = dot + 1;
    }
    d->has_measure = true;
    return is_known;
}

static int64_t whole(const char *text)
{
    return strtoll(text, NULL, 10);
}

static int32_t clamp_level(int64_t level)
{
    if (level > INT32_MAX)
        return INT32_MAX;
    return level < INT32_MIN ? INT32_MIN : (int32_t)level;
}

static const struct option long_options[] = {
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'v'},
    {"query_eval_wanted", no_argument, NULL, 'q'},
    {"measure", required_argument, NULL, 'm'},
    {"complete_rel_info_wanted", no_argument, NULL, 'c'},
    {"level_for_rel", required_argument, NULL, 'l'},
    {"nosummary", no_argument, NULL, 'n'},
    {"Debug_level", required_argument, NULL, 'D'},
    {"Judged_docs_only", no_argument, NULL, 'J'},
    {"Number_docs_in_coll", required_argument, NULL, 'N'},
    {"Max_retrieved_per_topic", required_argument, NULL, 'M'},
    {"Rel_info_format", required_argument, NULL, 'R'},
    {"Results_format", required_argument, NULL, 'T'},
    {"Output_old_results_format", no_argument, NULL, 'o'},
    {"Zscore", required_argument, NULL, 'Z'},
    {"compat", required_argument, NULL, 1},
    {"full", no_argument, NULL, 2},
    {"threads", required_argument, NULL, 3},
    {NULL, 0, NULL, 0},
};

static const char short_options[] = "hvqm:cl:nD:JN:M:R:T:oZ:";

/* Options with a number or a word. */
static bool take_value(drop_in *d, int option, const char *text)
{
    const char *dot;

    switch (option) {
    case 'm':
        if (mark(d, text))
            return true;
        say("illegal measure '%s'", text);
        return false;
    case 'l': d->options.level = clamp_level(whole(text)); return true;
    case 'M':
        if (whole(text) < 0) {
            say("cannot keep '%s' documents", text);
            return false;
        }
        d->options.max_docs =
            whole(text) < UINT32_MAX ? (uint32_t)whole(text) : UINT32_MAX;
        return true;
    case 'N':
        d->options.n_collection = whole(text) > 0 ? (uint64_t)whole(text) : 0;
        return true;
    case 'D':
        dot = strchr(text, '.');
        d->options.only = assay_slice_of(dot ? dot + 1 : "");
        return true;
    case 3:
        d->options.n_threads = whole(text) > 0 ? (uint32_t)whole(text) : 0;
        return true;
    default: break;
    }
    return true;
}

static bool take_option(drop_in *d, int option)
{
    switch (option) {
    case 'h': d->wants_help = true; return true;
    case 'q': d->per_query = true; return true;
    case 'n': d->no_summary = true; return true;
    case 'c': d->options.is_complete = true; return true;
    case 'J': d->options.judged_only = true; return true;
    case 'R': d->format = optarg; return true;
    case 'T': d->results = optarg; return true;
    case 'Z': d->zscores_path = optarg; return true;
    case 'o': /* obsolete there too */
    case 1: /* --compat was read before */ return true;
    case 2: d->is_full = true; return true;
    case '?': fputs(usage, stderr); return false;
    default: return take_value(d, option, optarg);
    }
}

/* --compat decides what -m may name, so that it is looked for first. */
static bool find_compat(drop_in *d, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;

        if (strncmp(argv[i], "--compat=", 9) == 0)
            value = argv[i] + 9;
        else if (strcmp(argv[i], "--compat") == 0 && i + 1 < argc)
            value = argv[i + 1];
        if (!value)
            continue;
        if (strcmp(value, "9") != 0 && strcmp(value, "10") != 0) {
            say("--compat wants 9 or 10, not '%s'", value);
            return false;
        }
        d->options.is_trec9 = strcmp(value, "9") == 0;
    }
    return true;
}

/* Fill `d` from the arguments; an exit code, or -1 to go on. */
static int parse_arguments(drop_in *d, int argc, char **argv)
{
    int option;

    if (!find_compat(d, argc, argv))
        return EXIT_USAGE;
    while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
        if (option == 'v') {
            fprintf(stderr, "trec_eval version %s (assay %s)\n",
                    d->options.is_trec9 ? "9.0.8" : "10.0", assay_version());
            return 0;
        }
        if (!take_option(d, option))
            return EXIT_USAGE;
    }
    if (d->wants_help)
        return -1;
    if (optind + 2 != argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!d->has_measure)
        mark(d, "official");
    return -1;
}

static int print_help(const drop_in *d)
{
    const assay_trec_measure *m;

    fputs(help, stdout);
    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++) {
        if (!d->is_marked[i])
            continue;
        printf("\n%s\n", m->name);
        if (m->metric)
            printf("  %s\n  %s\n  %s\n", m->metric->summary, m->metric->formula,
                   m->metric->source);
        else if (m->params == ASSAY_TREC_NUMBERS)
            puts("  the grades of the first documents, a character each");
        else
            puts("  the tag of the run");
        if (m->standard[0])
            printf("  parameters: %s\n", m->standard);
    }
    return 0;
}

/* ---- files ---- */

static const struct {
    const char *name;
    assay_qrels_layout layout;
} layouts[] = {
    {"qrels", ASSAY_QRELS_PLAIN},
    {"qrels_jg", ASSAY_QRELS_GROUPS},
    {"prefs", ASSAY_QRELS_PREFS},
    {"qrels_prefs", ASSAY_QRELS_GROUP_PREFS},
};

static int fail_input(const assay_error *err, const char *path)
{
    fprintf(stderr, "trec_eval: %s\ntrec_eval: Quit in file '%s'\n", err->text, path);
    return err->status == ASSAY_ENOMEM ? EXIT_MEMORY : EXIT_INPUT;
}

static int load_judgments(drop_in *d, const char *path)
{
    size_t i = 0;
    assay_error err = {ASSAY_OK, ""};

    while (i < ASSAY_COUNT(layouts) && strcmp(layouts[i].name, d->format) != 0)
        i++;
    if (i == ASSAY_COUNT(layouts)) {
        say("Illegal rel_format '%s'", d->format);
        return EXIT_INPUT;
    }
    d->options.layout = layouts[i].layout;
    if (assay_qrels_load(&d->qrels, path, d->options.layout, !d->options.is_trec9, &err))
        return fail_input(&err, path);
    return -1;
}

static int load_run(drop_in *d, const char *path)
{
    const assay_trec_rules rules = {.has_comments = !d->options.is_trec9,
                                    .is_lenient = true,
                                    .n_threads = d->options.n_threads};
    assay_error err = {ASSAY_OK, ""};

    if (strcmp(d->results, "trec_results") != 0) {
        say("Illegal retrieval results format '%s'", d->results);
        return EXIT_INPUT;
    }
    /* Version 10 takes any name that begins with a dash for standard input. */
    if (assay_trec_run_open(&d->run, path[0] == '-' ? "-" : path, &rules, &err))
        return fail_input(&err, path);
    return -1;
}

static int load_files(drop_in *d, const char *judgments, const char *run)
{
    assay_error err = {ASSAY_OK, ""};
    int code = load_judgments(d, judgments);

    if (code < 0)
        code = load_run(d, run);
    if (code < 0 && d->zscores_path &&
        assay_zscores_load(&d->zscores, d->zscores_path, &err)) {
        say("%s", err.text);
        code = err.status == ASSAY_ENOMEM ? EXIT_MEMORY : EXIT_ZSCORES;
    }
    return code;
}

static int make_plan(drop_in *d)
{
    const assay_trec_measure *m;
    assay_error err = {ASSAY_OK, ""};

    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++)
        if (d->is_marked[i] && assay_trec_plan_add(&d->plan, m, d->params[i], &err)) {
            say("%s", err.text);
            say("Cannot initialize measure '%s'", m->name);
            return err.status == ASSAY_ENOMEM ? EXIT_MEMORY : EXIT_INPUT;
        }
    return -1;
}

/* ---- printing ---- */

/* As %6.4f, which takes a third of the time of a large -q output: most values are below
 * a million and not close to the middle between two roundings. */
static void put_fixed(assay_buffer *out, double value)
{
    double scaled = value * 10000;
    double down = floor(scaled);
    double rest = scaled - down;
    char text[24];
    uint64_t n;
    int at = 20;

    if (!(value >= 0 && value < 1e6) || signbit(value) || fabs(rest - 0.5) < 1e-5) {
        assay_buffer_printf(out, "%6.4f", value);
        return;
    }
    n = (uint64_t)down + (rest > 0.5);
    for (int digit = 0; digit < 4; digit++, n /= 10)
        text[--at] = (char)('0' + n % 10);
    text[--at] = '.';
    do {
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    assay_buffer_add(out, text + at, (size_t)(20 - at));
}

static void put_name(const drop_in *d, assay_buffer *out, const char *name,
                     assay_slice query)
{
    static const char blanks[] = "                      "; /* 22 */
    size_t len = strlen(name);

    if (d->zscores_path)
        assay_buffer_char(out, 'Z');
    assay_buffer_add(out, name, len);
    if (len < sizeof blanks - 1)
        assay_buffer_add(out, blanks, sizeof blanks - 1 - len);
    assay_buffer_char(out, '\t');
    assay_buffer_slice(out, query);
    assay_buffer_char(out, '\t');
}

static void put_value(const drop_in *d, assay_buffer *out, const assay_trec_measure *m,
                      double value)
{
    if (m->is_whole && !d->zscores_path)
        assay_buffer_printf(out, "%lld", (long long)value);
    else if (d->is_full)
        assay_buffer_double(out, value);
    else
        put_fixed(out, value);
    assay_buffer_char(out, '\n');
}

static void put_text(assay_buffer *out, const char *name, assay_slice query,
                     const char *quote, assay_slice text)
{
    assay_buffer_printf(out, "%-22s\t", name);
    assay_buffer_slice(out, query);
    assay_buffer_printf(out, "\t%s", quote);
    assay_buffer_slice(out, text);
    assay_buffer_printf(out, "%s\n", quote);
}

static void put_topic(const drop_in *d, assay_buffer *out, uint32_t row)
{
    const assay_trec_plan *plan = &d->plan;
    const double *value = d->scores.value + (size_t)row * plan->n_columns;
    const char *relstring = d->scores.relstring + (size_t)row * (plan->relstring + 1u);
    assay_slice query = d->scores.topic[row];

    for (uint32_t c = 0; c < plan->n_columns; c++) {
        const assay_trec_measure *m = plan->column[c].measure;

        if (!m->is_per_query)
            continue;
        if (!m->metric) {
            put_text(out, plan->column[c].name, query, "'", assay_slice_of(relstring));
            continue;
        }
        put_name(d, out, plan->column[c].name, query);
        put_value(d, out, m, value[c]);
    }
}

static void put_summary(const drop_in *d, assay_buffer *out)
{
    for (uint32_t c = 0; c < d->plan.n_columns; c++) {
        const assay_trec_measure *m = d->plan.column[c].measure;

        if (m->metric) {
            put_name(d, out, d->plan.column[c].name, ASSAY_LIT("all"));
            put_value(d, out, m,
                      assay_trec_summary(&d->plan, &d->scores, &d->options, c));
        } else if (!m->is_per_query) {
            put_text(out, m->name, ASSAY_LIT("all"), "", assay_trec_run_tag(&d->run));
        }
    }
}

static bool flush(assay_buffer *out)
{
    bool is_good = !out->has_failed &&
                   (!out->len || fwrite(out->ptr, 1, out->len, stdout) == out->len);

    out->len = 0;
    return is_good;
}

static int print_results(drop_in *d)
{
    enum { FLUSH = 1 << 16 };
    bool is_good = true;

    for (uint32_t i = 0; d->per_query && i < d->scores.n && is_good; i++) {
        put_topic(d, &d->out, i);
        if (d->out.len > FLUSH)
            is_good = flush(&d->out);
    }
    if (!d->scores.has_stopped && d->scores.n && !d->no_summary)
        put_summary(d, &d->out);
    if (!flush(&d->out) || !is_good || fflush(stdout)) {
        say("%s",
            d->out.has_failed ? "out of memory" : "cannot write to standard output");
        return d->out.has_failed ? EXIT_MEMORY : EXIT_INPUT;
    }
    if (d->scores.has_stopped) {
        say("%s", d->scores.stop.text);
        return EXIT_TOPIC;
    }
    if (!d->scores.n) {
        say("%s", "No queries with both results and relevance info");
        return EXIT_NO_TOPIC;
    }
    return 0;
}

/* ---- the whole ---- */

static void to_zscores(drop_in *d)
{
    for (uint32_t i = 0; i < d->scores.n; i++)
        for (uint32_t c = 0; c < d->plan.n_columns; c++) {
            double *value = &d->scores.value[(size_t)i * d->plan.n_columns + c];

            *value =
                assay_zscores_convert(&d->zscores, d->scores.topic[i],
                                      assay_slice_of(d->plan.column[c].name), *value);
        }
}

/* A measure that the judgments' format, or its own parameters, make impossible: trec_eval
 * finds out at the first topic. */
static const char *impossible(const drop_in *d)
{
    unsigned format = assay_trec_format(assay_slice_of(d->format));

    for (uint32_t i = 0; i < d->plan.n_requests; i++) {
        const assay_trec_request *r = &d->plan.request[i];

        if (!(r->measure->formats & format))
            return r->measure->name;
        if (strcmp(r->measure->name, "utility") == 0 && r->value[0].is_set &&
            r->value[0].n_reals != 4)
            return r->measure->name;
    }
    return NULL;
}

static int evaluate(drop_in *d)
{
    const char *name = impossible(d);
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    if (name) {
        say("Can't calculate measure '%s'", name);
        return EXIT_TOPIC;
    }
    st = assay_trec_measure_run(&d->plan, &d->qrels, &d->run, &d->options, &d->scores,
                                &err);
    if (st) {
        say("%s", err.text);
        return st == ASSAY_ENOMEM ? EXIT_MEMORY : EXIT_INPUT;
    }
    if (d->zscores_path)
        to_zscores(d);
    return print_results(d);
}

static void clear(drop_in *d)
{
    assay_buffer_clear(&d->out);
    assay_trec_scores_clear(&d->scores);
    assay_trec_plan_clear(&d->plan);
    assay_zscores_clear(&d->zscores);
    assay_trec_run_clear(&d->run);
    assay_qrels_clear(&d->qrels);
}

int assay_trec_eval_main(int argc, char **argv)
{
    drop_in d = {.options = {.level = 1, .max_docs = UINT32_MAX},
                 .format = "qrels",
                 .results = "trec_results"};
    int code = parse_arguments(&d, argc, argv);

    if (code < 0 && d.wants_help)
        code = print_help(&d);
    if (code < 0)
        code = load_files(&d, argv[optind], argv[optind + 1]);
    if (code < 0)
        code = make_plan(&d);
    if (code < 0)
        code = evaluate(&d);
    clear(&d);
    return code;
}
