# syclze: build, test, install. `make help` lists what there is.

config ?= debug
werror ?= 0
prefix ?= /usr/local
CC     ?= cc
CXX    ?= c++

build := build/$(config)

# A line for each step, `make V=1` the commands, `make -s` nothing. Stands before the command.
quiet := $(findstring s,$(firstword -$(MAKEFLAGS)))
ifeq ($(V),1)
show =
else
show = @$(if $(quiet),,echo "  $(1)	$@";)
endif

WARN := $(file <tests/warnings.txt)
WARN_C := -Wstrict-prototypes
CFLAGS_debug    := -O1 -g -DSYCLZE__INVARIANTS=1
CFLAGS_release  := -O2 -g -DNDEBUG
CFLAGS_sanitize := -O0 -g1 -DSYCLZE__INVARIANTS=1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_thread   := -O1 -g1 -DSYCLZE__INVARIANTS=1 -fsanitize=thread
# With tests/delays.c in place of ThreadSanitizer's run time, and pools as in config=debug.
CFLAGS_delays   := $(CFLAGS_thread) -U__SANITIZE_THREAD__
# Of tests/coverage.mk.
CFLAGS_coverage := -O0 -g --coverage -fprofile-update=atomic -Dalways_inline=unused \
	-fkeep-inline-functions -fno-exceptions
ifeq ($(CFLAGS_$(config)),)
$(error config is debug, release, sanitize, thread, delays or coverage)
endif
ifeq ($(werror),1)
WARN += -Werror
endif

COMMON_ALL   = $(WARN) -I. $(CFLAGS_$(config)) -pthread -MMD -MP
CFLAGS_ALL   = -std=c11 $(WARN_C) $(COMMON_ALL) $(CFLAGS)
CXXFLAGS_ALL = -std=c++11 $(COMMON_ALL) $(CXXFLAGS)
delays := $(if $(filter delays,$(config)),$(build)/tests/delays.o)
LDFLAGS_ALL  = $(or $(delays),$(CFLAGS_$(config))) -pthread $(LDFLAGS)

# The compiler of a program's main source, given without its suffix, links it.
linker = $(if $(wildcard $(1).cpp),$(CXX),$(CC))

.PHONY: all help clean deps
all: zecl examples ## build the embedded device and the examples

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(filter-out %.d,$(MAKEFILE_LIST)) | \
		expand -t 24
	@echo "  config=debug|release|sanitize|thread|delays, werror=1, prefix=/usr/local, DESTDIR=, CC=, CXX=, V=1 (show commands)"
	@echo "  make test only=\"device/event unit/\": only the tests with such a text in their command"

clean: ## remove everything that was built
	rm -rf build

deps: ## install what building and testing need, where something is missing
	@tests/deps.sh test

$(build)/%.o: %.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) $(CFLAGS_ALL) -c -o $@ $<

$(build)/%.o: %.cpp
	@mkdir -p $(@D)
	$(call show,CXX)$(CXX) $(CXXFLAGS_ALL) -c -o $@ $<

$(build)/tests/delays.o: CFLAGS_delays := -O2 -fPIC -fvisibility=hidden

include tests/zecl.mk
include tests/device.mk
include examples/examples.mk
include tests/tests.mk
include tests/build/install.mk
include tests/build/checks.mk
include tests/build/manual.mk
include tests/intel/intel.mk
include syclze/bindings/library.mk
include tests/bindings/bindings.mk
include tests/matrix/matrix.mk
include tests/windows/windows.mk
-include bench/bench.mk
# Their programs run on the loaders of bench/ too.
include tests/xpti/xpti.mk
include tests/dpnp/dpnp.mk
include tests/corpus/corpus.mk
include tests/sycl/sycl.mk

-include $(shell find $(build) -path $(build)/tests/zecl -prune -o -name '*.d' -print 2>/dev/null)
