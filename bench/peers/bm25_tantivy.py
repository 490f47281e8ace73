# SPDX-License-Identifier: Apache-2.0
"""tantivy on bench/bm25.sh's data: bm25_tantivy.py FOLDER N_THREADS [ROUNDS]"""
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import tantivy


def main():
    folder, n_threads = sys.argv[1], int(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    passages = open(folder + "/passages.txt", encoding="utf-8").read().splitlines()
    queries = open(folder + "/queries.txt", encoding="utf-8").read().splitlines()

    start, cpu = time.perf_counter(), time.process_time()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)  # in memory
    writer = index.writer(heap_size=1_000_000_000, num_threads=n_threads)
    for text in passages:
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    print("build %.3f" % (time.perf_counter() - start))
    print("build_cpu %.3f" % (time.process_time() - cpu))

    searcher = index.searcher()

    def ask(text):
        terms = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", t, "freq"))
                 for t in text.split()]
        hits = searcher.search(tantivy.Query.boolean_query(terms), limit=k, count=False).hits
        return hits[0][0] if hits else 0.0

    for k in (10, 1000):
        wall, used = 1e9, 1e9
        for _ in range(rounds):
            start, cpu = time.perf_counter(), time.process_time()
            if n_threads == 1:
                first = [ask(text) for text in queries]
            else:
                with ThreadPoolExecutor(n_threads) as pool:
                    first = list(pool.map(ask, queries))
            wall = min(wall, time.perf_counter() - start)
            used = min(used, time.process_time() - cpu)
        print("k%d %.1f" % (k, len(queries) / wall))
        print("k%d_cpu %.1f" % (k, len(queries) / used))
        print("sum%d %.6f" % (k, sum(first)))


main()
