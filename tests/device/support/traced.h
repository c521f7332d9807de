/* A program with everything that is told to the tracing framework's subscribers, and the subscriber
   that looks at it. Each program binds the framework once. */
#ifndef TESTS_DEVICE_TRACED_H
#define TESTS_DEVICE_TRACED_H

#include "made.h"
#include "tests/trace/subscriber/checker.h"

/* What the checker says. */
struct checker {
  checker_count_function count;
  checker_wrong_function wrong;
  checker_line_function line;
  checker_seen_function seen;
};

/* The path of a library of tests/trace/subscriber. */
const char *traced_library(const char *name);

/* Names a framework to the environment, and the checker. SYCLZE_XPTI_FRAMEWORK names the real one,
   which then takes the place of framework_2025.so. */
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

/* A kernel, then a host task that waits for it, and a copy and a barrier after it; a fill and hints
   to USM; waits, a diagnostic and failures; and an image, where there are images (the answer).
   `line` gets the kernel's. */
bool traced_run(struct traced *t, uint32_t *line);

/* As often as that: a place that launches a kernel, and one that launches it on the same memory, so
   that the second waits for the first. */
void traced_repeat(struct traced *t, uint32_t times);

/* Writes a buffer in another context, and reads it where it was made: memory is taken and given
   back there, and copied twice. */
void traced_across(struct traced *t);

#endif
