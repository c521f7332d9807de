/* A program of device images from files, and memory for its kernels.

     struct offload o;
     offload_begin(&o, NULL);
     offload_add(&o, "tests/offload/samples/two.clang22.spv");
     syclze_kernel kernel = offload_kernel(&o, "iota", NULL, 0);
     ... set arguments ...
     offload_run(&o, kernel, 4, 64);
     offload_end(&o); */
#ifndef TESTS_DEVICE_OFFLOAD_H
#define TESTS_DEVICE_OFFLOAD_H

#include "made.h"

#include "syclze/offload/program.h"

enum { OFFLOAD_FILES = 8, OFFLOAD_ITEMS = 256 };

/* Checks a computed result where commands are executed. */
#define OFFLOAD_CHECK(condition) CHECK((condition) || !given_executes())

struct offload {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_offload_set set;
  syclze_program program;
  struct given_file files[OFFLOAD_FILES];
  int file_count;
  float *in, *out; /* of OFFLOAD_ITEMS numbers; shared */
  int *ints;       /* the same */
};

/* `cache_folder` is null for none. */
void offload_begin(struct offload *o, const char *cache_folder);
void offload_add(struct offload *o, const char *path);

/* Releases everything and checks for leaks. */
void offload_end(struct offload *o);

/* A queue on the given list, which stays the test's. */
syclze_queue offload_queue(const struct offload *o);

/* The native binary of the bundle that holds a kernel, to be freed, and its size. */
uint8_t *offload_native_binary(struct offload *o, const char *kernel, size_t *size);

/* Gets a kernel that must exist; offload_run releases it. */
syclze_kernel offload_kernel(
    struct offload *o, const char *name, const syclze_spec_value *values, uint32_t count);
void offload_argument(syclze_kernel kernel, uint32_t index, const void *value, size_t size);

/* Runs a kernel on `groups` groups of `size` work-items, waits, and releases it. */
void offload_run(struct offload *o, syclze_kernel kernel, uint32_t groups, uint32_t size);

/* Runs the kernel `axpy(out, in, a, n)` on all numbers but the last, and checks the results. */
void offload_run_axpy(struct offload *o, float a);

#endif
