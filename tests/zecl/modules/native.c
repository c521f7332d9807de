/* Loading: what a native module leaves undefined and no library of the process defines is an
 * import. Imports are made weak in the loaded copy, so that the host's loader leaves them null, and
 * zecl_native_bind points them to another module's symbols later. Nothing of a module is visible to
 * any other by itself. */
#include "modules/native.h"

#include "engine/engine.h"
#include "modules/elf_file.h"
#include "modules/program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KERNEL_LIMIT = 4096, ARG_LIMIT = 1024, ARG_SIZE_LIMIT = 1 << 16 };

bool zecl_native_is_elf(const void *bytes, size_t size) {
  return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static bool library_defines(const char *library, const char *name) {
  void *handle = *library ? dlopen(library, RTLD_LAZY | RTLD_LOCAL) : NULL;
  bool defines = handle && dlsym(handle, name);
  if (handle) dlclose(handle);
  return defines;
}

static bool is_defined_elsewhere(const struct zecl_elf_file *file, const char *name) {
  for (size_t i = 0; i < file->dynamic_count; i++) {
    const char *library = zecl_elf_file_needed(file, i);
    if (library && library_defines(library, name)) return true;
  }
  return dlsym(RTLD_DEFAULT, name) != NULL;
}

static bool add_import(struct zecl_native *native, const char *name) {
  struct zecl_native_import *imports =
      realloc(native->imports, (native->import_count + 1) * sizeof *imports);
  if (!imports) return false;
  native->imports = imports;
  imports[native->import_count] = (struct zecl_native_import){strdup(name), false};
  return imports[native->import_count++].name != NULL;
}

static bool add_export(struct zecl_native *native, const char *name) {
  char **exports = realloc(native->exports, (native->export_count + 1) * sizeof *exports);
  if (!exports) return false;
  native->exports = exports;
  exports[native->export_count] = strdup(name);
  return exports[native->export_count++] != NULL;
}

/* Notes imports and exports, and makes the imports weak. */
static bool sort_symbols(struct zecl_native *native, struct zecl_elf_file *file) {
  for (size_t i = 0; i < file->symbol_count; i++) {
    ElfW(Sym) *symbol = &file->symbols[i];
    const char *name = zecl_elf_file_name(file, symbol);
    const unsigned binding = ELF64_ST_BIND(symbol->st_info);
    if (!*name || (binding != STB_GLOBAL && binding != STB_WEAK)) continue;
    if (symbol->st_shndx != SHN_UNDEF) {
      if (strcmp(name, "zecl_kernels") != 0 && !add_export(native, name)) return false;
    } else if (binding == STB_GLOBAL && !is_defined_elsewhere(file, name)) {
      symbol->st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol->st_info));
      if (!add_import(native, name)) return false;
    }
  }
  return true;
}

static bool open_library(
    struct zecl_native *native, const unsigned char *bytes, struct zecl_text *log) {
  char path[64];
  native->file = memfd_create("zecl-native", MFD_CLOEXEC);
  for (size_t written = 0; written < native->size;) {
    ssize_t part = write(native->file, bytes + written, native->size - written);
    if (part <= 0) {
      zecl_text_add(log, "a native module cannot be written to memory\n");
      return false;
    }
    written += (size_t)part;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", native->file);
  native->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!native->library) zecl_text_add(log, "%s\n", dlerror());
  return native->library != NULL;
}

