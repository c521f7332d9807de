/* A module: a program made of SPIR-V, or a native object. What is made of it keeps it alive. */
#ifndef ZECL_MODULES_MODULE_H
#define ZECL_MODULES_MODULE_H

#include "core/context.h"
#include "core/device.h"
#include "modules/function.h"
#include "modules/native.h"
#include "modules/program.h"

struct zecl_module {
  struct zecl_object object;
  struct zecl_context *context;
  struct zecl_device *device;
  struct zecl_program *program; /* null for a native module */
  struct zecl_native *native;   /* null for one of SPIR-V */
  /* The program that runs a module of SPIR-V with imports, once it is linked: its own words and
   * those that it imports from. */
  _Atomic(struct zecl_program *) linked;
  _Atomic(uint64_t) hashes[2]; /* of its bytes, for its kernels' UUIDs; 0 until computed */
};

static inline struct zecl_module *zecl_module_of(ze_module_handle_t handle) {
  return (struct zecl_module *)(void *)handle;
}

void zecl_module_release(struct zecl_module *module);

/* True if kernels can be made of the module: it has no imports, or was linked. */
bool zecl_module_is_linked(struct zecl_module *module);

/* Its own kernels. The module owns the names. */
uint32_t zecl_module_kernel_count(const struct zecl_module *module);
const char *zecl_module_kernel_name(const struct zecl_module *module, uint32_t index);

/* The function that runs kernel `name` of a linked module; null without one. */
struct zecl_function *zecl_module_function(struct zecl_module *module, const char *name);

/* Imports and exports by name: null past the last. */
const char *zecl_module_import(const struct zecl_module *module, uint32_t index);
const char *zecl_module_export(const struct zecl_module *module, uint32_t index);

#endif
