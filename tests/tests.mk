# Test programs and what runs them. Every .c or .cpp directly in a suite's folder is one program; the
# sources in the suite's folder support/ are linked into each of them, with the linker's options in
# its wrap.txt.

suites := unit offload fuzz device trace orders

# Programs of these suites, and of Intel's driver, share one copy of the library's bodies, which takes a
# fifth of the time to compile; those that include device/support/failing.h share one whose
# allocations fail on purpose. A file that calls functions without declarations, or defines a macro
# that changes the library, says `#undef SYCLZE_DECLARATIONS` and has bodies of its own. So has every
# file with config=release.
sharing := unit offload fuzz device trace orders
failing_bodies := $(build)/tests/library_failing.o
ifeq ($(filter release coverage,$(config)),)
shared_bodies := $(build)/tests/library.o
$(patsubst %,$(build)/tests/%/%.o,intel $(sharing)): COMMON_ALL += -DSYCLZE_DECLARATIONS
endif
# Optimising these would be most of the time between an edit and a test. Bodies are optimised in other
# suites, in the examples, with config=thread and, for speed, in bench/; and in the programs of
# offload, fuzz and trace, which are long, but for those named here.
$(build)/tests/unit/%.o $(build)/tests/device/%.o $(build)/tests/orders/%.o $(shared_bodies) \
	$(failing_bodies) $(patsubst %,$(build)/tests/offload/%.o,file_formats inflate lack_of_memory \
	module_build selection): \
	CFLAGS_debug := $(subst -O1,-O0,$(CFLAGS_debug))
# Optimised, they have half the text and data, which each process of a sweep maps and searches for leaks.
$(build)/tests/orders/sweep_%.o $(shared_bodies) $(failing_bodies): \
	CFLAGS_sanitize := $(subst -O0,-O1,$(CFLAGS_sanitize))
# The strict device is most of what the programs of orders do.
$(build)/tests/orders/support/%.o: CFLAGS_debug := $(CFLAGS_debug)

# gold, where it is installed, links in half the time of the default linker.
quick_linker := $(if $(shell command -v ld.gold),-fuse-ld=gold)

