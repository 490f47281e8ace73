/* SPDX-License-Identifier: Apache-2.0 */
/* Retrievers as a command line names them, and what they search in. */
#ifndef ASSAY_CLI_RETRIEVE_ARG_H
#define ASSAY_CLI_RETRIEVE_ARG_H

#include "cli/workspace.h"
#include "corpus/passages.h"
#include "retrieve/retrieve.h"

/* How retrievers are built; every command that builds some has these. */
#define ASSAY_OPTIONS_RETRIEVE                                                        \
    {0,                                                                               \
     "embedder",                                                                      \
     ASSAY_OPTION_TEXT,                                                               \
     "NAME",                                                                          \
     NULL,                                                                            \
     "what makes vectors: lsa, bert:FOLDER, openai:MODEL, ollama:MODEL, file:PATH"},  \
        {0,                                                                           \
         "embedding-profile",                                                         \
         ASSAY_OPTION_CHOICE,                                                         \
         "NAME",                                                                      \
         "dev|prod",                                                                  \
         "qwen3-embedding through Ollama: dev 0.6b cut to 256, prod 8b cut to 1024"}, \
        {0,                                                                           \
         "embedding-model",                                                           \
         ASSAY_OPTION_TEXT,                                                           \
         "MODEL",                                                                     \
         NULL,                                                                        \
         "a model of Ollama, or the folder of a BERT model"},                         \
        {0,                                                                           \
         "embedding-url",                                                             \
         ASSAY_OPTION_TEXT,                                                           \
         "URL",                                                                       \
         NULL,                                                                        \
         "where the embedder's server is"},                                           \
        {0,                                                                           \
         "cache",                                                                     \
         ASSAY_OPTION_TEXT,                                                           \
         "FILE",                                                                      \
         NULL,                                                                        \
         "where vectors are kept; default in the workspace, else below ~/.cache"},    \
        {0, "no-cache", ASSAY_OPTION_FLAG, NULL, NULL, "keep no vectors"},            \
        {0,      "tokenizer", ASSAY_OPTION_TEXT,                                      \
         "NAME", NULL,        "how texts become terms; see 'assay tokenizer list'"},  \
        {0,                                                                           \
         "index",                                                                     \
         ASSAY_OPTION_TEXT,                                                           \
         "FILE",                                                                      \
         NULL,                                                                        \
         "keep bm25's index in FILE, and use it while the texts are the same"},       \
        {0,      "kg", ASSAY_OPTION_TEXT,                                             \
         "FILE", NULL, "knowledge graph for graphrag; default: made from the texts"}, \
        {0,                                                                           \
         "reranker",                                                                  \
         ASSAY_OPTION_TEXT,                                                           \
         "SPEC",                                                                      \
         NULL,                                                                        \
         "who reranks for method rerank: http://HOST/PATH or cmd:PROGRAM..."},        \
    {                                                                                 \
        0, "jobs", ASSAY_OPTION_COUNT, "N", NULL, "threads; 0 = one a core"           \
    }

/* Everything but the passages, from the options; strings live in the command's arena. */
ASSAY_MUST_USE assay_status assay_retrieve_arg(const assay_workspace *ws,
                                               assay_retrieve_source *out,
                                               assay_error *err);

#endif
