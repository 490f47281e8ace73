/* SPDX-License-Identifier: Apache-2.0 */
/* Systems behind HTTP, against a real server on loopback (tests/server/odd_system.h) in a
 * process of its own. */
#include "testing.h"

#include <sys/wait.h>

#include "../server/odd_system.h"

#include "base/clock.h"
#include "base/http.h"
#include "base/node.h"
#include "base/slice.h"
#include "retrieve/system.h"
#include "retrieve/system_reply.h"

static int port;
static pid_t server;
static const assay_system *sys;
static void *state;
static void *worker;
static assay_arena arena;
static assay_result got;
static assay_error err;
static atomic_int stop;
static char spelling[500];
static assay_system_source source;

static void start_server(void)
{
    assay_http *http = NULL;
    const assay_http_settings none = {.retries = 0};
    int s;

    if (assay_http_open(&none, &http, &err))
        SKIP(err.text);
    assay_http_close(http);
    s = odd_listen(&port);
    CHECK(s >= 0);
    server = fork();
    CHECK(server >= 0);
    if (server == 0) {
        FILE *log = fopen("requests.log", "w");

        setpgid(0, 0);
        odd_serve(s, log ? log : stdout);
    }
    setpgid(server, server);
    close(s);
}

static void fresh(void)
{
    if (!server)
        start_server();
    atomic_store(&stop, 0);
    source = (assay_system_source){
        .spelling = spelling, .timeout_s = 20, .stop = &stop, .retries = UINT32_MAX};
}

