# Rules for device code, for a project's own Makefile:
#
#   include path/to/syclze/offload/tools/offload.mk
#   program.o: program.c kernels.spv     # OpenCL C to SPIR-V, for syclze_embed("kernels.spv", ...)
#   program.o: program.c kernels.ob      # in an Offload Binary, for syclze_embed_container
#   program.o: program.c kernels.native  # native code of SYCLZE_DEVICES
#   program: program.o kernels.images.o  # registered with the program, by SYCLZE_DEFINE_SYCL_REGISTER
#
# Rules: %.spv from %.cl, %.ob from %.spv, %.native from %.spv, %.images.o from %.ob. For a container of
# several images,
#
#   all.ob: saxpy.spv saxpy.native ; $(SYCLZE_PACK)
#   all.ob: SYCLZE_ARCH_OF_saxpy.native = dg2
#
# SYCLZE_SPLIT is how SPIR-V is divided in containers: an image for each source (source), for each kernel
# (kernel), or for all kernels of a source that require the same of a device (requirement), so that a
# kernel with fp64 does not keep the others from a device without; or by what kernels share (auto,
# syclze/offload/split.h). Parts are validated where there is spirv-val.
#
# Containers are packed by pack.c, which the C compiler builds for each use: no packager is needed, and
# another one with clang-offload-packager's options may be named. SYCLZE_COMPRESS compresses them, in
# version 3, with the library of that name.
#
# Every tool may be named by the variable that holds it; others are searched for.
# A tool that is missing is an error when a rule needs it, not before.

SYCLZE_CLFLAGS ?= -cl-std=CL3.0 -O2# of OpenCL C
SYCLZE_TRIPLE ?= spirv64-unknown-unknown# in containers
SYCLZE_ARCH ?=# of SPIR-V in containers: none
SYCLZE_DEVICES ?= dg2# of native code, as ocloc names them, with commas between
SYCLZE_OCLOC_FLAGS ?= -q
SYCLZE_SPLIT ?= source# or kernel, requirement, auto
SYCLZE_CONTAINER_VERSION ?= 1# to 3
SYCLZE_COMPRESS ?=# zlib or zstd, with pack.c
SYCLZE_PACKAGER ?=# default: pack.c

syclze_offload_folder := $(dir $(lastword $(MAKEFILE_LIST)))
# Among the headers' sources, or installed in share/syclze.
syclze_offload_include := $(firstword $(foreach d,../../.. ../../include,\
	$(if $(wildcard $(syclze_offload_folder)$(d)/syclze/syclze.h),-I$(syclze_offload_folder)$(d))))

# The first of the words that is a command.
syclze_first = $(firstword $(foreach c,$(1),$(shell command -v $(c) 2>/dev/null)))
syclze_newest = $(call syclze_first,$(foreach v,30 29 28 27 26 25 24 23 22,$(addsuffix -$(v),$(1))))
syclze_needs = $(or $(1),$(error syclze: $(2)))

# Clang writes SPIR-V itself since version 22. Before, llvm-spirv of the same version as clang does.
SYCLZE_CLANG ?= $(call syclze_newest,clang)
SYCLZE_CLANG_OLD ?= $(syclze_clang_with_translator)
SYCLZE_SPIRV_VAL ?= $(call syclze_first,spirv-val)
SYCLZE_OCLOC ?= $(call syclze_first,ocloc)

syclze_clang_with_translator = $(firstword $(foreach v,21 20 19 18 17 16 15 14,\
	$(if $(and $(call syclze_first,clang-$(v)),$(call syclze_first,llvm-spirv-$(v))),$(v))))

# Optimised code of old translators is not always valid, so the passes are those whose output is; where
# there is no opt, none.
define syclze_compile_old
clang-$(1) -c -target spir64 -x cl $(filter-out -O% -cl-std=CL3.0,$(SYCLZE_CLFLAGS)) -cl-std=CL2.0 \
	-O2 -Xclang -disable-llvm-passes -emit-llvm -Xclang -finclude-default-header -o $@.bc $<
$(if $(call syclze_first,opt-$(1)),opt-$(1) -passes=sroa$(syclze_comma)early-cse$(syclze_comma)instcombine \
	-o $@.bc $@.bc)
llvm-spirv-$(1) -o $@.new $@.bc
rm -f $@.bc
endef

