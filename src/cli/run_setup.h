/* SPDX-License-Identifier: Apache-2.0 */
/* Everything `assay run` needs before the first query is asked, opened in the order in
 * which it can fail cheaply: settings, golden set, documents, systems, store. */
#ifndef ASSAY_CLI_RUN_SETUP_H
#define ASSAY_CLI_RUN_SETUP_H

#include "cli/documents_arg.h"
#include "pipeline/answered_system.h"
#include "pipeline/control_system.h"
#include "pipeline/experiment.h"
#include "pipeline/own_system.h"
#include "retrieve/shared.h"

enum { ASSAY_RUN_METHODS = 32 };

/* One that is asked. */
typedef struct assay_run_method {
    assay_slice name; /* as asked for */
    assay_own_system own;
    assay_answered_system answered;
    const assay_system *system;
    void *state;
    const assay_embedding *embedding;
    const assay_retriever *retriever; /* null: somebody else's system */
    bool is_ruler;                    /* added by --controls: its run is tagged */
    assay_control control;            /* of random and oracle */
} assay_run_method;

typedef struct assay_run_setup {
    assay_cli *cli;
    bool opens_no_method; /* documents and settings are enough */
    assay_workspace workspace;
    assay_arena arena; /* of passages, plans and the like */
    assay_notes notes;
    assay_store *store;
    assay_run_ids ids;
    assay_stored resumed; /* run_id "" = a new run */
    assay_snapshot then;  /* of the run that is gone on with */
    bool is_method_given; /* all the same, on this command line */
    assay_buffer frozen;  /* the golden set */
    assay_golden *golden;
    assay_documents documents;
    assay_cassette *cassette; /* finished by the caller, after all is closed */
    assay_shared shared;
    assay_retrieve_source source;
    const char *asked;          /* somebody else's system as spelt, or null */
    const assay_system *system; /* the same, open */
    void *system_state;
    assay_answering_by answerer; /* answerer null = none */
    assay_run_method method[ASSAY_RUN_METHODS];
    uint32_t n_methods;
    assay_experiment experiment;
} assay_run_setup;

/* What the command line says, for commands that do not take all the options of `run`. */
static inline const char *assay_run_text(const assay_cli *cli, const char *name)
{
    return assay_cli_has(cli, name) ? assay_cli_text(cli, name) : NULL;
}

static inline bool assay_run_given(const assay_cli *cli, const char *name)
{
    return assay_cli_has(cli, name) && assay_cli_given(cli, name);
}

static inline uint64_t assay_run_count(const assay_cli *cli, const char *name,
                                       uint64_t standard)
{
    return assay_cli_has(cli, name) ? assay_cli_count(cli, name, standard) : standard;
}

static inline double assay_run_real(const assay_cli *cli, const char *name,
                                    double standard)
{
    return assay_cli_has(cli, name) ? assay_cli_real(cli, name, standard) : standard;
}

/* Zeroed before, but for cli and the stop flag in experiment. */
ASSAY_MUST_USE assay_status assay_run_setup_open(assay_run_setup *s, assay_error *err);
void assay_run_setup_close(assay_run_setup *s);

/* How it goes on from here: new, or which way. */
assay_trial_mode assay_run_setup_mode(const assay_run_setup *s);

#endif
