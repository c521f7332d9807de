# Checks of the headers as text.

public_headers := $(wildcard syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h)
headers ?= $(public_headers)

.PHONY: check-contracts
check-contracts: ## list the public functions without a full contract; headers=syclze/event.h for some
	@python3 tests/build/contracts.py --self-test
	@python3 tests/build/contracts.py $(headers)

.PHONY: conformance
conformance: ## list what is required with the tests that show it: build/conformance.md
	@mkdir -p build
	@python3 tests/conformance.py --page >build/conformance.md
	@echo build/conformance.md

.PHONY: check-linkage
check-linkage: ## link programs of many files, in C and C++, with and without one implementation
	@tests/build/linkage.sh
	@tests/unit/images.sh

.PHONY: check-guest check-layout check-reach
check-guest: ## what the library costs a program: compile time, text, call sites, plugins
	@tests/build/guest.sh all
	@tests/build/call_sites.sh

check-layout: ## what editors and readers find: private headers last, functions by name
	@tests/build/layout.sh

check-reach: ## how many functions in how many files a call reaches; functions="syclze_queue_fill" for others
	@tests/build/reach.sh $(functions)

.PHONY: check-loader
check-loader: $(device_driver) ## run the library without linking Level Zero's loader
	@$(on_device) tests/build/loader.sh
