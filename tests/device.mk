# The driver of device programs, and the sanitizers' options. A command that needs a device begins
# with $(on_device), and its rule depends on $(device_driver).
#
# SYCLZE_DRIVER=system leaves the choice to the loader, which finds the machine's own drivers. The
# default is the embedded device, on every machine.

# $(1): further options of the address sanitizer.
sanitizer_options = \
	ASAN_OPTIONS=$(1)malloc_context_size=12 \
	LSAN_OPTIONS=$(addprefix suppressions=,$(abspath $(wildcard tests/lsan.supp))):print_suppressions=0 \
	TSAN_OPTIONS=$(addprefix suppressions=,$(abspath $(wildcard tests/tsan.supp))):$(TSAN_OPTIONS) \
	UBSAN_OPTIONS=print_stacktrace=1
# Suppressions match frames anywhere in a stack, on a device also below libraries without frame
# pointers: hence the slow unwinder.
device_options = $(call sanitizer_options,fast_unwind_on_malloc=0:)

# Older sanitizers do not start where the kernel randomises more address bits than they support.
ifneq ($(filter sanitize thread,$(config)),)
fixed_addresses := $(shell setarch -R true 2>/dev/null && echo setarch -R)
endif

# PoCL keeps what it compiled in a cache. It compiles for the same processor under valgrind, which has
# fewer features than the machine's, so that each kernel is compiled once.
engine_cache := POCL_KERNELLIB_NAME=avx2 POCL_CACHE_DIR=$(abspath build/pocl)
# OpenCL also where there is a GPU, unless the environment names an engine (ZECL_ENGINE=cuda).
engine := ZECL_ENGINE=$(or $(ZECL_ENGINE),opencl) $(engine_cache)

ifeq ($(SYCLZE_DRIVER),system)
device_driver :=
on_device = $(device_options) $(fixed_addresses)
on_libcuda = $(on_device)
else
device_driver = $(zecl_lib)
on_device = $(device_options) $(engine) ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) $(fixed_addresses)
# The embedded device on the CUDA of the tests' own, which runs no kernels, but starts at once, where
# OpenCL takes seconds under valgrind.
on_libcuda = ZECL_ENGINE=cuda LD_LIBRARY_PATH=$(abspath $(dir $(zecl_libcuda))) \
	ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib))
endif

# The loader finds no driver.
without_device := $(call sanitizer_options) ZE_ENABLE_ALT_DRIVERS=none $(fixed_addresses)
