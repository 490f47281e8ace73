# The whole build. `make help` lists the targets.
#
#   MODE=release   -O2, what `make` and `make install` use
#   MODE=debug     -O1, assertions, failing allocations on demand; what `make check` uses
#   MODE=asan      debug + address and undefined behaviour sanitizers
#   MODE=tsan      debug + thread sanitizer
#
# Sources are found by wildcard: a new file needs no edit here.

# `make check` without MODE tests the debug build, so remember whether it was given.
CHECK_MODE := $(or $(MODE),debug)
MODE ?= release
BUILD := build/$(MODE)
VERSION := $(shell cat VERSION)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
T ?=
V ?=

# All cores unless told otherwise. Several goals on one line run in the order written.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ifeq (0,$(MAKELEVEL))
MAKEFLAGS += -j$(JOBS)
endif
MAKEFLAGS += --no-print-directory --no-builtin-rules
ifneq (,$(word 2,$(MAKECMDGOALS)))
.NOTPARALLEL:
endif

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

# --- Flags -----------------------------------------------------------------------------

CC ?= cc
AR ?= ar

# POSIX.1-2008 and nothing else. A file that needs more gets FEATURES_<name> here, e.g.
# FEATURES_pool = -D_DEFAULT_SOURCE for src/base/pool.c.
FEATURES = -std=c11 -D_POSIX_C_SOURCE=200809L
# madvise, for pages of 2 MB
FEATURES_mem = -D_DEFAULT_SOURCE
# realpath
FEATURES_walk = -D_XOPEN_SOURCE=700
# the schema, made from src/store/sql
FEATURES_s_sqlite = -Ibuild
FEATURES_s_postgres = -Ibuild
# the parser's version, which it does not say itself
FEATURES_html_text = -DASSAY_GUMBO='"$(shell pkg-config --modversion gumbo)"'

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Werror
INCLUDES = -Isrc -Iinclude
COMMON = $(FEATURES) $(INCLUDES) -DASSAY_VERSION='"$(VERSION)"' \
	-ffp-contract=off -fvisibility=hidden -fPIC -pthread -g

MODE_release = -O2
MODE_debug = -O1 -DASSAY_TEST
MODE_asan = -O1 -DASSAY_TEST -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
MODE_tsan = -O1 -DASSAY_TEST -fsanitize=thread -fno-omit-frame-pointer
ifndef MODE_$(MODE)
$(error MODE is '$(MODE)'; want release, debug, asan or tsan)
endif

# Asked at first use, when tools/setup has run, and then remembered.
PACKAGES = yaml-0.1 zlib libzstd libutf8proc sqlite3 gumbo
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PACKAGES)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PACKAGES)))$(PKG_LIBS)

COMPILE = $(CC) $(COMMON) $(WARNINGS) $(MODE_$(MODE)) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP
LINK = $(CC) $(MODE_$(MODE)) -pthread $(CFLAGS) $(LDFLAGS)
# The stemmer has no .pc file.
LIBS = $(PKG_LIBS) -lstemmer -lm -pthread
# The program takes archives where they are installed: one binary to copy, and no time spent
# on finding the libraries at each start.
archive = $(if $(findstring /,$(1)),$(1),$(2))
PROGRAM_LIBS = $(foreach l,$(PKG_LIBS) -lstemmer,$(if $(filter -l%,$(l)),$(call \
	archive,$(shell $(CC) -print-file-name=lib$(l:-l%=%).a),$(l)),$(l))) -lm -pthread

# --- Files -----------------------------------------------------------------------------

CLI_SRC := $(sort $(wildcard src/cli/*.c))
LIB_SRC := $(filter-out $(CLI_SRC),$(sort $(wildcard src/*/*.c)))
LIB_OBJ := $(LIB_SRC:src/%.c=$(BUILD)/obj/%.o)
CLI_OBJ := $(CLI_SRC:src/%.c=$(BUILD)/obj/%.o)

LIB := $(BUILD)/libassay.a
SHARED := $(BUILD)/libassay.so.$(SOVERSION)
PROGRAM := $(if $(CLI_SRC),$(BUILD)/assay)