define syclze_compile_new
$(SYCLZE_CLANG) -c -target spirv64 -x cl $(SYCLZE_CLFLAGS) -o $@.new $<
endef

syclze_comma := ,
syclze_no_clang := install clang-22 or newer, or clang-N and llvm-spirv-N of one N
syclze_old = $(strip $(call syclze_needs,$(SYCLZE_CLANG_OLD),$(syclze_no_clang)))
syclze_compile = $(if $(SYCLZE_CLANG),$(syclze_compile_new),$(call syclze_compile_old,$(syclze_old)))

%.spv: %.cl
	$(syclze_compile)
	$(if $(SYCLZE_SPIRV_VAL),$(SYCLZE_SPIRV_VAL) --target-env spv1.4 $@.new)
	@mv $@.new $@

# One option for each image. The architecture of a file is SYCLZE_ARCH_OF_file, else SYCLZE_ARCH.
syclze_arch = $(strip $(or $(SYCLZE_ARCH_OF_$(notdir $(1))),$(SYCLZE_ARCH)))
syclze_image = --image=file=$(1),triple=$(strip $(SYCLZE_TRIPLE)),arch=$(2),kind=sycl

# Tools are built into a folder beside the target, which is removed afterwards.
syclze_tools = $@.tools
syclze_build_tool = $(CC) -std=c11 -O1 $(2) $(syclze_offload_include) -o $(syclze_tools)/$(1) \
	$(syclze_offload_folder)$(1).c $(3)
syclze_compress = $(strip $(SYCLZE_COMPRESS))
syclze_build_pack = $(if $(SYCLZE_PACKAGER),:,$(call syclze_build_tool,pack,,-ldl))
syclze_packager = $(or $(SYCLZE_PACKAGER),$(syclze_tools)/pack -v $(strip $(SYCLZE_CONTAINER_VERSION)) \
	$(if $(syclze_compress),-c $(syclze_compress)))

syclze_parts = $(syclze_tools)/$(subst /,+,$(1)).
syclze_divide = $(syclze_tools)/split $(strip $(SYCLZE_SPLIT)) $(1) $(syclze_parts) >$(syclze_parts)names \
	$(if $(SYCLZE_SPIRV_VAL),&& while read -r part; do $(SYCLZE_SPIRV_VAL) --target-env spv1.4 $$part || exit 1; \
	done <$(syclze_parts)names)
syclze_part_images = $$(sed 's/.*/$(call syclze_image,&,$(call syclze_arch,$(1)))/' $(syclze_parts)names)
define syclze_pack_parts
$(call syclze_build_tool,split)
$(foreach f,$(filter %.spv,$^),$(call syclze_divide,$(f)) &&) \
	$(syclze_packager) -o $@ $(foreach f,$^,$(if $(filter %.spv,$(f)),$(call \
	syclze_part_images,$(f)),$(call syclze_image,$(f),$(call syclze_arch,$(f)))))
endef
syclze_pack_source = $(syclze_packager) -o $@ $(foreach f,$^,$(call syclze_image,$(f),$(call syclze_arch,$(f))))
define SYCLZE_PACK
@rm -rf $(syclze_tools) && mkdir $(syclze_tools)
$(syclze_build_pack)
$(if $(filter-out source,$(SYCLZE_SPLIT)),$(syclze_pack_parts),$(syclze_pack_source))
@rm -rf $(syclze_tools)
endef

%.ob: %.spv
	$(SYCLZE_PACK)

%.images.o: %.ob
	@rm -rf $(syclze_tools) && mkdir $(syclze_tools)
	$(call syclze_build_tool,pack,,-ldl)
	$(syclze_tools)/pack -r $< >$(syclze_tools)/images.c
	$(CC) -fPIC -c -o $@ $(syclze_tools)/images.c
	@rm -rf $(syclze_tools)

# ocloc ends a single device's file with .bin, and several devices' archive has no suffix.
%.native: %.spv
	$(call syclze_needs,$(SYCLZE_OCLOC),install ocloc (intel-ocloc$(syclze_comma) libigc2 and libigdfcl2)) \
		compile $(SYCLZE_OCLOC_FLAGS) -spirv_input -file $< -device $(strip $(SYCLZE_DEVICES)) \
		-output $@.new -output_no_suffix
	@if [ -f $@.new.bin ]; then mv $@.new.bin $@; else mv $@.new $@; fi
