/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/runs_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"

assay_status assay_runs_open(assay_cli *cli, assay_store_mode mode, assay_runs_arg *out,
                             assay_error *err)
{
    assay_runs_arg arg = {.store = NULL};
    assay_status st = assay_workspace_open(cli, &arg.workspace, err);

    if (st)
        return st;
    st = assay_store_arg_open(&arg.workspace, mode, &arg.store, err);
    if (st)
        assay_workspace_close(&arg.workspace);
    else
        *out = arg;
    return st;
}

void assay_runs_close(assay_runs_arg *arg)
{
    assay_store_close(arg->store);
    assay_workspace_close(&arg->workspace);
    arg->store = NULL;
}

/* ---- filters ---- */

/* A beginning of 2026-01-31T12:34:56.789Z that stops at a whole field, at least the year;
 * a blank may stand for the T. */
static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
    size_t len = strlen(text);

    for (size_t i = 0; i < len; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';

        if (i >= sizeof form - 1 || (form[i] == 'd' && !is_digit) ||
            (form[i] != 'd' && form[i] != text[i] && !(form[i] == 'T' && text[i] == ' ')))
            return false;
    }
    return len >= 4 && form[len] != 'd' && (form[len - 1] == 'd' || form[len - 1] == 'Z');
}

static assay_status fail_date(const char *option, const char *text, assay_error *err)
{
    return assay_fail(err, ASSAY_EUSAGE,
                      "--%s '%.40s' is no date; want 2026-01-31 or 2026-01-31T12:34:56, "
                      "in UTC",
                      option, text);
}

static assay_status take_date(assay_cli *cli, const char *option, const char **out,
                              assay_error *err)
{
    const char *text = assay_cli_text(cli, option);
    char *copy;

    *out = NULL;
    if (!text)
        return ASSAY_OK;
    if (!is_date(text))
        return fail_date(option, text, err);
    copy = assay_arena_string(&cli->arena, assay_slice_of(text));
    if (!copy)
        return assay_fail_memory(err, "reading the options");
    if (strlen(copy) > 10)
        copy[10] = 'T';
    *out = copy;
    return ASSAY_OK;
}

assay_status assay_runs_date(const char *option, const char *text, assay_arena *arena,
                             assay_slice *out, assay_error *err)
{
    static const char rest[] = "0000-01-01T00:00:00.000Z";
    char whole[sizeof rest];
    size_t len = strlen(text);

    if (!is_date(text))
        return fail_date(option, text, err);
    memcpy(whole, rest, sizeof rest);
    memcpy(whole, text, len);
    if (len > 10)
        whole[10] = 'T';
    *out = assay_arena_copy(arena, assay_slice_of(whole));
    return out->ptr ? ASSAY_OK : assay_fail_memory(err, "reading the options");
}

assay_status assay_runs_filter(assay_cli *cli, assay_store_filter *out, assay_error *err)
{
    assay_store_filter f = {.suite = assay_cli_text(cli, "suite"),
                            .method = assay_cli_text(cli, "method"),
                            .tag = assay_cli_text(cli, "tag"),
                            .status = assay_cli_text(cli, "status")};
    assay_status st = take_date(cli, "since", &f.since, err);

    if (!st)
        st = take_date(cli, "before", &f.before, err);
    if (!st)
        *out = f;
    return st;
}

/* ---- views ---- */

/* "run_", twelve digits of the time, one of the version, three of chance. */
enum { ID_LEAST = 20 };

int assay_runs_id_len(const assay_stored *stored, uint32_t n)
{
    size_t len = ID_LEAST;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            assay_slice a = stored[i].run_id;
            assay_slice b = stored[j].run_id;

            while (len < a.len && len < b.len && memcmp(a.ptr, b.ptr, len) == 0)
                len++;
            /* Newest first: a time that is another ends the neighbourhood. */
            if (a.len >= 12 && b.len >= 12 && memcmp(a.ptr, b.ptr, 12) != 0)
                break;
        }
    return (int)len;
}

