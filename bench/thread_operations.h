/* Operations that bench/threads.c measures, on objects of each thread's own. */
#ifndef BENCH_THREAD_OPERATIONS_H
#define BENCH_THREAD_OPERATIONS_H

#include "syclze/command.h"
#include "syclze/syclze.h"

#include <stdio.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ze_result_t result_ = (call);                                                            \
    if (result_ != ZE_RESULT_SUCCESS) {                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, syclze_result_string(result_));           \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct worker {
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel, empty_kernel;
  syclze_buffer in, out;
  syclze_event event;
  ze_event_handle_t native_event;
  ze_kernel_handle_t native_kernel;
  void *memory[2];
} __attribute__((aligned(128)));

/* Runs an operation so many times. */
typedef void repeat(struct worker *worker, long count);

struct operation {
  const char *name; /* null ends the table */
  repeat *run;
  bool by_hand; /* of the operation before */
};

extern const struct operation operations[]; /* the first is malloc + free */

void malloc_and_free(struct worker *worker, long count);

/* Creates the thread's objects, in a context of all threads or in its own. `spirv` is a path. */
void worker_prepare(struct worker *worker, const char *spirv, bool shares);

#endif
