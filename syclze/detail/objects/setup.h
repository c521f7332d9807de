/* Bodies of setup.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_SETUP_H
#define SYCLZE_DETAIL_OBJECTS_SETUP_H

#include "../../setup.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze__setup_scope_end(syclze_setup *setup) {
  syclze_setup_release(setup);
}

SYCLZE_INLINE void syclze__scope_scope_end(syclze_scope *scope) {
  syclze_scope_end(scope);
}

/* Adds an object of each kind, tagged. */
#define SYCLZE__SCOPE_ADD(name, added, KIND, ...)                                                  \
  SYCLZE_INLINE ze_result_t name(syclze_scope *scope, syclze_##added object) {                     \
    syclze_object tagged;                                                                          \
    if (object.rep == NULL) return ZE_RESULT_SUCCESS;                                              \
    tagged.kind = SYCLZE_OBJECT_##KIND;                                                            \
    tagged.added = object;                                                                         \
    return syclze_scope_add_object(scope, tagged);                                                 \
  }
#ifndef __cplusplus
#define SYCLZE__SCOPE_ADD_KIND(kind, KIND, ...)                                                    \
  SYCLZE__SCOPE_ADD(syclze__scope_add_##kind, kind, KIND, 0)
SYCLZE__COUNTED_KINDS(SYCLZE__SCOPE_ADD_KIND, 0)
#else
extern "C++" {
#define SYCLZE__SCOPE_ADD_KIND(kind, KIND, ...) SYCLZE__SCOPE_ADD(syclze_scope_add, kind, KIND, 0)
SYCLZE__COUNTED_KINDS(SYCLZE__SCOPE_ADD_KIND, 0)
}
#endif
#undef SYCLZE__SCOPE_ADD_KIND
#undef SYCLZE__SCOPE_ADD

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_setup_release(syclze_setup *setup) {
  if (setup == NULL) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze_queue_release(setup->queue);
  const ze_result_t released = syclze_context_release(setup->context);
  memset(setup, 0, sizeof *setup);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD ze_result_t syclze_setup_create(
    syclze_device device, const syclze_property_list *properties, syclze_setup *setup) {
  const char *const function = "syclze_setup_create";
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (setup == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  memset(setup, 0, sizeof *setup);
  setup->device = device;
  if (device.rep == NULL) {
    uint32_t one = 1;
    result = syclze_device_get_selected(&one, &setup->device);
    if (result == ZE_RESULT_SUCCESS && one == 0)
      result = syclze__fail(SYCLZE_RESULT_ERROR_RUNTIME, function, "there is no device", NULL);
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_context_create(&setup->device, 1, &setup->context);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_queue_create(setup->context, setup->device, properties, &setup->queue);
  if (result != ZE_RESULT_SUCCESS) syclze_setup_release(setup);
  return result;
}

/* Moves an array to larger memory; null without memory, and the array is unchanged. */
SYCLZE_LOCAL void *syclze__array_grow(void *array, size_t used, size_t room) {
  void *larger = calloc(room, 1);
  if (larger == NULL) return NULL;
  if (used != 0) memcpy(larger, array, used);
  free(array);
  return larger;
}

/* Reads a file into memory that the caller frees; null if it is empty or cannot be read. */
SYCLZE_LOCAL struct syclze__status syclze__file_read(const char *path, char **bytes, size_t *size) {
  FILE *file = fopen(path, "rb");
  size_t room = 0, got;
  *bytes = NULL;
  *size = 0;
  if (file == NULL) return syclze__invalid("the file cannot be opened");
  do {
    if (*size == room) {
      room = room != 0 ? 2 * room : 65536;
      char *larger = (char *)syclze__array_grow(*bytes, *size, room);
      if (larger == NULL) {
        fclose(file);
        return syclze__out_of_memory();
      }
      *bytes = larger;
    }
    got = fread(*bytes + *size, 1, room - *size, file);
    *size += got;
  } while (got != 0);
  const bool failed = ferror(file) != 0;
  fclose(file);
  if (failed) return syclze__invalid("the file cannot be read");
  if (*size == 0) return syclze__invalid("the file is empty");
  return syclze__allowed();
}

/* True if SPIR-V's first word is there, in either byte order. */
SYCLZE_LOCAL bool syclze__bytes_are_spirv(const char *bytes, size_t size) {
  static const unsigned char word[4] = {0x03, 0x02, 0x23, 0x07}, swapped[4] = {7, 0x23, 2, 3};
  return size >= sizeof word &&
         (memcmp(bytes, word, sizeof word) == 0 || memcmp(bytes, swapped, sizeof swapped) == 0);
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_load(syclze_context context, syclze_device device,
    const char *path, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  const char *const function = "syclze_kernel_bundle_load";
  char *bytes;
  size_t size;
  if (bundle != NULL) bundle->rep = NULL;
  if (bundle == NULL || path == NULL)
    return syclze__fail_pointer(function, "the result's pointer or the path is null");
  SYCLZE__ZEROED(syclze_kernel_bundle_desc, all);
  if (desc != NULL) all = *desc;
  if (all.build_log != NULL && all.build_log_size != 0) all.build_log[0] = '\0';
  const struct syclze__status status = syclze__file_read(path, &bytes, &size);
  if (status.result != ZE_RESULT_SUCCESS) {
    free(bytes);
    return syclze__finish_detail(status, function, NULL, path);
  }
  all.spirv = bytes;
  all.size = size;
  all.format =
      syclze__bytes_are_spirv(bytes, size) ? ZE_MODULE_FORMAT_IL_SPIRV : ZE_MODULE_FORMAT_NATIVE;
  const ze_result_t result = syclze_kernel_bundle_create(context, device, &all, bundle);
  free(bytes);
  return result;
}

SYCLZE_COLD ze_result_t syclze_kernels_create(
    syclze_kernel_bundle bundle, const syclze_kernel_entry *table, uint32_t count) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  bool is_whole = table != NULL || count == 0;
  uint32_t created = 0;
  for (uint32_t i = 0; table != NULL && i < count; i++) {
    is_whole = is_whole && table[i].name != NULL && table[i].kernel != NULL;
    if (table[i].kernel != NULL) table[i].kernel->rep = NULL;
  }
  if (!is_whole)
    return syclze__fail_pointer(
        "syclze_kernels_create", "the table, a name or a kernel's pointer is null");
  for (; created < count && result == ZE_RESULT_SUCCESS; created++)
    result = syclze_kernel_create(bundle, table[created].name, table[created].kernel);
  for (; created > 0 && result != ZE_RESULT_SUCCESS; created--) {
    syclze_kernel_release(*table[created - 1].kernel);
    table[created - 1].kernel->rep = NULL;
  }
  return result;
}

SYCLZE_LOCAL struct syclze__scope_item *syclze__scope_at(syclze_scope *scope, size_t index) {
  return index < SYCLZE__SCOPE_FEW ? &scope->few[index] : &scope->many[index - SYCLZE__SCOPE_FEW];
}

SYCLZE_LOCAL ze_result_t syclze__scope_item_end(const struct syclze__scope_item *item) {
  return item->memory != NULL ? syclze_free(item->memory, item->object.context)
                              : syclze_object_release(item->object);
}

SYCLZE_LOCAL ze_result_t syclze__scope_put(
    syclze_scope *scope, const struct syclze__scope_item *item, const char *function) {
  if (scope->count >= SYCLZE__SCOPE_FEW && scope->count - SYCLZE__SCOPE_FEW == scope->room) {
    const size_t few = SYCLZE__SCOPE_FEW, room = scope->room != 0 ? 2 * scope->room : few;
    struct syclze__scope_item *many = (struct syclze__scope_item *)syclze__array_grow(
        scope->many, scope->room * sizeof *many, room * sizeof *many);
    if (many == NULL) {
      syclze__scope_item_end(item);
      return syclze__fail_memory(function, NULL);
    }
    scope->many = many;
    scope->room = room;
  }
  *syclze__scope_at(scope, scope->count) = *item;
  scope->count++;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_scope_add_object(syclze_scope *scope, syclze_object object) {
  SYCLZE__ZEROED(struct syclze__scope_item, item);
  item.object = object;
  if (object.kind != SYCLZE_OBJECT_NONE && object.kind <= SYCLZE_OBJECT_SAMPLER)
    return syclze__scope_put(scope, &item, "syclze_scope_add_object");
  return syclze__fail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_scope_add_object",
      "the kind of the object is unknown", NULL);
}

SYCLZE_COLD ze_result_t syclze_scope_add_memory(
    syclze_scope *scope, void *memory, syclze_context context) {
  if (memory == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__ZEROED(struct syclze__scope_item, item);
  item.object.kind = SYCLZE_OBJECT_CONTEXT;
  item.object.context = context;
  item.memory = memory;
  return syclze__scope_put(scope, &item, "syclze_scope_add_memory");
}

SYCLZE_COLD ze_result_t syclze_scope_end(syclze_scope *scope) {
  ze_result_t first = ZE_RESULT_SUCCESS;
  while (scope->count > 0) {
    const struct syclze__scope_item item = *syclze__scope_at(scope, --scope->count);
    first = syclze__first_error(first, syclze__scope_item_end(&item));
  }
  free(scope->many);
  scope->many = NULL;
  scope->room = 0;
  return first;
}

#endif

SYCLZE_EXTERN_C_END

#endif
