# Installing the headers, and making one file of them.

version := $(shell sed -n 's/^.define SYCLZE_VERSION_[A-Z]* \([0-9]*\)$$/\1/p' \
	syclze/version.h | paste -s -d.)
installed := $(shell cd syclze && find . -name '*.h' -o -name '*.mk' -o -name '*.c')
include_dir = $(DESTDIR)$(prefix)/include/syclze
pc_dir = $(DESTDIR)$(prefix)/share/pkgconfig

.PHONY: install amalgamate
install: ## copy the headers and syclze.pc to prefix=/usr/local
	@for f in $(installed); do install -D -m 644 syclze/$$f $(include_dir)/$$f || exit 1; done
	@mkdir -p $(pc_dir)
	@sed 's|@prefix@|$(prefix)|; s|@version@|$(version)|' tests/build/syclze.pc.in > $(pc_dir)/syclze.pc
	@echo "installed syclze $(version) in $(include_dir) and $(pc_dir)"

amalgamate: build/syclze.h ## make build/syclze.h, the library as one file

build/syclze.h: tests/build/amalgamate.awk LICENSE $(addprefix syclze/,$(installed))
	@mkdir -p $(@D)
	awk -f $< LICENSE syclze/syclze.h > $@.new
	@mv $@.new $@
