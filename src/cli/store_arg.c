/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/store_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"

static bool is_address(const char *place)
{
    return strstr(place, "://") != NULL;
}

/* assay.yaml's, as it can be opened from the working folder; null where it says nothing. */
static assay_status from_project(const assay_workspace *ws, const char **out,
                                 assay_error *err)
{
    const assay_node *node = assay_project_get(ws->project, "store");
    const char *text;

    if (!node)
        return ASSAY_OK;
    text = assay_arena_string(&ws->cli->arena, node->text);
    if (text && !is_address(text))
        text = assay_project_join(&ws->cli->arena, ws->project->folder, node->text);
    *out = text;
    return text ? ASSAY_OK : assay_fail_memory(err, "looking for the store");
}

assay_status assay_store_arg_place(const assay_workspace *ws, const char **out,
                                   assay_error *err)
{
    const char *env = ws->cli->store_default;
    const char *place = assay_cli_text(ws->cli, "store");
    assay_status st = place ? ASSAY_OK : from_project(ws, &place, err);

    if (st)
        return st;
    if (!place && env && env[0])
        place = env;
    if (!place)
        place = assay_project_join(&ws->cli->arena, ws->path,
                                   assay_slice_of(ASSAY_STORE_FILE));
    if (!place)
        return assay_fail_memory(err, "looking for the store");
    if (!place[0])
        return assay_fail(err, ASSAY_EUSAGE,
                          "--store '' names no place; want a file or postgresql://...");
    *out = place;
    return ASSAY_OK;
}

static void tell_waiting(void *ctx, const char *words)
{
    if (words)
        assay_cli_warn(ctx, "%s; waiting for it to come back", words);
}

assay_status assay_store_arg_open(const assay_workspace *ws, assay_store_mode mode,
                                  assay_store **out, assay_error *err)
{
    const char *place;
    assay_status st = assay_store_arg_place(ws, &place, err);

    if (st)
        return st;
    if (mode != ASSAY_STORE_CREATE && !is_address(place) && !assay_file_exists(place))
        return assay_fail(err, ASSAY_EUSAGE,
                          "no runs are stored in '%s' yet: make one with 'assay run'",
                          place);
    st = assay_store_open(place, mode, out, err);
    if (!st)
        assay_store_set_waiting(*out, tell_waiting, ws->cli);
    return st;
}
