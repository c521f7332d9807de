/* A context. What is made in it keeps it alive. */
#ifndef ZECL_CORE_CONTEXT_H
#define ZECL_CORE_CONTEXT_H

#include "core/driver.h"

struct zecl_context {
  struct zecl_object object;
  struct zecl_driver *driver;
};

static inline struct zecl_context *zecl_context_of(ze_context_handle_t handle) {
  return (struct zecl_context *)(void *)handle;
}

/* Creates a context with one reference, the caller's. Null without memory. */
struct zecl_context *zecl_context_new(struct zecl_driver *driver);
void zecl_context_release(struct zecl_context *context);

#endif
