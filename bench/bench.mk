# SPDX-License-Identifier: Apache-2.0
# The benchmark's own programs.  Included by the Makefile, and enough by itself:
#   make -f bench/bench.mk bench-tools
# Nothing here is part of the library, so nothing here depends on it or on its flags.

BENCH_CC ?= $(CC)
BENCH_CFLAGS ?= -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
	-Wstrict-prototypes -Wmissing-prototypes -Werror
BENCH_TOOLS := build/bench/generate build/bench/measure
# Handed on to bench/run.sh, as in: make bench BENCH_ARGS='--rounds 5 --no-peers'
BENCH_ARGS ?=

.PHONY: bench bench-quick bench-tools

bench-tools: $(BENCH_TOOLS)

build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(BENCH_CC) $(BENCH_CFLAGS) $< -o $@

bench: bench-tools
	bench/run.sh $(BENCH_ARGS)

bench-quick: bench-tools
	bench/run.sh --quick $(BENCH_ARGS)
