/* An image that vendors the library and has a loader of its own (loader.c): one that it opens, or
   with IMAGE_LINKED the one that it is linked with. */
#ifndef IMAGE_LINKED
#define SYCLZE_LOADER_DYNAMIC
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "syclze/loader_close.h"
#include "syclze/queue_commands.h"
#include "syclze/selector.h"
#include "syclze/syclze.h"

#include <dlfcn.h>

int image_platforms(const char *loader);
int image_run(void);
const char *image_loader(void);
int image_close(void);

/* The number of platforms, by the loader if it is not null; negative after an error. */
int image_platforms(const char *loader) {
  uint32_t count = 0;
#ifdef IMAGE_LINKED
  (void)loader;
#else
  if (loader != NULL && syclze_loader_open(loader) != ZE_RESULT_SUCCESS) return -1;
#endif
  return syclze_platform_get(&count, NULL) == ZE_RESULT_SUCCESS ? (int)count : -2;
}

static ze_result_t copy_in(syclze_context context, syclze_queue queue) {
  const unsigned char text[] = "copied";
  unsigned char *memory = NULL;
  ze_result_t result = syclze_malloc_host(sizeof text, context, (void **)&memory);
  if (result != ZE_RESULT_SUCCESS) return result;
  memset(memory, 0, sizeof text);
  result = syclze_queue_copy(queue, memory, text, sizeof text, NULL, 0, NULL);
  if (result == ZE_RESULT_SUCCESS) result = syclze_queue_wait(queue);
  if (result == ZE_RESULT_SUCCESS && memcmp(memory, text, sizeof text) != 0)
    result = ZE_RESULT_ERROR_UNKNOWN;
  (void)syclze_free(memory, context);
  return result;
}

/* A copy on the selected device. Returns the result, 0 for success. */
int image_run(void) {
  uint32_t count = 1;
  syclze_device device;
  syclze_context context;
  syclze_queue queue = {NULL};
  ze_result_t result = syclze_device_get_selected(&count, &device);
  if (result != ZE_RESULT_SUCCESS) return (int)result;
  result = syclze_context_create(&device, 1, &context);
  if (result != ZE_RESULT_SUCCESS) return (int)result;
  result = syclze_queue_create(context, device, NULL, &queue);
  if (result == ZE_RESULT_SUCCESS) result = copy_in(context, queue);
  if (syclze_queue_release(queue) != ZE_RESULT_SUCCESS) result = ZE_RESULT_ERROR_UNKNOWN;
  if (syclze_context_release(context) != ZE_RESULT_SUCCESS) result = ZE_RESULT_ERROR_UNKNOWN;
  return (int)result;
}

/* The file of the function that the library calls. */
const char *image_loader(void) {
  ze_result_t(ZE_APICALL * function)(ze_driver_handle_t, uint32_t *, ze_device_handle_t *) =
      SYCLZE__ZE(zeDeviceGet);
  void *address;
  Dl_info info;
  memcpy(&address, &function, sizeof address);
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

int image_close(void) {
#ifdef IMAGE_LINKED
  return 0;
#else
  return (int)syclze_loader_close();
#endif
}
