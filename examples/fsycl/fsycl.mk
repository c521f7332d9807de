# The example of a SYCL kernel that C runs: examples/fsycl/plain needs no SYCL compiler;
# examples/fsycl/fsycl is built where there is a clang++ with -fsycl, 22 or newer, with the
# linkers that its driver calls (Debian: clang-22, clang-tools-22, llvm-22).

FSYCL_CXX ?= $(firstword $(foreach v,22 23 24,$(shell command -v clang++-$(v))))
fsycl_folder := $(if $(FSYCL_CXX),$(dir $(realpath $(shell command -v $(FSYCL_CXX)))))
fsycl_linkers := $(foreach linker,clang-sycl-linker clang-linker-wrapper,\
	$(if $(fsycl_folder),$(wildcard $(fsycl_folder)$(linker))))
# From 23 on the driver would link its own SYCL runtime, whose place syclze takes.
fsycl_flags := $(if $(word 2,$(fsycl_linkers)),$(shell $(FSYCL_CXX) -fsycl -nolibsycl -fsyntax-only \
	-x c++ /dev/null 2>/dev/null && echo -nolibsycl))
fsycl_source := $(build)/examples/fsycl
fsycl_program := $(if $(word 2,$(fsycl_linkers)),$(fsycl_source)/fsycl)
example_programs += $(fsycl_source)/plain

$(fsycl_source)/plain: $(fsycl_source)/main.o $(fsycl_source)/plain.o $(example_bodies)
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -lze_loader -ldl

$(fsycl_source)/plain.o: examples/fsycl/kernels.spv

# clang's driver finds its linker of device code on the path. The sanitizers of another compiler do
# not link here, so the C file is compiled without.
$(fsycl_source)/fsycl: examples/fsycl/kernels.cpp examples/fsycl/main.c $(shell find syclze -name "*.h")
	@mkdir -p $(@D)
	$(call show,SYCL)$(CC) -std=c11 $(WARN) $(WARN_C) -I. -O2 -g -pthread -c -o $(@D)/host.o examples/fsycl/main.c
	$(if $(filter 1,$(V)),,@)PATH=$(fsycl_folder):$$PATH $(FSYCL_CXX) -fsycl $(fsycl_flags) -std=c++17 $(WARN) -O2 -pthread -o $@ \
		examples/fsycl/kernels.cpp $(@D)/host.o -lze_loader -ldl

examples: $(fsycl_source)/plain $(fsycl_program)

.PHONY: fsycl-kernels
fsycl-kernels: $(fsycl_program) ## rebuild the committed SPIR-V of the SYCL example
	$(fsycl_folder)llvm-objcopy --dump-section .llvm.offloading=examples/fsycl/kernels.spv $< $(build)/fsycl.tmp
	spirv-val --target-env spv1.4 examples/fsycl/kernels.spv
