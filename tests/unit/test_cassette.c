/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"
#include "base/canonical.h"
#include "base/cassette.h"
#include "base/file.h"
#include "base/http.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/redact.h"
#include "base/slice.h"
#include "testing.h"

static assay_error err;

static assay_cassette *open_one(const char *path, assay_cassette_mode mode)
{
    assay_cassette *c = NULL;

    err.text[0] = '\0';
    if (assay_cassette_open(path, mode, &c, &err))
        check_failed(path, 0, "%s", err.text);
    return c;
}

static void add(assay_cassette *c, const char *target, const char *request,
                const char *reply, bool has_failed)
{
    const assay_call call = {"http", assay_slice_of(target), assay_slice_of(request)};
    const assay_call_reply how = {.has_failed = has_failed, .ms = 2.5};

    if (assay_cassette_add(c, &call, assay_slice_of(reply), &how, &err))
        check_failed(request, 0, "%s", err.text);
}

/* The reply, "!" before an error, "?" for a miss; valid until the next call. */
static const char *play(assay_cassette *c, const char *target, const char *request)
{
    static char text[1000];
    const assay_call call = {"http", assay_slice_of(target), assay_slice_of(request)};
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_call_reply how;
    assay_status st = assay_cassette_play(c, &call, &reply, &how, &err);

    if (st)
        snprintf(text, sizeof text, "?");
    else
        snprintf(text, sizeof text, "%s%.*s", how.has_failed ? "!" : "", (int)reply.len,
                 reply.ptr ? reply.ptr : "");
    CHECK(st == ASSAY_OK || st == ASSAY_EINPUT);
    CHECK(st || how.ms == 2.5);
    assay_buffer_clear(&reply);
    return text;
}

static void finish(assay_cassette *c)
{
    if (assay_cassette_finish(c, &err))
        check_failed("finish", 0, "%s", err.text);
    assay_cassette_close(c);
}

/* The whole file; valid until the next call. */
static const char *contents(const char *path)
{
    static char text[20000];
    assay_file file = {0};

    if (assay_file_open(&file, path, &err))
        check_failed(path, 0, "%s", err.text);
    snprintf(text, sizeof text, "%.*s", (int)file.text.len, file.text.ptr);
    assay_file_close(&file);
    return text;
}

