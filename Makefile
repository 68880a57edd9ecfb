# forma: `make` builds, `make demo` shows, `make test` tests. `make help` lists the rest.
ifeq ($(origin CC),default)
CC := gcc
endif
VARIANT  ?= release
WERROR   ?=
PYTHON   ?= python3
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
CLANG    ?= clang
OBJCOPY  ?= objcopy
FUZZ_SECONDS ?= 60
V        ?=
Q        := $(if $(V),,@)
QUIET    := $(if $(V),,-s)
BUILD    := build/$(VARIANT)
VENV     := build/venv/bin/python
CONFORMANCE_DATA ?= ../shared/data
MODEL    := models/SmolLM2-135M-Instruct.Q4_1.gguf

WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes $(WERROR)
PKGS     := libpcre2-8 libcjson
CPPFLAGS += -Iinclude -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDLIBS   += $(shell pkg-config --libs $(PKGS) 2>/dev/null || echo -lpcre2-8 -lcjson) -lm -lpthread
SAN      := -fno-omit-frame-pointer -fno-sanitize-recover=all
CFLAGS_release := -O3 -g
CFLAGS_clang   := -O2 -g
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined $(SAN)
CFLAGS_tsan    := -O1 -g -fsanitize=thread
CFLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined $(SAN)
CFLAGS   += -std=c11 -fno-math-errno -ffp-contract=off -fvisibility=hidden -fPIC $(WARN) $(CFLAGS_$(VARIANT))

# Only a plain build is stopped here: the other targets install what is missing first.
ifeq ($(filter-out all install,$(MAKECMDGOALS)),)
ifneq ($(shell pkg-config --exists $(PKGS) 2>/dev/null && echo yes),yes)
$(error pkg-config, libpcre2-dev or libcjson-dev is missing; run `make deps`)
endif
endif

