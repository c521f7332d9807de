# The device images of dpnp, a real library of DPC++: read, built and run through syclze. make test-dpnp
# every=1 builds every kernel, which takes half an hour on each driver.

dpnp := build/dpnp
dpnp_patience := $(if $(filter true,$(CI)),120,900)
dpnp_library := $(build)/tests/dpnp/libimages.so
dpnp_every := $(or $(every),40)

$(dpnp_library): tests/dpnp/images.c $(shell find syclze -name "*.h")
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(WARN_C) -D_POSIX_C_SOURCE=200809L -I. -O2 -g -gdwarf-4 -pthread \
		-fPIC -shared -o $@ $< -lze_loader -ldl

.PHONY: test-dpnp test-dpnp-ready
test-dpnp: deps ## read, build and run the device images of dpnp, fetched by pip
	@timeout $(dpnp_patience) tests/dpnp/get.sh $(dpnp); case $$? in \
		0) $(MAKE) --no-print-directory test-dpnp-ready ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		124) echo "skip dpnp: the wheels did not come within $(dpnp_patience) s"; \
			echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

# On Intel's driver too, where its packages are unpacked already (make test-intel).
dpnp_run := tests/dpnp/run.sh $(dpnp_library) $(dpnp)
test-dpnp-ready: $(dpnp_library) $(device_driver) $(build)/examples/offload_dump
	@TEST_CPU=7200 MAKEFLAGS= tests/run.sh \
		'$(strip $(on_device) $(dpnp_run) every=$(dpnp_every) run=300)' \
		'LD_LIBRARY_PATH=$(abspath $(dpnp))/lib tests/dpnp/registration.sh $(abspath $(dpnp_library)) $(dpnp)' \
		'tests/dpnp/files.sh $(build)/examples/offload_dump $(dpnp)' \
		$(if $(wildcard $(intel)/versions),'$(dpnp_run) intel=pvc:$(intel) every=$(dpnp_every) run=0')
