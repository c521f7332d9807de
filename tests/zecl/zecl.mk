# The Level Zero driver on OpenCL: one shared object, loaded by the ordinary loader.

zecl_lib := $(build)/libzecl.so
zecl_folders := core memory events commands images modules spirv engine engine/opencl engine/cuda \
	engine/cuda/ptx
zecl_obj := $(patsubst tests/zecl/%.c,$(build)/zecl/%.o,$(wildcard $(zecl_folders:%=tests/zecl/%/*.c)))

.PHONY: zecl
zecl: $(zecl_lib) ## build the embedded Level Zero device (libzecl.so)

# Clang links the runtime of its sanitizers into programs only, and a library takes it from those.
zecl_defs := $(if $(findstring -fsanitize,$(CFLAGS_$(config))),,-z defs)

$(zecl_lib): $(zecl_obj) | $(delays)
	$(CC) -shared $(zecl_defs) -z nodelete -o $@ $^ $(LDFLAGS_ALL) -lOpenCL -ldl -lpthread -lm

$(build)/zecl/%.o: tests/zecl/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Itests/zecl -fPIC -fvisibility=hidden -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300 -c -o $@ $<

# It holds the kernels that it tries the engine out with.
$(build)/zecl/images/probe.o: tests/zecl/images/probe.spv

# It holds the functions that modules for CUDA are linked with.
$(build)/zecl/engine/cuda/ptx/library.o: tests/zecl/engine/cuda/ptx/library/library.bc

# A libcuda of the tests' own: see tests/zecl/libcuda/libcuda.h.
libcuda_lib := $(build)/libcuda/libcuda.so.1
$(libcuda_lib): $(wildcard tests/zecl/libcuda/*.[ch]) tests/zecl/engine/cuda/driver.h | $(delays)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Itests/zecl -fPIC -fvisibility=hidden -D_GNU_SOURCE -shared -Wl,-soname,$(@F) -o $@ \
		$(filter %.c,$^) $(LDFLAGS_ALL) -lpthread
$(addprefix $(build)/tests/zecl/test/,cuda cuda_events cuda_external cuda_images cuda_memory cuda_order cuda_rules cuda_rules_arrays cuda_rules_memory cuda_semaphore thread_host_cuda thread_replay thread_stream): | $(libcuda_lib)

# It holds the kernel that reads the device's clock.
$(build)/zecl/engine/cuda/device.o: tests/zecl/engine/cuda/clock.ptx

# Intel's OpenCL for CPUs, the second engine: the environment of a command that runs on it.
zecl_intel := build/engine-intel
on_intel_engine = OCL_ICD_VENDORS=$(abspath $(zecl_intel))/vendors ZECL_ENGINE=intel

.PHONY: zecl-intel
zecl-intel: ## fetch Intel's OpenCL for CPUs by pip, an engine for the embedded device
	@tests/zecl/engine/intel/get.sh $(zecl_intel) && echo $(on_intel_engine)

# What is installed is the release build, unless a configuration is named.
zecl_config := $(if $(filter command%,$(origin config)),$(config),release)
zecl_lib_dir = $(DESTDIR)$(prefix)/lib
zecl_include_dir = $(DESTDIR)$(prefix)/include

.PHONY: install-zecl uninstall-zecl
install-zecl: ## install the Level Zero driver libzecl.so to prefix=/usr/local
	@$(MAKE) --no-print-directory config=$(zecl_config) zecl
	@install -D -m 755 build/$(zecl_config)/libzecl.so $(zecl_lib_dir)/libzecl.so
	@install -D -m 644 tests/zecl/zecl_native.h $(zecl_include_dir)/zecl_native.h
	@echo ZE_ENABLE_ALT_DRIVERS=$(abspath $(prefix))/lib/libzecl.so

uninstall-zecl: ## remove what install-zecl installed
	rm -f $(zecl_lib_dir)/libzecl.so $(zecl_include_dir)/zecl_native.h
