# Libraries of products with device images of DPC++: counted, read, looked up and built, a table of them.
# make test-corpus every=1 builds every kernel, sample=100 a hundred of each wheel; only="onednn oneccl":
# those wheels; resume=1: goes on where an ended run was.

corpus := build/corpus
corpus_patience := $(if $(filter true,$(CI)),120,900)
corpus_program := $(build)/tests/corpus/corpus
corpus_ptxas := $(corpus)/ptxas/nvidia/cu13/bin/ptxas

$(corpus_program): tests/corpus/corpus.c $(shell find syclze -name "*.h")
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(WARN_C) -D_GNU_SOURCE -I. -O2 -g -pthread \
		-o $@ $< -lze_loader -ldl

# The engines that are there: Intel's OpenCL (make zecl-intel), Intel's driver, which executes nothing
# (make test-intel), and the engine on CUDA with the libcuda of the tests, which runs ptxas.
corpus_engines = engine='PoCL:$(strip $(on_device))' \
	$(if $(wildcard $(zecl_intel)/vendors),engine="Intel's OpenCL:$(strip $(on_device) $(on_intel_engine))") \
	$(if $(wildcard $(intel)/versions),engine="Intel's driver for PVC:tests/intel/on.sh pvc:$(intel)") \
	$(if $(wildcard $(corpus_ptxas)),engine="PTX for sm_90:$(strip $(on_device)) ZECL_ENGINE=cuda ZECL_CACHE=0 \
		LD_LIBRARY_PATH=$(abspath $(dir $(zecl_libcuda))) \
		LIBCUDA_PTXAS='$(abspath $(corpus_ptxas)) -arch=sm_90 -o /dev/null'")

# Kernels of dpnp run as in make test-dpnp.
corpus_numpy = $(if $(wildcard $(dpnp)/versions),\
	numpy='dpnp:$(strip $(on_device) $(dpnp_run) every=0 run=100)')

.PHONY: test-corpus test-corpus-ready
test-corpus: deps ## the device images of products, fetched by pip: build/corpus/table.md
	@timeout $(corpus_patience) tests/corpus/get.sh $(corpus) $(only); \
		$(MAKE) --no-print-directory test-corpus-ready

test-corpus-ready: $(corpus_program) $(device_driver) $(zecl_libcuda) $(dpnp_library)
	@python3 tests/corpus/run.py $(corpus_program) $(corpus) $(if $(every),every=$(every)) \
		$(if $(sample),sample=$(sample)) $(if $(only),only='$(only)') $(if $(resume),resume=1) $(if $(patience),patience=$(patience)) \
		$(corpus_engines) $(corpus_numpy)
