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
