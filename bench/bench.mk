# The benchmark is one program, always optimised: these rules run with config=release in a separate
# build folder. FOLDER/bench/older and FOLDER/bench/newer hold a minimal loader, for
# LD_LIBRARY_PATH.

bench_dir := $(build)/bench
bench_program := $(bench_dir)/bench
bench_stubs := $(addprefix $(bench_dir)/,older/libze_loader.so.1 newer/libze_loader.so.1)
bench_obj := $(patsubst %.c,$(build)/%.o,$(filter-out bench/stub.c bench/done.c bench/throughput.c bench/latency.c bench/threads.c bench/thread_operations.c $(wildcard bench/cuda*.c) $(wildcard bench/grid*.c),$(wildcard bench/*.c)))
bench_grid := $(bench_dir)/grid
bench_grid_obj := $(patsubst %.c,$(build)/%.o,$(wildcard bench/grid*.c)) $(build)/bench/world.o
bench_throughput := $(bench_dir)/throughput
bench_latency := $(bench_dir)/latency
bench_threads := $(bench_dir)/threads
bench_cuda := $(bench_dir)/cuda
bench_run = LD_BIND_NOW=1 $(1) timeout 300 $(bench_program) -s tests/kernels/basic.spv
comma := ,
bench_above := $(patsubst %/,%,$(dir $(build)))
bench_results := $(bench_above)/bench
# Prints the date, machine and versions and what a command prints, and keeps both. $(1): file, $(2):
# command, $(3): folders with versions of what it runs on.
kept = { mkdir -p $(bench_results) && { bench/about.sh $(3) && { $(2); }; echo $$? >$(bench_dir)/status; } | \
	tee $(bench_results)/$(1); exit $$(cat $(bench_dir)/status); }
release := $(MAKE) --no-print-directory config=release build=$(bench_above)/release

.PHONY: bench bench-page bench-picture bench-all bench-instructions bench-throughput bench-ready bench-times bench-counts bench-budgets \
	bench-checks bench-beside-opencl bench-latency bench-beside-thread bench-cuda bench-beside-cuda bench-threads bench-scaling bench-intel bench-on-intel bench-grid bench-cells bench-grid-limits bench-cells-checks
bench: deps ## time each operation beside plain Level Zero, count, scale, and write a page of charts
	@$(release) threads=$(threads) bench-all

bench-all: bench-ready
	@$(MAKE) --no-print-directory bench-times
ifneq ($(SYCLZE_DRIVER),system)
	@if command -v valgrind >/dev/null; then $(MAKE) --no-print-directory bench-counts; fi
	@$(MAKE) --no-print-directory bench-scaling
endif
	@$(MAKE) --no-print-directory bench-page

bench-page:
	@python3 bench/page.py $(bench_results) >$(bench_results)/results.html
	@echo "$(bench_results)/results.html"

bench-picture: ## draw bench/results.svg, a picture of a table in bench/results.md
	@python3 bench/page.py --picture bench/results.md >bench/results.svg

bench-budgets:
	@$(release) bench-checks

bench-instructions: deps ## count the instructions of each operation; fails over a budget
	@$(release) bench-counts

bench-grid: deps ## count each command by queue, event, requirements, waits and state
	@$(release) bench-cells

bench-throughput: deps ## time the embedded device beside plain OpenCL; fails over a limit
	@$(release) bench-beside-opencl

bench-latency: deps ## time how soon host tasks begin, beside a thread by hand; fails over a limit
	@$(release) bench-beside-thread

bench-cuda: deps ## time the embedded device beside CUDA by hand, on an NVIDIA GPU
	@$(release) bench-beside-cuda

# Without debugging information callgrind's dumps, of which there are tens of thousands, have a line for
# each function and not for each line of the source: half the time of counting. `CFLAGS=-g` adds it.
$(bench_obj) $(bench_grid_obj): CFLAGS_release += -g0

# At 1, 2, 4, ... threads, up to the processors.
threads := $(shell nproc)

bench-threads: deps ## time operations on many threads at once; threads=N for at most N
	@$(release) threads=$(threads) bench-scaling

bench-scaling: $(bench_threads) $(bench_stubs) $(device_driver)
	@$(call kept,threads.txt,{ echo "On a loader that does nothing:" && \
		LD_LIBRARY_PATH=$(bench_dir)/newer timeout 600 $(bench_threads) tests/kernels/basic.spv $(threads) && \
		echo "On the embedded device:" && \
		$(on_device) timeout 600 $(bench_threads) tests/kernels/basic.spv $(threads) $(threads_peer); })

$(bench_threads): $(build)/bench/threads.o $(build)/bench/thread_operations.o
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -lze_loader -ldl

bench-ready: $(bench_program) $(bench_grid) $(bench_stubs)

bench-times: bench-ready $(device_driver)
ifeq ($(SYCLZE_DRIVER),system)
	@$(call kept,times.txt,{ echo "On the machine's own driver:" && $(call bench_run,$(on_device)); })
else
	@$(call kept,times.txt,{ \
		echo "On a loader that does nothing$(comma) without the newer entry points:" && \
		$(call bench_run,LD_LIBRARY_PATH=$(bench_dir)/older) && \
		echo "On a loader that does nothing$(comma) with them:" && \
		$(call bench_run,LD_LIBRARY_PATH=$(bench_dir)/newer) && \
		echo "On the embedded device:" && $(call bench_run,$(on_device)); })
endif

# Submissions only: waits for results do not end there. Events are done when they are queried.
bench-intel: deps ## time submissions on Intel's driver, without a GPU
	@tests/intel/get.sh build/intel
	@$(release) bench-on-intel

bench_done := $(bench_dir)/libdone.so
$(bench_done): bench/done.c
	$(call show,LINK)$(CC) $(COMMON_ALL) -O2 -shared -fPIC -o $@ $< -ldl

bench-on-intel: bench-ready $(bench_done)
	@setting=bmg folder=build/intel; . tests/intel/device.sh; \
		$(call kept,intel.txt,timeout 300 tests/intel/start.sh --preload $(bench_done) $(bench_program) \
			-s tests/kernels/basic.spv "submit a kernel",$$folder)

bench-counts: bench-ready
	@$(call kept,counts.txt,bench/instructions.sh $(bench_dir))

bench-checks: bench-ready
	@bench/instructions.sh $(bench_dir) -t

bench-grid-limits:
	@$(release) bench-cells-checks

bench-cells-checks: bench-ready
	@bench/grid.sh $(bench_dir) bench

bench-cells: bench-ready
	@$(call kept,grid.txt,bench/grid.sh $(bench_dir))
	@{ bench/about.sh && cat $(bench_dir)/grid.txt; } >$(bench_results)/grid_cells.txt

bench-beside-opencl: $(bench_throughput) $(device_driver)
	@$(call kept,throughput.txt,$(on_device) timeout 300 $(bench_throughput) tests/kernels/basic.cl tests/kernels/basic.spv)

bench-beside-thread: $(bench_latency) $(device_driver)
	@$(call kept,latency.txt,$(on_device) timeout 300 $(bench_latency))

$(bench_latency): $(build)/bench/latency.o $(build)/bench/world.o
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -lze_loader -ldl

bench-beside-cuda: $(bench_cuda) $(device_driver)
	@$(call kept,cuda.txt,$(on_device) ZECL_ENGINE=cuda timeout 300 $(bench_cuda))

$(build)/bench/cuda.o $(build)/bench/cuda_graphs.o: COMMON_ALL += -Itests/zecl
$(bench_cuda): $(build)/bench/cuda.o $(build)/bench/cuda_graphs.o $(zecl_build)/engine/cuda/driver.o
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -lze_loader -ldl

$(bench_throughput): $(build)/bench/throughput.o
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -lze_loader -lOpenCL

$(bench_program): $(bench_obj)
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -Wl,-z,now -lze_loader -ldl

$(bench_grid): $(bench_grid_obj)
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -Wl,-z,now -lze_loader -ldl

# Referenced by the headers and called by no operation.
$(bench_dir)/uncalled.c: $(bench_obj) $(bench_grid_obj) bench/stub.c
	@nm -u $(bench_obj) $(bench_grid_obj) | sed -n 's/^ *U \(ze[A-Z][A-Za-z]*\)$$/\1/p' | sort -u | while read -r name; do \
		grep -q "\<$$name[(,]" bench/stub.c || \
		echo "unsigned $$name(void); unsigned $$name(void) { return 0x78000003u; }"; done >$@

# Without the C library, whose instructions are counted: at -O1 no loop becomes a call of it.
$(bench_stubs): $(bench_dir)/%/libze_loader.so.1: bench/stub.c $(bench_dir)/uncalled.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) $(CFLAGS_ALL) -O1 -g0 -fPIC -ffreestanding -DSTUB_NEWER=$(if $(filter newer,$*),1,0) \
		-shared -nostdlib -Wl,-z,defs -Wl,-soname,$(@F) -o $@ $^
