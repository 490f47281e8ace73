/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/options.h"

/* ---- finding ---- */

static assay_status find_folder(assay_workspace *ws, const char **yaml, assay_error *err)
{
    assay_arena *arena = &ws->cli->arena;
    const char *named = assay_cli_text(ws->cli, "project");
    assay_status st;

    if (named) {
        const char *file =
            assay_project_join(arena, named, assay_slice_of(ASSAY_PROJECT_FILE));

        if (!file)
            return assay_fail_memory(err, "looking for the project");
        if (!assay_file_exists(file))
            return assay_fail(err, ASSAY_EUSAGE,
                              "no assay.yaml in '%s'; make one with 'assay init %s'",
                              named, named);
        ws->folder = *yaml = named;
        return ASSAY_OK;
    }
    st = assay_project_find(".", ASSAY_PROJECT_FILE, arena, yaml, err);
    ws->folder = st ? NULL : *yaml;
    if (!st && !ws->folder)
        st = assay_project_find(".", ASSAY_WORKSPACE_FOLDER, arena, &ws->folder, err);
    if (!st && !ws->folder)
        ws->folder = ".";
    return st;
}

static assay_status find_workspace(assay_workspace *ws, assay_error *err)
{
    const assay_cli *cli = ws->cli;

    if (assay_cli_has(cli, "workspace"))
        ws->path = assay_cli_text(cli, "workspace");
    if (!ws->path && ws->project)
        ws->path = ws->project->workspace;
    if (!ws->path && cli->workspace_default && cli->workspace_default[0])
        ws->path = cli->workspace_default;
    if (!ws->path)
        ws->path = assay_project_join(&ws->cli->arena, ws->folder,
                                      assay_slice_of(ASSAY_WORKSPACE_FOLDER));
    return ws->path ? ASSAY_OK : assay_fail_memory(err, "looking for the workspace");
}

/* ---- settings ---- */

static assay_status take_setting(assay_workspace *ws, const assay_option *option,
                                 const assay_node *node, assay_error *err)
{
    const char *text;
    assay_error why;

    if (option->kind == ASSAY_OPTION_FLAG)
        return node->integer ? assay_options_put(ws->cli, option, NULL, err) : ASSAY_OK;
    text = assay_arena_string(&ws->cli->arena, node->text);
    if (!text)
        return assay_fail_memory(err, "reading assay.yaml");
    if (assay_options_put(ws->cli, option, text, &why) == ASSAY_OK)
        return ASSAY_OK;
    if (why.status == ASSAY_ENOMEM)
        return assay_fail_memory(err, "reading assay.yaml");
    return assay_fail_at(err, ws->project->path, node->line, "%s", why.text);
}

/* Keys stand for options that were not given. */
static assay_status fill_options(assay_workspace *ws, assay_error *err)
{
    const assay_option *o = ws->cli->command->option;
    assay_status st = ASSAY_OK;

    if (ws->cli->command->ignores_settings)
        return ASSAY_OK;
    for (; o && o->name && !st; o++) {
        const assay_node *node = assay_project_option(ws->project, o->name);

        if (!node || assay_cli_given(ws->cli, o->name) || node->kind == ASSAY_NODE_MAP)
            continue;
        /* A list of metrics says nothing to who wants one. */
        if (node->kind == ASSAY_NODE_LIST && o->kind != ASSAY_OPTION_LIST)
            continue;
        if (node->kind != ASSAY_NODE_LIST)
            st = take_setting(ws, o, node, err);
        else
            for (const assay_node *c = node->child; c && !st; c = c->next)
                st = c->kind == ASSAY_NODE_MAP ? ASSAY_OK : take_setting(ws, o, c, err);
    }
    return st;
}

assay_status assay_workspace_open(assay_cli *cli, assay_workspace *out, assay_error *err)
{
    assay_workspace ws = {.cli = cli};
    const char *yaml = NULL;
    assay_status st = find_folder(&ws, &yaml, err);

    if (!st && yaml)
        st = assay_project_load(yaml, &ws.project, err);
    if (!st)
        st = find_workspace(&ws, err);
    if (!st)
        st = fill_options(&ws, err);
    if (st)
        assay_workspace_close(&ws);
    else
        *out = ws;
    return st;
}

void assay_workspace_close(assay_workspace *ws)
{
    assay_project_free(ws->project);
    *ws = (assay_workspace){.cli = NULL};
}

