/* SPDX-License-Identifier: Apache-2.0 */
/* A recording is written to FILE.part line by line, each with one write, so that whoever
 * kills the process loses at most the calls that were under way; finish reads it back,
 * sorts it, and puts it in the place of FILE in one step. */
#include "base/cassette.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/cassette_file.h"
#include "base/cassette_near.h"
#include "base/dict.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/slice.h"

/* Equal requests. */
typedef struct group {
    size_t first;   /* in the tape */
    uint32_t n;     /* in the tape, or recorded so far */
    uint32_t asked; /* in a replay: how often */
} group;

struct assay_cassette {
    assay_cassette_mode mode;
    pthread_mutex_t mutex; /* for all that changes, but the secrets */
    assay_arena arena;
    char *path;
    char *part;               /* FILE.part */
    pthread_rwlock_t reading; /* the secrets: threads clean replies side by side */
    assay_secrets secrets;
    assay_dict keys; /* number = that of the group */
    group *group;
    size_t cap_groups;

    /* recording */
    int fd;        /* of FILE.part, -1 = none */
    off_t n_bytes; /* whole lines in it */

    /* replaying */
    assay_file file;
    assay_tape tape;
    assay_tape_looks *looks; /* made when the first call is missed */
    uint64_t n_missed;
    char *first_key; /* kind, target and key of the miss that comes first ... */
    char *first;     /* ... and its words */
};

bool assay_cassette_is_replay(const assay_cassette *cassette)
{
    return cassette->mode == ASSAY_CASSETTE_REPLAY;
}

assay_cassette_mode assay_cassette_mode_of(const assay_cassette *cassette)
{
    return cassette->mode;
}

void assay_cassette_close(assay_cassette *cassette)
{
    if (!cassette)
        return;
    if (cassette->fd >= 0)
        close(cassette->fd);
    assay_tape_looks_free(cassette->looks);
    assay_tape_clear(&cassette->tape);
    assay_file_close(&cassette->file);
    assay_secrets_clear(&cassette->secrets);
    assay_dict_clear(&cassette->keys);
    assay_mem_free(cassette->group);
    assay_mem_free(cassette->first_key);
    assay_mem_free(cassette->first);
    assay_arena_clear(&cassette->arena);
    pthread_rwlock_destroy(&cassette->reading);
    pthread_mutex_destroy(&cassette->mutex);
    assay_mem_free(cassette);
}

/* ---- equal requests ---- */

/* The group of a key, made when it is new; null: no memory. */
static group *group_of(assay_cassette *c, assay_slice key)
{
    group *grown;
    uint32_t number;
    bool is_new;

    grown = assay_mem_grow(c->group, &c->cap_groups, c->keys.n + 1u, sizeof *grown);
    if (!grown)
        return NULL;
    c->group = grown;
    if (!assay_dict_put(&c->keys, &c->arena, key, &number, &is_new))
        return NULL;
    if (is_new)
        c->group[number] = (group){0};
    return &c->group[number];
}

/* Count what a tape has. */
static assay_status count_groups(assay_cassette *c, const assay_tape *tape,
                                 assay_error *err)
{
    for (size_t i = 0; i < tape->n; i++) {
        group *g = group_of(c, tape->item[i].key);

        if (!g)
            return assay_fail_memory(err, "reading a recording");
        if (g->n && !assay_slice_eq(tape->item[i - 1].key, tape->item[i].key))
            return assay_fail_at(err, c->path, tape->item[i].number,
                                 "the same 'key' for another kind or target");
        if (!g->n)
            g->first = i;
        g->n++;
    }
    return ASSAY_OK;
}

/* ---- opening ---- */

static assay_status fail_part(const assay_cassette *c, int number, assay_error *err)
{
    char reason[200];

    if (number == ENOENT || number == ENOTDIR)
        return assay_fail(err, ASSAY_EUSAGE, "no folder for '%s'", c->path);
    if (strerror_r(number, reason, sizeof reason))
        reason[0] = '\0';
    return assay_fail(err, ASSAY_ESYSTEM, "cannot write '%s': %s", c->part, reason);
}

