/* ZECL_CHECK=1: reports what was not destroyed or freed on stderr when the process ends. */
#include "core/driver.h"
#include "core/strict.h"
#include "memory/memory.h"
#include "memory/virtual_memory.h"

#include <stdio.h>
#include <unistd.h>

static pid_t owner; /* a forked child owns nothing */
static size_t count;

static const char *name_of(enum zecl_kind kind) {
  switch (kind) {
  case ZECL_CONTEXT:
    return "context";
  case ZECL_EVENT_POOL:
    return "event pool";
  case ZECL_EVENT:
    return "event";
  case ZECL_FENCE:
    return "fence";
  case ZECL_QUEUE:
    return "command queue";
  case ZECL_LIST:
    return "command list";
  case ZECL_MODULE:
    return "module";
  case ZECL_BUILD_LOG:
    return "build log";
  case ZECL_KERNEL:
    return "kernel";
  case ZECL_IMAGE:
    return "image";
  case ZECL_SAMPLER:
    return "sampler";
  case ZECL_PHYSICAL:
    return "physical memory";
  case ZECL_SEMAPHORE:
    return "external semaphore";
  case ZECL_GRAPH:
    return "graph";
  case ZECL_EXECUTABLE_GRAPH:
    return "executable graph";
  default:
    return "object";
  }
}

static bool is_permanent(const void *object, enum zecl_kind kind) {
  if (kind == ZECL_DRIVER || kind == ZECL_DEVICE) return true;
  const struct zecl_context *context = object;
  return kind == ZECL_CONTEXT && context->driver->default_context == context;
}

static void report_object(const void *object, enum zecl_kind kind) {
  if (is_permanent(object, kind)) return;
  count++;
  fprintf(stderr, "zecl: not destroyed: %s %p\n", name_of(kind), object);
}

static void report_allocation(const struct zecl_allocation *allocation) {
  static const char *const types[] = {[ZE_MEMORY_TYPE_HOST] = "host",
      [ZE_MEMORY_TYPE_DEVICE] = "device",
      [ZE_MEMORY_TYPE_SHARED] = "shared"};
  count++;
  fprintf(stderr, "zecl: not %s: %zu bytes of %s memory at %p\n",
      allocation->is_opened ? "closed" : "freed", allocation->size, types[allocation->type],
      (void *)allocation->base);
}

static void report_reservation(const void *base, size_t size) {
  count++;
  fprintf(stderr, "zecl: not freed: %zu bytes of virtual memory at %p\n", size, base);
}

__attribute__((constructor)) static void begin(void) {
  owner = getpid();
}

__attribute__((destructor)) static void report(void) {
  if (!zecl_is_strict() || getpid() != owner) return;
  zecl_object_each(report_object);
  zecl_memory_each(report_allocation);
  zecl_virtual_each(report_reservation);
  fprintf(stderr, "zecl: %zu left behind\n", count);
}
