/* Physical memory, mapped wherever virtual memory shows it. */
#ifndef ZECL_MEMORY_PHYSICAL_MEMORY_H
#define ZECL_MEMORY_PHYSICAL_MEMORY_H

#include "core/context.h"

struct zecl_engine_physical;

struct zecl_physical {
  struct zecl_object object;
  struct zecl_context *context;
  struct zecl_engine_physical *engine;
  size_t size;
  uint64_t id;
};

static inline struct zecl_physical *zecl_physical_of(ze_physical_mem_handle_t handle) {
  return (struct zecl_physical *)(void *)handle;
}

#endif
