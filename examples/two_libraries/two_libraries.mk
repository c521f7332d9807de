# The example of two shared libraries, each with the headers of its own, and a program that loads both.

two_libraries := $(build)/examples/two_libraries
example_programs += $(two_libraries)/main

$(two_libraries)/lib%.so: examples/two_libraries/%.c
	@mkdir -p $(@D)
	$(call show,CC)$(CC) $(CFLAGS_ALL) -fPIC -shared -Wl,-soname,$(@F) $(LDFLAGS_ALL) -o $@ $< -lze_loader -ldl

$(two_libraries)/main: $(two_libraries)/main.o $(two_libraries)/libmaker.so $(two_libraries)/libuser.so
	$(call show,LINK)$(CC) -o $@ $^ -Wl,-rpath,'$$ORIGIN' $(LDFLAGS_ALL) -lze_loader -ldl

examples: $(two_libraries)/main
