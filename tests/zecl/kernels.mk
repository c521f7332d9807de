# The SPIR-V that tests and the probe of the engine load is committed beside its OpenCL C, so that
# building needs no device compiler. The steps are those whose output every translator accepts: -O1
# alone is rejected by spirv-val. A project around this one builds its own too: more_kernels, paths
# without suffix.

kernel_spv := $(patsubst %.cl,%.spv,$(wildcard test/kernels/*.cl images/*.cl)) $(more_kernels:%=%.spv)
assembled_spv := $(patsubst %.spvasm,%.spv,$(wildcard test/kernels/*.spvasm))
kernel_tmp := $(build)/kernels
ptx_library := engine/cuda/ptx/library

# The newest clang for which the translator of the same LLVM is installed.
llvm_with_spirv = $(shell ls /usr/bin/llvm-spirv-[0-9]* 2>/dev/null | \
	sed 's/.*-//' | sort -rn | while read v; do \
	command -v clang-$$v >/dev/null && command -v opt-$$v >/dev/null && echo $$v && break; done)
KERNEL_LLVM ?= $(llvm_with_spirv)
KERNEL_CLANG ?= clang-$(KERNEL_LLVM)

.PHONY: kernels kernels_anew
kernels: $(kernel_spv) $(assembled_spv)

# The validator of Debian 12 refuses every pointer to a function.
spirv_val = spirv-val --target-env spv1.4
with_pointers := test/kernels/pointers.spv test/kernels/pointers_recursive.spv
$(with_pointers): spirv_flags := --spirv-ext=+SPV_INTEL_function_pointers
$(with_pointers): spirv_val := :
# Nor does it know this capability.
test/kernels/host_access.spv: spirv_val := :

# Only when asked for, and then always: a checkout gives files any time stamps.
ifneq ($(filter kernels,$(MAKECMDGOALS)),)
$(kernel_spv): %.spv: %.cl kernels_anew
	@command -v $(KERNEL_CLANG) >/dev/null || \
		{ echo "kernels: install clang-N, llvm-N and llvm-spirv-N of one N"; exit 1; }
	@mkdir -p $(kernel_tmp)
	$(KERNEL_CLANG) -c -target spir64 -x cl -cl-std=CL2.0 -O2 -Xclang -disable-llvm-passes \
		-emit-llvm -Xclang -finclude-default-header -o $(kernel_tmp)/$(*F).raw.bc $<
	opt-$(KERNEL_LLVM) -passes=sroa,early-cse,instcombine -o $(kernel_tmp)/$(*F).bc \
		$(kernel_tmp)/$(*F).raw.bc
	llvm-spirv-$(KERNEL_LLVM) --spirv-max-version=1.2 $(spirv_flags) -o $@ $(kernel_tmp)/$(*F).bc
	$(spirv_val) $@

# Functions that modules for CUDA are linked with: bitcode of the oldest LLVM that reads it.
kernels: $(ptx_library)/library.bc
$(ptx_library)/library.bc: $(wildcard $(ptx_library)/*.cl $(ptx_library)/*.h $(ptx_library)/*.ll) \
		engine/cuda/ptx/image.h kernels_anew
	@mkdir -p $(kernel_tmp)
	set -e; for part in items groups images; do clang-15 -c -target nvptx64--nvidiacl -x cl -cl-std=CL2.0 \
		-cl-no-stdinc -Xclang -cl-ext=+cl_khr_fp16 -fwrapv -fno-builtin -O2 -Xclang -disable-llvm-passes \
		-emit-llvm -o $(kernel_tmp)/library-$$part.bc $(ptx_library)/$$part.cl; done
	llvm-link-15 -o $(kernel_tmp)/linked.bc \
		$(patsubst %,$(kernel_tmp)/library-%.bc,items groups images) $(ptx_library)/rest.ll
	opt-15 -passes='function(sroa,early-cse,instcombine,simplifycfg),globaldce' -o $@ $(kernel_tmp)/linked.bc

$(assembled_spv): %.spv: %.spvasm kernels_anew
	spirv-as --target-env spv1.2 -o $@ $<
	$(spirv_val) $@
endif
