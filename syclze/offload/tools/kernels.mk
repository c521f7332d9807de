# One object that registers the kernels of OpenCL C sources with a program, by the rules of offload.mk,
# for build systems that are not make's:
#
#   make -f kernels.mk OBJECT=kernels.o SOURCES='saxpy.cl sum.cl' [SPLIT=kernel] [DEVICES=pvc,bmg]
#
# SPLIT is SYCLZE_SPLIT. DEVICES adds native code, as ocloc names devices, to the SPIR-V. No two
# sources have one name. syclze_add_kernels (syclzeConfig.cmake) and meson.build call this.

syclze_kernels_mk := $(abspath $(lastword $(MAKEFILE_LIST)))

ifeq ($(syclze_inner),)
.DEFAULT_GOAL := $(OBJECT)
$(OBJECT): $(SOURCES)
	@mkdir -p $@.parts
	@$(MAKE) -s -C $@.parts -f $(syclze_kernels_mk) syclze_inner=1 SOURCES='$(abspath $(SOURCES))' kernels.images.o
	@mv $@.parts/kernels.images.o $@
else
SYCLZE_SPLIT := $(or $(SPLIT),source)
SYCLZE_DEVICES := $(DEVICES)
include $(dir $(syclze_kernels_mk))offload.mk
$(foreach s,$(SOURCES),$(eval vpath $(notdir $(s)) $(dir $(s))))
syclze_names := $(basename $(notdir $(SOURCES)))
kernels.ob: $(syclze_names:%=%.spv) $(if $(DEVICES),$(syclze_names:%=%.native)) ; $(SYCLZE_PACK)
endif
