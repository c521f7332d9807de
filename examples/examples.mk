# Each examples/*.c and *.cpp is one program. `make demo` runs the one that shows the library.

example_programs := $(patsubst %,$(build)/%,$(basename $(wildcard examples/*.c examples/*.cpp)))

.PHONY: examples demo demo-ready
examples: $(example_programs) ## build the examples

demo: ## build the embedded device and the examples, and run one there
	@tests/deps.sh demo
	@$(MAKE) --no-print-directory demo-ready

demo-ready: $(device_driver) examples
	@$(on_device) $(build)/examples/adopt

$(example_programs): $(build)/%: $(build)/%.o
	$(call linker,$*) -o $@ $< $(LDFLAGS_ALL) -lze_loader -ldl

$(build)/examples/offload_dump.o: examples/saxpy.spv

.PHONY: offload-dump
offload-dump: $(build)/examples/offload_dump ## list the device images in FILE=..., of any kind
	@$< $(FILE)

include examples/fsycl/fsycl.mk
include examples/two_libraries/two_libraries.mk
