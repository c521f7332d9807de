# The tracing framework of SYCL itself, and Intel's PTI, which subscribes to it. Everything else in
# tests/ does without them.

xpti := build/xpti
xpti_lib := $(abspath $(xpti))/lib
xpti_patience := $(if $(filter true,$(CI)),120,900)
xpti_told := SYCLZE_XPTI_FRAMEWORK=$(xpti_lib)/libxptifw.so
xpti_dir := $(build)/tests/xpti

xpti_program := $(xpti_dir)/pti
$(xpti_program): $(xpti_dir)/pti.o $(device_parts)
	$(call show,LINK)$(CC) -rdynamic -o $@ $(filter %.o,$^) $(addprefix @,$(filter %.txt,$^)) $(LDFLAGS_ALL) \
		-lze_loader -ldl -lm

# The interface's own printer, and sycl-trace's collector of calls.
xpti_printed := $(xpti_dir)/printed
$(xpti_printed): $(xpti_dir)/printed.o $(device_parts)
	$(CC) -rdynamic -o $@ $(filter %.o,$^) $(addprefix @,$(filter %.txt,$^)) $(LDFLAGS_ALL) \
		-lze_loader -ldl -lm
$(xpti_dir)/printer.so: tests/xpti/printer.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O1 -fPIC -shared -isystem $(xpti)/include \
		-isystem $(xpti)/include/unified-runtime -MMD -MP -MF $(@:.so=.d) -o $@ $< \
		-L$(xpti_lib) -lxptifw
# Subscribers that are linked with the framework share it by its soname.
xpti_subscribed = LD_LIBRARY_PATH=$(xpti_lib) \
	XPTI_FRAMEWORK_DISPATCHER=$(xpti_lib)/libxptifw.so.1 XPTI_SUBSCRIBERS=$(1)
xpti_printer := $(abspath $(xpti_dir))/printer.so
xpti_collector := $(xpti_lib)/libsycl_ur_trace_collector.so

# Under callgrind, which reads no newer debugging information.
xpti_cost := $(xpti_dir)/cost $(xpti_dir)/listens.so
$(xpti_dir)/cost.o: CFLAGS_release += -gdwarf-4
$(xpti_dir)/cost: $(xpti_dir)/cost.o $(build)/bench/world.o
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) -Wl,-z,now -lze_loader -ldl
$(xpti_dir)/listens.so: tests/xpti/listens.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) $(CFLAGS_ALL) -fPIC -shared -MF $(@:.so=.d) -o $@ $< -L$(xpti_lib) -lxptifw

.PHONY: test-xpti test-xpti-ready test-xpti-notified test-xpti-pti test-xpti-printed test-xpti-cost
test-xpti: deps ## run the tests of tracing on SYCL's framework and on PTI, fetched by pip
	@timeout $(xpti_patience) tests/xpti/get.sh $(xpti); case $$? in \
		0) $(MAKE) --no-print-directory test-xpti-ready ;; \
		3) echo "0 passed, 0 failed, 1 skipped" ;; \
		124) echo "skip xpti: the wheels did not come within $(xpti_patience) s"; \
			echo "0 passed, 0 failed, 1 skipped" ;; \
		*) exit 1 ;; esac

xpti_make := $(MAKE) -s --no-print-directory
test-xpti-ready:
	@TEST_TIMEOUT=900 MAKEFLAGS= tests/run.sh '$(xpti_make) test-xpti-notified' \
		'$(xpti_make) config=sanitize build=build/sanitize test-xpti-notified' \
		'$(xpti_make) config=thread build=build/thread test-xpti-notified' \
		'$(xpti_make) test-xpti-pti' '$(xpti_make) test-xpti-printed' \
		'$(xpti_make) config=release build=build/release test-xpti-cost'

xpti_programs := $(if $(filter thread,$(config)),$(call starting_with_thread,$(trace_programs)),\
	$(trace_programs))
test-xpti-notified: $(xpti_programs) $(device_driver)
	@MAKEFLAGS= tests/run.sh $(call commands,$(xpti_programs),$(xpti_told) $(on_device))

test-xpti-pti: $(xpti_program) $(device_driver)
	@MAKEFLAGS= tests/run.sh '$(strip LD_LIBRARY_PATH=$(xpti_lib) $(on_device) $(xpti_program))'

test-xpti-printed: $(xpti_printed) $(xpti_dir)/printer.so $(device_driver)
	@MAKEFLAGS= tests/run.sh $(foreach form,specified current,\
		'$(strip SYCLZE_TRACE_FORM=$(form) SYCLZE_XPTI_PRINTER=$(xpti_printer) \
		$(call xpti_subscribed,$(xpti_printer)) $(on_device) $(xpti_printed))') \
		'$(strip $(call xpti_subscribed,$(xpti_collector)) $(on_device) \
		tests/xpti/collected.sh $(xpti_printed))'

test-xpti-cost: $(xpti_cost) $(bench_stubs)
	@tests/xpti/cost.sh $(xpti_dir) $(bench_dir)/newer $(xpti_lib)
