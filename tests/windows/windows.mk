# Programs of the unit tests and examples for Windows: built by MinGW, and the former run under wine.
# Left out is what has fork, POSIX's files or ELF's sections.

windows := build/windows
windows_cc = $(shell command -v x86_64-w64-mingw32-gcc-posix || command -v x86_64-w64-mingw32-gcc)
windows_cxx = $(shell command -v x86_64-w64-mingw32-g++-posix || command -v x86_64-w64-mingw32-g++)
windows_flags = $(WARN) -Wno-shadow -Wno-format -O1 -g0 -I. -isystem $(windows)/include -include tests/windows/posix.h \
	-D_GNU_SOURCE -D__USE_MINGW_ANSI_STDIO=1 -DZE_APIEXPORT=
windows_unix := sys/wait|sys/resource|sys/eventfd|/proc/|poll\.h|tests/soon|syclze_embed
windows_sources := $(shell grep -LE '$(windows_unix)' tests/unit/*.c tests/unit/*.cpp) $(addprefix tests/windows/,handles.c disk_cache.c)
windows_support := $(wildcard tests/unit/support/*.c)
windows_examples := $(shell grep -LE '$(windows_unix)' examples/*.c)
windows_object = $(addprefix $(windows)/,$(addsuffix .o,$(1)))
windows_programs := $(addprefix $(windows)/,$(addsuffix .exe,$(basename $(windows_sources))))
windows_example_programs := $(addprefix $(windows)/,$(windows_examples:.c=.exe))

# Headers of Level Zero, and none of this system's.
$(windows)/include/level_zero:
	@mkdir -p $(@D)
	@ln -sfn $$(dirname $$(echo '#include <level_zero/ze_api.h>' | $(CC) -M -E - | grep -o '/[^ ]*/ze_api.h')) $@

$(windows)/%.c.o: %.c $(library_bodies) tests/windows/posix.h | $(windows)/include/level_zero
	@mkdir -p $(@D)
	$(call show,CC)$(windows_cc) -std=c11 $(windows_flags) -c -o $@ $<
$(windows)/%.cpp.o: %.cpp $(library_bodies) tests/windows/posix.h | $(windows)/include/level_zero
	@mkdir -p $(@D)
	$(call show,CXX)$(windows_cxx) -std=c++17 $(windows_flags) -c -o $@ $<

# The bench's loader, and what else the programs call.
$(windows)/uncalled.c: $(call windows_object,$(windows_sources) $(windows_support) $(windows_examples)) bench/stub.c
	@nm -u $(filter %.o,$^) | sed -n 's/^ *U \(ze[A-Z][A-Za-z]*\)$$/\1/p' | sort -u | while read -r name; do \
		grep -q "\<$$name[(,]" bench/stub.c || \
		echo "unsigned $$name(void); unsigned $$name(void) { return 0x78000003u; }"; done >$@
$(windows)/ze_loader.dll: bench/stub.c $(windows)/uncalled.c
	$(call show,LINK)$(windows_cc) -std=c11 -O1 -isystem $(windows)/include -DZE_APIEXPORT= -DSTUB_NEWER=1 -shared \
		-Wl,--export-all-symbols -Wl,--out-implib,$@.a -o $@ $^

# Each program exports the fake's functions, which the library looks up, and has its own check.h.
windows_wrap := -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free \
	-Wl,--wrap=pthread_create -Wl,--wrap=GetModuleHandleA -Wl,--wrap=GetProcAddress
$(windows_programs): $(windows)/%.exe: $(windows)/ze_loader.dll $(call windows_object,$(windows_support))
	$(call show,LINK)$(windows_cxx) -o $@ $(wildcard $(windows)/$*.c.o $(windows)/$*.cpp.o) $(filter %.o,$^) \
		$(windows_wrap) -Wl,--allow-multiple-definition -Wl,--export-all-symbols $<.a -lpthread
$(windows_example_programs): $(windows)/%.exe: $(windows)/%.c.o $(windows)/ze_loader.dll
	$(call show,LINK)$(windows_cc) -o $@ $< $(windows)/ze_loader.dll.a -lpthread

# Built in the way of clang-cl, with its own options but for the headers.
windows_msvc := $(if $(shell command -v clang),$(addprefix $(windows)/tests/windows/msvc,_c.exe _cpp.exe))
$(windows_msvc): $(windows)/tests/windows/msvc%.exe: tests/windows/msvc.c tests/windows/msvc.sh $(library_bodies) \
		$(windows)/ze_loader.dll
	@mkdir -p $(@D)
	$(call show,CC)clang --driver-mode=cl -c /O1 /GS- /W4 /WX /DZE_APIEXPORT= /I. $(if $(filter _c,$*),/std:c11 /TC,/std:c++14 /TP /DSYCLZE_CHECK) \
		$$(tests/windows/msvc.sh $(@D)/headers$* | sed 's/-include /\/FI/; s/-isystem/\/imsvc/') -o $@.obj $< && \
		$(windows_cc) -o $@ $@.obj $(windows)/ze_loader.dll.a \
		-Wl,--defsym=__chkstk=___chkstk_ms 2>$@.log || { cat $@.log; exit 1; }

.PHONY: test-windows test-windows-ready
test-windows: ## build unit programs and examples by MinGW, and run the former under wine
	@tests/deps.sh windows
	@if { command -v x86_64-w64-mingw32-g++-posix || command -v x86_64-w64-mingw32-g++; } >/dev/null && \
		tests/windows/run.sh --there; then \
		$(MAKE) --no-print-directory $(side_by_side) test-windows-ready; \
	else echo "skip windows: no MinGW or no wine"; echo "0 passed, 0 failed, 1 skipped"; fi

windows_run = WINEPREFIX=$(abspath $(windows)/wine) tests/windows/run.sh $(windows)
test-windows-ready: $(windows_programs) $(windows_example_programs) $(windows_msvc)
	@WINEPREFIX=$(abspath $(windows)/wine) tests/windows/run.sh --begin
	@MAKEFLAGS= tests/run.sh $(foreach p,$(windows_programs) $(windows_msvc),'$(windows_run) $(p)')
