# The tests of CUDA's modules link what makes and reads them, without the driver.
programs_ptx := $(programs_zecl/engine/cuda/test)
ptx_obj := $(patsubst tests/zecl/%.c,$(build)/zecl/%.o,$(wildcard tests/zecl/engine/cuda/ptx/*.c) \
	tests/zecl/engine/build_flags.c tests/zecl/core/text.c tests/zecl/core/tool.c \
	$(filter-out %/link.c,$(wildcard tests/zecl/spirv/*.c)))
$(programs_ptx): $(ptx_obj)
$(programs_ptx:%=%.o) $(support_zecl/engine/cuda/test): CFLAGS_ALL += -Itests/zecl -D_GNU_SOURCE
