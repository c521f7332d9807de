/* DPC++'s device globals. A variable with the scope of an image holds its value. Any other holds a
 * pointer, which the runtime stores after each build, to memory that all kernels of the program on
 * a device share; its first value is zero. */
#include "../program.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_PROGRAM_GLOBALS_H
#define SYCLZE_OFFLOAD_DETAIL_PROGRAM_GLOBALS_H

#include "../../queue.h"
#include "../property_set.h"

#include <stdio.h>
#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__GLOBAL_NAME = 512, SYCLZE__GLOBAL_LIMIT = 1 << 30 };

/* An image's description of a variable. */
struct syclze__image_global {
  char id[SYCLZE__GLOBAL_NAME];   /* without the prefix that run-time compilation gives it */
  char name[SYCLZE__GLOBAL_NAME]; /* the module's; empty if it is not described */
  uint32_t size;
  bool is_pointer;
};

/* The memory of a variable on a device. */
struct syclze__global_memory {
  struct syclze__global_memory *next;
  struct syclze__device *device;
  void *memory;
  size_t size;
  char *id; /* behind the struct */
};

/* The device globals of a program. */
struct syclze__program_globals {
  uint32_t count; /* references: the program, and each bundle with pointers to the memory */
  SYCLZE__LOCK(SYCLZE__RANK_PROGRAM_GLOBALS) lock;
  syclze_context context;
  struct syclze__global_memory *first;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__program_globals *syclze__program_globals_make(syclze_context context) {
  struct syclze__program_globals *globals =
      (struct syclze__program_globals *)calloc(1, sizeof *globals);
  if (globals == NULL) return NULL;
  syclze_context_retain(context);
  globals->count = 1;
  globals->context = context;
  return globals;
}

SYCLZE_LOCAL ze_result_t syclze__program_globals_release(struct syclze__program_globals *globals) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (globals == NULL || __atomic_fetch_sub(&globals->count, 1, __ATOMIC_ACQ_REL) != 1)
    return result;
  while (globals->first != NULL) {
    struct syclze__global_memory *memory = globals->first;
    globals->first = memory->next;
    if (!syclze__is_forked())
      result = syclze__first_error(
          result, SYCLZE__ZE(zeMemFree)(globals->context.rep->native, memory->memory));
    free(memory);
  }
  ze_result_t released = syclze_context_release(globals->context);
  free(globals);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

/* Terminates a text; a text that is too long becomes empty. */
SYCLZE_LOCAL void syclze__global_name(char *to, syclze_text text) {
  size_t size = text.size < SYCLZE__GLOBAL_NAME ? text.size : 0;
  if (size != 0) memcpy(to, text.data, size);
  to[size] = '\0';
}

/* False for a property that describes no variable: {u32 size, u32 or u8 whether it has the scope}.
 */
SYCLZE_LOCAL bool syclze__image_global_read(syclze_property_sets sets,
    const syclze_property *property, struct syclze__image_global *global) {
  syclze_text id = property->key;
  const uint8_t *value = (const uint8_t *)property->bytes.data;
  char key[SYCLZE__GLOBAL_NAME + 24];
  syclze_bytes name;
  if (property->type != SYCLZE_PROPERTY_TYPE_BYTES || property->bytes.size < 5) return false;
  for (size_t i = id.size; i > 0; i--)
    if (id.data[i - 1] == '$') {
      id.data += i;
      id.size -= i;
      break;
    }
  syclze__global_name(global->id, id);
  global->size = syclze__load_u32(value);
  global->is_pointer = value[4] == 0;
  global->name[0] = '\0';
  snprintf(key, sizeof key, "%s@global_id_mapping", global->id);
  if (syclze_property_get_bytes(sets, SYCLZE_PROPERTY_SET_PROGRAM_METADATA, key, &name))
    syclze__global_name(global->name, syclze_text_of_bytes(name));
  return global->id[0] != '\0';
}

/* Finds a variable of an image by its unique id or its module's name. */
SYCLZE_LOCAL ze_result_t syclze__image_global_find(const syclze_offload_image *image,
    const char *name, struct syclze__image_global *global, bool *is_found) {
  syclze_property_sets sets;
  const syclze_property *property = NULL;
  *is_found = false;
  ze_result_t result = syclze__property_sets_try(image, &sets);
  if (result != ZE_RESULT_SUCCESS || sets.rep == NULL) return result;
  while (!*is_found && (property = syclze_property_next(
                            sets, SYCLZE_PROPERTY_SET_DEVICE_GLOBALS, property)) != NULL)
    /* A variable that is not described has an empty module's name. */
    *is_found = syclze__image_global_read(sets, property, global) && *name != '\0' &&
                (strcmp(global->id, name) == 0 || strcmp(global->name, name) == 0 ||
                    syclze_text_is(property->key, name));
  syclze_property_sets_close(sets);
  return result;
}

/* Queries a variable's address: drivers know it by its unique id, its name, or both. */
SYCLZE_LOCAL ze_result_t syclze__module_global(ze_module_handle_t module,
    const struct syclze__image_global *global, size_t *size, void **pointer) {
  ze_result_t result = SYCLZE__ZE(zeModuleGetGlobalPointer)(module, global->id, size, pointer);
  if (result != ZE_RESULT_ERROR_INVALID_GLOBAL_NAME || global->name[0] == '\0') return result;
  return SYCLZE__ZE(zeModuleGetGlobalPointer)(module, global->name, size, pointer);
}

/* The memory of a variable; null for none. */
SYCLZE_LOCAL struct syclze__global_memory *syclze__global_memory_find(
    const struct syclze__program_globals *globals, const struct syclze__device *device,
    const char *id) {
  SYCLZE__HELD(&globals->lock);
  struct syclze__global_memory *memory = globals->first;
  while (memory != NULL && (memory->device != device || strcmp(memory->id, id) != 0))
    memory = memory->next;
  return memory;
}

/* Queries the memory of a variable; false without any. */
SYCLZE_LOCAL bool syclze__global_memory_of(struct syclze__program_globals *globals,
    const struct syclze__device *device, const char *id, void **pointer, size_t *size) {
  syclze__lock_acquire(&globals->lock);
  const struct syclze__global_memory *memory = syclze__global_memory_find(globals, device, id);
  syclze__lock_release(&globals->lock);
  if (memory == NULL) return false;
  *pointer = memory->memory;
  *size = memory->size;
  return true;
}

/* The memory of a variable, which is allocated and filled if it is new. */
SYCLZE_LOCAL ze_result_t syclze__global_memory_get(struct syclze__program_globals *globals,
    struct syclze__device *device, const struct syclze__image_global *global,
    ze_command_list_handle_t list, void **pointer) {
  SYCLZE__HELD(&globals->lock);
  struct syclze__global_memory *memory = syclze__global_memory_find(globals, device, global->id);
  size_t id_size = strlen(global->id) + 1;
  const uint8_t zero = 0;
  *pointer = memory != NULL ? memory->memory : NULL;
  if (memory != NULL)
    return global->size <= memory->size ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if (global->size == 0 || global->size > SYCLZE__GLOBAL_LIMIT)
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  memory = (struct syclze__global_memory *)calloc(1, sizeof *memory + id_size);
  if (memory == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  SYCLZE__ZE_STRUCT(ze_device_mem_alloc_desc_t, desc, DEVICE_MEM_ALLOC_DESC);
  ze_result_t result = SYCLZE__ZE(zeMemAllocDevice)(
      globals->context.rep->native, &desc, global->size, 64, device->native, &memory->memory);
  if (result == ZE_RESULT_SUCCESS) {
    result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(
        list, memory->memory, &zero, sizeof zero, global->size, NULL, 0, NULL);
    if (result != ZE_RESULT_SUCCESS)
      SYCLZE__ZE(zeMemFree)(globals->context.rep->native, memory->memory);
  }
  if (result != ZE_RESULT_SUCCESS) {
    free(memory);
    return result;
  }
  memory->device = device;
  memory->size = global->size;
  memory->id = (char *)(memory + 1);
  memcpy(memory->id, global->id, id_size);
  memory->next = globals->first;
  globals->first = memory;
  *pointer = memory->memory;
  return result;
}

/* Creates a list whose commands are done when their call returns. */
SYCLZE_LOCAL ze_result_t syclze__global_list(
    syclze_context context, struct syclze__device *device, ze_command_list_handle_t *list) {
  SYCLZE__ZE_STRUCT(ze_command_queue_desc_t, desc, COMMAND_QUEUE_DESC);
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_result_t result = syclze__compute_ordinal(device, &desc.ordinal);
  return result != ZE_RESULT_SUCCESS ? result
                                     : SYCLZE__ZE(zeCommandListCreateImmediate)(
                                           context.rep->native, device->native, &desc, list);
}

/* Stores the pointers of an image's variables in the module. `list` is made for the first of them,
 * and the caller's to destroy. A variable that the module lacks is none that its kernels use. */
SYCLZE_LOCAL ze_result_t syclze__globals_store(struct syclze__program_globals *globals,
    struct syclze__device *device, const syclze_offload_image *image, ze_module_handle_t module,
    ze_command_list_handle_t *list) {
  struct syclze__image_global global;
  syclze_property_sets sets;
  const syclze_property *property = NULL;
  ze_result_t result = syclze__property_sets_try(image, &sets);
  if (result != ZE_RESULT_SUCCESS || sets.rep == NULL) return result;
  while (result == ZE_RESULT_SUCCESS &&
         (property = syclze_property_next(sets, SYCLZE_PROPERTY_SET_DEVICE_GLOBALS, property)) !=
             NULL) {
    void *variable = NULL, *memory = NULL;
    size_t size = 0;
    if (!syclze__image_global_read(sets, property, &global) || !global.is_pointer) continue;
    result = syclze__module_global(module, &global, &size, &variable);
    if (result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME) result = ZE_RESULT_SUCCESS;
    if (result == ZE_RESULT_SUCCESS && (variable == NULL || size < sizeof memory)) continue;
    if (result == ZE_RESULT_SUCCESS && *list == NULL)
      result = syclze__global_list(globals->context, device, list);
    if (result == ZE_RESULT_SUCCESS) {
      syclze__lock_acquire(&globals->lock);
      result = syclze__global_memory_get(globals, device, &global, *list, &memory);
      syclze__lock_release(&globals->lock);
    }
    if (result == ZE_RESULT_SUCCESS)
      result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
          *list, variable, &memory, sizeof memory, NULL, 0, NULL);
  }
  syclze_property_sets_close(sets);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
