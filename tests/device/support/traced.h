/* A program that emits every notification, and access to the subscriber that checks them. Each
   program binds the framework once. */
#ifndef TESTS_DEVICE_TRACED_H
#define TESTS_DEVICE_TRACED_H

#include "made.h"
#include "tests/trace/subscriber/checker.h"

/* Results of the checker. */
struct checker {
  checker_count_function count;
  checker_wrong_function wrong;
  checker_line_function line;
  checker_seen_function seen;
  checker_value_function value;
};

/* The path of a library of tests/trace/subscriber. */
const char *traced_library(const char *name);

/* Names a framework and the checker in the environment. SYCLZE_XPTI_FRAMEWORK names the real
   framework, used in place of framework_2025.so. */
struct checker traced_subscribe(const char *framework);

struct traced {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue; /* out of order */
  syclze_kernel_bundle bundle;
  syclze_kernel mix;
  syclze_buffer a, b;
};

struct traced traced_begin(void);
void traced_end(struct traced *t);

/* A kernel, a dependent host task, a copy and a barrier; a fill and hints to USM; waits, a
   diagnostic and failures; and an image, where the driver has images (returned). `line` receives
   the kernel's line. */
bool traced_run(struct traced *t, uint32_t *line);

/* `times` times: one call site that launches a kernel, and one that launches it on the same memory,
   so that the second waits for the first. */
void traced_repeat(struct traced *t, uint32_t times);

/* Writes a buffer in another context, and reads it in its own: memory is allocated and freed there,
   and copied twice. */
void traced_across(struct traced *t);

#endif
