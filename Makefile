# syclze: build, test, install. `make help` lists what there is.

config ?= debug
werror ?= 0
prefix ?= /usr/local
CC     ?= cc
CXX    ?= c++

build := build/$(config)

WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
CFLAGS_debug    := -O1 -g
CFLAGS_release  := -O2 -g -DNDEBUG
CFLAGS_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_thread   := -O1 -g -fsanitize=thread
ifeq ($(CFLAGS_$(config)),)
$(error config is debug, release, sanitize or thread)
endif
ifeq ($(werror),1)
WARN += -Werror
endif

CFLAGS_ALL  = -std=c11 $(WARN) -I. $(CFLAGS_$(config)) $(CFLAGS) -MMD -MP
LDFLAGS_ALL = $(CFLAGS_$(config)) $(LDFLAGS)

.PHONY: all help
all: zecl ## build everything that can be built here

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

include tests/zecl/zecl.mk

-include $(shell find $(build) -name '*.d' 2>/dev/null)
