/* SPDX-License-Identifier: Apache-2.0 */
/* assay.yaml by one table: a row says what a key may hold, which flag wins over it, and
 * what it is for. */
#include "pipeline/project.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/fields.h"
#include "pipeline/eval_words.h"
#include "retrieve/system_config.h"

/* What a value may be; one or more. */
enum {
    TEXT = 1,
    LIST = 2, /* of texts */
    FLAG = 4,
    COUNT = 8, /* a whole number >= 0 */
    REAL = 16,
    MAP = 32,
    MIXED = 64, /* a list of texts and maps */
    OWN = 128   /* beside the kind: not filled in by itself where its flag is not given */
};

/* A key that is read into the project, or null: it stays in the tree. */
typedef assay_status read_key(assay_project *p, const assay_node *node, assay_error *err);

static read_key read_version, read_name, read_workspace, read_golden, read_topics;
static read_key read_corpus, read_metrics, read_word, read_system;

typedef struct key_row {
    const char *name;
    unsigned kinds;
    const char *option;
    read_key *read;
    const char *help;
} key_row;

/* In the order in which documentation shows them. */
static const key_row keys[] = {
    {"version", COUNT, NULL, read_version, "1"},
    {"name", TEXT, NULL, read_name, "of the project, for reports"},
    {"workspace", TEXT | OWN, "workspace", read_workspace,
     "folder for what assay keeps; .assay beside the file"},
    {"corpus", MAP | MIXED | OWN, "corpus", read_corpus,
     "name, paths and chunker of the documents; a list when there are several"},
    {"pdftotext", TEXT, "pdftotext", NULL, "program that reads PDF files"},
    {"golden", TEXT | OWN, "golden", read_golden, "the golden set"},
    {"golden_from", TEXT | OWN, "golden-from", NULL,
     "its format, when it is not recognised"},
    {"topics", TEXT | OWN, "topics", read_topics, "query texts, for TREC qrels"},
    {"split", TEXT | OWN, "split", NULL, "split of a BEIR folder"},
    {"max_line", COUNT, "max-line", NULL, "longest line to read, in bytes"},
    {"conventions", TEXT, "conventions", read_word, "whose rules to follow"},
    {"metrics", LIST, "metric", read_metrics, "what to measure"},
    {"level", TEXT, "level", read_word, "what is to be found"},
    {"ties", TEXT, "ties", read_word, "the order of equal scores"},
    {"duplicates", TEXT, "duplicates", read_word, "an id that is a hit twice"},
    {"collapse", FLAG, "collapse", NULL, "level doc: count documents, not hits"},
    {"empty_relevance", TEXT, "empty-relevance", read_word,
     "queries with nothing relevant"},
    {"ci", FLAG, "ci", NULL, "confidence intervals of the means"},
    {"by", TEXT, "by", NULL, "slices"},
    {"min_n", COUNT, "min-n", NULL, "withhold slices below so many queries"},
    {"strict", FLAG, "strict", NULL, "what would be a warning fails"},
    {"threads", COUNT, "threads", NULL, "default one for each core"},
    {"k", COUNT, "k", NULL, "hits for each query"},
    {"depth", COUNT, "depth", NULL, "hits that a run keeps"},
    {"methods", LIST | MIXED, "method", NULL, "retrievers with their parameters"},
    {"tokenizer", TEXT, "tokenizer", NULL, "words of the lexical retriever"},
    {"embedder", TEXT | MAP, "embedder", NULL, "texts to vectors"},
    {"reranker", TEXT, "reranker", NULL, "who reranks: address in full, or cmd:PROGRAM"},
    {"graph", TEXT, "graph", NULL, "knowledge graph"},
    {"system", TEXT | MAP, "system", read_system,
     "another system: command or address; a map has its settings"},
    {"answerer", TEXT | MAP, "answers", NULL, "hits to answers"},
    {"store", TEXT | OWN, "store", NULL, "where runs are kept"},
    {"suite", TEXT, "suite", NULL, "name under which runs are kept"},
    {"seed", COUNT, "seed", NULL, "of everything random"},
    {"jobs", COUNT, "jobs", NULL, "how much is done at once"},
    {"timeout", COUNT | REAL, "timeout", NULL, "seconds for a query"},
    {"baseline", TEXT, "baseline", NULL, "what a run is held against"},
    {"gate", MAP, NULL, NULL, "rules of the gate"},
    {"protected", TEXT | LIST, "protect", NULL, "queries that may not get worse"},
};

bool assay_project_key_at(size_t i, assay_project_key *out)
{
    if (i >= ASSAY_COUNT(keys))
        return false;
    *out = (assay_project_key){keys[i].name, keys[i].option, keys[i].help};
    return true;
}

