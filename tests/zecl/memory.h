/* What was allocated, found by any address within it. */
#ifndef ZECL_MEMORY_H
#define ZECL_MEMORY_H

#include "context.h"

struct zecl_device;

struct zecl_allocation {
  char *base;
  size_t size;
  ze_memory_type_t type;
  uint64_t id;
  struct zecl_device *device; /* null for host memory, and shared memory of no device */
  struct zecl_context *context;
};

/* Copies the allocation of `context` that holds `address`; false where none does. */
bool zecl_memory_find(
    struct zecl_context *context, const void *address, struct zecl_allocation *found);

#endif