/* All of it, or nothing: half a line would make the next one unreadable. */
static assay_status append(assay_cassette *c, const assay_buffer *line, assay_error *err)
{
    size_t done = 0;

    if (line->has_failed)
        return assay_fail_memory(err, "recording a call");
    while (done < line->len) {
        ssize_t n = write(c->fd, line->ptr + done, line->len - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int number = errno;

            if (ftruncate(c->fd, c->n_bytes) == 0)
                lseek(c->fd, c->n_bytes, SEEK_SET);
            return fail_part(c, number, err);
        }
        done += (size_t)n;
    }
    c->n_bytes += (off_t)line->len;
    return ASSAY_OK;
}

static assay_status open_part(assay_cassette *c, assay_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    c->fd = open(c->part, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (c->fd < 0)
        return fail_part(c, errno, err);
    if (fcntl(c->fd, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN))
        return assay_fail(err, ASSAY_ESYSTEM, "another process is recording to '%s'",
                          c->path);
    return ASSAY_OK;
}

/* Cut FILE.part to its whole lines and go on behind them. */
static assay_status go_on_at(assay_cassette *c, size_t n_bytes, assay_error *err)
{
    c->n_bytes = (off_t)n_bytes;
    if (ftruncate(c->fd, c->n_bytes) || lseek(c->fd, c->n_bytes, SEEK_SET) < 0)
        return fail_part(c, errno, err);
    return ASSAY_OK;
}

static assay_status begin_part(assay_cassette *c, const assay_tape *tape,
                               assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = go_on_at(c, 0, err);

    assay_tape_write_head(&text);
    for (size_t i = 0; tape && i < tape->n; i++) {
        assay_buffer_slice(&text, tape->item[i].line);
        assay_buffer_char(&text, '\n');
    }
    if (!st)
        st = append(c, &text, err);
    assay_buffer_clear(&text);
    return st;
}

static assay_status extend(assay_cassette *c, assay_error *err)
{
    bool is_part = lseek(c->fd, 0, SEEK_END) > 0;
    assay_file file = {0};
    assay_tape tape = {0};
    assay_status st;

    if (!is_part && !assay_file_exists(c->path))
        return begin_part(c, NULL, err);
    st = assay_file_open(&file, is_part ? c->part : c->path, err);
    if (!st)
        st = assay_tape_read(&tape, is_part ? c->part : c->path, file.text, is_part, err);
    /* Equal requests are counted anew: see drop_unfinished in cassette_file.c. */
    if (!st)
        st = is_part ? go_on_at(c, tape.n_bytes, err) : begin_part(c, &tape, err);
    assay_tape_clear(&tape);
    assay_file_close(&file);
    return st;
}

static assay_status open_replay(assay_cassette *c, assay_error *err)
{
    bool is_part = assay_slice_ends(assay_slice_of(c->path), ".part");
    assay_status st = assay_file_open(&c->file, c->path, err);

    if (!st)
        st = assay_tape_read(&c->tape, c->path, c->file.text, is_part, err);
    return st ? st : count_groups(c, &c->tape, err);
}

assay_status assay_cassette_open(const char *path, assay_cassette_mode mode,
                                 assay_cassette **out, assay_error *err)
{
    assay_cassette *c = ASSAY_NEW(assay_cassette);
    assay_buffer part = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (!c)
        return assay_fail_memory(err, "opening a recording");
    c->mode = mode;
    c->fd = -1;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_rwlock_init(&c->reading, NULL);
    assay_buffer_printf(&part, "%s.part", path);
    c->path = assay_arena_string(&c->arena, assay_slice_of(path));
    c->part =
        part.has_failed ? NULL : assay_arena_string(&c->arena, assay_buffer_view(&part));
    assay_buffer_clear(&part);
    if (!c->path || !c->part)
        st = assay_fail_memory(err, "opening a recording");
    if (!st && mode == ASSAY_CASSETTE_REPLAY) {
        st = open_replay(c, err);
    } else if (!st) {
        st = open_part(c, err);
        if (!st)
            st =
                mode == ASSAY_CASSETTE_EXTEND ? extend(c, err) : begin_part(c, NULL, err);
    }
    if (st)
        assay_cassette_close(c);
    else
        *out = c;
    return st;
}

/* ---- finishing ---- */

static assay_status save_sorted(assay_cassette *c, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_file file = {0};
    assay_tape tape = {0};
    assay_status st = assay_file_open(&file, c->part, err);

    if (!st)
        st = assay_tape_read(&tape, c->part, file.text, true, err);
    assay_tape_write_head(&text);
    for (size_t i = 0; i < tape.n; i++) {
        assay_buffer_slice(&text, tape.item[i].line);
        assay_buffer_char(&text, '\n');
    }
    if (!st && text.has_failed)
        st = assay_fail_memory(err, "writing a recording");
    if (!st)
        st = assay_file_save(c->path, assay_buffer_view(&text), err);
    assay_buffer_clear(&text);
    assay_tape_clear(&tape);
    assay_file_close(&file);
    return st;
}

assay_status assay_cassette_finish(assay_cassette *cassette, assay_error *err)
{
    assay_status st;

    if (cassette->mode == ASSAY_CASSETTE_REPLAY) {
        if (!cassette->n_missed)
            return ASSAY_OK;
        if (cassette->n_missed == 1 || !cassette->first)
            return assay_fail(err, ASSAY_EINPUT, "%s",
                              cassette->first ? cassette->first
                                              : "calls were not recorded");
        return assay_fail(err, ASSAY_EINPUT, "%s (and %llu more calls)", cassette->first,
                          (unsigned long long)cassette->n_missed - 1);
    }
    st = save_sorted(cassette, err);
    if (st)
        return st;
    unlink(cassette->part);
    close(cassette->fd);
    cassette->fd = -1;
    return ASSAY_OK;
}

/* ---- secrets ---- */

assay_status assay_cassette_hide(assay_cassette *cassette, const char *secret,
                                 assay_error *err)
{
    bool ok;

    if (!secret)
        return ASSAY_OK;
    pthread_rwlock_wrlock(&cassette->reading);
    ok = assay_secrets_add(&cassette->secrets, assay_slice_of(secret));
    pthread_rwlock_unlock(&cassette->reading);
    return ok ? ASSAY_OK : assay_fail_memory(err, "hiding a secret");
}

assay_status assay_cassette_clean(const assay_cassette *cassette, assay_buffer *reply,
                                  assay_error *err)
{
    pthread_rwlock_t *reading = (pthread_rwlock_t *)&cassette->reading;
    assay_buffer clean = ASSAY_BUFFER_EMPTY;

    pthread_rwlock_rdlock(reading);
    assay_secrets_redact(&cassette->secrets, assay_buffer_view(reply), &clean);
    pthread_rwlock_unlock(reading);
    if (clean.has_failed) {
        assay_buffer_clear(&clean);
        return assay_fail_memory(err, "cleaning a reply");
    }
    assay_buffer_clear(reply);
    *reply = clean;
    return ASSAY_OK;
}

/* ---- calls ---- */

/* A call without secrets, and what it is known by. */
typedef struct clean_call {
    assay_buffer target;
    assay_buffer request;
    assay_buffer reply;
    char key[ASSAY_CASSETTE_KEY];
    bool is_json;
    assay_taped as_taped;
} clean_call;

static void clear_call(clean_call *call)
{
    assay_buffer_clear(&call->target);
    assay_buffer_clear(&call->request);
    assay_buffer_clear(&call->reply);
}

static assay_status clean(assay_cassette *c, const assay_call *call, assay_slice reply,
                          clean_call *out, assay_error *err)
{
    assay_buffer request = ASSAY_BUFFER_EMPTY;
    bool has_failed;

    *out = (clean_call){.is_json = false};
    pthread_rwlock_rdlock(&c->reading);
    assay_secrets_redact_string(&c->secrets, call->target, &out->target);
    assay_secrets_redact(&c->secrets, call->request, &request);
    assay_secrets_redact(&c->secrets, reply, &out->reply);
    pthread_rwlock_unlock(&c->reading);
    out->is_json = assay_tape_request(assay_buffer_view(&request), &out->request);
    has_failed = request.has_failed || out->target.has_failed ||
                 out->request.has_failed || out->reply.has_failed;
    assay_buffer_clear(&request);
    if (has_failed) {
        clear_call(out);
        return assay_fail_memory(err, "recording a call");
    }
    out->as_taped = (assay_taped){.kind = assay_slice_of(call->kind),
                                  .target = assay_buffer_view(&out->target),
                                  .request = assay_buffer_view(&out->request),
                                  .reply = assay_buffer_view(&out->reply),
                                  .key = {out->key, sizeof out->key}};
    assay_tape_key(out->as_taped.kind, out->as_taped.target, out->as_taped.request,
                   out->key);
    return ASSAY_OK;
}

assay_status assay_cassette_add(assay_cassette *cassette, const assay_call *call,
                                assay_slice reply, const assay_call_reply *how,
                                assay_error *err)
{
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    clean_call own;
    assay_status st = clean(cassette, call, reply, &own, err);
    group *g;

    if (st)
        return st;
    own.as_taped.has_failed = how->has_failed;
    own.as_taped.ms = how->ms >= 0 ? how->ms : 0;
    pthread_mutex_lock(&cassette->mutex);
    g = group_of(cassette, own.as_taped.key);
    if (g) {
        own.as_taped.n = g->n + 1;
        assay_tape_write(&own.as_taped, own.is_json, &line);
        st = append(cassette, &line, err);
        g->n += st == ASSAY_OK;
    } else {
        st = assay_fail_memory(err, "recording a call");
    }
    pthread_mutex_unlock(&cassette->mutex);
    assay_buffer_clear(&line);
    clear_call(&own);
    return st;
}

/* ---- a call that was not recorded ---- */

static char *copy(const assay_buffer *text)
{
    char *out = text->has_failed ? NULL : assay_mem_alloc(text->len + 1);

    if (!out)
        return NULL;
    if (text->len)
        memcpy(out, text->ptr, text->len);
    out[text->len] = '\0';
    return out;
}

/* Keep the words of the miss that comes first in the order of a file, whichever thread met
 * it first. */
static bool remember(assay_cassette *c, const assay_taped *call,
                     const assay_buffer *words)
{
    assay_buffer place = ASSAY_BUFFER_EMPTY;
    char *key;
    bool ok;

    assay_buffer_slice(&place, call->kind);
    assay_buffer_char(&place, '\n');
    assay_buffer_slice(&place, call->target);
    assay_buffer_char(&place, '\n');
    assay_buffer_slice(&place, call->key);
    key = copy(&place);
    ok = key && !words->has_failed;
    if (key && (!c->first_key || strcmp(key, c->first_key) < 0)) {
        char *first = copy(words);

        ok = first != NULL;
        if (first) {
            assay_mem_free(c->first);
            assay_mem_free(c->first_key);
            c->first = first;
            c->first_key = key;
            key = NULL;
        }
    }
    assay_mem_free(key);
    assay_buffer_clear(&place);
    c->n_missed++;
    return ok;
}

static assay_status miss(assay_cassette *c, const assay_taped *call, assay_error *err)
{
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (!c->looks)
        c->looks = assay_tape_looks_new(&c->tape);
    if (!c->looks)
        return assay_fail_memory(err, "replaying a call");
    assay_buffer_printf(&words, "%s: this call was not recorded: ", c->path);
    assay_tape_show_miss(call, assay_tape_nearest(&c->tape, c->looks, call), &words);
    st = !remember(c, call, &words)
             ? assay_fail_memory(err, "replaying a call")
             : assay_fail(err, ASSAY_EINPUT, "%.*s", (int)words.len, words.ptr);
    assay_buffer_clear(&words);
    return st;
}

assay_status assay_cassette_play(assay_cassette *cassette, const assay_call *call,
                                 assay_buffer *reply, assay_call_reply *how,
                                 assay_error *err)
{
    const assay_taped *found = NULL;
    clean_call own;
    assay_status st = clean(cassette, call, ASSAY_LIT(""), &own, err);
    uint32_t number;

    if (st)
        return st;
    pthread_mutex_lock(&cassette->mutex);
    number = assay_dict_find(&cassette->keys, own.as_taped.key);
    if (number == ASSAY_NONE) {
        st = miss(cassette, &own.as_taped, err);
    } else {
        group *g = &cassette->group[number];

        found = &cassette->tape.item[g->first + (g->asked < g->n ? g->asked : g->n - 1)];
        g->asked++;
    }
    pthread_mutex_unlock(&cassette->mutex);
    clear_call(&own);
    if (st)
        return st;
    *how = (assay_call_reply){.has_failed = found->has_failed, .ms = found->ms};
    reply->len = 0;
    assay_buffer_slice(reply, found->reply);
    return reply->has_failed ? assay_fail_memory(err, "replaying a call") : ASSAY_OK;
}
