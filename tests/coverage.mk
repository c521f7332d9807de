# Coverage of the headers by gcov, in a separate build. zecl comes from an ordinary build: only
# syclze/ is measured. always_inline is disabled, so that each function is counted where it is
# defined. C++ programs are excluded: that compiler assigns other lines and branches to the source.

covered = $(filter $(patsubst tests/%.c,$(build)/tests/%,$(wildcard tests/*/*.c)),$(1))
programs_covered_without_device := $(call covered,$(programs_unit) $(programs_offload))
programs_covered_on_device := $(call covered,$(programs_device))
coverage_build := build/coverage
in_coverage = $(patsubst $(build)/%,$(coverage_build)/%,$(1))
coverage_commands = \
	$(call commands,$(call in_coverage,$(programs_covered_without_device)),$(without_device)) \
	$(call commands,$(call in_coverage,$(programs_covered_on_device)),$(on_device))

.PHONY: coverage coverage-programs
coverage: $(device_driver) ## line and branch coverage of the headers, by the unit and device tests
	@$(MAKE) --no-print-directory config=coverage build=$(coverage_build) device_driver= \
		coverage-programs
	@find $(coverage_build) -name '*.gcda' -delete
	@MAKEFLAGS= tests/run.sh $(coverage_commands)
	@tests/coverage.sh $(coverage_build)

coverage-programs: $(programs_covered_without_device) $(programs_covered_on_device)
