# Every run of it, with its own id, date, suite and commit; the file stays as it was.
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
cat >make.py <<'END'
import json, sqlite3
db = sqlite3.connect("kebab.sqlite")
db.executescript("""
CREATE TABLE eval_runs (run_id TEXT PRIMARY KEY, suite TEXT NOT NULL, config_snapshot_json TEXT NOT NULL,
  aggregate_json TEXT NOT NULL, commit_hash TEXT, created_at TEXT NOT NULL);
CREATE TABLE eval_query_results (run_id TEXT NOT NULL REFERENCES eval_runs(run_id) ON DELETE CASCADE,
  query_id TEXT NOT NULL, result_json TEXT NOT NULL, PRIMARY KEY (run_id, query_id));
""")
config = {"config": {"llm": {"api_key": "hush"}}, "eval_k": 10, "chunker_version": "md-heading-v2",
          "embedding": {"model": "e5", "version": "1", "dimensions": 4, "provider": "local"},
          "llm": {"model_id": "gemma", "provider": "ollama"}, "prompt_template_version": "rag-v3"}
old = {"hit_at_k": {"1": 0.5, "3": 0.5, "5": 1.0, "10": 1.0}, "mrr": 0.6, "recall_at_k_doc": {"1": 0.5},
       "citation_coverage": None, "groundedness": 0.0, "empty_result_rate": 0.0,
       "refusal_correctness": None, "total_queries": 2, "failed_queries": 0}
for run, when, aggregate, ids in (("run_0199aa", "2026-05-01T10:00:00.123456789Z", "{}", ["c1", "c8"]),
                                  ("run_0199ab", "2026-05-02T10:00:00Z", json.dumps(old), ["c9", "c2"])):
    db.execute("INSERT INTO eval_runs VALUES (?,?,?,?,?,?)",
               (run, "golden", json.dumps(config), aggregate, "abc123", when))
    for n, query in enumerate(("q-001", "q-002")):
        hits = [{"rank": i + 1, "chunk_id": c, "doc_id": "d" + c[1:], "retrieval": {"fusion_score": 1 - i / 4}}
                for i, c in enumerate(ids[n:] + ids[:n])]
        db.execute("INSERT INTO eval_query_results VALUES (?,?,?)",
                   (run, query, json.dumps({"query_id": query, "query": "?", "mode": "hybrid", "hits_top_k": hits,
                                            "answer": None, "elapsed_ms": 3, "error": None})))
db.commit()
END
python3 make.py && rm make.py
cp $FIX/eval/kebab.golden.yaml .
cksum kebab.sqlite >before
echo '# without a golden set: what kebab measured'
$ASSAY runs import kebab.sqlite --quiet
$ASSAY runs list -m mrr,hit@5
echo '# measured, by its conventions'
$ASSAY runs import kebab.sqlite -g kebab.golden.yaml --store measured.db -t from=kebab
$ASSAY runs list -m mrr,hit@1 --store measured.db
$ASSAY runs show run_0199aa --store measured.db | sed '/^metric/,$d'
$ASSAY metrics --all --store measured.db
echo '# one of them; again; none'
$ASSAY runs import kebab.sqlite --run-id 0199ab --store one.db -g kebab.golden.yaml
$ASSAY runs import kebab.sqlite --store one.db -g kebab.golden.yaml
$ASSAY runs import kebab.sqlite --run-id 7 --store one.db -g kebab.golden.yaml 2>&1
$ASSAY runs import one.db -g kebab.golden.yaml 2>&1
$ASSAY runs export latest --store measured.db | grep -c hush
cksum kebab.sqlite | cmp - before && ls kebab*
