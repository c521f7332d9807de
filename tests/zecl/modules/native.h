/* A native module: a shared object of the host, loaded from memory (zecl_native.h defines what it
 * must hold), or a binary of the device, which the engine loads. */
#ifndef ZECL_MODULES_NATIVE_H
#define ZECL_MODULES_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <level_zero/ze_api.h>
#include "core/text.h"
#include "modules/function.h"

struct zecl_native_import {
  char *name;
  bool is_bound;
};

struct zecl_native {
  struct zecl_engine_program *program; /* of a binary of the device; null for a shared object */
  void *library;
  int file; /* of the loaded bytes; stays open, since its number is the library's name */
  unsigned char *bytes; /* as they were given */
  size_t size;
  struct zecl_function *functions;
  uint32_t function_count;
  struct zecl_native_import *imports;
  uint32_t import_count;
  char **exports;
  uint32_t export_count;
};

/* True if the bytes begin like an object file. */
bool zecl_native_is_elf(const void *bytes, size_t size);

/* SUCCESS, MODULE_BUILD_FAILURE with the reason in the log, or OUT_OF_HOST_MEMORY. */
ze_result_t zecl_native_load(
    const void *bytes, size_t size, struct zecl_text *log, struct zecl_native **native);
/* Loads a binary of the device, on an engine that supports it. Errors as above. */
ze_result_t zecl_native_load_binary(
    const void *bytes, size_t size, struct zecl_text *log, struct zecl_native **native);

void zecl_native_free(struct zecl_native *native);

/* The address of what the object itself exports, and its size where `size` is not null; null
 * without one. */
void *zecl_native_symbol(
    const struct zecl_native *native, const char *name, bool is_function, size_t *size);

/* Points every use of an import to `address`. False: the host's kind of relocation is unknown. */
bool zecl_native_bind(struct zecl_native *native, struct zecl_native_import *import, void *address);

#endif
