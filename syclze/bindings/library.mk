# libsyclze.so and libsyclze.a, the description of the interface, and the bindings: in build/library.

library := build/library
library_soname := libsyclze.so.1
library_records := $(sort $(wildcard syclze/bindings/abi/*.txt))
described_headers = $(filter-out syclze/implementation.h,$(public_headers))
library_optimisation := -O2
# Assembler text names what is exported, which a link-time optimiser does not see.
library_flags = -std=c11 $(WARN) $(library_optimisation) -g -DNDEBUG -I. -I$(library) -pthread -fPIC -fvisibility=hidden \
	-fno-semantic-interposition $(CFLAGS) -fno-lto

.PHONY: library
library: $(library)/libsyclze.so $(library)/libsyclze.a $(library)/syclze_library.h \
	$(library)/syclze.json ## build libsyclze.so, libsyclze.a and their header in build/library

$(library)/syclze.json: syclze/bindings/describe.py tests/build/contracts.py $(described_headers)
	@mkdir -p $(@D)
	$(call show,GEN)CC="$(CC)" python3 $< $(described_headers) > $@.new && mv $@.new $@

$(library)/library_headers.h: $(library)/syclze.json
	$(call show,GEN)for h in $(described_headers); do echo "#include \"$$h\""; done > $@

$(library)/syclze_library.h: what := header
$(library)/library_functions.h: what := functions
$(library)/exports.map: what := exports
$(library)/record.txt: what := record
$(library)/stub.c: what := stub
$(addprefix $(library)/,syclze_library.h library_functions.h exports.map record.txt stub.c): \
	$(library)/syclze.json syclze/bindings/c.py $(library_records)
	$(call show,GEN)python3 syclze/bindings/c.py $(what) $< $(library_records) > $@.new && mv $@.new $@

library_sources := syclze/bindings/library.c $(library)/library_headers.h $(library)/library_functions.h
library_bodies := $(shell find syclze -name '*.h')

$(library)/library.o: $(library_sources) $(library_bodies)
	$(call show,CC)$(CC) $(library_flags) -c -o $@ $<

$(library)/$(library_soname): $(library)/library.o $(library)/exports.map
	$(call show,LD)$(CC) -shared -Wl,-soname,$(library_soname) -Wl,-Bsymbolic -Wl,-z,defs \
		-Wl,--version-script,$(library)/exports.map -pthread $(LDFLAGS) -o $@ $< -lze_loader -ldl
$(library)/libsyclze.so: $(library)/$(library_soname)
	@ln -sf $(library_soname) $@
# What is not exported is local, beside the functions of a program that has the headers too.
$(library)/libsyclze.a: $(library)/library.o
	@rm -f $@
	$(call show,AR)$(LD) -r -d --force-group-allocation -o $(@:.a=.o) $< && \
		objcopy --localize-hidden $(@:.a=.o) && ar rcs $@ $(@:.a=.o)

# The interface of a release, which later libraries keep: committed when the version changes.
.PHONY: library-record library-names install-library
library-record: $(library)/record.txt ## record the library's interface, and the headers' macros, as those of this release
	@cp $< syclze/bindings/abi/$(basename $(version)).txt
	@$(MAKE) -s library-names >syclze/bindings/abi/$(basename $(version)).names

# Macros of config.h are for the library's own headers.
library-names:
	@syclze/bindings/names.sh $(filter-out syclze/config.h,$(public_headers)) syclze/sycl.hpp syclze/syclze.hpp

lib_dir = $(install_dir)/lib
install-library: library ## install the library, its header and its pkg-config file to prefix=/usr/local
	@install -D -m 644 $(library)/syclze_library.h $(dir $(include_dir))syclze_library.h
	@install -D -m 755 $(library)/$(library_soname) $(lib_dir)/$(library_soname)
	@ln -sf $(library_soname) $(lib_dir)/libsyclze.so
	@install -D -m 644 $(library)/libsyclze.a $(lib_dir)/libsyclze.a
	@install -D -m 644 $(library)/syclze.json $(share_dir)/syclze/syclze.json
	@sed 's|@prefix@|$(abspath $(prefix))|; s|@version@|$(version)|' syclze/bindings/library.pc.in | \
		install -D -m 644 /dev/stdin $(call pc_file,syclze-library)
	@echo "installed libsyclze $(version) in $(lib_dir)"

$(library)/syclze.py: $(library)/syclze.json syclze/bindings/python.py syclze/bindings/c.py syclze/bindings/runtime.py
	$(call show,GEN)python3 syclze/bindings/python.py $< syclze/bindings/runtime.py > $@.new && mv $@.new $@
library: $(library)/syclze.py

$(library)/syclze.f90: $(library)/syclze.json syclze/bindings/fortran.py syclze/bindings/c.py
	$(call show,GEN)python3 syclze/bindings/fortran.py $< > $@.new && mv $@.new $@
library: $(library)/syclze.f90
