# The example of a project that includes offload.mk, built by its own Makefile in the build folder. Its
# SPIR-V is committed, so that it needs no clang.

by_name := $(build)/examples/by_name
example_programs += $(by_name)/by_name
examples: $(by_name)/by_name

$(by_name)/by_name: $(wildcard examples/by_name/*) examples/saxpy.spv $(shell find syclze -name "*.[hc]")
	@mkdir -p $(@D)
	@cp examples/saxpy.spv $(@D)
	$(call show,MAKE)MAKEFLAGS= $(MAKE) -s -C $(@D) -f $(abspath examples/by_name/Makefile) -o saxpy.spv \
		VPATH=$(abspath examples/by_name) syclze=$(abspath .) CC='$(CC)' \
		CFLAGS='$(CFLAGS_$(config)) $(WARN)' LDFLAGS='$(LDFLAGS)' by_name