LIB_SRC  := $(wildcard base/*.c automaton/*.c schema/*.c tokenmask/*.c)
RUN_SRC  := $(wildcard runtime/*.c runtime/kernels/*.c)
CLI_SRC  := $(wildcard cli/*.c)
ALL_C    := $(LIB_SRC) $(RUN_SRC) $(CLI_SRC) $(wildcard tests/*.c bench/*.c)
ALL_H    := $(wildcard include/*.h base/*.h automaton/*.h schema/*.h tokenmask/*.h runtime/*.h \
              runtime/kernels/*.h cli/*.h tests/*.h)
TESTS    := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
CLI_TESTS := $(patsubst tests/%_test.py,%,$(wildcard tests/cli*_test.py))
FUZZERS  := $(patsubst tests/%.c,%,$(wildcard tests/fuzz_*.c))
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
INTERNAL := $(BUILD)/libforma_internal.a
LIBS      = $(call objects,$(wildcard tests/lib_*.c)) $(INTERNAL)
# Raised with every change that breaks programs linked before it: the first number of the version.
VERSION  := $(shell sed -n 's/^.define FORMA_VERSION "\(.*\)"/\1/p' include/forma.h)
SONAME   := libforma.so.$(firstword $(subst ., ,$(VERSION)))

.PHONY: all
all: $(BUILD)/forma $(BUILD)/libforma.a $(BUILD)/libforma.so  ## build the command and the libraries

# For our own programs: all names are visible.
$(INTERNAL): $(call objects,$(LIB_SRC) $(RUN_SRC))
	@echo '  AR    $@'
	$(Q)rm -f $@ && $(AR) rcs $@ $^
# The libraries that others link: one object, where every name but those marked FORMA_API is local.
$(BUILD)/libforma.o: $(call objects,$(LIB_SRC))
	$(Q)$(LD) -r -o $@ $^ && $(OBJCOPY) --localize-hidden $@
$(BUILD)/libforma.a: $(BUILD)/libforma.o
	@echo '  AR    $@'
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libforma.so: $(BUILD)/libforma.o
	@echo '  LINK  $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -o $@ $^ -lpthread
$(BUILD)/forma: $(call objects,$(CLI_SRC)) $(INTERNAL)
	@echo '  LINK  $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS)
$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(LIBS)
	@echo '  LINK  $@'
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBS)
	@echo '  LINK  $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/bench/batch: $(BUILD)/cli/json_source.o
$(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIBS)
	@echo '  LINK  $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Kernels work on narrow types throughout; the conversion warning is for everything else.
$(filter-out $(BUILD)/runtime/kernels/%,$(call objects,$(ALL_C))): CFLAGS += -Wconversion
$(BUILD)/runtime/kernels/%_avx2.o: CFLAGS += -mavx2 -mfma -mf16c
$(BUILD)/runtime/kernels/%_avx512.o: CFLAGS += -mavx512f -mavx512bw -mavx512vl -mavx512dq \
    -mavx512vnni -mfma -mf16c
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
-include $(patsubst %.c,$(BUILD)/%.d,$(ALL_C))
.PRECIOUS: $(BUILD)/%.o

# ---- to install ------------------------------------------------------------------------------
.PHONY: install uninstall
install: all ## command, libraries, header, manual pages to $(DESTDIR)$(prefix), prefix=/usr/local
uninstall:   ## remove them; the same settings: prefix, bindir, libdir, includedir, mandir
install uninstall:
	@sh scripts/install.sh $@ $(BUILD) $(VERSION) $(SONAME)

# ---- what is needed --------------------------------------------------------------------------
.PHONY: deps deps-check model venv
deps:        ## install the Debian packages that building and testing need, or say which are missing
	@sh scripts/deps.sh build
deps-check: deps venv model  ## the same for `make check`: clang, linters, Python packages, the model
	@sh scripts/deps.sh check
venv: deps   ## Python packages for the oracles, in build/venv
	@sh scripts/venv.sh
model: deps  ## fetch the demonstration model (98 MB) to models/
	@PYTHON=$(PYTHON) sh scripts/fetch_model.sh

# ---- to see it work --------------------------------------------------------------------------
.PHONY: demo test
demo: deps   ## build, fetch a small model, print a schema-valid JSON object made by it
	@$(MAKE) --no-print-directory $(QUIET) -j$(JOBS) all model >&2
	@$(BUILD)/forma generate -m $(MODEL) --schema fixtures/demo/ticket.json \
	    -f fixtures/demo/prompt.txt --temp 0 $(DEMO_OPTIONS) && { [ -t 1 ] || echo; }
test: deps   ## build and pass every test (no network, no model needed)
	@$(MAKE) --no-print-directory $(QUIET) -j$(JOBS) build-tests
	@sh scripts/run_tests.sh $(BUILD) $(TESTS) cases $(CLI_TESTS)
.PHONY: build-tests
build-tests: $(BUILD)/forma $(TESTS:%=$(BUILD)/tests/%) \
    $(BUILD)/tests/dump_logits $(BUILD)/tests/dump_patterns $(BUILD)/tests/dump_formats \
    $(BUILD)/tests/dump_vocabulary $(BUILD)/tests/walk_schemas

# ---- to be sure ------------------------------------------------------------------------------
.PHONY: check check-tests check-asan check-tsan check-gcc check-clang check-install check-model \
    check-docs check-conformance conformance check-patterns check-formats check-hostile \
    check-tokenizers tokenizers check-soundness soundness lint fuzz
check: deps-check  ## everything: sanitizers, both compilers, lint, layers, oracles, docs' commands
	@sh scripts/check.sh
check-tests: build-tests
	@sh scripts/run_tests.sh --all $(BUILD) $(TESTS) cases $(CLI_TESTS)
check-asan:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan WERROR=-Werror build-tests
	@sh scripts/run_tests.sh build/asan $(TESTS) cases
check-tsan:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=tsan $(patsubst %,build/tsan/tests/%,test_matcher test_threads test_batch test_pools test_model)
	@sh scripts/run_tests.sh build/tsan test_matcher test_threads test_batch test_pools test_model
check-gcc:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=werror CFLAGS_werror=-O2 WERROR=-Werror build-tests
check-clang:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=clang CC=$(CLANG) WERROR=-Werror build-tests
check-install: all
	@sh scripts/check_install.sh $(BUILD)
check-model: build-tests venv model
	@sh scripts/check_model.sh $(BUILD)
check-docs: all model
	@$(VENV) scripts/check_docs.py README.md ARCHITECTURE.md docs/*.md
CONFORMANCE = $(VENV) scripts/check_conformance.py --forma $(BUILD)/forma --data $(CONFORMANCE_DATA)
check-conformance: $(BUILD)/forma venv
	@$(CONFORMANCE) --quick
conformance: $(BUILD)/forma venv  ## JSON Schema against the official suite, real and random schemas
	@$(CONFORMANCE)
check-patterns: $(BUILD)/tests/dump_patterns
	@sh scripts/deps.sh node || true
	@$(PYTHON) scripts/check_patterns.py --tool $< --data $(CONFORMANCE_DATA)
check-hostile: $(BUILD)/forma
	@$(PYTHON) scripts/check_hostile.py --forma $< --data $(CONFORMANCE_DATA)
check-formats: $(BUILD)/tests/dump_formats venv
	@$(VENV) scripts/check_formats.py --tool $< --data $(CONFORMANCE_DATA)
TOKENIZERS = $(VENV) scripts/check_tokenizers.py --data $(CONFORMANCE_DATA) --forma $(BUILD)/forma \
    --dump $(BUILD)/tests/dump_vocabulary
check-tokenizers: build-tests venv
	@$(TOKENIZERS) --texts 2000
tokenizers: build-tests venv  ## encoders against the package tokenizers, on tokenizer.json files
	@$(TOKENIZERS)
SOUNDNESS = $(VENV) scripts/check_soundness.py --tool $(BUILD)/tests/walk_schemas \
    --data $(CONFORMANCE_DATA)
check-soundness: $(BUILD)/tests/walk_schemas venv
	@sh scripts/deps.sh node || true
	@$(SOUNDNESS) --quick
soundness: $(BUILD)/tests/walk_schemas venv  ## walks over the masks of all real schemas, and their instances
	@$(SOUNDNESS)
lint:        ## formatting, static analysis, layers, file sizes
	@sh scripts/lint.sh
fuzz:        ## each parser's fuzzer for FUZZ_SECONDS (clang)
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=fuzz CC=$(CLANG) $(FUZZERS:%=build/fuzz/tests/%)
	@sh scripts/fuzz.sh $(FUZZ_SECONDS) $(FUZZERS)
.PHONY: bench
bench: build-tests model  ## speed beside llama-cpp-python, where it is installed
	$(PYTHON) bench/peers/compare_llama_cpp.py --model $(MODEL) --forma $(BUILD)/forma

# ---- the rest --------------------------------------------------------------------------------
.PHONY: format clean distclean help
format:      ## apply .clang-format
	clang-format -i $(ALL_C) $(ALL_H) $(wildcard examples/*.c examples/*.cpp)
clean:       ## remove what was built; the Python packages and the model stay
	rm -rf $(filter-out build/venv,$(wildcard build/*))
distclean:   ## remove everything that is not in the repository
	rm -rf build models
help:        ## this list
	@sed -n 's/^\([a-z-]*\):.*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 12
