# The reference manual, of the comments of the public headers: build/manual/html and build/manual/man.

.PHONY: manual
manual: ## make the reference manual, HTML and man pages, in build/manual; warnings are errors
	@command -v doxygen >/dev/null || { echo "manual: install doxygen"; exit 1; }
	@rm -rf build/manual.new && mkdir -p build/manual.new
	@(echo '# The headers {#mainpage}' && sed -n '1,/\*\/$$/ { s|^/\* ||; s|^ \*$$||; s|^ \* ||; s| \*/$$||; p }' syclze/syclze.h) \
		>build/manual.new/main.md
	@(cat tests/build/Doxyfile; echo 'OUTPUT_DIRECTORY = build/manual.new'; echo 'PROJECT_NUMBER = $(version)'; echo 'INPUT = build/manual.new/main.md $(public_headers) syclze/sycl.hpp syclze/syclze.hpp $(wildcard syclze/bindings/manual/*.md) syclze/manual/trust.md') | \
		doxygen - >build/manual.new/log || { cat build/manual.new/log; exit 1; }
	@rm -f build/manual.new/man/man3/@* # of unnamed types
	@rm -rf build/manual && mv build/manual.new build/manual
	@echo "The manual: build/manual/html/index.html, and man -M build/manual/man syclze_make_queue"