/* ---- checking ---- */

static unsigned kind_bits(const assay_node *node)
{
    switch (node->kind) {
    case ASSAY_NODE_STRING: return TEXT;
    case ASSAY_NODE_BOOL: return FLAG;
    /* A name may look like a number. */
    case ASSAY_NODE_INT: return TEXT | REAL | (node->integer >= 0 ? COUNT : 0u);
    case ASSAY_NODE_NUMBER: return TEXT | REAL;
    case ASSAY_NODE_LIST: return LIST | MIXED;
    case ASSAY_NODE_MAP: return MAP;
    case ASSAY_NODE_NULL: break;
    }
    return 0;
}

static const char *kinds_name(unsigned kinds)
{
    static const struct {
        unsigned bits;
        const char *name;
    } names[] = {
        {TEXT | LIST, "a string or a list"},
        {TEXT | MAP, "a string or a map"},
        {MAP | MIXED, "a map or a list of maps"},
        {LIST | MIXED, "a list"},
        {COUNT | REAL, "a number"},
        {TEXT, "a string"},
        {LIST, "a list"},
        {FLAG, "true or false"},
        {COUNT, "a whole number from 0 on"},
        {MAP, "a map"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(names); i++)
        if (names[i].bits == kinds)
            return names[i].name;
    return "something else";
}

static assay_status fail_kind(const assay_project *p, const assay_node *node,
                              const char *name, unsigned want, assay_error *err)
{
    if (node->kind == ASSAY_NODE_LIST || node->kind == ASSAY_NODE_MAP ||
        node->kind == ASSAY_NODE_NULL)
        return assay_fail_at(err, p->path, node->line, "'%s' has %s where %s belongs",
                             name, assay_node_kind_name(node->kind), kinds_name(want));
    return assay_fail_at(
        err, p->path, node->line, "'%s' has %s ('%.*s') where %s belongs", name,
        assay_node_kind_name(node->kind), ASSAY_QUOTE(node->text), kinds_name(want));
}

/* The value is of a kind that fits, and so are the items of a list. */
static assay_status check_kind(const assay_project *p, const assay_node *node,
                               const char *name, unsigned want, assay_error *err)
{
    unsigned item = TEXT;

    if (!(kind_bits(node) & want))
        return fail_kind(p, node, name, want, err);
    if (node->kind != ASSAY_NODE_LIST)
        return ASSAY_OK;
    if (want & MIXED)
        item = want & LIST ? TEXT | MAP : MAP;
    for (const assay_node *c = node->child; c; c = c->next)
        if (!(kind_bits(c) & item))
            return fail_kind(p, c, name, item, err);
    return ASSAY_OK;
}

static assay_status fail_unknown(const assay_project *p, const assay_node *node,
                                 const char *const *name, size_t n, assay_error *err)
{
    const char *near = assay_nearest(node->key, name, n);
    char list[600] = "";
    size_t used = 0;

    if (near)
        return assay_fail_at(err, p->path, node->key_line,
                             "unknown key '%.*s'; did you mean '%s'?",
                             ASSAY_QUOTE(node->key), near);
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 name[i]);
    return assay_fail_at(err, p->path, node->key_line,
                         "unknown key '%.*s'; the keys here are %s",
                         ASSAY_QUOTE(node->key), list);
}

/* Words of another function with the place in front. */
static assay_status fail_word(const assay_project *p, const assay_node *node,
                              const assay_error *why, assay_error *err)
{
    if (why->status == ASSAY_ENOMEM)
        return assay_fail_memory(err, "reading assay.yaml");
    return assay_fail_at(err, p->path, node->line, "%s", why->text);
}

/* ---- reading ---- */

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading assay.yaml");
}

static assay_status take_text(assay_project *p, const assay_node *node, const char **out,
                              assay_error *err)
{
    assay_slice name = node->key.len ? node->key : ASSAY_LIT("paths");

    if (!node->text.len)
        return assay_fail_at(err, p->path, node->line, "'%.*s' is empty",
                             ASSAY_QUOTE(name));
    if (memchr(node->text.ptr, '\0', node->text.len))
        return assay_fail_at(err, p->path, node->line, "'%.*s' holds a zero byte",
                             ASSAY_QUOTE(name));
    *out = assay_arena_string(&p->arena, node->text);
    return *out ? ASSAY_OK : no_memory(err);
}

static assay_status take_path(assay_project *p, const assay_node *node, const char **out,
                              assay_error *err)
{
    assay_status st = take_text(p, node, out, err);

    if (st)
        return st;
    *out = assay_project_join(&p->arena, p->folder, node->text);
    return *out ? ASSAY_OK : no_memory(err);
}

