# The library and its bindings: the interface, and the same programs in each language.

bindings := $(build)/tests/bindings
bindings_link = -L$(library) -Wl,-rpath,$(abspath $(library)) -lsyclze -lze_loader
binding_programs := $(addprefix $(bindings)/,c cpp share dlpack)

$(bindings)/c: tests/bindings/programs.c tests/check.h $(library)/libsyclze.so $(library)/syclze_library.h
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(WARN_C) -g -O1 -I. -I$(library) -o $@ $< $(bindings_link)

$(bindings)/cpp: tests/bindings/programs.cpp tests/check.h syclze/syclze.hpp $(library_bodies)
	@mkdir -p $(@D)
	$(call show,LINK)$(CXX) -std=c++17 $(WARN) -g -O1 -I. -pthread -o $@ $< -lze_loader -ldl

$(bindings)/dlpack: tests/bindings/dlpack.c tests/check.h $(library_bodies)
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(WARN_C) -g -O1 -I. -pthread -o $@ $< -lze_loader -ldl

# A program with the headers, and a plugin that has the library, of the shared and the static kind.
$(bindings)/share: tests/bindings/share/program.c tests/bindings/share/plugin.c tests/bindings/share/share.h \
	$(library)/libsyclze.so $(library)/libsyclze.a $(library)/syclze_library.h $(library_bodies)
	@mkdir -p $(@D)
	$(call show,CC)$(CC) -std=c11 $(WARN) -g -O1 -I. -c -pthread -o $@.o $<
	$(call show,CC)$(CC) -std=c11 $(WARN) -g -O1 -I$(library) -fPIC -c -o $@_plugin.o tests/bindings/share/plugin.c
	$(call show,LINK)$(CC) -shared -o $(@D)/libplugin.so $@_plugin.o $(bindings_link)
	$(call show,LINK)$(CC) -pthread -o $@ $@.o -L$(@D) -Wl,-rpath,$(abspath $(@D)) -lplugin $(bindings_link) -ldl
	$(call show,LINK)$(CC) -pthread -o $@_static $@.o $@_plugin.o $(library)/libsyclze.a -lze_loader -ldl

fortran := $(shell command -v gfortran)
rust := $(and $(shell command -v rustc),$(shell command -v bindgen),rustc)
binding_programs += $(if $(fortran),$(bindings)/fortran) $(if $(rust),$(bindings)/rust)

$(bindings)/fortran: $(library)/syclze.f90 tests/bindings/programs.f90 $(library)/libsyclze.so
	@mkdir -p $(@D)
	$(call show,LINK)gfortran -std=f2018 -Wall -O1 -g -J$(@D) -o $@ $(filter %.f90,$^) $(bindings_link)

$(library)/syclze.rs: $(library)/syclze_library.h
	$(call show,GEN)bindgen $< --allowlist-function 'syclze_.*|zeCommandList(CreateImmediate|AppendSignalEvent)' \
		--allowlist-type 'syclze_.*|ze_command_queue_desc_t|_ze_structure_type_t' \
		--allowlist-var 'SYCLZE_.*' -o $@
$(bindings)/rust: tests/bindings/programs.rs $(library)/syclze.rs $(library)/libsyclze.so
	@mkdir -p $(@D)
	$(call show,LINK)BINDINGS=$(abspath $(library)) $(rust) --edition 2021 -o $@ $< -L $(library) -l syclze -l ze_loader \
		-C link-arg=-Wl,-rpath,$(abspath $(library))

# Costs of one call in each language, on a loader that does nothing.
cost := $(bindings)/cost
cost_link = -L$(cost) -Wl,-rpath,$(abspath $(cost)) -lmark -lze_loader -ldl -pthread
cost_flags := -O2 -gdwarf-4 -DNDEBUG
cost_programs := $(addprefix $(cost)/cost_,headers cxx library)

