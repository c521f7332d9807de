# Libraries of products with device images of DPC++: counted, read, looked up and built, a table of them.
# make test-corpus every=1 builds every kernel.

corpus := build/corpus
corpus_program := $(build)/tests/corpus/corpus

$(corpus_program): tests/corpus/corpus.c $(shell find syclze -name "*.h")
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(WARN_C) -D_GNU_SOURCE -I. -O2 -g -pthread \
		-o $@ $< -lze_loader -ldl

# Intel's OpenCL, where it was fetched (make zecl-intel).
corpus_engines = engine='PoCL:$(strip $(on_device))' \
	$(if $(wildcard $(zecl_intel)/vendors),engine="Intel's OpenCL:$(strip $(on_device) $(on_intel_engine))")

.PHONY: test-corpus
test-corpus: deps $(corpus_program) $(device_driver) ## the device images of products, fetched by pip: build/corpus/table.md
	@tests/corpus/get.sh $(corpus); case $$? in \
		0) python3 tests/corpus/run.py $(corpus_program) $(corpus) $(if $(every),every=$(every)) $(corpus_engines) ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac
