/* SPDX-License-Identifier: Apache-2.0 */
/* Other people's systems, asked through the socket, well-behaved and not. */
#include "testing.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "retrieve/system.h"
#include "retrieve/system_reply.h"

/* ---- asking ---- */

static const assay_system *sys;
static void *state;
static void *worker;
static assay_arena arena;
static assay_result got;
static assay_error err;
static atomic_int stop;
static char spelling[2000];
static assay_system_source source;

static void fresh(void)
{
    atomic_store(&stop, 0);
    source = (assay_system_source){
        .spelling = spelling, .timeout_s = 20, .stop = &stop, .retries = UINT32_MAX};
}

/* Open the misbehaving system in this mode; "" = good. */
static assay_status open_odd(const char *mode)
{
    snprintf(spelling, sizeof spelling, "cmd:sh %s %s", fixture("systems/odd.sh"),
             mode[0] ? mode : "good");
    return assay_system_get(spelling, &sys, &err) || sys->open(&source, &state, &err) ||
                   sys->worker(state, &worker, &err)
               ? err.status
               : ASSAY_OK;
}

static void open_well(const char *mode)
{
    err.text[0] = '\0';
    if (open_odd(mode))
        check_failed(__FILE__, __LINE__, "%s", err.text);
}

static void end(void)
{
    if (worker)
        sys->worker_close(worker);
    if (state)
        sys->close(state);
    worker = state = NULL;
    assay_arena_clear(&arena);
}

static assay_status ask_k(const char *id, const char *query, uint32_t k)
{
    const assay_question q = {.id = assay_slice_of(id),
                              .query = assay_slice_of(query),
                              .k = k,
                              .wants_answer = true};

    assay_arena_reset(&arena);
    got = assay_reply_none();
    return sys->ask(worker, &q, &arena, &got, &err);
}

/* The error of a query, or its hits: "d-q1 2, e 1". */
static const char *ask(const char *id, const char *query)
{
    static char out[2000];
    size_t used = 0;

    if (ask_k(id, query, 10))
        check_failed(__FILE__, __LINE__, "'%s': %s", query, err.text);
    if (got.error.len) {
        snprintf(out, sizeof out, "%.*s", (int)got.error.len, got.error.ptr);
        return out;
    }
    out[0] = '\0';
    for (uint32_t i = 0; i < got.n_hits; i++) {
        const assay_hit *h = &got.hit[i];

        used += (size_t)snprintf(out + used, sizeof out - used, "%s%.*s", i ? ", " : "",
                                 (int)h->doc.len, h->doc.ptr);
        if (h->has_score)
            used += (size_t)snprintf(out + used, sizeof out - used, " %g", h->score);
    }
    return out;
}

#define GOOD(id) "d-" id " 2, e 1"

TEST(a_good_system_is_asked_and_answers)
{
    fresh();
    open_well("");
    CHECK_STR(ask("q1", "anything"), GOOD("q1"));
    CHECK(got.elapsed_ms >= 0);
    CHECK_STR(ask("q2", "a \"quoted\" and \\ slashed one"), GOOD("q2"));
    end();
}