TEST(what_was_recorded_is_replayed)
{
    assay_cassette *c = open_one("a.jsonl", ASSAY_CASSETTE_RECORD);

    add(c, "t", "one", "first", false);
    add(c, "t", "two", "{\"x\": \"\\u00e9 \\\"\"}", false);
    add(c, "u", "one", "the other", false);
    add(c, "t", "broken", "status 500", true);
    finish(c);
    CHECK(!assay_file_exists("a.jsonl.part"));

    c = open_one("a.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "two"), "{\"x\": \"\\u00e9 \\\"\"}");
    CHECK_STR(play(c, "u", "one"), "the other");
    CHECK_STR(play(c, "t", "one"), "first");
    CHECK_STR(play(c, "t", "broken"), "!status 500");
    finish(c);
}

TEST(equal_requests_are_replayed_in_order_and_the_last_stays)
{
    assay_cassette *c = open_one("b.jsonl", ASSAY_CASSETTE_RECORD);

    add(c, "t", "q", "1", false);
    add(c, "t", "q", "2", false);
    add(c, "t", "q", "3", false);
    finish(c);

    c = open_one("b.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "q"), "1");
    CHECK_STR(play(c, "t", "q"), "2");
    CHECK_STR(play(c, "t", "q"), "3");
    CHECK_STR(play(c, "t", "q"), "3");
    finish(c);
}

TEST(order_of_keys_and_blanks_does_not_matter)
{
    assay_cassette *c = open_one("c.jsonl", ASSAY_CASSETTE_RECORD);

    add(c, "t", "{\"model\": \"m\", \"input\": [\"a\", 1.0]}", "yes", false);
    finish(c);
    c = open_one("c.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "{\"input\":[\"\\u0061\",1],\"model\":\"m\"}"), "yes");
    CHECK_STR(play(c, "t", "{\"input\":[1,\"a\"],\"model\":\"m\"}"), "?");
    assay_cassette_close(c);
    /* Readable: the request is JSON in the line. */
    CHECK(strstr(contents("c.jsonl"),
                 "\"request\":{\"input\":[\"a\",1],\"model\":\"m\"},"));
}

TEST(bytes_that_are_no_text_come_back)
{
    static const char bytes[] = {'a', '\0', '\xff', '\xfe', '\n', 'z'};
    const assay_call call = {"cmd", {bytes, 3}, {bytes, sizeof bytes}};
    const assay_call_reply how = {.ms = 1};
    assay_call_reply got;
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_cassette *c = open_one("d.jsonl", ASSAY_CASSETTE_RECORD);

    CHECK(!assay_cassette_add(c, &call, (assay_slice){bytes, sizeof bytes}, &how, &err));
    finish(c);
    CHECK(strstr(contents("d.jsonl"), "\"reply64\":\"YQD//gp6\""));
    c = open_one("d.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK(!assay_cassette_play(c, &call, &reply, &got, &err));
    CHECK(assay_slice_eq(assay_buffer_view(&reply), (assay_slice){bytes, sizeof bytes}));
    assay_buffer_clear(&reply);
    finish(c);
}

TEST(a_miss_shows_the_nearest_and_what_differs)
{
    assay_cassette *c = open_one("e.jsonl", ASSAY_CASSETTE_RECORD);

    add(c, "http://h/v1", "{\"input\":[\"what does the harbour master do\"]}", "1",
        false);
    add(c, "http://h/v1", "{\"input\":[\"fees for night berths\"]}", "2", false);
    add(c, "http://other", "{\"input\":[\"fees for day berths\"]}", "3", false);
    finish(c);
    c = open_one("e.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "http://h/v1", "{\"input\":[\"fees for day berths\"]}"), "?");
    CHECK(strstr(err.text,
                 "e.jsonl: this call was not recorded: http http://h/v1 "
                 "{\"input\":[\"fees for day berths\"]}; the nearest is line "));
    CHECK(strstr(err.text, "{\"input\":[\"fees for night berths\"]}' where this one has "
                           "'{\"input\":[\"fees for day berths\"]}'"));
    CHECK_STR(play(c, "http://gone", "{\"input\":[\"fees for night berths\"]}"), "?");
    CHECK(strstr(err.text, "to 'http://h/v1', with the same request"));

    /* Told again at the end, whatever became of the errors. */
    CHECK_INT(assay_cassette_finish(c, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "http://gone"));
    CHECK(strstr(err.text, "(and 1 more calls)"));
    assay_cassette_close(c);
}

TEST(words_of_a_miss_fit_a_message_and_end_at_characters)
{
    char request[3000] = "";
    assay_cassette *c = open_one("f.jsonl", ASSAY_CASSETTE_RECORD);

    for (int i = 0; i < 900; i++)
        memcpy(request + 3 * i, "\xc3\xa9\n", 4);
    add(c, "t", request, "1", false);
    finish(c);
    c = open_one("f.jsonl", ASSAY_CASSETTE_REPLAY);
    memcpy(request + 2700, "new", 4);
    CHECK_STR(play(c, "t", request), "?");
    CHECK(strlen(err.text) < sizeof err.text - 1);
    CHECK(!strchr(err.text, '\n'));
    CHECK(strstr(err.text, "new'"));
    assay_cassette_close(c);
}

TEST(secrets_stand_nowhere_in_the_file)
{
    assay_cassette *c = open_one("g.jsonl", ASSAY_CASSETTE_RECORD);

    CHECK(!assay_cassette_hide(c, "sk-\"quoted\" & more", &err));
    CHECK(!assay_cassette_hide(c, "sk-plain-0123456789", &err));
    add(c, "http://h/?k=sk-plain-0123456789", "{\"a\":\"x sk-plain-0123456789 y\"}",
        "sk-plain-0123456789", false);
    add(c, "t1", "{\"sk-plain-0123456789\":1}", "{\"e\":\"\\u0073k-plain-0123456789\"}",
        false);
    add(c, "t2", "plain sk-\"quoted\" & more", "{\"e\":\"sk-\\\"quoted\\\" & more\"}",
        false);
    add(c, "t3", "u=sk-%22quoted%22%20%26%20more", "u=sk-%22quoted%22+%26+more", false);
    add(c, "t4", "x", "said sk-\\\"quoted\\\" & more", true);
    finish(c);
    CHECK(!strstr(contents("g.jsonl"), "plain-0123"));
    CHECK(!strstr(contents("g.jsonl"), "quoted"));
    CHECK(strstr(contents("g.jsonl"), "[redacted]"));

    /* Another key, or none, and the same requests. */
    c = open_one("g.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK(!assay_cassette_hide(c, "another-key-12345", &err));
    CHECK_STR(
        play(c, "http://h/?k=another-key-12345", "{\"a\":\"x another-key-12345 y\"}"),
        "[redacted]");
    finish(c);
}

static const char *redacted(const assay_secrets *s, const char *text)
{
    static char out[1000];
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_secrets_redact(s, assay_slice_of(text), &b);
    CHECK(!b.has_failed);
    snprintf(out, sizeof out, "%.*s", (int)b.len, b.ptr ? b.ptr : "");
    assay_buffer_clear(&b);
    return out;
}

TEST(values_of_secret_keys_are_redacted)
{
    const assay_secrets none = {0};

    CHECK_STR(redacted(&none, "{\"API-Key\" : \"abc\", \"b\":[{\"token\":\"t\\\"t\"}]}"),
              "{\"API-Key\" : \"[redacted]\", \"b\":[{\"token\":\"[redacted]\"}]}");
    CHECK_STR(redacted(&none, "{\"tokens\":\"abc\",\"token\":7,\"password\":\"\"}"),
              "{\"tokens\":\"abc\",\"token\":7,\"password\":\"\"}");
    /* Lines of JSON are no JSON, and half of one neither. */
    CHECK_STR(
        redacted(&none, "{\"password\":\"a\"}\n{\"x\": \"token\", \"token\": \"B\\\"x"),
        "{\"password\":\"[redacted]\"}\n{\"x\": \"token\", \"token\": "
        "\"[redacted]\"");
    CHECK_STR(redacted(&none, ""), "");
    CHECK_STR(redacted(&none, "\""), "\"");
}

TEST(short_secrets_are_words_and_the_shortest_none)
{
    assay_secrets s = {0};

    CHECK(assay_secrets_add(&s, ASSAY_LIT("ollama")));
    CHECK(assay_secrets_add(&s, ASSAY_LIT("x")));
    CHECK(assay_secrets_add(&s, ASSAY_LIT("12345678")));
    CHECK_STR(redacted(&s, "x ollama-guide.md Bearer ollama"),
              "x ollama-guide.md Bearer [redacted]");
    CHECK_STR(redacted(&s, "[1, 12345678, 123456789, \"a12345678\"]"),
              "[1, \"[redacted]\", 123456789, \"a[redacted]\"]");
    assay_secrets_clear(&s);
}

TEST(cleaning_twice_changes_nothing)
{
    assay_cassette *c = open_one("h.jsonl", ASSAY_CASSETTE_RECORD);
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_buffer again = ASSAY_BUFFER_EMPTY;

    CHECK(!assay_cassette_hide(c, "redacted", &err));
    CHECK(!assay_cassette_hide(c, "very secret", &err));
    assay_buffer_text(&b, "{\"token\":\"x\", \"y\": \"very secret\"}");
    CHECK(!assay_cassette_clean(c, &b, &err));
    assay_buffer_slice(&again, assay_buffer_view(&b));
    CHECK(assay_slice_is(assay_buffer_view(&b),
                         "{\"token\":\"[redacted]\", \"y\": \"[redacted]\"}"));
    CHECK(!assay_cassette_clean(c, &again, &err));
    CHECK(assay_slice_eq(assay_buffer_view(&b), assay_buffer_view(&again)));
    assay_buffer_clear(&b);
    assay_buffer_clear(&again);
    assay_cassette_close(c);
}

TEST(an_interrupted_recording_keeps_its_whole_lines)
{
    assay_cassette *c;
    FILE *f;

    write_file("i.jsonl", "{\"schema\":\"assay.cassette/1\"}\n");
    c = open_one("i.jsonl", ASSAY_CASSETTE_RECORD);
    add(c, "t", "1", "a", false);
    add(c, "t", "2", "b", false);
    assay_cassette_close(c); /* not finished */
    CHECK_STR(contents("i.jsonl"), "{\"schema\":\"assay.cassette/1\"}\n");
    f = fopen("i.jsonl.part", "ab");
    fputs("{\"kind\":\"http\",\"tar", f);
    fclose(f);

    c = open_one("i.jsonl.part", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "2"), "b");
    finish(c);

    /* Gone on with: what is there stays, and what is asked again takes its place. */
    c = open_one("i.jsonl", ASSAY_CASSETTE_EXTEND);
    add(c, "t", "2", "b again", false);
    add(c, "t", "2", "b once more", false);
    add(c, "t", "3", "c", false);
    finish(c);
    c = open_one("i.jsonl", ASSAY_CASSETTE_EXTEND);
    add(c, "t", "4", "d", false);
    finish(c);
    c = open_one("i.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "1"), "a");
    CHECK_STR(play(c, "t", "2"), "b again");
    CHECK_STR(play(c, "t", "2"), "b once more");
    CHECK_STR(play(c, "t", "3"), "c");
    CHECK_STR(play(c, "t", "4"), "d");
    finish(c);

    /* Made anew: nothing of it stays. */
    c = open_one("i.jsonl", ASSAY_CASSETTE_RECORD);
    finish(c);
    CHECK_STR(contents("i.jsonl"), "{\"schema\":\"assay.cassette/1\"}\n");
}

TEST(a_line_written_by_hand_needs_no_key)
{
    assay_cassette *c;

    write_file("j.jsonl",
               "{\"schema\":\"assay.cassette/1\"}\n\n"
               "{\"kind\":\"http\",\"target\":\"t\",\"request\":{\"b\":1,\"a\":2},"
               "\"reply\":\"x\",\"ms\":2.5}\n"
               "{\"kind\":\"http\",\"target\":\"t\",\"request\":\"{\\\"c\\\": 1}\","
               "\"reply\":\"y\",\"ms\":2.5,\"note\":{\"by\":\"hand\"}}");
    c = open_one("j.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK_STR(play(c, "t", "{\"a\":2,\"b\":1}"), "x");
    CHECK_STR(play(c, "t", "{\"c\":1}"), "y");
    finish(c);
}

TEST(bad_files_are_named_with_the_line)
{
#define HEAD "{\"schema\":\"assay.cassette/1\"}\n"
    static const struct {
        const char *text;
        const char *words;
    } bad[] = {
        {"", "k.jsonl: an empty file is no recording"},
        {"x\n", "k.jsonl:1: no recording: the first line must be "
                "{\"schema\":\"assay.cassette/1\"}"},
        {"{\"schema\":\"assay.cassette/9\"}\n",
         "k.jsonl:1: 'assay.cassette/9' was written by another version; this one reads "
         "'assay.cassette/1'"},
        {HEAD "[]\n", "k.jsonl:2:1: want an object in each line"},
        {HEAD "{\"kind\":\"h\",\"target\":\"t\",\"request\":\"r\"}\n",
         "k.jsonl:2: a call without 'reply'"},
        {HEAD
         "{\"kind\":\"h\",\"target\":\"t\",\"request\":\"r\",\"reply\":\"r\",\"n\":0}\n",
         "k.jsonl:2:56: 'n' must be a whole number from 1 on"},
        {HEAD
         "{\"kind\":\"h\",\"target\":\"t\",\"request\":\"r\",\"reply\":\"r\",\"error\":\"\"}\n",
         "k.jsonl:2:60: a second reply in one line"},
        {HEAD "{\"reply64\":\"a\"}\n", "k.jsonl:2:12: want base64 here"},
        {HEAD "{\"key\":\"abc\"}\n", "k.jsonl:2:8: 'key' must be 64 hexadecimal digits"},
    };
#undef HEAD

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_cassette *c = NULL;

        write_file("k.jsonl", bad[i].text);
        CHECK_INT(assay_cassette_open("k.jsonl", ASSAY_CASSETTE_REPLAY, &c, &err),
                  ASSAY_EINPUT);
        CHECK_STR(err.text, bad[i].words);
        CHECK(c == NULL);
    }
}

TEST(a_file_that_is_not_there_is_said)
{
    assay_cassette *c = NULL;

    CHECK_INT(assay_cassette_open("no.jsonl", ASSAY_CASSETTE_REPLAY, &c, &err),
              ASSAY_EUSAGE);
    CHECK_INT(assay_cassette_open("no/no.jsonl", ASSAY_CASSETTE_RECORD, &c, &err),
              ASSAY_EUSAGE);
    CHECK_STR(err.text, "no folder for 'no/no.jsonl'");
    CHECK(c == NULL);
}

/* ---- threads ---- */

enum { CALLS = 400 };

static void record_one(void *ctx, uint32_t worker, size_t item)
{
    char request[40];

    (void)worker;
    snprintf(request, sizeof request, "{\"q\":%zu}", item / 2);
    if (item % 50 == 0)
        CHECK(!assay_cassette_hide(ctx, "a secret of some length", NULL));
    add(ctx, "t", request, request, false);
}

static void play_one(void *ctx, uint32_t worker, size_t item)
{
    const assay_call call = {"http", ASSAY_LIT("t"), {NULL, 0}};
    assay_call own = call;
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_call_reply how;
    char request[40];

    (void)worker;
    snprintf(request, sizeof request, "{ \"q\":%zu}", item / 2);
    own.request = assay_slice_of(request);
    /* Every tenth is asked of a place that nobody knows. */
    own.target = item % 10 ? own.target : ASSAY_LIT("nowhere");
    if (assay_cassette_play(ctx, &own, &reply, &how, NULL) !=
        (item % 10 ? ASSAY_OK : ASSAY_EINPUT))
        abort();
    assay_buffer_clear(&reply);
}

TEST(threads_record_the_same_file_and_replay_it)
{
    static char one[100000];
    assay_error first;
    assay_file file = {0};
    assay_cassette *c;

    for (uint32_t threads = 1; threads <= 8; threads += 7) {
        c = open_one("l.jsonl", ASSAY_CASSETTE_RECORD);
        assay_pool_run(threads, CALLS, record_one, c);
        finish(c);
        CHECK(!assay_file_open(&file, "l.jsonl", &err));
        CHECK(file.text.len < sizeof one);
        if (threads == 1)
            memcpy(one, file.text.ptr, file.text.len);
        CHECK(memcmp(one, file.text.ptr, file.text.len) == 0);
        assay_file_close(&file);

        c = open_one("l.jsonl", ASSAY_CASSETTE_REPLAY);
        assay_pool_run(threads, CALLS, play_one, c);
        CHECK_INT(assay_cassette_finish(c, &err), ASSAY_EINPUT);
        if (threads == 1)
            first = err;
        CHECK_STR(err.text, first.text);
        assay_cassette_close(c);
    }
}

/* ---- connections ---- */

TEST(a_replayed_post_needs_no_server)
{
    const char *const header[] = {"X-Api-Key: very-secret-key"};
    assay_http_settings settings = {.header = header, .n_headers = 1};
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_http *http = NULL;
    assay_cassette *c = open_one("m.jsonl", ASSAY_CASSETTE_RECORD);

    add(c, "http://127.0.0.1:1/v1", "{\"a\":1}", "{\"b\":2}", false);
    add(c, "http://127.0.0.1:1/v1", "{\"a\":2}", "http://127.0.0.1:1/v1: status 500",
        true);
    finish(c);
    settings.cassette = c = open_one("m.jsonl", ASSAY_CASSETTE_REPLAY);
    CHECK(!assay_http_open(&settings, &http, &err));
    CHECK(!assay_http_post(http, "http://u:pass@127.0.0.1:1/v1?key=x",
                           ASSAY_LIT("{ \"a\":1}"), &reply, &err));
    CHECK(assay_slice_is(assay_buffer_view(&reply), "{\"b\":2}"));
    CHECK_NEAR(assay_http_ms(http), 2.5, 0);
    CHECK_INT(assay_http_post(http, "http://127.0.0.1:1/v1", ASSAY_LIT("{\"a\":2}"),
                              &reply, &err),
              ASSAY_ESYSTEM);
    CHECK_STR(err.text, "http://127.0.0.1:1/v1: status 500");
    CHECK_INT(assay_http_post(http, "http://127.0.0.1:1/v1",
                              ASSAY_LIT("{\"a\":3,\"b\":\"very-secret-key\"}"), &reply,
                              &err),
              ASSAY_EINPUT);
    CHECK(!strstr(err.text, "very-secret-key"));
    assay_http_close(http);
    assay_cassette_close(c);
    assay_buffer_clear(&reply);
}

TEST(a_refused_connection_is_recorded_as_an_error)
{
    assay_http_settings settings = {.retries = UINT32_MAX};
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_http *http = NULL;
    assay_error live;

    for (int is_replay = 0; is_replay < 2; is_replay++) {
        settings.cassette = open_one("n.jsonl", is_replay ? ASSAY_CASSETTE_REPLAY
                                                          : ASSAY_CASSETTE_RECORD);
        CHECK(!assay_http_open(&settings, &http, &err));
        CHECK_INT(
            assay_http_post(http, "http://127.0.0.1:1/", ASSAY_LIT("{}"), &reply, &err),
            ASSAY_ESYSTEM);
        if (!is_replay)
            live = err;
        CHECK_STR(err.text, live.text);
        assay_http_close(http);
        finish(settings.cassette);
    }
    assay_buffer_clear(&reply);
}

TEST(one_who_is_told_to_stop_does_not_wait)
{
    atomic_int stop = 1;
    const assay_http_settings settings = {.backoff_ms = 60000, .stop = &stop};
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_http *http = NULL;

    CHECK(!assay_http_open(&settings, &http, &err));
    CHECK_INT(assay_http_post(http, "http://127.0.0.1:1/", ASSAY_LIT("{}"), &reply, &err),
              ASSAY_ESYSTEM);
    CHECK_STR(err.text, "http://127.0.0.1:1/: interrupted");
    assay_http_close(http);
    assay_buffer_clear(&reply);
}

/* ---- memory ---- */

static assay_status record_all(void)
{
    const assay_call call = {"http", ASSAY_LIT("t"),
                             ASSAY_LIT("{\"b\":[1,2.5],\"a\":\"x\"}")};
    const assay_call_reply how = {.ms = 1};
    assay_cassette *c = NULL;
    assay_status st = assay_cassette_open("o.jsonl", ASSAY_CASSETTE_RECORD, &c, &err);

    if (!st)
        st = assay_cassette_hide(c, "a secret \"here\"", &err);
    for (int i = 0; i < 2 && !st; i++)
        st = assay_cassette_add(c, &call, ASSAY_LIT("{\"x\":\"a secret \\\"here\\\"\"}"),
                                &how, &err);
    if (!st)
        st = assay_cassette_finish(c, &err);
    assay_cassette_close(c);
    return st;
}

/* One call that was recorded, and one that was not. */
static assay_status play_all(void)
{
    assay_call call = {"http", ASSAY_LIT("t"), ASSAY_LIT("{\"a\":\"x\",\"b\":[1,2.5]}")};
    assay_buffer reply = ASSAY_BUFFER_EMPTY;
    assay_call_reply how;
    assay_cassette *c = NULL;
    assay_status st = assay_cassette_open("o.jsonl", ASSAY_CASSETTE_REPLAY, &c, &err);

    if (!st)
        st = assay_cassette_play(c, &call, &reply, &how, &err);
    call.request = ASSAY_LIT("{\"a\":\"y\"}");
    if (!st)
        st = assay_cassette_play(c, &call, &reply, &how, &err);
    assay_buffer_clear(&reply);
    assay_cassette_close(c);
    return st;
}

TEST(without_memory_each_call_says_so)
{
    static assay_status (*const part[])(void) = {record_all, play_all};
    static const assay_status want[] = {ASSAY_OK, ASSAY_EINPUT};

    for (size_t i = 0; i < 2; i++) {
        uint64_t n = 1;
        assay_status st;

        for (;; n++) {
            assay_mem_fail_after(n);
            st = part[i]();
            if (!assay_mem_has_failed())
                break;
            assay_mem_fail_after(0);
            CHECK_INT(st, ASSAY_ENOMEM);
        }
        assay_mem_fail_after(0);
        CHECK_INT(st, want[i]);
        CHECK(n > 20);
    }
}

/* ---- parts ---- */

TEST(base64_comes_back)
{
    static const char *const pair[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}}; /* RFC 4648, section 10 */
    static const char *const bad[] = {"Zg=", "Zh==", "Z===", "Zm8=Zm8=", "Zm 8", "===="};

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        assay_buffer text = ASSAY_BUFFER_EMPTY;
        assay_buffer back = ASSAY_BUFFER_EMPTY;

        assay_base64_write(assay_slice_of(pair[i][0]), &text);
        CHECK(assay_slice_is(assay_buffer_view(&text), pair[i][1]));
        CHECK(assay_base64_read(assay_buffer_view(&text), &back));
        CHECK(assay_slice_is(assay_buffer_view(&back), pair[i][0]));
        assay_buffer_clear(&text);
        assay_buffer_clear(&back);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_buffer back = ASSAY_BUFFER_EMPTY;

        CHECK(!assay_base64_read(assay_slice_of(bad[i]), &back));
        assay_buffer_clear(&back);
    }
}

static const char *canonical(const char *text, uint32_t depth)
{
    static char out[1000];
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    bool ok = assay_canonical_json(assay_slice_of(text), depth, &b);

    snprintf(out, sizeof out, "%.*s", (int)b.len, b.ptr ? b.ptr : "");
    assay_buffer_clear(&b);
    return ok ? out : NULL;
}

TEST(canonical_json_is_the_same_for_the_same_contents)
{
    CHECK_STR(canonical(" { \"b\" : [ 1 , {\"z\":null,\"y\":true} ], \"a\":{} } ", 100),
              "{\"a\":{},\"b\":[1,{\"y\":true,\"z\":null}]}");
    CHECK_STR(canonical("[1.0, 1e2, -0, 0.5, 5e-1, 123456789012345678901234567890]", 9),
              "[1,100,0,0.5,0.5,123456789012345678901234567890]");
    CHECK_STR(canonical("\"text\"", 9), NULL);
    CHECK_STR(canonical("[1,", 9), NULL);
    CHECK_STR(canonical("[[1]]", 2), "[[1]]");
    CHECK_STR(canonical("[[[1]]]", 2), NULL);
}