TEST_SRC := $(sort $(wildcard tests/unit/test_*.c tests/contract/test_*.c))
TESTS := $(addprefix $(BUILD)/,$(basename $(notdir $(TEST_SRC))))
# Those of them that say more when there is a server.
SERVER_TESTS := $(filter %/test_pq %/test_s_postgres %/test_stores %/test_stores_at_once,$(TESTS))
CRASH_TOOLS := $(if $(wildcard tests/server/store_tool.c),$(BUILD)/store_tool $(BUILD)/crash_system)
CASES := $(if $(wildcard tests/metric/run_cases.c),$(BUILD)/run_cases)

FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SRC := $(if $(T),$(foreach f,$(FUZZ_SRC),$(if $(findstring $(T),$f),$f)),$(FUZZ_SRC))
FUZZ := $(FUZZ_SRC:tests/fuzz/%.c=build/fuzz/%)
FUZZ_LIB_OBJ := $(LIB_SRC:src/%.c=build/fuzz/obj/%.o)

.PHONY: all check run-tests check-oom run-oom check-servers run-servers check-crash lint fmt fuzz bench bench-quick \
	docs demo install uninstall dist clean help setup-build setup-check setup-servers setup-lint \
	setup-fuzz setup-bench FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(LIB) $(BUILD)/libassay.so $(PROGRAM)
# Only the release build is put where people look for the program.
ifeq ($(MODE),release)
	@ln -sf release/libassay.a build/libassay.a
	@ln -sf release/libassay.so build/libassay.so
	$(if $(PROGRAM),@ln -sf release/assay build/assay,@echo 'no src/cli yet: no program')
endif

help:
	@echo 'make                 build/assay, build/libassay.a, build/libassay.so'
	@echo 'make check           every test that needs no server; T=text picks, MODE=asan sanitizes'
	@echo 'make check-oom       let each allocation fail in turn, under the address sanitizer'
	@echo 'make check-crash     runs killed at random moments; KILLS=500 on each kind of store'
	@echo 'make check-servers   tests that start a server of their own'
	@echo 'make lint fmt        check the rules of the house; format the sources'
	@echo 'make fuzz            each reader for FUZZ_SECONDS=60; T=name picks'
	@echo 'make bench docs demo measure; write generated pages; show it at work'
	@echo 'make install         PREFIX=/usr/local DESTDIR='
	@echo 'make uninstall dist clean'

# What is missing is installed, or named. A few milliseconds when all is there. One after
# the other, since two package managers do not run side by side.
setup-build:
	@tools/setup build
setup-check: setup-build
	@tools/setup check
setup-servers: setup-check
	@tools/setup servers
setup-lint: setup-build
	@tools/setup lint || echo 'going on without them'
setup-fuzz: setup-build
	@tools/setup fuzz
setup-bench: setup-build
	@tools/setup bench

# --- Library and program ---------------------------------------------------------------

$(BUILD)/obj/%.o: src/%.c Makefile VERSION | setup-build
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) $(FEATURES_$(*F)) -c -o $@ $<

