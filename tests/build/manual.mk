# The reference manual, of the comments of the public headers: build/manual/html and build/manual/man.

.PHONY: manual
manual: ## make the reference manual, HTML and man pages, in build/manual; warnings are errors
	@command -v doxygen >/dev/null || { echo "manual: install doxygen"; exit 1; }
	@rm -rf build/manual && mkdir -p build/manual
	@(cat tests/build/Doxyfile; echo 'PROJECT_NUMBER = $(version)'; echo 'INPUT = $(public_headers) syclze/sycl.hpp') | \
		doxygen - >build/manual/log || { cat build/manual/log; exit 1; }
	@echo "The manual: build/manual/html/index.html, and man -M build/manual/man syclze_make_queue"