static assay_status read_version(assay_project *p, const assay_node *node,
                                 assay_error *err)
{
    if (node->integer == 1)
        return ASSAY_OK;
    return assay_fail_at(err, p->path, node->line,
                         "version %.*s is not one that this program knows; it knows 1",
                         ASSAY_QUOTE(node->text));
}

static assay_status read_name(assay_project *p, const assay_node *node, assay_error *err)
{
    return take_text(p, node, &p->name, err);
}

static assay_status read_workspace(assay_project *p, const assay_node *node,
                                   assay_error *err)
{
    return take_path(p, node, &p->workspace, err);
}

static assay_status read_golden(assay_project *p, const assay_node *node,
                                assay_error *err)
{
    return take_path(p, node, &p->golden, err);
}

static assay_status read_topics(assay_project *p, const assay_node *node,
                                assay_error *err)
{
    return take_path(p, node, &p->topics, err);
}

static assay_status read_metrics(assay_project *p, const assay_node *node,
                                 assay_error *err)
{
    for (const assay_node *c = node->child; c; c = c->next) {
        const char *spelling = assay_arena_string(&p->arena, c->text);
        assay_error why;

        if (!spelling)
            return no_memory(err);
        if (assay_measure_check(spelling, &why))
            return fail_word(p, c, &why, err);
    }
    return ASSAY_OK;
}

/* The rules of `assay eval`, by the words that it knows. */
static assay_status read_word(assay_project *p, const assay_node *node, assay_error *err)
{
    const char *word = assay_arena_string(&p->arena, node->text);
    assay_eval_options o = {.conventions = NULL};
    assay_eval_settings settings;
    assay_error why;

    if (!word)
        return no_memory(err);
    if (assay_slice_is(node->key, "conventions"))
        o.conventions = word;
    else if (assay_slice_is(node->key, "level"))
        o.level = word;
    else if (assay_slice_is(node->key, "duplicates"))
        o.duplicates = word;
    else if (assay_slice_is(node->key, "empty_relevance"))
        o.empty_relevance = word;
    else if (strcmp(word, "bounds") != 0) /* two rules at once: eval's own business */
        o.ties = word;
    return assay_eval_words(&o, &settings, &why) ? fail_word(p, node, &why, err)
                                                 : ASSAY_OK;
}

/* Only looked at: whoever asks the system reads it again. */
static assay_status read_system(assay_project *p, const assay_node *node,
                                assay_error *err)
{
    assay_system_config config;

    return assay_system_config_read(node, p->path, &p->arena, &config, err);
}

/* ---- corpus ---- */

static assay_status read_paths(assay_project *p, const assay_node *node,
                               assay_project_corpus *corpus, assay_error *err)
{
    assay_status st = check_kind(p, node, "paths", LIST, err);

    if (st)
        return st;
    corpus->path = ASSAY_ARENA_ARRAY(&p->arena, const char *, node->n);
    if (!corpus->path)
        return no_memory(err);
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = take_path(p, c, &corpus->path[corpus->n_paths++], err);
    return st;
}

static assay_status read_corpus_key(assay_project *p, const assay_node *node,
                                    assay_project_corpus *corpus, assay_error *err)
{
    static const char *const known[] = {"name", "paths", "chunker"};
    assay_status st;

    if (assay_slice_is(node->key, "paths"))
        return read_paths(p, node, corpus, err);
    if (assay_slice_is(node->key, "chunker")) {
        st = check_kind(p, node, "chunker", TEXT, err);
        return st ? st : take_text(p, node, &corpus->chunker, err);
    }
    if (!assay_slice_is(node->key, "name"))
        return assay_slice_starts(node->key, "x_")
                   ? ASSAY_OK
                   : fail_unknown(p, node, known, ASSAY_COUNT(known), err);
    st = check_kind(p, node, "name", TEXT, err);
    if (!st && !assay_corpus_name_is(node->text))
        return assay_fail_at(err, p->path, node->line,
                             "'%.*s' cannot be a corpus: a name has %s",
                             ASSAY_QUOTE(node->text), ASSAY_CORPUS_NAME_RULES);
    return st ? st : take_text(p, node, &corpus->name, err);
}