static void open_path(const char *path)
{
    snprintf(spelling, sizeof spelling, "http://127.0.0.1:%d/%s", port, path);
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    if (sys->open(&source, &state, &err) || sys->worker(state, &worker, &err))
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

static assay_status try_ask(const char *id, const char *query)
{
    const assay_question q = {.id = assay_slice_of(id),
                              .query = assay_slice_of(query),
                              .k = 10,
                              .wants_answer = true};

    assay_arena_reset(&arena);
    got = assay_reply_none();
    return sys->ask(worker, &q, &arena, &got, &err);
}

/* The error of a query, or its hits. */
static const char *ask(const char *id)
{
    static char out[2000];
    size_t used = 0;

    if (try_ask(id, "where?"))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    if (got.error.len) {
        snprintf(out, sizeof out, "%.*s", (int)got.error.len, got.error.ptr);
        return out;
    }
    out[0] = '\0';
    for (uint32_t i = 0; i < got.n_hits; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%.*s %g",
                                 i ? ", " : "", (int)got.hit[i].doc.len,
                                 got.hit[i].doc.ptr, got.hit[i].score);
    return out;
}

/* Ask `path` once: whether the error has this in it. */
static void check_error(const char *path, const char *words)
{
    open_path(path);
    (void)ask("q1");
    if (!got.error.len || !strstr(ask("q1"), words))
        check_failed(__FILE__, __LINE__, "/%s: '%.*s' has no '%s'", path,
                     (int)got.error.len, got.error.ptr, words);
    end();
}

/* The last test of the file would be too late where one was picked. */
__attribute__((destructor)) static void stop_server(void)
{
    if (server > 0)
        kill(-server, SIGKILL);
}

TEST(a_server_is_asked_and_answers)
{
    fresh();
    open_path("good");
    CHECK_STR(ask("q1"), "d-q1 2, e 1");
    CHECK(got.elapsed_ms >= 0);
    CHECK_STR(ask("q2"), "d-q2 2, e 1");
    end();
}

TEST(each_way_to_fail_is_one_failed_query_with_its_words)
{
    fresh();
    source.timeout_s = 0.5;
    source.most_bytes = 1000000;
    check_error("down", "/down: status 503: maintenance");
    check_error("refuse", "status 401: no: ");
    check_error("garbage", "/garbage: reply:1:1: ");
    check_error("garbage", "it sent '<html>hello</html>'");
    check_error("mute", "mpty reply");
    check_error("slow", "imed out");
    check_error("half", "/half: ");
    check_error("endless", "the answer is longer than 1000000 bytes");
    check_error("error", "index is being built");
    check_error("wrong", "the reply is for another id");
    check_error("empty", "/empty: reply:1:1: ");
    check_error("other",
                "no 'hits', 'answer' or 'error', but 'took', 'results', 'summary'");
}

TEST(what_fails_for_a_while_is_asked_again_after_the_time_it_asks_for)
{
    int64_t began = assay_clock_us();

    fresh();
    source.retries = 0; /* the standard: 2 */
    open_path("flaky");
    CHECK_STR(ask("q1"), "d-q1 2, e 1");
    CHECK(assay_clock_us() - began >= 1000000); /* Retry-After: 1 */
    end();
}

TEST(a_server_that_is_not_there_is_an_error_of_the_run)
{
    int free_port = 0;
    int s;

    fresh();
    s = odd_listen(&free_port);
    close(s);
    snprintf(spelling, sizeof spelling, "http://me:pw@127.0.0.1:%d/x?key=k", free_port);
    CHECK(assay_system_get(spelling, &sys, &err) == ASSAY_OK);
    CHECK(sys->open(&source, &state, &err) == ASSAY_ESYSTEM);
    CHECK(strstr(err.text, "http://127.0.0.1:") && !strstr(err.text, "pw") &&
          !strstr(err.text, "key=k"));
    CHECK(!state);
}

TEST(texts_without_ids_are_kept)
{
    fresh();
    open_path("text");
    CHECK_STR(ask("q1"), " 1");
    CHECK(assay_slice_is(got.hit[0].text, "The harbour is open."));
    end();
}

TEST(usage_goes_into_the_answer)
{
    fresh();
    open_path("answer");
    CHECK_STR(ask("q1"), "");
    CHECK(got.answer && assay_slice_is(got.answer->text, "yes"));
    CHECK_INT(got.answer->prompt_tokens, 100);
    CHECK_INT(got.answer->completion_tokens, 20);
    CHECK_NEAR(got.answer->cost, 0.25, 0);
    CHECK_INT(got.answer->n_citations, 1);
    end();
}

TEST(an_interruption_ends_the_waiting_for_a_server)
{
    int64_t began = assay_clock_us();

    fresh();
    open_path("slow");
    atomic_store(&stop, 2);
    CHECK(try_ask("q1", "x") == ASSAY_ESYSTEM);
    end();
    CHECK(assay_clock_us() - began < 10000000);
}

TEST(a_limit_of_requests_a_second_holds)
{
    int64_t began;

    fresh();
    source.per_second = 20;
    open_path("good");
    began = assay_clock_us();
    for (int i = 0; i < 11; i++)
        (void)ask("q1");
    CHECK(assay_clock_us() - began >= 10 * 50000);
    end();
}

TEST(what_was_sent_in_secret_is_in_no_message)
{
    fresh();
    source.api_key = "secret-key-of-mine";
    check_error("refuse", "status 401");
    open_path("refuse");
    CHECK(!strstr(ask("q1"), "secret-key"));
    end();
    open_path("echo");
    CHECK(strstr(ask("q1"), "it sent 'you sent POST /echo"));
    CHECK(!strstr(ask("q1"), "secret-key"));
    end();
}

/* ---- another shape ---- */

static assay_arena config_arena;

/* The map `system` of an assay.yaml. */
static const assay_node *config_of(const char *yaml)
{
    assay_node *root = NULL;

    if (assay_node_yaml("assay.yaml", assay_slice_of(yaml), &config_arena, &root, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return root;
}

TEST(pointers_map_another_shape_and_a_template_another_request)
{
    char line[1000] = "";
    FILE *log;

    fresh();
    source.config = config_of("headers: {X-Team: search}\n"
                              "request: {q: '{query}', size: '{k}', opt: [1, true, "
                              "'id {id}'], want: '{answer}'}\n"
                              "pointers:\n"
                              "  hits: /results/items\n"
                              "  id: /document/id\n"
                              "  score: /rank~1score\n"
                              "  text: /body\n"
                              "  answer: /summary\n"
                              "  citations: /sources\n"
                              "  prompt_tokens: /tokens/in\n"
                              "  completion_tokens: /tokens/out\n");
    open_path("other");
    CHECK_STR(ask("q1"), "7 0.5, eight 0");
    CHECK(got.hit[0].has_score && !got.hit[1].has_score);
    CHECK(assay_slice_is(got.hit[0].text, "seven"));
    CHECK(got.answer && assay_slice_is(got.answer->text, "it is seven"));
    CHECK(got.answer->n_citations == 1 &&
          assay_slice_is(got.answer->citation[0].doc, "7"));
    CHECK_INT(got.answer->prompt_tokens, 11);
    CHECK_INT(got.answer->completion_tokens, 4);
    end();
    log = fopen("requests.log", "r");
    CHECK(log);
    while (fgets(line, sizeof line, log))
        ;
    fclose(log);
    CHECK_STR(line,
              "/other {\"q\":\"where?\",\"size\":10,\"opt\":[1,true,\"id q1\"],\"want\":"
              "true} with header\n");
    assay_arena_clear(&config_arena);
}

TEST(a_pointer_that_finds_nothing_is_named)
{
    fresh();
    source.config = config_of("{pointers: {hits: /nothing}}");
    open_path("other");
    CHECK(strstr(ask("q1"), "the reply has nothing at '/nothing' (hits) or '/answer' "
                            "(answer)"));
    end();
    source.config = config_of("{pointers: {hits: /results/items, doc_id: /nix}}");
    open_path("other");
    CHECK(strstr(ask("q1"),
                 "hit 1 of the reply has nothing at '/nix', '/chunk_id' or '/text'"));
    end();
    assay_arena_clear(&config_arena);
}

TEST(settings_that_do_not_fit_are_told_with_their_line)
{
    static const struct {
        const char *yaml;
        const char *words;
    } cases[] = {
        {"url: x\ntimeot: 3", "a.yaml:2: unknown key 'timeot' of 'system'; did you mean "
                              "'timeout'?"},
        {"timeout: soon",
         "a.yaml:1: 'system.timeout' has a string where a number belongs"},
        {"timeout: -1", "a.yaml:1: 'system.timeout' is -1; want a number above 0"},
        {"retries: 1.5", "a.yaml:1: 'system.retries' has a number where a whole number "
                         "belongs"},
        {"url: a\ncommand: b",
         "a.yaml:2: 'system' has more than one of 'spec', 'command' "
         "and 'url'"},
        {"pointers: {hits: results}",
         "a.yaml:1: the pointer of 'hits' is 'results'; want one as '/data/0/id'"},
        {"pointers: {hit: /x}", "a.yaml:1: unknown key 'hit' of 'system'; did you mean "
                                "'hits'?"},
        {"pointers: {id: /x, doc_id: /y}",
         "a.yaml:1: 'id' is another word for 'doc_id'; give one of them"},
        {"headers: {\"a:b\": c}",
         "a.yaml:1: header 'a:b' must be a name and a line of text"},
        {"headers: {a: \"b\\nc: d\"}",
         "a.yaml:1: header 'a' must be a name and a line of "
         "text"},
        {"request: all", "a.yaml:1: 'system.request' has a string where a map belongs"},
        {"timeout: 3", "a.yaml:1: 'system' names no 'command', 'url' or 'spec'"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *out = NULL;

        CHECK(assay_system_spelling(config_of(cases[i].yaml), "a.yaml", &config_arena,
                                    &out, &err) == ASSAY_EINPUT);
        CHECK_STR(err.text, cases[i].words);
    }
    assay_arena_clear(&config_arena);
}

TEST(a_spelling_is_made_of_what_assay_yaml_says)
{
    const char *out = NULL;

    CHECK(!assay_system_spelling(config_of("command: python3 x.py"), "a", &config_arena,
                                 &out, &err));
    CHECK_STR(out, "cmd:python3 x.py");
    CHECK(!assay_system_spelling(config_of("url: http://h/"), "a", &config_arena, &out,
                                 &err));
    CHECK_STR(out, "http://h/");
    CHECK(!assay_system_spelling(config_of("file:x.jsonl"), "a", &config_arena, &out,
                                 &err));
    CHECK_STR(out, "file:x.jsonl");
    assay_arena_clear(&config_arena);
}

TEST(the_identity_has_what_decides_and_no_secret)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    char want[300];

    fresh();
    source.config = config_of("headers: {X-Secret: abc}\nrequest: {q: '{query}'}\n"
                              "pointers: {hits: /r}\n");
    open_path("good?key=x");
    sys->identity(state, &b);
    snprintf(want, sizeof want,
             "http://127.0.0.1:%d/good request({\"q\":\"{query}\"}) pointers(hits=/r)",
             port);
    CHECK(assay_slice_is(assay_buffer_view(&b), want));
    assay_buffer_clear(&b);
    end();
    assay_arena_clear(&config_arena);
}
