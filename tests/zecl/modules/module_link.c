/* Linking modules: each import is resolved by the one module of the set that exports it. Native
 * modules are bound in place; modules of SPIR-V are linked by spirv-link and built anew. */
#include "modules/module.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "modules/build_log.h"
#include "spirv/link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t link_lock = PTHREAD_MUTEX_INITIALIZER;

struct set {
  struct zecl_module **modules;
  uint32_t count;
};

static bool exports(const struct zecl_module *module, const char *name) {
  const char *candidate;
  for (uint32_t i = 0; (candidate = zecl_module_export(module, i)); i++)
    if (strcmp(candidate, name) == 0) return true;
  return false;
}

/* The index of the one module that exports `name` to `importer`; `count` without one, or with two.
 */
static uint32_t exporter_of(const struct set *set, const struct zecl_module *importer,
    const char *name, struct zecl_text *log) {
  uint32_t found = set->count;
  for (uint32_t i = 0; i < set->count; i++) {
    const struct zecl_module *module = set->modules[i];
    if (module == importer || !module->native != !importer->native || !exports(module, name))
      continue;
    if (found != set->count && set->modules[found] != module) {
      zecl_text_add(log, "ambiguous import, two modules export it: %s\n", name);
      return set->count;
    }
    found = i;
  }
  if (found == set->count) zecl_text_add(log, "unresolved import: %s\n", name);
  return found;
}

static bool bind_native(const struct set *set, struct zecl_module *module, struct zecl_text *log) {
  bool good = true;
  for (uint32_t i = 0; i < module->native->import_count; i++) {
    struct zecl_native_import *import = &module->native->imports[i];
    uint32_t from = import->is_bound ? set->count : exporter_of(set, module, import->name, log);
    if (from == set->count) {
      good = good && import->is_bound;
      continue;
    }
    const struct zecl_native *exporter = set->modules[from]->native;
    void *address = zecl_native_symbol(exporter, import->name, true, NULL);
    if (!address) address = zecl_native_symbol(exporter, import->name, false, NULL);
    if (!address || !zecl_native_bind(module->native, import, address)) {
      zecl_text_add(log, "import cannot be bound: %s\n", import->name);
      good = false;
    }
  }
  return good;
}

/* The module and all that it imports from, directly or not. False: an import has no exporter. */
static bool closure_of(const struct set *set, struct zecl_module *module,
    struct zecl_program_parts *parts, struct zecl_text *log) {
  struct zecl_module **members = calloc(set->count + 1, sizeof(struct zecl_module *));
  if (!members) return false;
  uint32_t count = 0;
  bool good = true;
  members[count++] = module;
  for (uint32_t at = 0; at < count; at++) {
    const char *name;
    for (uint32_t i = 0; (name = zecl_module_import(members[at], i)); i++) {
      const uint32_t from = exporter_of(set, members[at], name, log);
      uint32_t known = 0;
      while (from < set->count && known < count && members[known] != set->modules[from])
        known++;
      if (from == set->count)
        good = false;
      else if (known == count)
        members[count++] = set->modules[from];
    }
  }
  for (uint32_t i = 0; i < count; i++)
    parts->programs[i] = members[i]->program;
  parts->count = count;
  free(members);
  return good;
}

static bool link_parts(
    const struct zecl_program_parts *parts, struct zecl_text *words, struct zecl_text *log) {
  const struct zecl_spirv **modules = calloc(parts->count + 1, sizeof(const struct zecl_spirv *));
  for (uint32_t i = 0; modules && i < parts->count; i++)
    modules[i] = &parts->programs[i]->spirv;
  const bool good = modules && zecl_spirv_link(modules, parts->count, words, log);
  free(modules);
  return good;
}

static bool link_spirv(const struct set *set, struct zecl_module *module, struct zecl_text *log) {
  struct zecl_text words = {0};
  struct zecl_program *linked = NULL;
  struct zecl_program_parts parts = {
      .programs = calloc(set->count + 1, sizeof(const struct zecl_program *))};
  bool good = parts.programs && closure_of(set, module, &parts, log) &&
              link_parts(&parts, &words, log) &&
              zecl_program_get(words.data, words.length, NULL, module->program->flags, &parts, log,
                  &linked) == ZE_RESULT_SUCCESS;
  if (good && linked->spirv.import_count) {
    zecl_text_add(log, "unresolved import: %s\n", linked->spirv.imports[0].name);
    zecl_program_release(linked);
    good = false;
  }
  if (good) atomic_store(&module->linked, linked);
  zecl_text_free(&words);
  free(parts.programs);
  return good;
}

static bool link_all(const struct set *set, struct zecl_text *log) {
  bool good = true;
  for (uint32_t i = 0; i < set->count; i++) {
    struct zecl_module *module = set->modules[i];
    if (zecl_module_is_linked(module)) continue;
    good = (module->native ? bind_native : link_spirv)(set, module, log) && good;
  }
  return good;
}

static ze_result_t check_modules(uint32_t count, ze_module_handle_t *handles) {
  ZECL_CHECK_POINTER(handles);
  for (uint32_t i = 0; i < count; i++)
    ZECL_CHECK_HANDLE(handles[i], ZECL_MODULE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *handles, ze_module_build_log_handle_t *log_handle) {
  ZECL_ENTER(zeModuleDynamicLink);
  if (log_handle) *log_handle = NULL;
  ZECL_TRY(check_modules(count, handles));
  const struct set set = {(struct zecl_module **)(void *)handles, count};
  struct zecl_text log = {0};
  pthread_mutex_lock(&link_lock);
  const bool good = link_all(&set, &log);
  pthread_mutex_unlock(&link_lock);
  if (!zecl_build_log_create(&log, log_handle) && good) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return good ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
}

static void list_imports(
    const struct set *set, const char *title, bool only_unresolved, struct zecl_text *log) {
  struct zecl_text unused = {0};
  const char *name;
  zecl_text_add(log, "%s:\n", title);
  for (uint32_t i = 0; i < set->count; i++)
    for (uint32_t k = 0; (name = zecl_module_import(set->modules[i], k)); k++)
      if (!only_unresolved || exporter_of(set, set->modules[i], name, &unused) == set->count)
        zecl_text_add(log, "  %s\n", name);
  zecl_text_free(&unused);
}

static void list_exports(const struct set *set, struct zecl_text *log) {
  const char *name;
  zecl_text_add(log, "exports:\n");
  for (uint32_t i = 0; i < set->count; i++)
    for (uint32_t k = 0; (name = zecl_module_export(set->modules[i], k)); k++)
      zecl_text_add(log, "  %s\n", name);
}

ze_result_t zecl_zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t *desc, uint32_t count,
    ze_module_handle_t *handles, ze_module_build_log_handle_t *log_handle) {
  ZECL_ENTER(zeModuleInspectLinkageExt);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(log_handle);
  *log_handle = NULL;
  ZECL_TRY(check_modules(count, handles));
  const ze_linkage_inspection_ext_flags_t all =
      ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS | ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS |
      ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS;
  ZECL_REQUIRE(!(desc->flags & ~all), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  const ze_linkage_inspection_ext_flags_t flags = desc->flags ? desc->flags : all;
  const struct set set = {(struct zecl_module **)(void *)handles, count};
  struct zecl_text log = {0};
  if (flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS) list_imports(&set, "imports", false, &log);
  if (flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS)
    list_imports(&set, "unresolvable imports", true, &log);
  if (flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS) list_exports(&set, &log);
  return zecl_build_log_create(&log, log_handle) ? ZE_RESULT_SUCCESS
                                                 : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}
