# The headers and loaders of Debian's releases: which ze_api.h the library compiles against, and which
# loader it runs on.

matrix_releases := bookworm trixie sid

.PHONY: test-matrix matrix-programs matrix-driver
test-matrix: deps ## build the tests against Debian's releases of Level Zero, and run them on each
	@MAKEFLAGS= tests/matrix/run.sh build/matrix $(matrix_releases)

matrix-programs: $(programs_unit) $(programs_device)

matrix-driver:
	@echo $(abspath $(zecl_lib))