/* ---- corpora ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *corpus_folder(const assay_workspace *ws)
{
    return assay_project_join(&ws->cli->arena, ws->path, ASSAY_LIT("corpus"));
}

/* Entries of an open folder that are corpora; false: no memory. */
static bool read_names(const assay_workspace *ws, DIR *dir, const char ***name, size_t *n)
{
    const char **list = NULL;
    const char **copy;
    struct dirent *entry;
    bool has_memory = true;
    size_t cap = 0;

    while (has_memory && (entry = readdir(dir)) != NULL) {
        assay_slice file = assay_slice_of(entry->d_name);
        const char **moved;

        if (!assay_slice_ends(file, ".db"))
            continue;
        file.len -= 3;
        if (!assay_corpus_name_is(file))
            continue;
        moved = assay_mem_grow(list, &cap, *n + 1, sizeof *moved);
        list = moved ? moved : list;
        has_memory = moved != NULL;
        if (has_memory)
            list[*n] = assay_arena_string(&ws->cli->arena, file);
        has_memory = has_memory && list[(*n)++];
    }
    copy = ASSAY_ARENA_ARRAY(&ws->cli->arena, const char *, *n + 1);
    for (size_t i = 0; copy && has_memory && i < *n; i++)
        copy[i] = list[i];
    assay_mem_free(list);
    *name = copy;
    return has_memory && copy;
}

assay_status assay_workspace_list(const assay_workspace *ws, const char ***name,
                                  size_t *n, assay_error *err)
{
    const char *folder = corpus_folder(ws);
    bool has_memory;
    DIR *dir;

    *n = 0;
    *name = NULL;
    if (!folder)
        return assay_fail_memory(err, "listing corpora");
    dir = opendir(folder);
    if (!dir && (errno == ENOENT || errno == ENOTDIR))
        return ASSAY_OK;
    if (!dir)
        return assay_fail(err, ASSAY_ESYSTEM, "cannot read '%s': %s", folder,
                          strerror(errno));
    has_memory = read_names(ws, dir, name, n);
    closedir(dir);
    if (!has_memory)
        return assay_fail_memory(err, "listing corpora");
    if (*n)
        qsort(*name, *n, sizeof **name, by_name);
    return ASSAY_OK;
}

assay_status assay_workspace_name(const assay_workspace *ws, const char *name,
                                  const char **out, assay_error *err)
{
    const assay_project_corpus *corpus = assay_project_corpus_find(ws->project, NULL);

    if (name && !assay_corpus_name_is(assay_slice_of(name)))
        return assay_fail(err, ASSAY_EUSAGE, "'%.80s' cannot be a corpus: a name has %s",
                          name, ASSAY_CORPUS_NAME_RULES);
    *out = name ? name : corpus ? corpus->name : ASSAY_CORPUS_STANDARD;
    return ASSAY_OK;
}

bool assay_workspace_file(const assay_workspace *ws, const char *name, const char **out)
{
    const char *folder = corpus_folder(ws);
    char file[80];

    snprintf(file, sizeof file, "%s.db", name);
    *out =
        folder ? assay_project_join(&ws->cli->arena, folder, assay_slice_of(file)) : NULL;
    return *out != NULL;
}

static assay_status fail_absent(const assay_workspace *ws, const char *name,
                                assay_error *err)
{
    bool is_standard = strcmp(name, ASSAY_CORPUS_STANDARD) == 0;
    char list[400] = "";
    size_t used = 0;
    const char **there;
    size_t n;
    assay_status st = assay_workspace_list(ws, &there, &n, err);

    if (st)
        return st;
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 there[i]);
    return assay_fail(err, ASSAY_EUSAGE,
                      "no corpus '%s' in '%s'%s%s; make one with 'assay ingest "
                      "PATH...%s%s'",
                      name, ws->path, n ? "; there are: " : "", list,
                      is_standard ? "" : " --corpus ", is_standard ? "" : name);
}

/* The only corpus there is is the one that is meant. */
static assay_status find_only(const assay_workspace *ws, const char **name,
                              assay_error *err)
{
    const char **there;
    size_t n;
    assay_status st;

    if (*name || assay_project_corpus_find(ws->project, NULL))
        return ASSAY_OK;
    st = assay_workspace_list(ws, &there, &n, err);
    if (!st && n == 1)
        *name = there[0];
    return st;
}

assay_status assay_workspace_corpus(const assay_workspace *ws, const char *name,
                                    const char **path, assay_error *err)
{
    assay_status st = find_only(ws, &name, err);

    if (!st)
        st = assay_workspace_name(ws, name, &name, err);
    if (st)
        return st;
    if (!assay_workspace_file(ws, name, path))
        return assay_fail_memory(err, "looking for the corpus");
    return assay_file_exists(*path) ? ASSAY_OK : fail_absent(ws, name, err);
}

assay_status assay_workspace_own(const assay_workspace *ws, const char *const **own,
                                 size_t *n, assay_error *err)
{
    assay_arena *arena = &ws->cli->arena;
    const char **list = ASSAY_ARENA_ARRAY(arena, const char *, 5);
    const char *golden = assay_project_join(arena, ws->folder, ASSAY_LIT("golden.yaml"));
    size_t used = 0;

    if (!list || !golden)
        return assay_fail_memory(err, "looking at the project");
    list[used++] = ws->path;
    list[used++] = golden;
    if (ws->project)
        list[used++] = ws->project->path;
    if (ws->project && ws->project->golden)
        list[used++] = ws->project->golden;
    if (ws->project && ws->project->topics)
        list[used++] = ws->project->topics;
    *own = list;
    *n = used;
    return ASSAY_OK;
}
