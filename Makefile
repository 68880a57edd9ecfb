# forma: `make` builds, `make test` tests, `make demo` shows. `make help` lists the rest.
CC       ?= gcc
VARIANT  ?= release
PYTHON   ?= python3
BUILD    := build/$(VARIANT)

WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wconversion
PKGS     := libpcre2-8 libcjson
CPPFLAGS += -Iinclude -I. -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDLIBS   += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm -lpthread
CFLAGS_release := -O3 -g -fno-math-errno
CFLAGS_asan    := -O1 -g -fno-math-errno -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_tsan    := -O1 -g -fno-math-errno -fsanitize=thread
CFLAGS   += -std=c11 -fvisibility=hidden -fPIC $(WARN) $(CFLAGS_$(VARIANT))

LIB_SRC  := $(wildcard base/*.c automaton/*.c schema/*.c tokenmask/*.c)
RUN_SRC  := $(wildcard runtime/*.c runtime/kernels/*.c)
CLI_SRC  := $(wildcard cli/*.c)
TESTS    := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
TEST_LIB  = $(call objects,$(wildcard tests/lib_*.c))
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))

.PHONY: all
all: $(BUILD)/forma

$(BUILD)/libforma.a: $(call objects,$(LIB_SRC))
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libforma_runtime.a: $(call objects,$(RUN_SRC))
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/forma: $(call objects,$(CLI_SRC)) $(BUILD)/libforma_runtime.a $(BUILD)/libforma.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(TEST_LIB) $(BUILD)/libforma_runtime.a $(BUILD)/libforma.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/runtime/kernels/%.o: WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
$(BUILD)/runtime/kernels/%_avx2.o: CFLAGS += -mavx2 -mfma -mf16c
$(BUILD)/runtime/kernels/%_avx512.o: CFLAGS += -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni -mfma -mf16c
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find build -name '*.d' 2>/dev/null)

.PHONY: clean
clean:
	rm -rf build
