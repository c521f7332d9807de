# Fuzzing: each tests/fuzz/*.c is a target of clang's libFuzzer. `make test` replays what is committed;
# `make fuzz time=600` searches for more, 600 seconds for each target, one after the other.

time ?= 60
FUZZ_CLANG ?= clang
fuzz_seeds_zecl_spirv := tests/kernels
fuzz_options_zecl_spirv = -D_GNU_SOURCE -Itests/zecl $(fuzz_sources_zecl_spirv)
fuzz_sources_zecl_spirv := tests/zecl/core/text.c \
	$(filter-out %/link.c,$(wildcard tests/zecl/spirv/*.c))
fuzz_targets := $(sort $(notdir $(basename $(wildcard tests/fuzz/*.c))))

.PHONY: fuzz $(addprefix fuzz-,$(fuzz_targets))
fuzz: $(addprefix fuzz-,$(fuzz_targets)) ## run every fuzz target under libFuzzer, time=60 seconds each

# libFuzzer's new inputs stay in the build folder; relevant ones are moved to tests/fuzz/corpus.
$(addprefix fuzz-,$(fuzz_targets)): fuzz-%: $(build)/fuzz/%.fuzzer
	@mkdir -p $(build)/fuzz/$*.found
	nice -n 10 $< -max_total_time=$(time) -print_final_stats=1 -timeout=5 -rss_limit_mb=2048 \
		-artifact_prefix=$(build)/fuzz/$*- $(build)/fuzz/$*.found \
		$(wildcard tests/fuzz/corpus/$*) tests/offload/samples $(fuzz_seeds_$*)

$(build)/fuzz/%.fuzzer: tests/fuzz/%.c $(shell find syclze -name "*.h")
	@mkdir -p $(@D)
	$(call show,FUZZ)$(FUZZ_CLANG) -std=c11 $(WARN) -I. -O2 -g -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $< $(fuzz_options_$*) -lze_loader -ldl

# The targets, with what they need to run on another machine.
.PHONY: fuzz-pack
fuzz-pack: $(fuzz_targets:%=$(build)/fuzz/%.fuzzer) ## build/fuzz-pack: every fuzz target, to run elsewhere by run.sh PROCESSES SECONDS
	tests/fuzz/pack.sh build/fuzz-pack $^

# The replay links what the driver is built of.
$(build)/tests/fuzz/zecl_spirv: $(fuzz_sources_zecl_spirv:tests/zecl/%.c=$(zecl_build)/%.o)
$(build)/tests/fuzz/zecl_spirv.o: CFLAGS_ALL += -Itests/zecl
$(build)/fuzz/zecl_spirv.fuzzer: $(fuzz_sources_zecl_spirv)
