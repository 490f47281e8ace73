/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_setup.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "cli/cassette_arg.h"
#include "cli/golden_arg.h"
#include "cli/retrieve_arg.h"
#include "cli/run_plan.h"
#include "cli/run_resume.h"
#include "cli/store_arg.h"
#include "golden/frozen.h"
#include "pipeline/commit.h"
#include "pipeline/eval_words.h"

enum { STANDARD_K = 10, STANDARD_DEPTH = 100 };

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "preparing the run");
}

/* ---- golden set and documents ---- */

static assay_status load_golden(assay_run_setup *s, assay_error *err)
{
    assay_cli *cli = s->cli;
    const assay_golden_options o = {
        .format = assay_run_text(cli, "from"),
        .topics = assay_run_text(cli, "topics"),
        .split = assay_run_text(cli, "split"),
        .max_line = (size_t)assay_run_count(cli, "max-line", 0),
        .with_documents = true,
    };
    assay_golden_choice choice;
    assay_status st =
        assay_golden_choose(&s->workspace, assay_run_text(cli, "golden"), &choice, err);

    if (!st)
        st = assay_golden_choice_load(&s->workspace, &choice, &o, &s->golden, err);
    if (st)
        return st;
    s->experiment.golden = s->golden;
    s->experiment.base.golden_path = assay_slice_of(choice.path);
    return ASSAY_OK;
}

static assay_status load_documents(assay_run_setup *s, assay_error *err)
{
    uint32_t n_threads = (uint32_t)assay_run_count(s->cli, "jobs", 0);

    if (s->asked)
        return assay_documents_named(&s->workspace, s->golden, n_threads, &s->documents,
                                     err);
    return assay_documents_open(&s->workspace, s->golden, n_threads, &s->documents, err);
}

/* NAME out of .../NAME.db */
static assay_slice corpus_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    assay_slice name = assay_slice_of(slash ? slash + 1 : path);

    if (assay_slice_ends(name, ".db"))
        name.len -= 3;
    return name;
}

static assay_status describe_corpus(assay_run_setup *s, assay_error *err)
{
    assay_snapshot *base = &s->experiment.base;
    char hex[65];
    assay_status st;

    if (!s->documents.corpus)
        return ASSAY_OK;
    st = assay_corpus_hash(s->documents.corpus, hex, err);
    if (st)
        return st;
    base->corpus_hash = assay_arena_copy(&s->arena, assay_slice_of(hex));
    base->corpus_name = corpus_name(s->documents.path);
    base->chunker =
        assay_arena_copy(&s->arena, assay_corpus_chunking(s->documents.corpus));
    s->experiment.corpus = s->documents.path;
    return base->corpus_hash.ptr && base->chunker.ptr ? ASSAY_OK : no_memory(err);
}

/* ---- who is asked ---- */

static assay_status open_own(assay_run_setup *s, assay_run_method *m, assay_error *err)
{
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st = assay_params_split(m->name, &name, &argument, &params, err);

    if (!st && argument.len)
        st = assay_fail(err, ASSAY_EUSAGE, "method '%.*s' takes nothing after a colon",
                        ASSAY_QUOTE(name));
    if (!st)
        st = assay_shared_open(&s->shared, name, params, &s->source, &m->own.retriever,
                               &m->own.state, err);
    if (st)
        return st;
    m->own.passages = &s->documents.passages;
    m->own.stop = s->experiment.stop;
    m->retriever = m->own.retriever;
    m->system = &assay_own_system_socket;
    m->state = &m->own;
    if (m->retriever->embedding)
        m->embedding = m->retriever->embedding(m->own.state);
    return ASSAY_OK;
}

static assay_status read_source(assay_run_setup *s, assay_error *err)
{
    assay_status st = assay_retrieve_arg(&s->workspace, &s->source, err);

    s->source.passages = &s->documents.passages;
    s->source.notes = &s->notes;
    s->source.arena = &s->arena;
    s->source.embed.cassette = s->cassette;
    s->source.embed.stop = s->experiment.stop;
    s->source.embed.seed = s->experiment.base.seed;
    return st;
}

/* ---- controls ---- */

static bool has_method(const assay_run_setup *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_methods; i++)
        if (assay_slice_is(s->method[i].name, name))
            return true;
    return false;
}

