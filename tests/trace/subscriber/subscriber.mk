# The subscriber that checks every notification, and frameworks of several generations for machines
# that have none.

trace_libraries := $(addprefix $(build)/tests/trace/subscriber/,\
	checker.so framework_2025.so framework_2023.so framework_1.so framework_2.so)
$(trace_libraries): CFLAGS_debug := $(subst -O1,-O0,$(CFLAGS_debug))
trace_sources := $(wildcard tests/trace/subscriber/*.cpp tests/trace/subscriber/*.h)

$(build)/tests/trace/subscriber/checker.so: tests/trace/subscriber/checker.cpp $(trace_sources)
	@mkdir -p $(@D)
	$(call show,CXX)$(CXX) $(CXXFLAGS_ALL) -fPIC -shared -MF $(@:.so=.d) -o $@ $< -ldl

$(build)/tests/trace/subscriber/framework_%.so: tests/trace/subscriber/framework.cpp
	@mkdir -p $(@D)
	$(call show,CXX)$(CXX) $(CXXFLAGS_ALL) -DGENERATION=$* -fPIC -shared -Wl,-z,nodelete -MF $(@:.so=.d) -o $@ $< -ldl

# Programs whose names say that they are about traces of the framework.
trace_programs := $(filter %trace_streams %trace_current %trace_older %trace_none %trace_ends %trace_late %trace_cpp \
	%trace_transfers %trace_host %trace_calls %trace_form \
	%trace_emitters %trace_both,\
	$(programs_device))
trace_programs += $(filter %/sweep_xpti,$(programs_orders))
$(build)/tests/device/support/traced.o $(build)/tests/orders/sweep_xpti.o: override CFLAGS += \
	-DTRACE_LIBRARIES='"$(abspath $(build)/tests/trace/subscriber)"'
$(trace_programs): $(trace_libraries)
