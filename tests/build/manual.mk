# The manual: the pages of syclze/manual and of the bindings, the results of bench/, and the reference,
# of the comments of the public headers: build/manual/html and build/manual/man.

manual_pages := $(wildcard syclze/manual/*.md syclze/bindings/manual/*.md) bench/results.md

.PHONY: manual
manual: ## make the manual, HTML and man pages, in build/manual; warnings are errors
	@command -v doxygen >/dev/null || { echo "manual: install doxygen"; exit 1; }
	@rm -rf build/manual.new && mkdir -p build/manual.new
	@awk -f tests/build/modules.awk tests/build/modules.txt >build/manual.new/modules.dox
	@(cat tests/build/Doxyfile; echo 'OUTPUT_DIRECTORY = build/manual.new'; echo 'PROJECT_NUMBER = $(version)'; \
		doxygen -g - | grep -q HTML_COLORSTYLE' *=' || echo 'HTML_EXTRA_STYLESHEET += tests/build/manual_dark.css'; \
		echo 'INPUT = $(manual_pages) build/manual.new/modules.dox $(public_headers) syclze/sycl.hpp syclze/syclze.hpp') | \
		doxygen - >build/manual.new/log || { cat build/manual.new/log; exit 1; }
	@rm -f build/manual.new/man/man3/@* # of unnamed types
	@rm -rf build/manual && mv build/manual.new build/manual
	@echo "The manual: build/manual/html/index.html, and man -M build/manual/man syclze_make_queue"