static bool take_kernel(
    struct zecl_function *function, const zecl_native_kernel *kernel, struct zecl_text *log) {
  bool good = kernel->function && kernel->flags == 0 && kernel->arg_count <= ARG_LIMIT &&
              (kernel->arg_sizes || kernel->arg_count == 0);
  struct zecl_arg *args = good ? calloc(kernel->arg_count + 1, sizeof *args) : NULL;
  *function = (struct zecl_function){.name = kernel->name,
      .arg_count = kernel->arg_count,
      .args = args,
      .max_group_size = zecl_engine()->properties->max_group_size,
      .preferred_multiple = 1,
      .native = kernel->function};
  for (uint32_t i = 0; args && i < kernel->arg_count; i++) {
    args[i] = (struct zecl_arg){.kind = ZECL_ARG_VALUE, .size = kernel->arg_sizes[i]};
    good = good && args[i].size > 0 && args[i].size <= ARG_SIZE_LIMIT;
  }
  if (!args || !good) {
    if (!args) function->arg_count = 0;
    zecl_text_add(log, "native kernel %s: its entry in zecl_kernels is not valid\n", kernel->name);
    return false;
  }
  memcpy(function->required_group_size, kernel->required_group_size,
      sizeof kernel->required_group_size);
  return zecl_function_init(function);
}

static bool take_kernels(struct zecl_native *native, struct zecl_text *log) {
  size_t size = 0;
  const zecl_native_kernel *table = zecl_native_symbol(native, "zecl_kernels", false, &size);
  uint32_t count = 0;
  while (table && count < KERNEL_LIMIT && count < size / sizeof *table && table[count].name)
    count++;
  native->functions = calloc(count + 1, sizeof *native->functions);
  if (!native->functions) return false;
  while (native->function_count < count) {
    const uint32_t i = native->function_count++;
    if (!take_kernel(&native->functions[i], &table[i], log)) return false;
  }
  return true;
}

static bool load(struct zecl_native *native, unsigned char *copy, struct zecl_text *log) {
  struct zecl_elf_file file;
  return zecl_elf_file_read(&file, copy, native->size, log) && sort_symbols(native, &file) &&
         open_library(native, copy, log) && take_kernels(native, log);
}

ze_result_t zecl_native_load(
    const void *bytes, size_t size, struct zecl_text *log, struct zecl_native **out) {
  *out = NULL;
  struct zecl_native *native = calloc(1, sizeof *native);
  unsigned char *copy = malloc(size);
  if (!native || !copy || !(native->bytes = malloc(size))) {
    free(native);
    free(copy);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  native->file = -1;
  native->size = size;
  memcpy(native->bytes, bytes, size);
  memcpy(copy, bytes, size);
  const bool good = load(native, copy, log);
  free(copy);
  if (good)
    *out = native;
  else
    zecl_native_free(native);
  return good ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}

/* A library that stays although it was closed keeps its name, and so its file. */
static void close_library(struct zecl_native *native) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", native->file);
  if (native->library) dlclose(native->library);
  void *still = native->file >= 0 ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (still)
    dlclose(still);
  else if (native->file >= 0)
    close(native->file);
}

void zecl_native_free(struct zecl_native *native) {
  for (uint32_t i = 0; i < native->function_count; i++) {
    zecl_function_free(&native->functions[i]);
    if (!native->program) free((void *)(uintptr_t)native->functions[i].args);
  }
  if (native->program)
    zecl_engine_program_release(native->program);
  else if (native->file >= 0 || native->library)
    close_library(native);
  for (uint32_t i = 0; i < native->import_count; i++)
    free(native->imports[i].name);
  for (uint32_t i = 0; i < native->export_count; i++)
    free(native->exports[i]);
  free(native->functions);
  free(native->imports);
  free(native->exports);
  free(native->bytes);
  free(native);
}

void *zecl_native_symbol(
    const struct zecl_native *native, const char *name, bool is_function, size_t *size) {
  if (native->program) return NULL;
  Dl_info info;
  struct link_map *own;
  ElfW(Sym) * symbol;
  void *map, *entry, *address = dlsym(native->library, name);
  if (!address || dlinfo(native->library, RTLD_DI_LINKMAP, &own) ||
      !dladdr1(address, &info, &map, RTLD_DL_LINKMAP) || map != own ||
      !dladdr1(address, &info, &entry, RTLD_DL_SYMENT) || !entry)
    return NULL;
  symbol = entry;
  if ((ELF64_ST_TYPE(symbol->st_info) == STT_FUNC) != is_function) return NULL;
  if (size) *size = symbol->st_size;
  return address;
}