static assay_status view_one(assay_cli *cli, const assay_stored *stored,
                             assay_run_view *out, assay_error *err)
{
    assay_error why = {ASSAY_OK, ""};
    assay_status st;

    *out = (assay_run_view){.stored = stored};
    st = assay_snapshot_read("snapshot", stored->snapshot, &cli->arena, &out->snapshot,
                             &why);
    if (st == ASSAY_EINPUT)
        assay_cli_warn(cli, "%.*s: %s", ASSAY_QUOTE(stored->run_id), why.text);
    if (!st || st == ASSAY_EINPUT)
        st = assay_aggregate_read("aggregate", stored->aggregate, &cli->arena,
                                  &out->aggregate, &why);
    if (st == ASSAY_EINPUT) {
        assay_cli_warn(cli, "%.*s: %s", ASSAY_QUOTE(stored->run_id), why.text);
        st = ASSAY_OK;
    }
    return st ? assay_fail(err, st, "%s", why.text) : ASSAY_OK;
}

assay_status assay_runs_view(assay_cli *cli, const assay_stored *stored, uint32_t n,
                             assay_run_view **out, assay_error *err)
{
    assay_run_view *view = ASSAY_ARENA_ARRAY(&cli->arena, assay_run_view, n + 1);
    int id_len = assay_runs_id_len(stored, n);

    if (!view)
        return assay_fail_memory(err, "reading runs");
    for (uint32_t i = 0; i < n; i++) {
        assay_status st = view_one(cli, &stored[i], &view[i], err);

        if (st)
            return st;
        view[i].id_len =
            stored[i].run_id.len < (size_t)id_len ? (int)stored[i].run_id.len : id_len;
    }
    *out = view;
    return ASSAY_OK;
}

/* ---- small words ---- */

void assay_runs_when(assay_slice time, char out[20])
{
    size_t len = time.len < 19 ? time.len : 19;

    memcpy(out, time.ptr, len);
    out[len] = '\0';
    if (len > 10)
        out[10] = ' ';
}

void assay_runs_tags(const assay_stored *stored, assay_buffer *out)
{
    for (uint32_t i = 0; i < stored->n_tags; i++) {
        if (i)
            assay_buffer_text(out, ", ");
        assay_buffer_slice(out, stored->tag[i].key);
        assay_buffer_char(out, '=');
        assay_buffer_slice(out, stored->tag[i].value);
    }
}

void assay_json_known(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    if (text.len)
        assay_json_string(w, text);
    else
        assay_json_null(w);
}

void assay_runs_json(const assay_stored *stored, assay_json_writer *w)
{
    assay_json_name(w, "run_id", stored->run_id);
    assay_json_known(w, "suite", stored->suite);
    assay_json_name(w, "created_at", stored->created_at);
    assay_json_known(w, "finished_at", stored->finished_at);
    assay_json_name(w, "status", stored->status);
    assay_json_name(w, "source", stored->source);
    assay_json_known(w, "method", stored->method);
    assay_json_known(w, "golden_hash", stored->golden_hash);
    assay_json_known(w, "corpus_hash", stored->corpus_hash);
    assay_json_known(w, "chunker", stored->chunker);
    assay_json_known(w, "commit_hash", stored->commit);
    assay_json_count(w, "k", stored->k);
    assay_json_count(w, "depth", stored->depth);
    assay_json_count(w, "planned", stored->n_planned);
    assay_json_count(w, "done", stored->n_done);
    assay_json_count(w, "failed", stored->n_failed);
    assay_json_key(w, "tags");
    assay_json_flat_object(w);
    for (uint32_t i = 0; i < stored->n_tags; i++) {
        assay_json_key_slice(w, stored->tag[i].key);
        assay_json_string(w, stored->tag[i].value);
    }
    assay_json_object_end(w);
}