define suite_rules
programs_$(1) := $$(patsubst %,$$(build)/%,\
	$$(sort $$(basename $$(wildcard tests/$(1)/*.c tests/$(1)/*.cpp))))
support_$(1) := $$(filter-out $$(untraced),$$(patsubst %,$$(build)/%.o,\
	$$(basename $$(wildcard tests/$(1)/support/*.c tests/$(1)/support/*.cpp))))
wrap_$(1) := $$(wildcard tests/$(1)/wrap.txt)
$$(programs_$(1)): $$(build)/%: $$(build)/%.o $$(support_$(1)) $$(wrap_$(1)) | $$(delays)
	$$(call show,LINK)$$(call linker,$$*) -o $$@ $$(filter %.o,$$^) $$(addprefix @,$$(filter %.txt,$$^)) \
		$$(LDFLAGS_ALL) $$(quick_linker) -lze_loader -ldl -lm
endef
# It has bodies of its own, for one program.
untraced := $(build)/tests/device/support/untraced.o
$(foreach suite,$(suites),$(eval $(call suite_rules,$(suite))))
# gold exports no symbols by a pattern: these programs have SYCL's.
$(addprefix $(build)/tests/device/,sycl_interop thread_sycl_interop): quick_linker :=
$(build)/tests/device/trace_none: $(untraced)
failing := $(patsubst %.c,$(build)/%,$(shell grep -l support/failing tests/device/*.c))
$(failing): $(failing_bodies)
long := $(programs_offload) $(programs_fuzz) $(programs_trace)
$(filter-out $(failing) $(long),$(foreach suite,$(sharing),$(programs_$(suite)))): $(shared_bodies)
$(long): $(example_bodies)
# What a program elsewhere that uses device/support links besides itself.
device_parts := $(support_device) $(shared_bodies) $(wrap_device)

programs_without_device := $(programs_unit) $(programs_offload) $(programs_fuzz) $(programs_orders) \
	$(zecl_programs_ptx)
programs_on_device := $(programs_device) $(programs_trace) $(if $(device_driver),$(zecl_programs))
# Commands for tests/run.sh: a quoted word each. $(1): programs, $(2): their prefix.
commands = $(foreach program,$(1),'$(strip $(2) $(program))')
starting_with_thread = $(foreach p,$(1),$(if $(filter thread%,$(notdir $(p))),$(p)))

# only="TEXT..." selects those with one of the texts in their path.
selected = $(if $(only),$(foreach p,$(1),$(if $(strip $(foreach t,$(only),$(findstring $(t),$(p)))),$(p))),$(1))

test_programs := $(call selected,$(programs_without_device) $(programs_on_device))
# of=HEADER selects those that test the header.
ifneq ($(of),)
test_programs := $(call selected,$(shell tests/of.sh $(of) $(build) \
	$(programs_without_device) $(programs_on_device)))
endif
ifeq ($(config),thread)
test_programs := $(call starting_with_thread,$(test_programs))
else ifeq ($(only)$(of),)
test-ready: examples
else
test-ready: $(if $(filter examples tests/examples tests/trace trace tests/mpi,$(only)),examples) \
	$(call selected,$(example_programs) $(mpi_programs))
endif

# Under valgrind compiling a kernel takes half a minute, so only device programs whose source names
# no SPIR-V run there, most of them on an engine that starts at once. The sanitizers run them too: they
# are part of test-valgrind and of what `only` names, not of the whole `make test`.
valgrind := TEST_SHARE=16 valgrind -q --fair-sched=try --error-exitcode=9 --leak-check=full \
	--errors-for-leak-kinds=definite --show-leak-kinds=definite $(addprefix --suppressions=,$(wildcard tests/valgrind.supp))
without_kernels = $(foreach p,$(1),\
	$(if $(shell grep -l 'spv' $(wildcard $(p:$(build)/%=%).c $(p:$(build)/%=%).cpp)),,$(p)))
# What these try are tools, which valgrind does not follow.
of_tools := $(addprefix $(build)/tests/offload/,convert rules)
valgrind_commands = $(call commands,$(programs_unit) $(filter-out $(of_tools),$(programs_offload)),\
	$(without_device) $(valgrind))
# They use what libcuda lacks: parts of devices, memory of other processes and of several devices, and
# modules of PTX.
beyond_libcuda := $(addprefix $(build)/tests/device/,host_data ipc ipc_descriptor memory_failures \
	offload_nvidia selector sub_device trace_calls)
valgrind_programs = $(call without_kernels,$(programs_device))
valgrind_on_device = \
	$(call commands,$(filter $(beyond_libcuda),$(valgrind_programs)),$(on_device) $(valgrind)) \
	$(call commands,$(filter-out $(beyond_libcuda),$(valgrind_programs)),$(on_libcuda) $(valgrind))

thread_commands = \
	$(call commands,$(call starting_with_thread,$(programs_without_device)),$(without_device)) \
	$(call commands,$(call starting_with_thread,$(programs_on_device)),$(on_device))

# Command groups on lists that run out of order where they may.
reordered := $(if $(device_driver),$(patsubst %,$(build)/tests/device/%,\
	group group_random wait_failure order race))
program_commands = $(call commands,$(filter-out $(zecl_programs_ptx),$(programs_without_device)),$(without_device)) \
	$(call commands,$(zecl_programs_ptx),$(zecl_test_modules) $(without_device)) \
	$(call commands,$(programs_on_device),$(on_device)) \
	$(call commands,$(reordered),$(on_device) env ZECL_ORDER=5) \
	'$(strip ZECL_IPC=1 $(on_device) tests/examples.sh $(example_programs))' \
	'$(strip $(without_device) tests/offload_dump.sh $(build)/examples/offload_dump)'
script_commands = tests/conformance.py tests/compile/run.sh tests/unit/images.sh tests/unit/call_sites.sh tests/lines/run.sh tests/models/run.sh tests/fail/run.sh \
	tests/readme.sh tests/build/install.sh tests/build/linkage.sh tests/build/guest.sh \
	tests/compile/warnings.sh tests/build/layout.sh tests/build/secure.sh tests/build/manual.sh tests/build/packages.sh tests/build/dist.sh tests/build/names.sh tests/build/of.sh tests/build/results.sh tests/build/locked.sh tests/offload/look_up.sh tests/offload/many_images.sh 'make -s check-contracts' \
	'$(strip $(on_device) tests/build/loader.sh)' '$(strip $(on_device) tests/device/images.sh)' '$(strip $(on_device) tests/mistakes/run.sh)' tests/trace/table.sh tests/trace/opt_in.sh '$(strip $(on_device) tests/trace/unloaded.sh)' \
	tests/zecl/test/alone.sh tests/zecl/test/cuda.sh \
	'$(strip $(on_device) tests/trace/page.sh $(build)/examples/trace $(build)/tests/trace/million)' \
	'$(strip $(on_device) tests/trace/opened.sh $(build)/examples/trace $(build)/tests/trace/million)' \
	'$(strip $(on_device) tests/mpi.sh $(mpi_programs))' \
	'$(strip $(on_device) tests/adopt_diff.sh)' '$(strip $(on_device) tests/fsycl.sh $(fsycl_program))'

# Long tests in several parts begin first.
commands_debug    = 'TEST_ONLY= make -s test-thread' tests/budget.sh $(program_commands) \
	$(script_commands) tests/disassembly.sh $(valgrind_commands) $(if $(only),$(valgrind_on_device))
commands_release  = $(program_commands) $(script_commands)
commands_sanitize = $(program_commands) 'tests/fsycl.sh instrumented'
commands_delays   = $(program_commands)
commands_thread   = $(thread_commands) 'tests/fsycl.sh instrumented'
of_commands = $(call commands,$(filter $(test_programs),$(programs_without_device)),$(without_device)) \
	$(call commands,$(filter $(test_programs),$(programs_on_device)),$(on_device))

# One compiler and one test for each processor, unless make has -j.
side_by_side := $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: test test-ready test-programs test-others test-valgrind test-valgrind-ready test-thread test-compile
test: deps ## run every test; of=syclze/ipc.h: the programs that test a header (config=sanitize, thread and delays: the programs only)
	@$(MAKE) --no-print-directory $(side_by_side) test-ready

test-ready: test-programs build/syclze.h build/syclze_all.h
	$(file >$(build)/commands,$(if $(of),$(of_commands),$(commands_$(config))))
	@TEST_ONLY='$(only)' MAKEFLAGS= tests/run.sh @$(build)/commands

# Programs that the commands of config=debug build in other folders, so that all compilers run side by side.
test-others:
	@$(MAKE) --no-print-directory config=thread build=build/thread test-programs
	+@$(release) bench-ready
ifeq ($(config)$(only)$(of),debug)
test-ready: test-others
endif

test-programs: $(test_programs) $(device_driver) $(if $(device_driver),$(zecl_libcuda))

# For tests/load.sh.
.PHONY: test-load-ready
test-load-ready: test-programs
	$(file >$(build)/commands-load,$(if $(filter thread,$(config)),$(thread_commands),$(program_commands)))

test-valgrind: deps ## run the test programs that build no kernel under valgrind, and all of tests/unit
	@$(MAKE) --no-print-directory $(side_by_side) test-valgrind-ready

test-valgrind-ready: test-programs
	@TEST_ONLY='$(only)' MAKEFLAGS= tests/run.sh $(valgrind_commands) $(valgrind_on_device)

test-thread: ## run the tests of threads under the thread sanitizer
	@$(MAKE) --no-print-directory $(side_by_side) config=thread build=build/thread test-ready

test-compile: build/syclze.h build/syclze_all.h ## compile the headers with every compiler and standard
	@tests/compile/run.sh

include tests/trace/subscriber/subscriber.mk
include tests/offload/libraries.mk
include tests/fuzz/fuzz.mk
include tests/orders/orders.mk
include tests/coverage.mk
