# The libraries that inflate_with.c compresses with: those whose headers and libraries are there.

has_library = $(shell printf '\043include <%s>\nint main(void) { return 0; }\n' $(2) | \
	$(CC) -x c -o /dev/null - -l$(1) 2>/dev/null && echo $(1))
has_zlib = $(call has_library,z,zlib.h)
has_zstd = $(call has_library,zstd,zstd.h)

$(build)/tests/offload/inflate_with.o: CFLAGS += $(if $(has_zlib),-DTEST_ZLIB) $(if $(has_zstd),-DTEST_ZSTD)
$(build)/tests/offload/inflate_with: LDFLAGS += $(addprefix -l,$(has_zlib) $(has_zstd))

# DPC++'s property arrays, for programs of other suites that have images with them.
$(addprefix $(build)/tests/device/offload_,global launch linked memory) $(build)/tests/orders/sweep_globals: \
	$(build)/tests/offload/support/properties.o

# The stand-in for ocloc's library, which kernel_source.c has opened by its path.
$(build)/tests/offload/libocloc.so: tests/offload/stand_in/libocloc.c
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 -O1 -g -shared -fPIC -o $@ $<

$(build)/tests/offload/kernel_source.o: CFLAGS += -DOCLOC='"$(abspath $(build))/tests/offload/libocloc.so"'
$(build)/tests/offload/kernel_source: | $(build)/tests/offload/libocloc.so