static assay_status read_one_corpus(assay_project *p, const assay_node *map,
                                    assay_error *err)
{
    assay_project_corpus *corpus = &p->corpus[p->n_corpora];
    assay_status st = ASSAY_OK;

    *corpus = (assay_project_corpus){.name = ASSAY_CORPUS_STANDARD, .line = map->line};
    for (const assay_node *c = map->child; c && !st; c = c->next)
        st = read_corpus_key(p, c, corpus, err);
    for (uint32_t i = 0; !st && i < p->n_corpora; i++)
        if (strcmp(p->corpus[i].name, corpus->name) == 0)
            return assay_fail_at(err, p->path, map->line,
                                 "corpus '%s' stands here and in line %u", corpus->name,
                                 p->corpus[i].line);
    p->n_corpora++;
    return st;
}

static assay_status read_corpus(assay_project *p, const assay_node *node,
                                assay_error *err)
{
    bool is_list = node->kind == ASSAY_NODE_LIST;
    assay_status st = ASSAY_OK;

    p->corpus = ASSAY_ARENA_ARRAY(&p->arena, assay_project_corpus, is_list ? node->n : 1);
    if (!p->corpus)
        return no_memory(err);
    if (!is_list)
        return read_one_corpus(p, node, err);
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = read_one_corpus(p, c, err);
    return st;
}

/* ---- the file ---- */

static const key_row *find_key(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(keys); i++)
        if (assay_slice_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

static assay_status read_top(assay_project *p, const assay_node *node, assay_error *err)
{
    const key_row *row = find_key(node->key);
    const char *name[ASSAY_COUNT(keys)];
    assay_status st;

    for (size_t i = 0; !row && i < ASSAY_COUNT(keys); i++)
        name[i] = keys[i].name;
    if (!row)
        return assay_slice_starts(node->key, "x_")
                   ? ASSAY_OK
                   : fail_unknown(p, node, name, ASSAY_COUNT(keys), err);
    /* A key without a value is one that somebody cleared. */
    if (node->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    st = check_kind(p, node, row->name, row->kinds & ~(unsigned)OWN, err);
    return !st && row->read ? row->read(p, node, err) : st;
}

/* What p->text holds. */
static assay_status read_text(assay_project *p, assay_error *err)
{
    assay_node *root = NULL;
    assay_status st = ASSAY_OK;

    if (assay_slice_trim(p->text.text).len)
        st = assay_node_yaml(p->path, p->text.text, &p->arena, &root, err);
    if (st || !root || root->kind == ASSAY_NODE_NULL)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, p->path, root->line, "want a map of settings, not %s",
                             assay_node_kind_name(root->kind));
    p->root = root;
    for (const assay_node *c = root->child; c && !st; c = c->next)
        st = read_top(p, c, err);
    return st;
}

/* The file, or, where its ptr is not null, `text` in its place. */
static assay_status load(const char *folder, assay_slice text, assay_project **out,
                         assay_error *err)
{
    assay_project *p = ASSAY_NEW(assay_project);
    assay_status st;

    if (!p)
        return no_memory(err);
    p->folder = assay_arena_string(&p->arena, assay_slice_of(folder));
    p->path = assay_project_join(&p->arena, folder, ASSAY_LIT(ASSAY_PROJECT_FILE));
    if (!p->folder || !p->path)
        st = no_memory(err);
    else if (text.ptr)
        st = assay_file_copy(&p->text, text, p->path, err);
    else
        st = assay_file_open(&p->text, p->path, err);
    if (!st)
        st = read_text(p, err);
    if (st)
        assay_project_free(p);
    else
        *out = p;
    return st;
}

assay_status assay_project_load(const char *folder, assay_project **out, assay_error *err)
{
    return load(folder, (assay_slice){NULL, 0}, out, err);
}

assay_status assay_project_parse(const char *folder, assay_slice text,
                                 assay_project **out, assay_error *err)
{
    return load(folder, text, out, err);
}

void assay_project_free(assay_project *project)
{
    if (!project)
        return;
    assay_file_close(&project->text);
    assay_arena_clear(&project->arena);
    assay_mem_free(project);
}

/* ---- asking ---- */

const assay_node *assay_project_get(const assay_project *project, const char *key)
{
    const assay_node *node = project ? assay_node_get(project->root, key) : NULL;

    return node && node->kind != ASSAY_NODE_NULL ? node : NULL;
}

const assay_node *assay_project_option(const assay_project *project, const char *option)
{
    for (size_t i = 0; i < ASSAY_COUNT(keys); i++)
        if (keys[i].option && !(keys[i].kinds & OWN) &&
            strcmp(keys[i].option, option) == 0)
            return assay_project_get(project, keys[i].name);
    return NULL;
}

const assay_project_corpus *assay_project_corpus_find(const assay_project *project,
                                                      const char *name)
{
    for (uint32_t i = 0; project && i < project->n_corpora; i++)
        if (!name || strcmp(project->corpus[i].name, name) == 0)
            return &project->corpus[i];
    return NULL;
}
