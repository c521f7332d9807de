# Coverage of the library's headers by gcov, in a build of its own. The device is an ordinary build's:
# what is measured is syclze/ alone. Functions that are always inlined are not, so that each is
# counted where it stands. Programs of C++ are left out: that compiler puts other lines and branches
# to the same source.

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
