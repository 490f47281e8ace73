-- Golden sets as they were, by the hash of their text.
CREATE TABLE goldens (
    golden_hash TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    n_bytes INTEGER NOT NULL,
    body BLOB NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

-- Columns up to created_at are kebab's.
CREATE TABLE eval_runs (
    run_id TEXT PRIMARY KEY,
    suite TEXT NOT NULL,
    config_snapshot_json TEXT NOT NULL,
    aggregate_json TEXT NOT NULL,
    commit_hash TEXT,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    method TEXT NOT NULL,
    golden_hash TEXT REFERENCES goldens (golden_hash),
    corpus_hash TEXT,
    chunker TEXT,
    k INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    n_planned INTEGER NOT NULL
) STRICT;
CREATE INDEX eval_runs_created ON eval_runs (created_at, run_id);
CREATE INDEX eval_runs_golden ON eval_runs (golden_hash);

-- The first three columns are kebab's.
CREATE TABLE eval_query_results (
    run_id TEXT NOT NULL REFERENCES eval_runs (run_id) ON DELETE CASCADE,
    query_id TEXT NOT NULL,
    result_json TEXT NOT NULL,
    has_failed INTEGER NOT NULL,
    hits BLOB,
    PRIMARY KEY (run_id, query_id)
) STRICT;
CREATE INDEX eval_query_results_failed ON eval_query_results (run_id) WHERE has_failed = 1;

CREATE TABLE run_tags (
    run_id TEXT NOT NULL REFERENCES eval_runs (run_id) ON DELETE CASCADE,
    tag_key TEXT NOT NULL,
    tag_value TEXT NOT NULL,
    PRIMARY KEY (run_id, tag_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tags_by_key ON run_tags (tag_key, tag_value);

CREATE TABLE baselines (
    name TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES eval_runs (run_id),
    note TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX baselines_run ON baselines (run_id);

-- For people who look by hand: what stands in the JSON, as columns.
CREATE VIEW run_metrics AS
SELECT r.run_id AS run_id,
    json_extract(m.value, '$.name') AS name,
    json_extract(m.value, '$.value') AS value,
    json_extract(m.value, '$.n') AS n
FROM eval_runs r, json_each(r.aggregate_json, '$.metrics') m;

CREATE VIEW run_queries AS
SELECT run_id, query_id,
    json_extract(result_json, '$.query') AS query,
    json_extract(result_json, '$.elapsed_ms') AS elapsed_ms,
    json_extract(result_json, '$.error') AS error,
    json_extract(result_json, '$.answer.answer') AS answer,
    json_extract(result_json, '$.n_hits') AS n_hits
FROM eval_query_results;

-- The first k hits of each query.
CREATE VIEW run_top_hits AS
SELECT q.run_id AS run_id, q.query_id AS query_id,
    json_extract(h.value, '$.rank') AS rank,
    json_extract(h.value, '$.chunk_id') AS chunk_id,
    json_extract(h.value, '$.doc_id') AS doc_id,
    json_extract(h.value, '$.score') AS score
FROM eval_query_results q, json_each(q.result_json, '$.hits_top_k') h;
