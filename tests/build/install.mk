# Installing the headers, the source archive, and one file of the headers.

version := $(shell sed -n 's/^.define SYCLZE_VERSION_[A-Z]* \([0-9]*\)$$/\1/p' \
	syclze/version.h | paste -s -d.)
headers_installed := $(shell cd syclze && find . -name '*.h' -o -name '*.hpp')
tools_installed := offload.mk kernels.mk tool.inc syclbin.inc pack.c split.c convert.c build.c
cmake_installed := syclzeConfig.cmake syclzeConfigVersion.cmake
# Make and pkg-config take a name with a space for two: `rm -rf /opt/my tools/include`.
install_dir = $(if $(word 2,$(DESTDIR)$(abspath $(prefix))),$(error prefix and DESTDIR must not have spaces),$(DESTDIR)$(abspath $(prefix)))
include_dir = $(install_dir)/include/syclze
share_dir = $(install_dir)/share
man_dir = $(share_dir)/man/man3
man_pages ?= $(wildcard build/manual/man/man3)
# Libraries of the system that CC compiles for.
pc_libs = $(if $(findstring mingw,$(shell $(CC) -dumpmachine)),-lpthread,-pthread -ldl)
pc_file = $(share_dir)/pkgconfig/$(1).pc
fill_pc = sed 's|@prefix@|$(abspath $(prefix))|; s|@version@|$(version)|; s|@name@|$(1)|; \
	s|@requires@|$(2)|; s|@flags@|$(3)|; s|@libs@|$(pc_libs)|' syclze/cmake/syclze.pc.in | \
	install -D -m 644 /dev/stdin $(call pc_file,$(1))

.PHONY: install uninstall amalgamate
install: ## install headers, pkg-config and CMake files, and man pages after make manual, to prefix=/usr/local
	@for f in $(headers_installed); do install -D -m 644 syclze/$$f $(include_dir)/$$f || exit 1; done
	@for f in $(tools_installed); do \
		install -D -m 644 syclze/offload/tools/$$f $(share_dir)/syclze/$$f || exit 1; done
	@for f in $(cmake_installed); do \
		install -D -m 644 syclze/cmake/$$f $(share_dir)/cmake/syclze/$$f || exit 1; done
	@$(call fill_pc,syclze,Requires)
	@$(call fill_pc,syclze-dynamic,Requires.private,-DSYCLZE_LOADER_DYNAMIC )
	@[ -z "$(man_pages)" ] || tests/build/install_manual.sh $(man_pages) $(man_dir)
	@echo "installed syclze $(version) in $(include_dir) and $(share_dir)"

uninstall: ## remove what install put under prefix=/usr/local
	@rm -rf $(include_dir) $(share_dir)/syclze $(share_dir)/cmake/syclze
	@rm -f $(call pc_file,syclze) $(call pc_file,syclze-dynamic) $(call pc_file,syclze-library)
	@rm -f $(man_dir)/syclze_*.3 $(man_dir)/SYCLZE_*.3
	@rm -f $(lib_dir)/$(library_soname) $(lib_dir)/libsyclze.so $(lib_dir)/libsyclze.a \
		$(dir $(include_dir))syclze_library.h

.PHONY: dist
dist := build/syclze-$(version).tar.gz
dist: ## make the source archive of the last commit, the same bytes each time: build/syclze-VERSION.tar.gz
	@tests/build/make_dist.sh syclze-$(version) $(dist)
	@sha256sum $(dist)

# Two files: the objects, as syclze.h has them, and everything.
amalgamate: build/syclze.h build/syclze_all.h ## make build/syclze.h and build/syclze_all.h, the library as one file

build/syclze.h: syclze/syclze.h
build/syclze_all.h: tests/build/all.h
build/syclze.h build/syclze_all.h: tests/build/amalgamate.awk LICENSE \
	$(addprefix syclze/,$(headers_installed))
	@mkdir -p $(@D)
	$(call show,AWK)awk -f $< LICENSE $(if $(filter %_all.h,$@),tests/build/all.h,syclze/syclze.h) > $@.new
	@mv $@.new $@