$(cost)/libmark.so: tests/bindings/cost/mark.c
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -O2 -shared -fPIC -o $@ $<
$(cost)/uncalled.c: $(library)/library.o bench/stub.c
	@mkdir -p $(@D)
	@nm -u $< | sed -n 's/^ *U \(ze[A-Z][A-Za-z]*\)$$/\1/p' | while read -r name; do \
		grep -q "\<$$name[(,]" bench/stub.c || \
		echo "unsigned $$name(void); unsigned $$name(void) { return 0x78000003u; }"; done >$@
$(cost)/stub/libze_loader.so.1: bench/stub.c $(cost)/uncalled.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) -std=c11 -I. -O1 -fPIC -ffreestanding -DSTUB_NEWER=1 -shared -nostdlib -Wl,-z,defs \
		-Wl,-soname,$(@F) -o $@ $^
$(cost)/cost_headers: tests/bindings/cost/cost.c $(cost)/libmark.so $(library_bodies)
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(cost_flags) -I. -o $@ $< $(cost_link)
$(cost)/cost_library: tests/bindings/cost/cost.c $(cost)/libmark.so $(library)/syclze_library.h $(library)/libsyclze.so
	$(call show,LINK)$(CC) -std=c11 $(WARN) $(cost_flags) -DLIBRARY -I$(library) -o $@ $< $(bindings_link) $(cost_link)
$(cost)/cost_cxx: tests/bindings/cost/cost.cpp syclze/syclze.hpp $(cost)/libmark.so $(library_bodies)
	$(call show,LINK)$(CXX) -std=c++17 $(WARN) $(cost_flags) -I. -o $@ $< $(cost_link)

cost_programs += $(if $(fortran),$(cost)/cost_fortran) $(if $(rust),$(cost)/cost_rust)
$(cost)/cost_fortran: $(library)/syclze.f90 tests/bindings/cost/cost.f90 $(cost)/libmark.so $(library)/libsyclze.so
	$(call show,LINK)gfortran -std=f2018 -Wall -O2 -J$(@D) -o $@ $(filter %.f90,$^) $(bindings_link) $(cost_link)
$(cost)/cost_rust: tests/bindings/cost/cost.rs $(library)/syclze.rs $(cost)/libmark.so $(library)/libsyclze.so
	$(call show,LINK)BINDINGS=$(abspath $(library)) $(rust) --edition 2021 -O -o $@ $< -L $(library) -L $(cost) \
		-l syclze -l ze_loader -C link-arg=-Wl,-rpath,$(abspath $(library)) -C link-arg=-Wl,-rpath,$(abspath $(cost))

# Uses NumPy if it is installed.
python = $(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2>/dev/null && { echo $$p; exit; }; done; \
	echo python3)

.PHONY: test-bindings
test-bindings: deps library $(binding_programs) $(cost_programs) $(cost)/stub/libze_loader.so.1 $(device_driver) ## the library, and the same programs in C, C++, Python, Rust and Fortran
	@CC="$(CC)" MAKEFLAGS= tests/run.sh \
		'$(strip $(without_device) tests/bindings/library.sh $(abspath $(library)))' \
		'tests/bindings/description.py $(library)/syclze.json' \
		'tests/bindings/pages.sh $(abspath $(library))' \
		$(foreach program,$(binding_programs) $(bindings)/share_static,\
			'$(strip $(on_device) tests/bindings/leftless.sh $(program))') \
		$(if $(fortran),,'echo "skip Fortran: no gfortran"; echo "0 passed, 0 failed, 1 skipped"') \
		$(if $(rust),,'echo "skip Rust: no rustc or bindgen"; echo "0 passed, 0 failed, 1 skipped"') \
		'$(strip $(on_device) PYTHONPATH=$(library) tests/bindings/leftless.sh $(python) tests/bindings/programs.py)' \
		'LD_LIBRARY_PATH=$(abspath $(cost))/stub tests/bindings/cost/cost.sh $(abspath $(library)) $(cost) $(python)'
