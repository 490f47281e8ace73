-- Text compares by bytes, as everywhere in assay.

-- Golden sets as they were, by the hash of their text.
CREATE TABLE goldens (
    golden_hash TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    n_bytes BIGINT NOT NULL,
    body BYTEA NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL
);

-- Columns up to created_at are kebab's.
CREATE TABLE eval_runs (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    suite TEXT COLLATE "C" NOT NULL,
    config_snapshot_json TEXT COLLATE "C" NOT NULL,
    aggregate_json TEXT COLLATE "C" NOT NULL,
    commit_hash TEXT COLLATE "C",
    created_at TEXT COLLATE "C" NOT NULL,
    finished_at TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    method TEXT COLLATE "C" NOT NULL,
    golden_hash TEXT COLLATE "C" REFERENCES goldens (golden_hash),
    corpus_hash TEXT COLLATE "C",
    chunker TEXT COLLATE "C",
    k BIGINT NOT NULL,
    depth BIGINT NOT NULL,
    n_planned BIGINT NOT NULL
);
CREATE INDEX eval_runs_created ON eval_runs (created_at, run_id);
CREATE INDEX eval_runs_golden ON eval_runs (golden_hash);

-- The first three columns are kebab's.
CREATE TABLE eval_query_results (
    run_id TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (run_id) ON DELETE CASCADE,
    query_id TEXT COLLATE "C" NOT NULL,
    result_json TEXT COLLATE "C" NOT NULL,
    has_failed INTEGER NOT NULL,
    hits BYTEA,
    PRIMARY KEY (run_id, query_id)
);
CREATE INDEX eval_query_results_failed ON eval_query_results (run_id) WHERE has_failed = 1;

CREATE TABLE run_tags (
    run_id TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (run_id) ON DELETE CASCADE,
    tag_key TEXT COLLATE "C" NOT NULL,
    tag_value TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, tag_key)
);
CREATE INDEX run_tags_by_key ON run_tags (tag_key, tag_value);

CREATE TABLE baselines (
    name TEXT COLLATE "C" PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (run_id),
    note TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX baselines_run ON baselines (run_id);

-- For people who look by hand: what stands in the JSON, as columns.
CREATE VIEW run_metrics AS
SELECT r.run_id AS run_id,
    m.value ->> 'name' AS name,
    CAST(m.value ->> 'value' AS DOUBLE PRECISION) AS value,
    CAST(m.value ->> 'n' AS BIGINT) AS n
FROM eval_runs r, json_each(CAST(r.aggregate_json AS JSON) -> 'metrics') m;

CREATE VIEW run_queries AS
SELECT run_id, query_id,
    CAST(result_json AS JSON) ->> 'query' AS query,
    CAST(CAST(result_json AS JSON) ->> 'elapsed_ms' AS DOUBLE PRECISION) AS elapsed_ms,
    CAST(result_json AS JSON) ->> 'error' AS error,
    CAST(result_json AS JSON) -> 'answer' ->> 'answer' AS answer,
    CAST(CAST(result_json AS JSON) ->> 'n_hits' AS BIGINT) AS n_hits
FROM eval_query_results;

-- The first k hits of each query.
CREATE VIEW run_top_hits AS
SELECT q.run_id AS run_id, q.query_id AS query_id,
    CAST(h.value ->> 'rank' AS BIGINT) AS rank,
    h.value ->> 'chunk_id' AS chunk_id,
    h.value ->> 'doc_id' AS doc_id,
    CAST(h.value ->> 'score' AS DOUBLE PRECISION) AS score
FROM eval_query_results q, json_array_elements(CAST(q.result_json AS JSON) -> 'hits_top_k') h;
