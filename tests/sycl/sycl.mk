# A SYCL runtime on the embedded device: Intel's, fetched by pip, with both of its adapters.

sycl := build/sycl
sycl_patience := $(if $(filter true,$(CI)),120,900)
sycl_settings := v1 v1-immediate v2
sycl_programs := $(patsubst %.cpp,$(build)/%,$(wildcard tests/sycl/*.cpp))

$(sycl_programs:=.o): CXXFLAGS_ALL = -std=c++17 $(COMMON_ALL) -isystem $(sycl)/runtime/include \
	-isystem $(sycl)/debian/root/usr/include -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING $(CXXFLAGS)
$(sycl_programs:=.o): $(sycl)/runtime/versions $(sycl)/debian/versions
# The loader's C++ library is that of its release.
$(sycl_programs): %: %.o
	$(call show,LINK)$(CXX) -o $@ $< $(LDFLAGS_ALL) -L$(sycl)/runtime/lib -lsycl \
		-L$(sycl)/debian/root/usr/lib/x86_64-linux-gnu -lze_loader -Wl,--allow-shlib-undefined

sycl_run = $(strip $(engine_cache) ZE_ENABLE_ALT_DRIVERS=$(abspath $(zecl_lib)) SYCLZE_SYCL=$(sycl) \
	tests/sycl/run.sh)

.PHONY: test-sycl test-sycl-ready
test-sycl: deps ## run programs of Intel's SYCL runtime, fetched by pip, on the embedded device
	@timeout $(sycl_patience) tests/sycl/get.sh $(sycl); case $$? in \
		0) $(MAKE) --no-print-directory test-sycl-ready ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		124) echo "skip sycl: wheels and packages did not come within $(sycl_patience) s"; \
			echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

test-sycl-ready: $(sycl_programs) $(zecl_lib)
	@TEST_IDLE=60 MAKEFLAGS= tests/run.sh $(foreach setting,$(sycl_settings),$(foreach program,$(sycl_programs),\
		$(if $(filter v1-immediate:%/source,$(setting):$(program)),,\
		'$(sycl_run) $(setting):$(program)')))