# A store's schema goes into the program: no files are looked for at run time.
build/gen/sql_sqlite.inc: $(wildcard src/store/sql/sqlite/*.sql)
build/gen/sql_postgresql.inc: $(wildcard src/store/sql/postgresql/*.sql)
build/gen/sql_%.inc: tools/sql_steps.sh
	@mkdir -p $(@D)
	@tools/sql_steps.sh $(sort $(filter %.sql,$^)) > $@
$(BUILD)/obj/store/s_sqlite.o build/fuzz/obj/store/s_sqlite.o: build/gen/sql_sqlite.inc
$(BUILD)/obj/store/s_postgres.o build/fuzz/obj/store/s_postgres.o: build/gen/sql_postgresql.inc

# Rewritten only when a source came or went, so that a deleted one leaves the library too.
$(BUILD)/objects.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(LIB_OBJ) $(CLI_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ) $(CLI_OBJ)' > $@

$(LIB): $(LIB_OBJ) $(BUILD)/objects.txt
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(SHARED): $(LIB_OBJ) $(BUILD)/objects.txt
	$(call say,LD,$@)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -o $@ $(LIB_OBJ) $(LIBS)

$(BUILD)/libassay.so: $(SHARED)
	@ln -sf $(<F) $@

$(BUILD)/assay: $(CLI_OBJ) $(LIB)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $(CLI_OBJ) $(LIB) $(PROGRAM_LIBS)

# --- Tests -----------------------------------------------------------------------------

check:
	@$(MAKE) MODE=$(CHECK_MODE) T='$(T)' run-tests

run-tests: $(LIB) $(PROGRAM) $(TESTS) $(CASES) $(CRASH_TOOLS) | setup-check
	@BUILD=$(BUILD) JOBS=$(JOBS) tests/run_all.sh '$(T)'

check-oom:
	@$(MAKE) MODE=asan T='$(T)' run-oom

run-oom: $(LIB) $(PROGRAM) | setup-build
	@BUILD=$(BUILD) tests/oom/run.sh '$(T)'

check-servers:
	@$(MAKE) MODE=$(CHECK_MODE) T='$(T)' run-servers

run-servers: $(LIB) $(PROGRAM) $(SERVER_TESTS) $(CRASH_TOOLS) | setup-servers
	@BUILD=$(BUILD) JOBS=1 tests/run_all.sh --servers '$(T)'

# Of the program as people have it, unless MODE says otherwise.
check-crash: $(LIB) $(PROGRAM) $(CRASH_TOOLS) | setup-servers
	@BUILD=$(BUILD) tests/crash/crash.sh $(or $(KILLS),500) sqlite
	@BUILD=$(BUILD) tests/crash/crash.sh $(or $(KILLS),500) postgresql

# TEST(name) in a test file is all it takes: the list of tests is read from the file.
$(BUILD)/gen/%.inc: tests/unit/%.c tools/list_tests.awk
	@mkdir -p $(@D)
	@awk -f tools/list_tests.awk $< > $@
$(BUILD)/gen/%.inc: tests/contract/%.c tools/list_tests.awk
	@mkdir -p $(@D)
	@awk -f tools/list_tests.awk $< > $@

TEST_FLAGS = -Itests/unit -DTEST_SRC='"$(CURDIR)"'

$(BUILD)/obj/test/%.o: tests/unit/%.c $(BUILD)/gen/%.inc Makefile | setup-check
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(TEST_FLAGS) -DTEST_LIST='"$(CURDIR)/$(BUILD)/gen/$*.inc"' -c -o $@ $<
$(BUILD)/obj/test/%.o: tests/contract/%.c $(BUILD)/gen/%.inc Makefile | setup-check
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(TEST_FLAGS) -DTEST_LIST='"$(CURDIR)/$(BUILD)/gen/$*.inc"' -c -o $@ $<

# What one test needs besides.
TEST_LIBS_test_markdown_oracles = -lcmark -lmd4c
# The program's own objects are not in the library.
TEST_OBJ_test_create_model := $(addprefix $(BUILD)/obj/cli/,create_model.o create_view.o \
    line_edit.o terminal_keys.o)
$(BUILD)/test_create_model: $(TEST_OBJ_test_create_model)

$(TESTS): $(BUILD)/%: $(BUILD)/obj/test/%.o $(LIB)
	$(Q)$(LINK) -o $@ $< $(TEST_OBJ_$*) $(LIB) $(LIBS) $(TEST_LIBS_$*) $$(pkg-config --libs cmocka)

$(BUILD)/store_tool: tests/server/store_tool.c $(LIB)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(TEST_FLAGS) -o $@ $< $(LIB) $(LDFLAGS) $(LIBS)

$(BUILD)/crash_system: tests/crash/crash_system.c
	$(call say,CC,$<)
	$(Q)$(COMPILE) -o $@ $<

$(BUILD)/obj/test/run_cases.o: tests/metric/run_cases.c Makefile | setup-build
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(TEST_FLAGS) -c -o $@ $<

$(BUILD)/run_cases: $(BUILD)/obj/test/run_cases.o $(LIB)
	$(Q)$(LINK) -o $@ $< $(LIB) $(LIBS)

# --- Fuzzing ---------------------------------------------------------------------------

# No -Werror: clang warns of other things than gcc, and this build is not for that.
FUZZ_COMPILE = clang $(COMMON) -Wall -O1 -fno-omit-frame-pointer $(PKG_CFLAGS) \
	-fno-sanitize-recover=all -MMD -MP

build/fuzz/obj/%.o: src/%.c Makefile VERSION | setup-fuzz
	$(call say,FUZZ,$<)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_COMPILE) $(FEATURES_$(*F)) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_LIB_OBJ) | setup-fuzz
	$(call say,FUZZ,$<)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_COMPILE) -fsanitize=fuzzer,address,undefined -o $@ $< $(FUZZ_LIB_OBJ) $(LIBS)

fuzz: $(FUZZ)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run.sh $(notdir $(FUZZ))

# --- The rest --------------------------------------------------------------------------

lint: $(LIB) $(PROGRAM) | setup-lint
	@BUILD=$(BUILD) tools/lint.sh

fmt: | setup-lint
	@find src include tests bench -name '*.[ch]' 2>/dev/null | xargs -r clang-format -i

# bench/bench.mk builds the benchmark's programs and runs them on build/assay.
bench bench-quick: all | setup-bench
-include bench/bench.mk

demo: all
	@if [ -x samples/demo.sh ]; then ASSAY=$(CURDIR)/$(BUILD)/assay samples/demo.sh; \
	else echo 'no samples/demo.sh yet'; fi

docs: all
	@ASSAY=$(BUILD)/assay tools/gen_docs.sh

# What install copies besides the binaries, all printed by the program itself.
SHARE := $(BUILD)/share
$(SHARE)/stamp: $(PROGRAM) tools/gen_man.sh
	@ASSAY=$(BUILD)/assay tools/gen_man.sh $(SHARE)
	@touch $@

$(BUILD)/assay.pc: assay.pc.in VERSION Makefile FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@PACKAGES@|$(PACKAGES)|' assay.pc.in > $@

TO := $(DESTDIR)$(PREFIX)
install: all $(SHARE)/stamp $(BUILD)/assay.pc
	install -d $(TO)/bin $(TO)/lib/pkgconfig $(TO)/include $(TO)/share/man/man1 \
		$(TO)/share/bash-completion/completions $(TO)/share/zsh/site-functions
	install -m 755 $(BUILD)/assay $(TO)/bin/assay
	install -m 644 $(LIB) $(TO)/lib/libassay.a
	install -m 755 $(SHARED) $(TO)/lib/libassay.so.$(SOVERSION)
	ln -sf libassay.so.$(SOVERSION) $(TO)/lib/libassay.so
	install -m 644 include/assay.h $(TO)/include/assay.h
	install -m 644 $(BUILD)/assay.pc $(TO)/lib/pkgconfig/assay.pc
	install -m 644 $(SHARE)/assay.1 $(TO)/share/man/man1/assay.1
	install -m 644 $(SHARE)/assay.bash $(TO)/share/bash-completion/completions/assay
	install -m 644 $(SHARE)/_assay $(TO)/share/zsh/site-functions/_assay

uninstall:
	rm -f $(TO)/bin/assay $(TO)/lib/libassay.a $(TO)/lib/libassay.so \
		$(TO)/lib/libassay.so.$(SOVERSION) $(TO)/include/assay.h \
		$(TO)/lib/pkgconfig/assay.pc $(TO)/share/man/man1/assay.1 \
		$(TO)/share/bash-completion/completions/assay \
		$(TO)/share/zsh/site-functions/_assay

# What is committed, and nothing else.
dist:
	@mkdir -p build
	git archive --format=tar --prefix=assay-$(VERSION)/ HEAD | gzip -9n \
		> build/assay-$(VERSION).tar.gz

clean:
	rm -rf build

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(wildcard $(BUILD)/obj/test/*.d build/fuzz/obj/*/*.d \
	build/fuzz/*.d)
