# SPDX-License-Identifier: Apache-2.0
# The benchmark's own programs.  Included by the Makefile, and enough by itself:
#   make -f bench/bench.mk bench-tools
# Nothing here is part of the library, and but for build/bench/chunk nothing depends on it
# or on its flags.

BENCH_CC ?= $(CC)
BENCH_CFLAGS ?= -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
	-Wstrict-prototypes -Wmissing-prototypes -Werror
BENCH_TOOLS := build/bench/generate build/bench/measure build/bench/make_markdown
# Handed on to bench/run.sh, as in: make bench BENCH_ARGS='--rounds 5 --no-peers'
BENCH_ARGS ?=

.PHONY: bench bench-quick bench-dense bench-chunk bench-ingest bench-anchors bench-stat bench-runs \
	bench-stores bench-metrics bench-compare bench-tools

bench-tools: $(BENCH_TOOLS)

build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(BENCH_CC) $(BENCH_CFLAGS) $< -o $@

# How fast the chunkers are, and how fast quotes are found again.  These need the library.
build/bench/chunk build/bench/anchors build/bench/vectors_bench build/bench/bench_stat \
	build/bench/bench_store build/bench/fill_store: build/bench/%: bench/%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) -MF $@.d $< -o $@ $(LIB) $(LIBS)

build/bench/markdown/done: build/bench/make_markdown
	build/bench/make_markdown $(@D) 500
	@touch $@

bench-chunk: build/bench/chunk build/bench/markdown/done
	build/bench/chunk build/bench/markdown/d*/*.md

# Files into a corpus; BENCH_ARGS='--quick' for a tenth of it.
bench-ingest: all bench-tools
	bench/ingest.sh $(BENCH_ARGS)

bench-anchors: build/bench/anchors
	build/bench/anchors $(BENCH_ARGS)

# Runs into a store and out of it; BENCH_ARGS as the head of bench/bench_store.c has them.
bench-runs: build/bench/bench_store
	build/bench/bench_store $(BENCH_ARGS)

# The same on SQLite and PostgreSQL in turn; the script starts the server.
bench-stores: build/bench/bench_store | setup-servers
	bench/store.sh $(BENCH_ARGS)

bench: bench-tools
	bench/run.sh $(BENCH_ARGS)

bench-quick: bench-tools
	bench/run.sh --quick $(BENCH_ARGS)

# bm25 beside other programs; BENCH_ARGS as bench/bm25.sh takes them.  Its own side is built
# over the library.
build/bench/bm25_assay: bench/bm25_assay.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $< $(LIB) $(PROGRAM_LIBS)

bench-bm25: all build/bench/bm25_generate build/bench/bm25_assay | setup-bench
	bench/bm25.sh $(BENCH_ARGS)

# Nearest vectors, products of matrices and the encoder, beside faiss, OpenBLAS and torch.
bench-dense: build/bench/vectors_bench
	bench/dense.sh $(BENCH_ARGS)

# The statistics of one metric; BENCH_ARGS='QUERIES THREADS'.
bench-stat: build/bench/bench_stat
	build/bench/bench_stat $(BENCH_ARGS)

# Stored runs measured again; BENCH_ARGS='--runs 100' for a tenth of them.
bench-metrics: all build/bench/fill_store
	bench/metrics.sh $(BENCH_ARGS)

# Two stored runs compared, with all statistics.
bench-compare: all build/bench/fill_store
	bench/compare.sh $(BENCH_ARGS)
