# Intel's driver without a GPU: what it accepts, refuses, compiles, allocates and destroys. The
# programs are those of tests/device and of this folder, and the one that compiles with ocloc's library,
# built with the system's headers and compiler.

intel := build/intel
intel_settings := pvc pvc-devices pvc-parts tgllp dg2 bmg
intel_patience := $(if $(filter true,$(CI)),120,900)

# Excluded: what only the embedded device simulates, and thread_kernel, in which this driver crashes
# occasionally (README.md).
programs_intel := $(patsubst %.c,$(build)/%,$(wildcard tests/intel/*.c))
intel_left_out := multi multi_command multi_kernel selector thread_kernel
intel_programs := $(programs_intel) $(build)/tests/offload/kernel_source \
	$(filter-out $(addprefix %/,$(intel_left_out)),$(programs_device))

$(programs_intel): $(build)/%: $(build)/%.o $(device_parts)
	$(call show,LINK)$(CC) -o $@ $(filter %.o,$^) $(addprefix @,$(filter %.txt,$^)) $(LDFLAGS_ALL) -lze_loader -ldl -lm

.PHONY: test-intel test-intel-ready
test-intel: deps ## run the device tests on Intel's own driver, fetched and unpacked; needs no GPU
	@timeout $(intel_patience) tests/intel/get.sh $(intel); case $$? in \
		0) $(MAKE) --no-print-directory test-intel-ready ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		124) echo "skip intel: the packages did not come within $(intel_patience) s"; \
			echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

test-intel-ready: $(intel_programs)
	@TEST_TIMEOUT=900 MAKEFLAGS= tests/run.sh \
		$(foreach s,$(intel_settings),'tests/intel/run.sh $(s) $(intel) $(intel_programs)')
