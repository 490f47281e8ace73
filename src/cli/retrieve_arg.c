/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/retrieve_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/slice.h"

static const struct {
    const char *name;
    const char *embedder;
} profiles[] = {
    {"dev", "ollama:qwen3-embedding:0.6b(dims=256)"},
    {"prod", "ollama:qwen3-embedding:8b(dims=1024)"},
};

static assay_status name_model(assay_cli *cli, const char *model, const char **out,
                               assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_buffer_text(&b, assay_file_is_folder(model) ? "bert:" : "ollama:");
    assay_buffer_text(&b, model);
    *out = b.has_failed ? NULL : assay_arena_string(&cli->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return *out ? ASSAY_OK : assay_fail_memory(err, "reading the options");
}

/* Which embedder; three options say it, and only one may. */
static assay_status choose_embedder(assay_cli *cli, const char **out, assay_error *err)
{
    const char *embedder = assay_cli_text(cli, "embedder");
    const char *profile = assay_cli_text(cli, "embedding-profile");
    const char *model = assay_cli_text(cli, "embedding-model");

    *out = embedder;
    if ((embedder != NULL) + (profile != NULL) + (model != NULL) > 1)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--embedder, --embedding-profile and --embedding-model say the "
                          "same thing; give one");
    for (size_t i = 0; profile && i < sizeof profiles / sizeof *profiles; i++)
        if (strcmp(profile, profiles[i].name) == 0)
            *out = profiles[i].embedder;
    return model ? name_model(cli, model, out, err) : ASSAY_OK;
}

/* Vectors that cost nothing are not kept. */
static bool is_costly(const char *embedder)
{
    return embedder && strchr(embedder, ':') && strncmp(embedder, "file:", 5) != 0;
}

/* The workspace where there is one, since people know that folder; else the user's. */
static const char *cache_path(const assay_workspace *ws)
{
    assay_cli *cli = ws->cli;
    const char *given = assay_cli_text(cli, "cache");
    const char *folder = assay_file_is_folder(ws->path) ? ws->path : cli->cache_home;
    const char *name = folder == ws->path ? "/embeddings.db" : "/assay/embeddings.db";
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    char *path;

    if (given)
        return given;
    if (!folder || !folder[0]) {
        folder = cli->home;
        name = "/.cache/assay/embeddings.db";
    }
    if (!folder || !folder[0])
        return NULL;
    assay_buffer_text(&b, folder);
    assay_buffer_text(&b, name);
    path = b.has_failed ? NULL : assay_arena_string(&cli->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return path;
}

assay_status assay_retrieve_arg(const assay_workspace *ws, assay_retrieve_source *out,
                                assay_error *err)
{
    assay_cli *cli = ws->cli;
    assay_status st;

    *out = (assay_retrieve_source){
        .params = {"", 0},
        .tokenizer = assay_cli_text(cli, "tokenizer"),
        .graph_path = assay_cli_text(cli, "kg"),
        .reranker = assay_cli_text(cli, "reranker"),
        .reranker_key = cli->own_key,
        .index_path = assay_cli_text(cli, "index"),
        .n_threads = (uint32_t)assay_cli_count(cli, "jobs", 0),
        .embed = {.base_url = assay_cli_text(cli, "embedding-url"),
                  .api_key = cli->api_key},
    };
    out->embed.n_threads = out->n_threads;
    st = choose_embedder(cli, &out->embedder, err);
    if (st || !is_costly(out->embedder) || assay_cli_flag(cli, "no-cache"))
        return st;
    out->embed.cache_path = cache_path(ws);
    return out->embed.cache_path ? assay_folder_make_for(out->embed.cache_path, err)
                                 : ASSAY_OK;
}