/* The rulers that are not there already; a run that is gone on with brings its own name. */
static assay_status plan_controls(assay_run_setup *s, assay_error *err)
{
    const char *const name[] = {"bm25", assay_control_name(ASSAY_CONTROL_RANDOM),
                                assay_control_name(ASSAY_CONTROL_ORACLE)};
    uint32_t before = s->n_methods;
    assay_status st = ASSAY_OK;

    if (!assay_run_given(s->cli, "controls"))
        return ASSAY_OK;
    for (size_t i = 0; !st && !s->resumed.run_id.len && i < ASSAY_COUNT(name); i++)
        if (!has_method(s, name[i]))
            st = assay_run_plan_methods(s, assay_slice_of(name[i]), err);
    for (uint32_t i = before; i < s->n_methods; i++)
        s->method[i].is_ruler = true;
    return st;
}

/* Random or oracle, where they were asked for; *is_open says whether. */
static assay_status open_control(assay_run_setup *s, assay_run_method *m, bool *is_open,
                                 assay_error *err)
{
    const assay_experiment *x = &s->experiment;
    assay_level level = x->eval.level;

    *is_open = false;
    for (uint32_t i = 0; assay_control_name(i); i++) {
        if (!assay_slice_is(m->name, assay_control_name(i)) ||
            !assay_run_given(s->cli, "controls"))
            continue;
        m->control = (assay_control){
            .kind = (assay_control_kind)i,
            .golden = s->golden,
            .passages = &s->documents.passages,
            .level = level == ASSAY_LEVEL_AUTO ? x->conventions->level : level,
            .seed = x->base.seed};
        m->system = &assay_control_socket;
        m->state = &m->control;
        *is_open = true;
        return assay_control_open(&m->control, err);
    }
    return ASSAY_OK;
}

/* The methods: as asked for, else that of the run gone on with, else bm25. */
static assay_status open_methods(assay_run_setup *s, assay_error *err)
{
    bool is_resumed = s->then.method.len && !s->is_method_given;
    const char *text;
    assay_status st = read_source(s, err);

    if (!st && is_resumed)
        st = assay_run_plan_methods(s, s->then.method, err);
    for (uint32_t i = 0;
         !st && !is_resumed && (text = assay_cli_item(s->cli, "method", i)) != NULL; i++)
        st = assay_run_plan_methods(s, assay_slice_of(text), err);
    if (!st && !s->n_methods)
        st = assay_run_plan_methods(s, ASSAY_LIT("bm25"), err);
    if (!st)
        st = plan_controls(s, err);
    for (uint32_t i = 0; !st && i < s->n_methods; i++) {
        bool is_control;

        st = open_control(s, &s->method[i], &is_control, err);
        if (!st && !is_control)
            st = open_own(s, &s->method[i], err);
    }
    return st;
}

static assay_status open_system(assay_run_setup *s, const char *spelling,
                                assay_error *err)
{
    const assay_node *config =
        s->workspace.project ? assay_project_get(s->workspace.project, "system") : NULL;
    const assay_system_source source = {
        .spelling = spelling,
        .config = config && config->kind == ASSAY_NODE_MAP ? config : NULL,
        .config_path = s->workspace.project ? s->workspace.project->path : NULL,
        .timeout_s = assay_run_real(s->cli, "timeout", 0),
        .retries = assay_run_given(s->cli, "retries")
                       ? (assay_run_count(s->cli, "retries", 0)
                              ? (uint32_t)assay_run_count(s->cli, "retries", 0)
                              : UINT32_MAX)
                       : 0,
        .per_second = assay_run_real(s->cli, "rate", 0),
        .api_key = s->cli->own_key,
        .cassette = s->cassette,
        .stop = s->experiment.stop,
        .notes = &s->notes,
        .arena = &s->arena,
    };
    assay_run_method *m = &s->method[0];
    assay_buffer public = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_system_get(spelling, &s->system, err);

    if (!st)
        st = s->system->open(&source, &s->system_state, err);
    if (st)
        return st;
    assay_system_public(spelling, &public);
    s->experiment.base.system = assay_arena_copy(&s->arena, assay_buffer_view(&public));
    bool has_failed = public.has_failed || !s->experiment.base.system.ptr;
    assay_buffer_clear(&public);
    *m = (assay_run_method){.name = assay_slice_of(s->system->name),
                            .system = s->system,
                            .state = s->system_state};
    s->n_methods = 1;
    return has_failed ? no_memory(err) : ASSAY_OK;
}

