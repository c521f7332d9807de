/* The strict device: a Level Zero of the program's own, which takes the loader's place.
 *
 * It runs commands in the worst order that the standard allows: an immediate list runs out of order
 * unless it was created in-order, commands of several lists overtake one another, and nothing runs
 * before it must. Kernels are C functions, so that a program needs no compiler and a submission
 * takes less than a microsecond. What the standard forbids is reported and fails the running case:
 * handles that are used after their end or by two threads at once, objects destroyed or memory
 * freed while a command refers to them, events reset while something waits, memory of another
 * context.
 *
 *     strict_begin(seed, STRICT_RANDOM);
 *     ...
 *     strict_end();
 *
 * Its own locks are not visible to ThreadSanitizer; what the standard orders (a command behind its
 * submission, a wait behind the command) is. */
#ifndef TESTS_ORDERS_STRICT_H
#define TESTS_ORDERS_STRICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

enum strict_policy {
  STRICT_RANDOM, /* a random one of the commands that may run */
  STRICT_NEWEST, /* the one that was appended last */
  STRICT_OLDEST
};

enum strict_kind {
  STRICT_NONE, /* of a handle that is over */
  STRICT_DRIVER,
  STRICT_DEVICE,
  STRICT_CONTEXT,
  STRICT_QUEUE,
  STRICT_LIST,
  STRICT_POOL,
  STRICT_EVENT,
  STRICT_MODULE,
  STRICT_KERNEL,
  STRICT_MEMORY,
  STRICT_IMAGE,
  STRICT_BUILD_LOG,
  STRICT_GRAPH, /* of the driver's own, and what it makes executable */
  STRICT_EXECUTABLE,
  STRICT_KINDS
};

/* One driver with two devices. What was alive before is forgotten. */
void strict_begin(uint64_t seed, enum strict_policy policy);

/* Runs what is left and checks that nothing is alive. */
void strict_end(void);

/* While held nothing runs but by strict_step, and host waits wait. */
void strict_hold(bool held);

/* Runs so many commands, or as many as may run; returns how many. */
unsigned strict_step(unsigned most);

/* Commands that were submitted and did not run. */
unsigned strict_pending(void);

/* The device's clock, which counts what it does: kernel timestamps have its lower 32 bits. */
uint64_t strict_clock(void);
void strict_set_clock(uint64_t ticks);

/* Living handles of a kind; of STRICT_NONE: of all but drivers and devices. */
unsigned strict_alive(enum strict_kind kind);

/* Handles destroyed so far, and whether one is alive. */
unsigned strict_destroys(enum strict_kind kind);
bool strict_is_alive(const void *handle);

/* Reports misuse. */
void strict_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Misuse that was reported since strict_begin. */
unsigned strict_reports(void);

/* Calls, failed ones included. */
unsigned strict_calls(void);

/* The n-th call from now, counted from 1, returns `code` without effect; 0 for none. With `stays`
 * so do all that follow. */
void strict_fail(unsigned n, ze_result_t code, bool stays);

/* No further call fails so; the last one is still known. */
void strict_fail_stop(void);

/* Every call of that name fails so; null for none. Lives on. */
void strict_fail_named(const char *name, ze_result_t code);

/* The name of the first call that failed so; null where there were fewer calls. */
const char *strict_failed(void);

/* Functions that only newer loaders have: those of the bits are missing, until strict_begin, after
 * which those from STRICT_APPENDS_LISTS on are. */
enum strict_optional {
  STRICT_LIST_CONTEXT,
  STRICT_LIST_DEVICE,
  STRICT_LIST_IS_IMMEDIATE,
  STRICT_LIST_FLAGS,
  STRICT_LIST_MODE,
  STRICT_LIST_SYNCHRONIZE,
  STRICT_POOL_CONTEXT,
  STRICT_EVENT_POOL,
  STRICT_APPENDS_LISTS,
  STRICT_QUEUE_ORDINAL,
  STRICT_NEXT_COMMAND, /* of mutable lists */
  STRICT_UPDATES_COMMANDS,
  STRICT_UPDATES_KERNELS,
  STRICT_CAPTURES, /* lists into graphs of the driver's own */
  STRICT_OPTIONALS
};
void strict_set_missing(uint32_t functions);

/* The number of calls of the function of that name since strict_begin. */
unsigned strict_calls_of(const char *name);

/* The kernels that a module has, by name; ended by a null name. `arguments` points to the values.
 */
typedef void strict_function(void *const *arguments);
struct strict_kernel {
  const char *name;
  strict_function *function;
};
extern const struct strict_kernel *strict_kernels;

/* The device's vendor. */
extern uint32_t strict_vendor;

/* Called with what a module is made of; null for none. */
extern void (*strict_on_build)(const ze_module_desc_t *desc);

/* The variables of every module, by name; ended by a null name. Null for none. */
struct strict_variable {
  const char *name;
  size_t size;
};
extern const struct strict_variable *strict_variables;

/* The group size and the offset of the kernel at the last appended launch. */
struct strict_shape {
  uint32_t local[3], groups[3], offset[3];
};
struct strict_shape strict_launched(void);

/* The pixels of an image, row by row. */
void *strict_pixels(ze_image_handle_t image);

/* Called before memory is freed; null for none. */
extern void (*strict_on_free)(void *memory, size_t size);

#endif