TEST(what_goes_wrong_with_one_query_does_not_touch_the_next)
{
    /* What each query is answered with; the words of the programs are quoted. */
    static const struct {
        const char *query;
        const char *error;
    } cases[] = {
        {"crash",
         "the system ended (killed by signal 11) without a reply; its last words: "
         "'boom on q1'"},
        {"exit", "the system ended (exit 7) without a reply"},
        {"garbage", "reply:1:1: want a value, found 'hello'; it wrote 'hello, world'"},
        {"partial", "'{\"id\":\"q1\",\"hi' is no whole line, and then the system ended "
                    "(exit 0) without a reply"},
        {"empty", "an empty line where a reply belongs"},
        {"shape",
         "the reply has no 'hits', 'answer' or 'error', but 'results'; pointers in "
         "assay.yaml map another shape; it wrote '{\"results\":[1,2]}'"},
        {"error", "index is being built"},
        {"huge",
         "a reply of more than 1000000 bytes, beginning with "
         "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
         "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
    };

    fresh();
    source.most_bytes = 1000000;
    open_well("");
    CHECK_STR(ask("q0", "before"), GOOD("q0"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STR(ask("q1", cases[i].query), cases[i].error);
        CHECK_INT(got.n_hits, 0);
        CHECK_STR(ask("q2", "behind"), GOOD("q2"));
    }
    end();
}

TEST(a_misspelt_key_is_named)
{
    fresh();
    open_well("");
    CHECK(strstr(ask("q1", "typo"), "unknown key 'hitz'; did you mean 'hits'?"));
    end();
}

TEST(a_late_one_is_killed_with_its_children_and_started_anew)
{
    char number[30] = "";
    FILE *f;

    fresh();
    source.timeout_s = 0.3;
    open_well("");
    CHECK_STR(ask("q1", "sleep"), "no reply within 0.3 s");
    CHECK_STR(ask("q2", "child"), "no reply within 0.3 s");
    f = fopen("child.pid", "r");
    CHECK(f && fgets(number, sizeof number, f));
    fclose(f);
    for (int i = 0; i < 500 && kill((pid_t)strtol(number, NULL, 10), 0) == 0; i++)
        (void)assay_clock_sleep(assay_clock_us() + 10000, NULL);
    CHECK(kill((pid_t)strtol(number, NULL, 10), 0) != 0);
    source.timeout_s = 20;
    end();
}

TEST(one_that_never_reads_is_late)
{
    static char text[300001];

    fresh();
    source.timeout_s = 0.3;
    open_well("deaf");
    memset(text, 'x', sizeof text - 1); /* more than a pipe holds */
    CHECK_STR(ask("q1", text), "no reply within 0.3 s; it did not read the query");
    end();
}

TEST(replies_for_other_ids_are_passed_over)
{
    fresh();
    source.timeout_s = 1;
    open_well("");
    CHECK_STR(ask("q1", "other"), GOOD("q1"));
    CHECK_STR(ask("q2", "twice"), GOOD("q2"));
    CHECK_STR(ask("q3", "behind"), GOOD("q3"));
    CHECK_STR(ask("q4", "only_other"),
              "no reply within 1 s; 1 reply came for another id, such as 'someone'");
    end();
}

TEST(an_id_may_be_left_out_until_lines_and_queries_do_not_match)
{
    fresh();
    open_well("");
    CHECK_STR(ask("q1", "noid"), "no-id");
    CHECK(strstr(ask("q2", "garbage"), "hello"));
    CHECK_STR(ask("q3", "noid"), "a reply without 'id' after lines that were no replies "
                                 "cannot be told from a late one");
    CHECK_STR(ask("q4", "noid"), "no-id"); /* started anew */
    end();
}

TEST(a_banner_costs_one_query)
{
    fresh();
    open_well("banner");
    /* The banner came before the first query, or only then. */
    (void)ask("q1", "x");
    CHECK_STR(ask("q2", "x"), GOOD("q2"));
    CHECK_STR(ask("q3", "x"), GOOD("q3"));
    end();
}

TEST(much_on_its_standard_error_does_not_block_it)
{
    fresh();
    open_well("");
    CHECK_STR(ask("q1", "chatty"), GOOD("q1"));
    CHECK_STR(ask("q2", "chatty"), GOOD("q2"));
    end();
}

TEST(a_crash_is_tried_once_more)
{
    fresh();
    source.retries = 0; /* the standard */
    open_well("");
    CHECK_STR(ask("q1", "crash_once"), GOOD("q1"));
    end();
}

TEST(one_that_ends_after_each_reply_is_started_again_at_no_cost)
{
    fresh();
    open_well("once");
    for (int i = 0; i < 5; i++)
        CHECK_STR(ask("q1", "x"), GOOD("q1"));
    end();
}

TEST(the_best_k_hits_are_kept_by_score)
{
    fresh();
    open_well("");
    CHECK(ask_k("q1", "many", 3) == ASSAY_OK);
    CHECK_INT(got.n_hits, 3);
    CHECK(assay_slice_is(got.hit[0].doc, "last"));
    CHECK(assay_slice_is(got.hit[1].doc, "m49"));
    CHECK(assay_slice_is(got.hit[2].doc, "m48"));
    CHECK(ask_k("q1", "many", 0) == ASSAY_OK);
    CHECK_INT(got.n_hits, 0);
    end();
}

TEST(the_users_environment_is_there_without_our_key)
{
    fresh();
    CHECK(setenv("ASSAY_API_KEY", "secret", 1) == 0 &&
          setenv("MY_OWN_KEY", "mine", 1) == 0);
    open_well("");
    CHECK(ask_k("q1", "env", 3) == ASSAY_OK);
    CHECK(got.answer && assay_slice_is(got.answer->text, "|mine"));
    end();
}

TEST(one_that_does_not_start_is_an_error_of_the_run)
{
    fresh();
    CHECK(open_odd("dead") == ASSAY_OK || strstr(err.text, "no index here"));
    if (state) /* it took longer to die than the check waits */
        CHECK(ask_k("q1", "x", 3) == ASSAY_ESYSTEM);
    CHECK(err.status == ASSAY_ESYSTEM && strstr(err.text, "exit 3") &&
          strstr(err.text, "no index here"));
    end();
    open_well("late_death");
    CHECK(ask_k("q1", "x", 3) == ASSAY_ESYSTEM);
    CHECK(strstr(err.text,
                 "'sh' does not start: the system ended (exit 4) before it read "
                 "the query; its last words: 'cannot import'"));
    end();
}

TEST(a_program_that_is_missing_is_named_at_the_start)
{
    fresh();
    snprintf(spelling, sizeof spelling, "cmd:no-such-thing --x");
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    CHECK(sys->open(&source, &state, &err) == ASSAY_ESYSTEM);
    CHECK_STR(err.text, "cannot start 'no-such-thing': there is no such program in PATH");
    CHECK(!state);
}

TEST(an_interruption_ends_the_waiting)
{
    int64_t began;

    fresh();
    open_well("");
    atomic_store(&stop, 2);
    began = assay_clock_us();
    CHECK(ask_k("q1", "sleep", 3) == ASSAY_ESYSTEM);
    CHECK_STR(err.text, "interrupted");
    end();
    CHECK(assay_clock_us() - began < 10000000);
}

/* ---- commands for each query ---- */

static void open_command(const char *text)
{
    snprintf(spelling, sizeof spelling, "cmd:%s", text);
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    if (sys->open(&source, &state, &err) || sys->worker(state, &worker, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
}

TEST(a_command_with_marks_is_started_for_each_query)
{
    fresh();
    open_command("printf '%s\\t%s\\n' {query} 2.5 x{id} {k}");
    CHECK_STR(ask("q1", "it's $HOME; \"x\""), "it's $HOME; \"x\" 2.5, xq1 10");
    end();
    open_command(
        "sh -c 'echo \"{\\\"hits\\\":[{\\\"doc_id\\\":\\\"$1\\\"}]}\"' sh {query}");
    CHECK_STR(ask("q1", "word"), "word");
    end();
    open_command("sh -c 'test \"$1\" = none || echo \"$1\"' sh {query}");
    CHECK_STR(ask("q1", "none"), "");
    CHECK_STR(ask("q1", "some\nmore"), "some, more");
    end();
}

TEST(a_command_for_each_query_that_fails_says_how)
{
    fresh();
    source.timeout_s = 0.5;
    open_command("sh -c 'case $1 in "
                 "code) echo why >&2; exit 2;; "
                 "score) printf \"a\\\\tb\\\\n\";; "
                 "json) echo \"{]\";; "
                 "late) sleep 30;; "
                 "esac' sh {query}");
    CHECK_STR(ask("q1", "code"), "it ended with exit 2; its last words: 'why'");
    CHECK_STR(
        ask("q1", "score"),
        "output:1: the score 'b' is not a number; a line is a document id, perhaps a "
        "tab and a score; it wrote 'a b '");
    CHECK(strstr(ask("q1", "json"), "it wrote '{] '"));
    CHECK_STR(ask("q1", "late"), "did not end within 0.5 s");
    end();
}

TEST(a_query_in_the_text_of_a_script_is_refused)
{
    fresh();
    snprintf(spelling, sizeof spelling, "cmd:/bin/sh -c 'grep {query} x'");
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    CHECK(sys->open(&source, &state, &err) == ASSAY_EUSAGE);
    CHECK(strstr(err.text, "would be run by the shell"));
}

TEST(a_missing_program_for_each_query_ends_the_run)
{
    fresh();
    open_command("no-such-thing {query}");
    CHECK(ask_k("q1", "x", 1) == ASSAY_ESYSTEM);
    CHECK_STR(err.text, "cannot start 'no-such-thing': there is no such program in PATH");
    end();
}

/* ---- files ---- */

static void open_stored(const char *name)
{
    snprintf(spelling, sizeof spelling, "file:%s", name);
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    if (sys->open(&source, &state, &err) || sys->worker(state, &worker, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
}

TEST(a_stored_output_is_found_by_id_else_by_text)
{
    fresh();
    open_stored(fixture("systems/lines.jsonl"));
    CHECK_STR(ask("q1", "whatever"), "a 1.5, b 2.5");
    CHECK_NEAR(got.elapsed_ms, 12.5, 0);
    CHECK_STR(ask("other", "where IS  the harbour?"), "a 1.5, b 2.5");
    CHECK_STR(ask("other", "who pays the dues?"), "");
    CHECK(got.answer && assay_slice_is(got.answer->text, "the owner"));
    CHECK_INT(got.answer->n_citations, 1);
    CHECK_STR(ask("q3", ""), "timed out");
    CHECK(strstr(ask("q9", "unheard of"), "has no query 'q9', nor one with its text"));
    CHECK(ask_k("q1", "", 1) == ASSAY_OK);
    CHECK(got.n_hits == 1 && assay_slice_is(got.hit[0].doc, "b"));
    end();
}

TEST(a_stored_trec_run_is_a_system_too)
{
    fresh();
    write_file("run.trec", "q1 Q0 d1 1 3.5 tag\nq1 Q0 d2 2 1.5 tag\n");
    open_stored("run.trec");
    CHECK_STR(ask("q1", "x"), "d1 3.5, d2 1.5");
    CHECK(strstr(ask("q2", "x"), "'run.trec' has no query 'q2'"));
    end();
}

TEST(a_stored_output_that_is_not_there_is_an_error_of_the_run)
{
    fresh();
    snprintf(spelling, sizeof spelling, "file:nowhere.jsonl");
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    CHECK(sys->open(&source, &state, &err) != ASSAY_OK);
    CHECK(strstr(err.text, "nowhere.jsonl"));
}

/* ---- several workers ---- */

enum { JOBS = 4, QUERIES = 60 };

typedef struct crowd {
    void *worker[ASSAY_POOL_MOST];
    assay_arena arena[ASSAY_POOL_MOST];
    char doc[QUERIES][40];
} crowd;

static void ask_one(void *ctx, uint32_t by, size_t item)
{
    crowd *c = ctx;
    char id[20];
    assay_result r = assay_reply_none();
    assay_question q = {.query = ASSAY_LIT("x"), .k = 5};

    snprintf(id, sizeof id, "q%zu", item);
    q.id = assay_slice_of(id);
    if (item % 7 == 3)
        q.query = ASSAY_LIT("exit");
    assay_arena_reset(&c->arena[by]);
    if ((!c->worker[by] && sys->worker(state, &c->worker[by], NULL)) ||
        sys->ask(c->worker[by], &q, &c->arena[by], &r, NULL))
        return;
    snprintf(c->doc[item], sizeof c->doc[item], "%.*s",
             (int)(r.error.len ? 5 : r.hit[0].doc.len),
             r.error.len ? "error" : r.hit[0].doc.ptr);
}

TEST(several_workers_each_have_a_process_and_get_their_own_replies)
{
    static crowd c;
    char want[40];

    fresh();
    open_well("");
    sys->worker_close(worker);
    worker = NULL;
    assay_pool_run(JOBS, QUERIES, ask_one, &c);
    for (int i = 0; i < QUERIES; i++) {
        snprintf(want, sizeof want, i % 7 == 3 ? "error" : "d-q%d", i);
        CHECK_STR(c.doc[i], want);
    }
    for (int i = 0; i < ASSAY_POOL_MOST; i++) {
        if (c.worker[i])
            sys->worker_close(c.worker[i]);
        assay_arena_clear(&c.arena[i]);
    }
    end();
}

/* ---- spellings ---- */

static const char *public_of(const char *text)
{
    static char out[500];
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_system_public(text, &b);
    snprintf(out, sizeof out, "%.*s", (int)b.len, b.ptr);
    assay_buffer_clear(&b);
    return out;
}

TEST(spellings_are_shown_without_secrets)
{
    CHECK_STR(public_of("http://me:pw@host:80/path?key=x#y"), "http://host:80/path");
    CHECK_STR(public_of("cmd:python3 a.py --api-key abc --k 5"),
              "cmd:python3 a.py --api-key [redacted] --k 5");
    CHECK_STR(public_of("cmd:env API_TOKEN=abc a --password=x --url=http://u:p@h/x?q"),
              "cmd:env API_TOKEN=[redacted] a --password=[redacted] --url=http://h/x");
    CHECK_STR(public_of("cmd:a --keyword b"), "cmd:a --keyword b");
}

TEST(an_unknown_system_is_told_what_there_is)
{
    CHECK(assay_system_get("ftp://me:pw@x/", &sys, &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "no system 'ftp://x/'; want 'cmd:PROGRAM ARGUMENTS', "
                        "'http://HOST/PATH' or 'file:RUN'");
}

TEST(the_identity_names_no_secret)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    fresh();
    open_command("sh -c 'cat' sh --token abc");
    sys->identity(state, &b);
    CHECK(assay_slice_is(assay_buffer_view(&b), "cmd:sh -c 'cat' sh --token [redacted]"));
    assay_buffer_clear(&b);
    end();
}

/* ---- all of them ---- */

TEST(every_system_says_what_it_is_and_has_all_its_parts)
{
    const assay_system *s;

    for (size_t i = 0; (s = assay_system_at(i)) != NULL; i++) {
        CHECK(s->name && s->summary && s->is_mine && s->open && s->worker && s->ask);
        CHECK(s->identity && s->worker_close && s->close);
        CHECK(!s->is_mine(ASSAY_LIT("bm25")) && !s->is_mine(ASSAY_LIT("")));
    }
}

#ifdef ASSAY_TEST
/* Ask once while the n-th allocation from here on fails. */
static assay_status ask_without(uint64_t n)
{
    const assay_question q = {
        .id = ASSAY_LIT("q1"), .query = ASSAY_LIT("x"), .k = 5, .wants_answer = true};
    assay_status st;

    state = worker = NULL;
    assay_mem_fail_after(n);
    st = sys->open(&source, &state, &err);
    if (!st)
        st = sys->worker(state, &worker, &err);
    if (!st)
        st = sys->ask(worker, &q, &arena, &got, &err);
    return st;
}

static void check_without(const char *text)
{
    bool was_refused = true;

    fresh();
    snprintf(spelling, sizeof spelling, "%s", text);
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    for (uint64_t n = 1; was_refused; n++) {
        assay_status st = ask_without(n);

        was_refused = assay_mem_has_failed();
        assay_mem_fail_after(0);
        if (st != (was_refused ? ASSAY_ENOMEM : ASSAY_OK) || (!st && got.error.len))
            check_failed(__FILE__, __LINE__, "'%s', allocation %d: %d %s", text, (int)n,
                         (int)st, st ? err.text : "");
        end();
    }
}

TEST(without_memory_asking_fails_and_says_so)
{
    char text[1000];

    check_without(
        "cmd:sh -c 'read x; echo \"{\\\"hits\\\":[{\\\"doc_id\\\":\\\"a\\\"}]}\"'");
    check_without("cmd:echo {query}");
    snprintf(text, sizeof text, "file:%s", fixture("systems/lines.jsonl"));
    check_without(text);
}
#endif
