/* Physical memory: an anonymous file, mapped wherever virtual memory shows it. */
#ifndef ZECL_MEMORY_PHYSICAL_MEMORY_H
#define ZECL_MEMORY_PHYSICAL_MEMORY_H

#include "core/context.h"

enum { ZECL_PAGE = 4096 };

struct zecl_physical {
  struct zecl_object object;
  struct zecl_context *context;
  int file;
  size_t size;
};

static inline struct zecl_physical *zecl_physical_of(ze_physical_mem_handle_t handle) {
  return (struct zecl_physical *)(void *)handle;
}

#endif
