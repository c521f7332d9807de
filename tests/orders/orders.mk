# The strict device and what runs as its commands are compiled without ThreadSanitizer, which else
# would see their locks as the library's.
$(filter %/strict_core.o %/strict_engine.o %/strict_event.o %/strict_memory.o %/strict_program.o \
	%/strict_driver.o %/strict_list.o %/strict_mutable.o %/plain_node.o,$(support_orders)): CFLAGS_thread := -O1 -g

count ?= 10000000
seed ?= 1

.PHONY: orders
orders: $(build)/tests/orders/thread_random ## random graphs, count=10000000 submissions from seed=1 on
	@COUNT=$(count) SEED=$(seed) $(without_device) $<

# mutate_options: --sample N, --seed N, --files PART,PART, --suites unit,orders
.PHONY: mutate
mutate: $(device_driver) $(zecl_modules) $(trace_libraries) $(build)/tests/offload/libocloc.so ## mutate the library's headers and list what no test catches
	@python3 tests/mutate/mutate.py --driver $(or $(device_driver),none) $(mutate_options)
