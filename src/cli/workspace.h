/* SPDX-License-Identifier: Apache-2.0 */
/* Where a command stands: the project, its settings, its workspace and the corpora there.
 *
 *     project     --project DIR, else the nearest folder upwards with an assay.yaml, else
 *                 the nearest with a .assay, else the working folder
 *     workspace   --workspace DIR, else assay.yaml's, else $ASSAY_WORKSPACE, else .assay
 *                 in the project folder
 *     corpus      --corpus NAME, else the first of assay.yaml, else (for commands that
 *                 read) the only one there, else "main"; WORKSPACE/corpus/NAME.db */
#ifndef ASSAY_CLI_WORKSPACE_H
#define ASSAY_CLI_WORKSPACE_H

#include "cli/cli.h"
#include "pipeline/project.h"

/* For commands that use the workspace. */
#define ASSAY_OPTIONS_WORKSPACE                         \
    {                                                   \
        0, "workspace", ASSAY_OPTION_TEXT, "DIR", NULL, \
            "where corpora are kept; default .assay"    \
    }

/* For commands that use one corpus. */
#define ASSAY_OPTIONS_CORPUS                                                     \
    {0,      "corpus", ASSAY_OPTION_TEXT,                                        \
     "NAME", NULL,     "which corpus; default that of assay.yaml, else 'main'"}, \
        ASSAY_OPTIONS_WORKSPACE

typedef struct assay_workspace {
    assay_cli *cli;
    assay_project *project; /* null: there is no assay.yaml */
    const char *folder;     /* the project's; "." = the working folder */
    const char *path;       /* of the workspace; need not exist */
} assay_workspace;

/* Find project and workspace, and let the keys of assay.yaml stand for the options of the
 * command that were not given.  Strings live in the command's arena. */
ASSAY_MUST_USE assay_status assay_workspace_open(assay_cli *cli, assay_workspace *out,
                                                 assay_error *err);
void assay_workspace_close(assay_workspace *ws);

/* The name of the corpus that is to be made or changed; `name` is what the user said, or
 * null. */
ASSAY_MUST_USE assay_status assay_workspace_name(const assay_workspace *ws,
                                                 const char *name, const char **out,
                                                 assay_error *err);

/* The file of a corpus, there or not; false: no memory. */
bool assay_workspace_file(const assay_workspace *ws, const char *name, const char **out);

/* Both in one step for commands that read (--corpus or null in `name`): a corpus that is
 * not there is ASSAY_EUSAGE that names those which are. */
ASSAY_MUST_USE assay_status assay_workspace_corpus(const assay_workspace *ws,
                                                   const char *name, const char **path,
                                                   assay_error *err);

/* Names of the corpora in the workspace, in byte order.  None is no error. */
ASSAY_MUST_USE assay_status assay_workspace_list(const assay_workspace *ws,
                                                 const char ***name, size_t *n,
                                                 assay_error *err);

/* Files and folders of the project itself, which are no documents: for ingest. */
ASSAY_MUST_USE assay_status assay_workspace_own(const assay_workspace *ws,
                                                const char *const **own, size_t *n,
                                                assay_error *err);

#endif
