# Installing the headers, and making one file of them.

version := $(shell sed -n 's/^.define SYCLZE_VERSION_[A-Z]* \([0-9]*\)$$/\1/p' \
	syclze/version.h | paste -s -d.)
headers_installed := $(shell cd syclze && find . -name '*.h' -o -name '*.hpp')
tools_installed := offload.mk pack.c split.c
cmake_installed := syclzeConfig.cmake syclzeConfigVersion.cmake
include_dir = $(DESTDIR)$(abspath $(prefix))/include/syclze
share_dir = $(DESTDIR)$(abspath $(prefix))/share
pc_file = $(share_dir)/pkgconfig/$(1).pc
fill_pc = sed 's|@prefix@|$(abspath $(prefix))|; s|@version@|$(version)|; s|@name@|$(1)|; \
	s|@requires@|$(2)|; s|@flags@|$(3)|' tests/build/syclze.pc.in > $(call pc_file,$(1))

.PHONY: install uninstall amalgamate
install: ## install headers, pkg-config and CMake files to prefix=/usr/local
	@for f in $(headers_installed); do install -D -m 644 syclze/$$f $(include_dir)/$$f || exit 1; done
	@for f in $(tools_installed); do \
		install -D -m 644 syclze/offload/tools/$$f $(share_dir)/syclze/$$f || exit 1; done
	@for f in $(cmake_installed); do \
		install -D -m 644 syclze/cmake/$$f $(share_dir)/cmake/syclze/$$f || exit 1; done
	@mkdir -p $(share_dir)/pkgconfig
	@$(call fill_pc,syclze,Requires)
	@$(call fill_pc,syclze-dynamic,Requires.private,-DSYCLZE_LOADER_DYNAMIC )
	@echo "installed syclze $(version) in $(include_dir) and $(share_dir)"

uninstall: ## remove what install put under prefix=/usr/local
	@rm -rf $(include_dir) $(share_dir)/syclze $(share_dir)/cmake/syclze
	@rm -f $(call pc_file,syclze) $(call pc_file,syclze-dynamic)

# Two files: the objects, as syclze.h has them, and everything.
amalgamate: build/syclze.h build/syclze_all.h ## make build/syclze.h and build/syclze_all.h, the library as one file

build/syclze.h: syclze/syclze.h
build/syclze_all.h: tests/build/all.h
build/syclze.h build/syclze_all.h: tests/build/amalgamate.awk LICENSE \
	$(addprefix syclze/,$(headers_installed))
	@mkdir -p $(@D)
	$(call show,AWK)awk -f $< LICENSE $(if $(filter %_all.h,$@),tests/build/all.h,syclze/syclze.h) > $@.new
	@mv $@.new $@
