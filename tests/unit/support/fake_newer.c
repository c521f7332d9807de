/* Entry points of newer loaders, looked up by name: exported from the program unless the test
   simulates an old loader. Defined under other names, since newer headers declare them too. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "fake_object.h"

#include <string.h>

static int is_missing(const char *name) {
  return fake.old_loader || (fake.lacking != NULL && strcmp(name, fake.lacking) == 0);
}

#ifdef _WIN32
/* The program is its own loader: it exports the fake's functions. */
void *__real_GetModuleHandleA(const char *name);
void *__wrap_GetModuleHandleA(const char *name);
void *__real_GetProcAddress(void *library, const char *name);
void *__wrap_GetProcAddress(void *library, const char *name);

void *__wrap_GetModuleHandleA(const char *name) {
  return __real_GetModuleHandleA(strcmp(name, "ze_loader.dll") == 0 ? NULL : name);
}

void *__wrap_GetProcAddress(void *library, const char *name) {
  return is_missing(name) ? NULL : __real_GetProcAddress(library, name);
}
#else
#include <dlfcn.h>

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

/* Hides functions of the machine's loader that the fake lacks: they would get the fake's handles.
 */
void *__wrap_dlsym(void *library, const char *name) {
  Dl_info own, its;
  void *found = is_missing(name) ? NULL : __real_dlsym(library, name);
  if (found == NULL || strncmp(name, "ze", 2) != 0) return found;
  return dladdr(&fake, &own) != 0 && dladdr(found, &its) != 0 && own.dli_fbase == its.dli_fbase
             ? found
             : NULL;
}
#endif

#define GETTER(function)                                                                           \
  FAKE_ENTER(function);                                                                            \
  if (fake.no_getters) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE

ze_result_t ZE_APICALL fake_list_is_immediate(
    ze_command_list_handle_t list, ze_bool_t *immediate) __asm__("zeCommandListIsImmediate");
ze_result_t ZE_APICALL fake_list_get_context(ze_command_list_handle_t list,
    ze_context_handle_t *context) __asm__("zeCommandListGetContextHandle");
ze_result_t ZE_APICALL fake_list_get_device(ze_command_list_handle_t list,
    ze_device_handle_t *device) __asm__("zeCommandListGetDeviceHandle");
ze_result_t ZE_APICALL fake_event_get_pool(
    ze_event_handle_t event, ze_event_pool_handle_t *pool) __asm__("zeEventGetEventPool");
ze_result_t ZE_APICALL fake_pool_get_context(ze_event_pool_handle_t pool,
    ze_context_handle_t *context) __asm__("zeEventPoolGetContextHandle");

ze_result_t ZE_APICALL fake_list_is_immediate(ze_command_list_handle_t list, ze_bool_t *immediate) {
  *immediate = 0; /* where the query fails, too */
  GETTER(zeCommandListIsImmediate);
  FAKE_OBJECT(object, list, FAKE_LIST);
  *immediate = !object->regular;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_list_get_context(
    ze_command_list_handle_t list, ze_context_handle_t *context) {
  GETTER(zeCommandListGetContextHandle);
  FAKE_OBJECT(object, list, FAKE_LIST);
  *context = (ze_context_handle_t)(void *)object->parent;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_list_get_device(
    ze_command_list_handle_t list, ze_device_handle_t *device) {
  GETTER(zeCommandListGetDeviceHandle);
  FAKE_OBJECT(object, list, FAKE_LIST);
  *device = (ze_device_handle_t)(void *)object->device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_event_get_pool(ze_event_handle_t event, ze_event_pool_handle_t *pool) {
  GETTER(zeEventGetEventPool);
  FAKE_OBJECT(object, event, FAKE_EVENT);
  *pool = (ze_event_pool_handle_t)(void *)object->parent;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_pool_get_context(
    ze_event_pool_handle_t pool, ze_context_handle_t *context) {
  GETTER(zeEventPoolGetContextHandle);
  FAKE_OBJECT(object, pool, FAKE_EVENT_POOL);
  *context = (ze_context_handle_t)(void *)object->parent;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_device_get_root(
    ze_device_handle_t device, ze_device_handle_t *root) __asm__("zeDeviceGetRootDevice");
ze_result_t ZE_APICALL fake_device_get_root(ze_device_handle_t device, ze_device_handle_t *root) {
  FAKE_ENTER(zeDeviceGetRootDevice);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  struct fake_object *top = object;
  while (top->parent->kind == FAKE_DEVICE)
    top = top->parent;
  if (top->device != NULL) top = top->device;
  *root = top == object ? NULL : (ze_device_handle_t)(void *)top;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_translate_handle(
    uint32_t type, const void *handle, const void **own) __asm__("zelLoaderTranslateHandle");
ze_result_t ZE_APICALL fake_translate_handle(uint32_t type, const void *handle, const void **own) {
  enum { DRIVER, DEVICE, CONTEXT };
  static const enum fake_kind kinds[] = {FAKE_DRIVER, FAKE_DEVICE, FAKE_CONTEXT};
  if (type > CONTEXT) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  FAKE_OBJECT(object, handle, kinds[type]);
  *own = fake.own_handle != NULL ? fake.own_handle : (const void *)object;
  return ZE_RESULT_SUCCESS;
}