static assay_status open_asked(assay_run_setup *s, assay_error *err)
{
    if (s->asked && assay_run_given(s->cli, "controls"))
        return assay_fail(err, ASSAY_EUSAGE,
                          "--controls goes with --method; run the rulers by themselves: "
                          "assay run --controls");
    return s->asked ? open_system(s, s->asked, err) : open_methods(s, err);
}

/* ---- answers ---- */

/* A system answers by itself, unless an answerer is named. */
static assay_status open_answerer(assay_run_setup *s, assay_error *err)
{
    const char *spelling = assay_run_text(s->cli, "answers");
    assay_snapshot *base = &s->experiment.base;
    const assay_answer_settings settings = {
        .base_url = assay_run_text(s->cli, "answer-url"),
        .api_key = s->cli->api_key,
        .prompt_path = assay_run_text(s->cli, "prompt"),
        .seed = base->seed,
        .timeout_s = assay_run_real(s->cli, "timeout", 0),
        .cassette = s->cassette,
        .stop = s->experiment.stop,
    };
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (!assay_run_given(s->cli, "answers"))
        return ASSAY_OK;
    base->has_answers = true;
    if (s->system && !spelling)
        return ASSAY_OK;
    st = assay_answerer_open(spelling, &settings, &s->answerer, err);
    if (st)
        return st;
    s->answerer.answerer->identity(s->answerer.state, &b);
    base->answerer = assay_arena_copy(&s->arena, assay_buffer_view(&b));
    bool has_failed = b.has_failed || !base->answerer.ptr;
    assay_buffer_clear(&b);
    base->model = assay_slice_of(s->answerer.answerer->model(s->answerer.state));
    base->prompt = assay_slice_of(s->answerer.answerer->prompt(s->answerer.state));
    for (uint32_t i = 0; i < s->n_methods; i++) {
        assay_run_method *m = &s->method[i];

        m->answered = (assay_answered_system){m->system, m->state, &s->answerer,
                                              &s->documents.passages, base->k};
        m->system = &assay_answered_system_socket;
        m->state = &m->answered;
    }
    return has_failed ? no_memory(err) : ASSAY_OK;
}

/* ---- settings ---- */

static assay_status read_settings(assay_run_setup *s, assay_error *err)
{
    assay_cli *cli = s->cli;
    assay_snapshot *base = &s->experiment.base;
    const assay_eval_options o = {
        .conventions = assay_run_text(cli, "conventions"),
        .level = assay_run_text(cli, "level"),
        .n_threads = (uint32_t)assay_run_count(cli, "jobs", 0),
    };
    assay_status st = assay_eval_words(&o, &s->experiment.eval, err);

    if (st)
        return st;
    base->k = (uint32_t)assay_run_count(cli, "k", STANDARD_K);
    base->depth = (uint32_t)assay_run_count(
        cli, "depth", base->k > STANDARD_DEPTH ? base->k : STANDARD_DEPTH);
    if (!base->k || !base->depth)
        return assay_fail(err, ASSAY_EUSAGE, "-k and --depth must be at least 1");
    if (base->depth < base->k)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--depth %u is less than the cutoff of %u (-k)", base->depth,
                          base->k);
    base->seed = assay_run_count(cli, "seed", 0);
    base->timeout_s = assay_run_real(cli, "timeout", 0);
    if (assay_run_given(cli, "timeout") && !(base->timeout_s > 0))
        return assay_fail(err, ASSAY_EUSAGE, "--timeout wants more than 0 seconds");
    if (assay_run_given(cli, "rate") && !(assay_run_real(cli, "rate", 0) > 0))
        return assay_fail(err, ASSAY_EUSAGE,
                          "--rate wants more than 0 requests a second");
    base->version = assay_slice_of(assay_version());
    base->repeats = (uint32_t)assay_run_count(cli, "repeat", 1);
    if (!base->repeats)
        return assay_fail(err, ASSAY_EUSAGE, "--repeat wants at least 1");
    if (base->repeats == 1)
        base->repeats = 0;
    if (assay_run_text(cli, "record") && assay_run_text(cli, "replay"))
        return assay_fail(err, ASSAY_EUSAGE, "give --record or --replay, not both");
    base->replay = assay_run_text(cli, "replay")   ? ASSAY_LIT("replayed")
                   : assay_run_text(cli, "record") ? ASSAY_LIT("recorded")
                                                   : ASSAY_LIT("");
    if (assay_run_text(cli, "commit")) {
        base->commit = assay_slice_of(assay_run_text(cli, "commit"));
        return ASSAY_OK;
    }
    return assay_commit_of(s->workspace.folder, &s->arena, &base->commit, err);
}

