# The embedded device, a Level Zero driver that tests/zecl/Makefile builds and installs: for the tests
# into $(build).

zecl_lib := $(build)/libzecl.so
zecl_build := $(build)/tests/zecl
# Make in its folder, with the flags of this Makefile. delays.o replaces the sanitizer's run time.
zecl_make = $(MAKE) --no-print-directory -C tests/zecl build=$(abspath $(zecl_build)) CC='$(CC)' \
	CFLAGS='$(strip $(WARN) $(WARN_C) $(CFLAGS_$(config)) $(CFLAGS))' \
	LDFLAGS='$(strip $(if $(delays),$(abspath $(delays)) -fno-sanitize=all) $(LDFLAGS))'

.PHONY: zecl always
zecl: $(zecl_lib) ## build the embedded Level Zero device (libzecl.so)

# Installed files keep their time unless they change.
$(zecl_lib): always | $(delays)
	+@$(zecl_make) install-files DESTDIR= prefix=$(abspath $(build)) libdir=$(abspath $(build))

# Objects are built with the library.
$(zecl_build)/%.o: $(zecl_lib) ;

# Native modules, and the CUDA of the tests' own (tests/zecl/libcuda/libcuda.h), are built without
# the driver, and test programs, those that are goals or are selected, by one make after it.
zecl_modules := $(patsubst tests/zecl/%.c,$(zecl_build)/%.so,$(wildcard tests/zecl/test/kernels/*.c))
zecl_native := $(zecl_build)/test/kernels/native.so
zecl_libcuda := $(zecl_build)/libcuda/libcuda.so.1
zecl_programs := $(patsubst tests/zecl/%.c,$(zecl_build)/%,$(wildcard tests/zecl/test/*.c))
zecl_programs_ptx := $(patsubst tests/zecl/%.c,$(zecl_build)/%,$(wildcard tests/zecl/engine/cuda/test/*.c))
zecl_selected = $(filter $(zecl_programs) $(zecl_programs_ptx),$(or \
	$(filter $(zecl_programs) $(zecl_programs_ptx),$(MAKECMDGOALS)),$(test_programs)))

.PHONY: zecl-modules zecl-programs
zecl-modules:
	+@$(zecl_make) test-programs selected='$(abspath $(zecl_modules) $(zecl_libcuda))'
zecl-programs: $(zecl_lib) zecl-modules
	+@$(zecl_make) test-programs selected='$(abspath $(zecl_selected))'
$(zecl_modules) $(zecl_libcuda): zecl-modules ;
$(zecl_programs) $(zecl_programs_ptx): zecl-programs ;
$(build)/tests/device/offload_linked: | $(zecl_modules)

# SPIR-V of this project that builds for CUDA too.
zecl_test_modules := ZECL_TEST_MODULES=$(subst $() ,:,$(abspath examples/fsycl/kernels.spv \
	$(filter-out %.INVALID.spv,$(wildcard tests/offload/samples/*.spv))))

.PHONY: kernels
kernels: ## rebuild the committed SPIR-V from OpenCL C
	+@$(zecl_make) kernels more_kernels='$(abspath $(basename $(wildcard examples/*.cl examples/mpi/*.cl)))'

# Intel's OpenCL for CPUs, the second engine: the environment of a command that runs on it.
zecl_intel := build/engine-intel
on_intel_engine = OCL_ICD_VENDORS=$(abspath $(zecl_intel))/vendors ZECL_ENGINE=intel

.PHONY: zecl-intel
zecl-intel: ## fetch Intel's OpenCL for CPUs by pip, an engine for the embedded device
	@tests/zecl/engine/intel/get.sh $(zecl_intel) && echo $(on_intel_engine)

# The release build is installed, unless a configuration is named.
zecl_config := $(if $(filter command%,$(origin config)),$(config),release)

.PHONY: install-zecl uninstall-zecl
install-zecl: ## install the Level Zero driver libzecl.so to prefix=/usr/local
install-zecl: config := $(zecl_config)
install-zecl: zecl_build := build/$(zecl_config)/tests/zecl
install-zecl uninstall-zecl:
	+@$(zecl_make) $(@:%-zecl=%) prefix=$(abspath $(prefix))

uninstall-zecl: ## remove what install-zecl installed
