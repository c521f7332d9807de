# The headers and loaders of Debian's releases: which ze_api.h the library compiles against, and which
# loader it runs on.

matrix_releases := bookworm trixie sid

.PHONY: test-matrix matrix-programs matrix-driver
test-matrix: deps ## build the tests against Debian's releases of Level Zero, and run them on each; also with only=
	@MAKEFLAGS= tests/matrix/run.sh build/matrix $(matrix_releases)

# Compilers newer than the system's, started with the C library of their release.
.PHONY: test-compilers check-warnings
test-compilers: deps ## compile the headers with gcc 14 and the newest clang of Debian, strict warnings on
	@tests/unpack.sh compilers build/compilers/trixie trixie gcc-14 g++-14 libze-dev || test $$? -eq 3
	@tests/unpack.sh compilers build/compilers/sid sid 'clang-23|clang-22|clang-21|clang-20|clang-19' \
		libstdc++-14-dev libc6-dev libze-dev || test $$? -eq 3
	@tests/compile/warnings.sh build/compilers/trixie build/compilers/sid
	@tests/matrix/sources.sh build/compilers $(wildcard build/matrix/*/root/usr/include) \
		$(wildcard build/compilers/sid/root/usr/include)

check-warnings: ## compile the headers under the warnings of strict host projects; SHOW=20 lists them
	@tests/compile/warnings.sh

matrix-programs: $(call selected,$(programs_unit) $(programs_device))

matrix-driver:
	@echo $(abspath $(zecl_lib))
