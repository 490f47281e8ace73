/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/retrieve_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
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

assay_status assay_retrieve_arg(assay_cli *cli, assay_retrieve_source *out,
                                assay_error *err)
{
    const char *embedder = assay_cli_text(cli, "embedder");
    const char *profile = assay_cli_text(cli, "embedding-profile");
    const char *model = assay_cli_text(cli, "embedding-model");

    *out = (assay_retrieve_source){
        .params = {"", 0},
        .embedder = embedder,
        .tokenizer = assay_cli_text(cli, "tokenizer"),
        .graph_path = assay_cli_text(cli, "kg"),
        .n_threads = (uint32_t)assay_cli_count(cli, "jobs", 0),
        .embed = {.base_url = assay_cli_text(cli, "embedding-url")},
    };
    out->embed.n_threads = out->n_threads;
    if ((embedder != NULL) + (profile != NULL) + (model != NULL) > 1)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--embedder, --embedding-profile and --embedding-model say the "
                          "same thing; give one");
    for (size_t i = 0; profile && i < sizeof profiles / sizeof *profiles; i++)
        if (strcmp(profile, profiles[i].name) == 0)
            out->embedder = profiles[i].embedder;
    return model ? name_model(cli, model, &out->embedder, err) : ASSAY_OK;
}
