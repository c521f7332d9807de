# Each examples/*.c and *.cpp is one program. `make demo` runs the one that shows the library.

example_programs := $(patsubst %,$(build)/%,$(basename $(wildcard examples/*.c examples/*.cpp)))

.PHONY: examples demo demo-ready
examples: $(example_programs) ## build the examples

demo: ## build the embedded device and an example, and run it there
	@tests/deps.sh demo
	@$(MAKE) --no-print-directory $(if $(V),,-s) demo-ready

demo-ready: $(device_driver) $(build)/examples/adopt
	@$(on_device) $(build)/examples/adopt

# Examples share one copy of the library's bodies, with the tests of offload, but for those that take
# few of them, that are built alone, or that define a macro that changes the library. With
# config=release each is compiled as a user would.
own_bodies := adopt adopt_buffer adopt_image adopt_plain bindless keep_or_transfer offload_dump \
	pick_device topology trace wrap_queue
# The bodies of its trace are optimised in the shared copy.
$(build)/examples/trace.o: CFLAGS_debug := $(subst -O1,-O0,$(CFLAGS_debug))
ifeq ($(filter release coverage,$(config)),)
sharing_examples := $(filter-out $(addprefix $(build)/examples/,$(own_bodies)),$(example_programs))
# Optimised with config=debug, where $(build)/tests/library.o is not.
example_bodies := $(build)/$(if $(filter debug,$(config)),examples/bodies.o,tests/library.o)
$(addsuffix .o,$(sharing_examples)): COMMON_ALL += -DSYCLZE_DECLARATIONS
$(build)/examples/mpi/%.o $(build)/examples/fsycl/%.o: COMMON_ALL += -DSYCLZE_DECLARATIONS
$(sharing_examples): $(example_bodies)
endif
$(build)/examples/bodies.o: tests/library.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) $(CFLAGS_ALL) -c -o $@ $<

$(example_programs): $(build)/%: $(build)/%.o | $(delays)
	$(call show,LINK)$(call linker,$*) -o $@ $(filter %.o,$^) $(LDFLAGS_ALL) -lze_loader -ldl

$(build)/examples/offload_dump.o: examples/saxpy.spv

# The page lies beside the example; its time line, graph and totals need no network.
.PHONY: demo-trace demo-trace-ready
demo-trace: ## run an example under a trace, and print where its page is
	@tests/deps.sh demo
	@$(MAKE) --no-print-directory $(if $(V),,-s) demo-trace-ready

demo-trace-ready: $(device_driver) $(build)/examples/trace
	@SYCLZE_TRACE=$(build)/trace.html $(on_device) $(build)/examples/trace
	@echo "The page: $(abspath $(build)/trace.html)"

.PHONY: offload-dump
offload-dump: $(build)/examples/offload_dump ## list the device images in FILE=..., of any kind
	@$< $(FILE)

include examples/fsycl/fsycl.mk
include examples/by_name/by_name.mk
include examples/two_libraries/two_libraries.mk
include examples/mpi/mpi.mk

# The names of Level Zero's functions, of the newest ze_api.h that there is: ZE_API=/its/path.
.PHONY: trace-calls
trace-calls: ## make syclze/trace/detail/ze_functions.h and syclze/loader_names.h of ZE_API=.../ze_api.h
	@awk -f tests/build/ze_functions.awk $(ZE_API) > syclze/trace/detail/ze_functions.h
	@awk -f tests/build/loader_names.awk syclze/check.h syclze/trace/detail/ze_functions.h > syclze/loader_names.h
