/* SPDX-License-Identifier: Apache-2.0 */
/* How a corpus is built.  A released step is never edited: what changes comes in a new
 * one, behind it.  docs/CORPUS.md explains the columns. */
#include "base/compiler.h"
#include "corpus/corpus_db.h"

static const char step_1[] =
    "CREATE TABLE settings ("
    "  name TEXT PRIMARY KEY,"
    "  value TEXT NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE files ("
    "  file INTEGER PRIMARY KEY,"
    "  path TEXT NOT NULL UNIQUE,"
    "  root TEXT NOT NULL,"
    "  size INTEGER NOT NULL,"
    "  mtime_ns INTEGER NOT NULL,"
    "  read_ns INTEGER NOT NULL,"
    "  hash BLOB NOT NULL,"
    "  reader TEXT NOT NULL,"
    "  is_today INTEGER NOT NULL"
    ") STRICT;"

    "CREATE TABLE versions ("
    "  version INTEGER PRIMARY KEY,"
    "  doc TEXT NOT NULL,"
    "  is_today INTEGER NOT NULL,"
    "  file INTEGER NOT NULL REFERENCES files,"
    "  line INTEGER NOT NULL,"
    "  title TEXT NOT NULL,"
    "  form TEXT NOT NULL,"
    "  lang TEXT NOT NULL,"
    "  extractor TEXT NOT NULL,"
    "  bytes INTEGER NOT NULL,"
    "  hash BLOB NOT NULL"
    ") STRICT;"
    "CREATE UNIQUE INDEX versions_today ON versions (doc) WHERE is_today = 1;"
    "CREATE INDEX versions_doc ON versions (doc);"
    "CREATE INDEX versions_file ON versions (file);"

    "CREATE TABLE texts ("
    "  version INTEGER NOT NULL REFERENCES versions,"
    "  part INTEGER NOT NULL,"
    "  bytes INTEGER NOT NULL,"
    "  is_packed INTEGER NOT NULL,"
    "  body BLOB NOT NULL,"
    "  PRIMARY KEY (version, part)"
    ") STRICT;"

    "CREATE TABLE chunkings ("
    "  chunking INTEGER PRIMARY KEY,"
    "  spelling TEXT NOT NULL UNIQUE"
    ") STRICT;"

    "CREATE TABLE cuts ("
    "  version INTEGER NOT NULL REFERENCES versions,"
    "  chunking INTEGER NOT NULL REFERENCES chunkings,"
    "  n_chunks INTEGER NOT NULL,"
    "  body BLOB NOT NULL,"
    "  PRIMARY KEY (version, chunking)"
    ") STRICT;"

    "CREATE TABLE pins ("
    "  chunking TEXT NOT NULL,"
    "  who TEXT NOT NULL,"
    "  PRIMARY KEY (chunking, who)"
    ") STRICT, WITHOUT ROWID";

static const char *const steps[] = {step_1};

const assay_sql_schema assay_corpus_schema = {
    .what = "corpus",
    .application_id = 0x61734370, /* "asCp" */
    .step = steps,
    .n_steps = ASSAY_COUNT(steps),
};
