# A SYCL runtime on the embedded device: Intel's, fetched by pip, with both of its adapters.

sycl := build/sycl
sycl_patience := $(if $(filter true,$(CI)),120,900)
sycl_settings := v1 v1-immediate v2
# Debian sid's loader too, where its packages came: with every adapter what shares objects, with v2 the
# rest, but for what compiles for a minute. combinations=all runs all with every loader, adapter and
# engine.
sycl_all := $(filter all,$(combinations))
sycl_sharing := %/bridge %/crossing %/interop %/objects
sycl_newest_settings_of = $(if $(wildcard $(sycl)/newest/versions),$(addsuffix /newest,$(if \
	$(sycl_all)$(filter $(sycl_sharing),$(1)),$(call sycl_settings_of,$(1)),$(if \
	$(filter %/source %/device_code,$(1)),,v2))))
sycl_loaders_v2 = v2 $(if $(wildcard $(sycl)/newest/versions),v2/newest)
sycl_programs := $(patsubst %.cpp,$(build)/%,$(wildcard tests/sycl/*.cpp))

$(sycl_programs:=.o): CXXFLAGS_ALL = -std=c++17 $(COMMON_ALL) -isystem $(sycl)/runtime/include \
	-isystem $(sycl)/debian/root/usr/include -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING $(CXXFLAGS)
$(sycl_programs:=.o): $(sycl)/runtime/versions $(sycl)/debian/versions
# The loader's C++ library is that of its release.
$(sycl_programs): %: %.o
	$(call show,LINK)$(CXX) -o $@ $< $(LDFLAGS_ALL) -L$(sycl)/runtime/lib -lsycl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined

sycl_start = ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) SYCLZE_SYCL=$(sycl) tests/sycl/run.sh
sycl_run = $(engine) $(sycl_start)
sycl_run_on_intel = $(on_intel_engine) $(engine_cache) $(sycl_start)

# One program on the runtime and on syclze, whose trace streams are compared (streams/).
sycl_streams := $(build)/tests/sycl/streams
$(sycl_streams)/collector.so: tests/sycl/streams/collector.cpp $(sycl)/runtime/versions
	@mkdir -p $(@D)
	$(call show,CXX)$(CXX) -std=c++17 -O1 -fPIC -shared -isystem $(sycl)/runtime/include \
		-isystem $(sycl)/runtime/include/unified-runtime -MMD -MP -MF $(@:.so=.d) -o $@ $< \
		-L$(sycl)/runtime/lib -lxptifw
$(sycl_streams)/by_sycl.o: CXXFLAGS_ALL = -std=c++17 $(COMMON_ALL) -isystem $(sycl)/runtime/include \
	-isystem $(sycl)/debian/root/usr/include -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING $(CXXFLAGS)
$(sycl_streams)/by_sycl.o: $(sycl)/runtime/versions $(sycl)/debian/versions
$(sycl_streams)/by_sycl: $(sycl_streams)/by_sycl.o
	$(call show,LINK)$(CXX) -o $@ $< $(LDFLAGS_ALL) -L$(sycl)/runtime/lib -lsycl -ldl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined
$(sycl_streams)/by_syclze: $(sycl_streams)/by_syclze.o
	$(call show,LINK)$(CC) -o $@ $< $(LDFLAGS_ALL) -ldl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined
sycl_streams_ready := $(addprefix $(sycl_streams)/,collector.so by_sycl by_syclze)

# A C library on syclze in a queue of SYCL's, from C++ and from Python, this one without C++, and a
# library in SYCL in a queue of syclze's, from C (examples/sycl).
sycl_examples := $(build)/examples/sycl
$(addprefix $(sycl_examples)/,main.o sycl_library.o): CXXFLAGS_ALL = -std=c++17 -fPIC $(COMMON_ALL) \
	-isystem $(sycl)/runtime/include -isystem $(sycl)/debian/root/usr/include \
	-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING $(CXXFLAGS)
$(addprefix $(sycl_examples)/,main.o sycl_library.o): $(sycl)/runtime/versions $(sycl)/debian/versions
$(addprefix $(sycl_examples)/,library.o adapter.o): CFLAGS += -fPIC
$(sycl_examples)/main: $(addprefix $(sycl_examples)/,main.o library.o)
$(sycl_examples)/caller: $(addprefix $(sycl_examples)/,caller.o sycl_library.o)
$(addprefix $(sycl_examples)/,main caller):
	$(call show,LINK)$(CXX) -o $@ $^ $(LDFLAGS_ALL) -L$(sycl)/runtime/lib -lsycl -ldl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined
$(sycl_examples)/adapter.so: $(addprefix $(sycl_examples)/,adapter.o library.o)
	$(call show,LINK)$(CC) -shared -o $@ $^ $(LDFLAGS_ALL) -ldl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined
sycl_examples_ready := $(addprefix $(sycl_examples)/,main caller adapter.so)
sycl_example_jobs = $(foreach setting,$(sycl_loaders_v2),'$(strip $(engine) \
	ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) SYCLZE_SYCL=$(sycl) \
	tests/sycl/examples.sh $(setting) $(sycl_examples))')

# The same operations by the runtime and by syclze, in one program, and on many threads (bench/sycl).
sycl_cost := $(build)/bench/sycl/cost
sycl_threads := $(build)/bench/sycl/threads
$(sycl_cost).o $(sycl_threads).o: CXXFLAGS_ALL = -std=c++17 $(COMMON_ALL) -gdwarf-4 \
	-isystem $(sycl)/runtime/include -isystem $(sycl)/debian/root/usr/include -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING $(CXXFLAGS)
$(sycl_cost) $(sycl_threads): %: %.o
	$(call show,LINK)$(CXX) -o $@ $< $(LDFLAGS_ALL) -L$(sycl)/runtime/lib -lsycl -ldl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined

# Beside the runtime where it has been fetched.
ifneq ($(wildcard $(sycl)/runtime/versions),)
bench-scaling: $(sycl_threads) $(zecl_native)
threads_peer = && echo "DPC++ and syclze on the embedded device$(comma) one context for all:" && \
	$(on_device) timeout 600 tests/sycl/start.sh $(sycl) v2 $(sycl_threads) $(zecl_native) $(threads)
endif

.PHONY: bench-sycl bench-beside-sycl
bench-sycl: deps ## count and time each operation beside Intel's SYCL runtime, in one program
	@tests/sycl/get.sh $(sycl)
	@$(release) bench-beside-sycl

bench-beside-sycl: $(sycl_cost) $(zecl_lib) $(zecl_native)
	@$(call kept,sycl.txt,ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) POCL_CACHE_DIR=$(abspath build/pocl) \
		bench/sycl/cost.sh $(sycl_cost) $(sycl) $(zecl_native),$(sycl)/runtime $(sycl)/debian)

.PHONY: test-sycl test-sycl-ready
test-sycl: deps ## run programs of Intel's SYCL runtime, fetched by pip, on the embedded device; also with combinations=all
	@timeout $(sycl_patience) tests/zecl/engine/intel/get.sh $(zecl_intel) || true
	@timeout $(sycl_patience) tests/sycl/get.sh $(sycl); case $$? in \
		0) $(MAKE) --no-print-directory test-sycl-ready ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		124) echo "skip sycl: wheels and packages did not come within $(sycl_patience) s"; \
			echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

# Unified Runtime's conformance suite: the folder `suites` has its programs, built elsewhere.
ur_settings = $(sycl_settings) $(if $(wildcard $(sycl)/newest/versions),v2/newest)
.PHONY: test-ur
test-ur: deps $(zecl_lib) ## run the programs of Unified Runtime's conformance suite in suites=FOLDER on the embedded device
	@if [ ! -d "$(suites)" ]; then \
		echo "skip ur: suites=FOLDER names no folder with the suite's programs"; \
		echo "0 passed, 0 failed, 1 skipped"; exit; fi; \
	timeout $(sycl_patience) tests/sycl/get.sh $(sycl); case $$? in \
		0) mkdir -p build/ur && $(engine) ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) \
			tests/sycl/ur.py $(suites) $(sycl) build/ur/table.md $(ur_settings) ;; \
		3 | 124) echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

# Adapter v1 compiles kernels alike with and without command queues, and the images of device_code are
# the same with all. They are built by Intel's driver too, where its packages are unpacked already.
sycl_settings_of = $(if $(filter %/device_code,$(1)),v2,$(if $(filter %/source,$(1)),v1 v2,$(sycl_settings)))
sycl_all_settings_of = $(call sycl_settings_of,$(1)) $(call sycl_newest_settings_of,$(1))
sycl_intel_settings_of = $(if $(sycl_all),$(sycl_all_settings_of),$(if \
	$(filter $(sycl_sharing),$(1)),$(sycl_loaders_v2),v2))
sycl_jobs = $(foreach setting,v1-immediate $(sycl_loaders_v2),\
	'$(strip $(engine) ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) \
	tests/sycl/streams/run.sh $(sycl) $(setting) $(sycl_streams))') $(foreach program,$(sycl_programs),$(foreach setting,\
	$(call sycl_all_settings_of,$(program)),'$(sycl_run) $(setting):$(program)')) \
	$(if $(wildcard $(intel)/versions),'SYCLZE_SYCL=$(abspath $(sycl)) tests/sycl/intel.sh \
		pvc:$(intel) $(build)/tests/sycl/device_code') \
	$(if $(wildcard $(zecl_intel)/versions),$(foreach program,$(sycl_programs),$(foreach setting,\
		$(call sycl_intel_settings_of,$(program)),'$(sycl_run_on_intel) $(setting):$(program)'))) \
	$(if $(wildcard $(sycl)/python/versions),$(foreach setting,\
		v1 v2 $(if $(sycl_all),$(addsuffix /newest,$(if $(wildcard $(sycl)/newest/versions),v1 v2))),$(sycl_python_jobs))) \
	$(sycl_example_jobs)
sycl_python = $(shell python3 -c 'import sys; print(sys.executable)')
sycl_operations = $(setting):$(sycl_python) tests/sycl/operations.py $(sycl)/python
sycl_python_jobs = '$(sycl_run) $(sycl_operations)' \
	'$(sycl_run) $(setting):$(sycl_python) tests/sycl/tensors.py $(sycl)/python $(library)' \
	$(if $(wildcard $(zecl_intel)/versions),'$(sycl_run_on_intel) $(sycl_operations)')
test-sycl-ready: $(sycl_programs) $(sycl_streams_ready) $(sycl_examples_ready) $(zecl_lib) library
	@TEST_IDLE=60 MAKEFLAGS= tests/run.sh $(sycl_jobs)
