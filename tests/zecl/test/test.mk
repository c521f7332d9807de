# Test programs: each .c of test/ and of engine/cuda/test/ is one; support/ beside it is linked into it.

programs := $(patsubst %.c,$(build)/%,$(wildcard test/*.c))
programs_ptx := $(patsubst %.c,$(build)/%,$(wildcard engine/cuda/test/*.c))
support := $(patsubst %.c,$(build)/%.o,$(wildcard test/support/*.c))
support_ptx := $(patsubst %.c,$(build)/%.o,$(wildcard engine/cuda/test/support/*.c))

# The tests of CUDA's modules link what makes and reads them, without the driver.
$(programs_ptx): $(filter $(build)/engine/cuda/ptx/%,$(objects)) \
	$(filter-out %/link.o,$(filter $(build)/spirv/%,$(objects))) \
	$(patsubst %,$(build)/%.o,engine/build_flags core/text core/tool)
$(programs_ptx:%=%.o) $(support_ptx): own = $(in_folder) -D_GNU_SOURCE

# Files that tests read are found wherever a program is started.
in_folder := -DZECL_FOLDER='"$(CURDIR)"'
$(programs:%=%.o) $(support): own = $(in_folder)

$(programs): $(support)
$(programs_ptx): $(support_ptx)
$(programs) $(programs_ptx): $(build)/%: $(build)/%.o
	$(call show,LINK)$(CC) -pthread -o $@ $(filter %.o,$^) $(CFLAGS) $(LDFLAGS) -lze_loader -ldl -lm

# Native modules, and a libcuda of the tests' own (libcuda/libcuda.h).
modules := $(patsubst %.c,$(build)/%.so,$(wildcard test/kernels/*.c))
$(modules): $(build)/%.so: %.c zecl_native.h
	@mkdir -p $(@D)
	$(call show,CC)$(CC) -std=c11 -I. -Wall -Wextra -O2 -g -fPIC -shared -o $@ $<

libcuda := $(build)/libcuda/libcuda.so.1
libcuda_objects := $(patsubst %.c,$(build)/%.o,$(wildcard libcuda/*.c))
$(libcuda_objects): own := -fPIC -fvisibility=hidden -D_GNU_SOURCE
$(libcuda): $(libcuda_objects)
	$(call show,LINK)$(CC) -shared -pthread -Wl,-soname,$(@F) -o $@ $^ $(CFLAGS) $(LDFLAGS)

$(programs): | $(modules) $(libcuda)

# OpenCL also where there is a GPU, unless the environment names an engine (ZECL_ENGINE=cuda).
engine := ZECL_ENGINE=$(or $(ZECL_ENGINE),opencl) POCL_CACHE_DIR=$(abspath $(build))/pocl
on_zecl := ZE_ENABLE_ALT_DRIVERS=$(abspath $(library)) $(engine)

# only="TEXT..." selects those with one of the texts in their path.
selected = $(if $(only),$(foreach p,$(programs) $(programs_ptx),\
	$(if $(strip $(foreach t,$(only),$(findstring $(t),$(p)))),$(p))),$(programs) $(programs_ptx))

.PHONY: test test-programs
test-programs: $(selected)
	@:

test: $(library) test-programs
	@CC="$(CC)" TEST_ONLY="$(only)" MAKEFLAGS= test/harness/run.sh \
		$(foreach p,$(selected),'$(on_zecl) $(abspath $(p))') \
		test/alone.sh test/cuda.sh