/* ---- the store ---- */

/* The golden set as it is now, judgments resolved. */
static assay_status freeze_golden(assay_run_setup *s, assay_error *err)
{
    assay_snapshot *base = &s->experiment.base;
    char hash[65];
    assay_status st = assay_golden_freeze(s->golden, &s->frozen, err);

    if (st)
        return st;
    assay_frozen_hash(assay_buffer_view(&s->frozen), hash);
    base->golden_hash = assay_arena_copy(&s->arena, assay_slice_of(hash));
    base->golden_name = s->golden->name;
    return base->golden_hash.ptr ? ASSAY_OK : no_memory(err);
}

/* The last thing that can fail: nothing is made for a command that does not run. */
static assay_status open_store(assay_run_setup *s, assay_error *err)
{
    const assay_snapshot *base = &s->experiment.base;
    assay_status st = ASSAY_OK;

    if (!s->store)
        st = assay_store_arg_open(&s->workspace, ASSAY_STORE_CREATE, &s->store, err);
    if (!st)
        st = assay_store_put_golden(s->store, base->golden_hash, base->golden_name,
                                    assay_buffer_view(&s->frozen), err);
    s->experiment.store = s->store;
    s->experiment.ids = &s->ids;
    return st;
}

static assay_status settle_conventions(assay_run_setup *s, assay_error *err)
{
    assay_slice said = s->golden->conventions;
    const assay_conventions *c = s->experiment.eval.conventions;

    if (!c)
        c = said.len ? assay_conventions_find(said) : assay_conventions_at(0);
    if (!c)
        return assay_fail(err, ASSAY_EINPUT, "%s: no conventions called '%.*s'",
                          s->golden->path, ASSAY_QUOTE(said));
    s->experiment.conventions = c;
    s->experiment.eval.conventions = c;
    s->experiment.base.conventions = assay_slice_of(c->name);
    return ASSAY_OK;
}

/* ---- all ---- */

assay_status assay_run_setup_open(assay_run_setup *s, assay_error *err)
{
    bool has_method = assay_run_given(s->cli, "method");
    bool has_system = assay_run_given(s->cli, "system");
    assay_status st = assay_workspace_open(s->cli, &s->workspace, err);

    if (!st)
        st = assay_run_resume(s, err);
    if (!st && !s->opens_no_method)
        st = assay_run_choose(s, has_method, has_system, err);
    if (!st)
        st = read_settings(s, err);
    if (!st)
        st = load_golden(s, err);
    if (!st)
        st = settle_conventions(s, err);
    if (!st)
        st = load_documents(s, err);
    if (!st)
        st = describe_corpus(s, err);
    if (!st)
        st =
            assay_cassette_arg_open(s->cli, s->resumed.run_id.len > 0, &s->cassette, err);
    if (!st && !s->opens_no_method)
        st = open_asked(s, err);
    if (!st && s->opens_no_method)
        st = read_source(s, err);
    if (!st)
        st = open_answerer(s, err);
    if (!st)
        st = freeze_golden(s, err);
    if (!st)
        st = assay_run_plan(s, err);
    return st ? st : open_store(s, err);
}

void assay_run_setup_close(assay_run_setup *s)
{
    assay_buffer_clear(&s->frozen);
    assay_store_close(s->store);
    if (s->answerer.answerer)
        assay_answerer_close(&s->answerer);
    assay_shared_clear(&s->shared);
    if (s->system_state)
        s->system->close(s->system_state);
    for (uint32_t i = 0; i < s->n_methods; i++)
        assay_control_close(&s->method[i].control);
    assay_documents_close(&s->documents);
    assay_golden_free(s->golden);
    assay_notes_clear(&s->notes);
    assay_workspace_close(&s->workspace);
    assay_arena_clear(&s->arena);
}
