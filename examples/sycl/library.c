#include "library.h"

#include "syclze/command.h"

#include <stdio.h>
#include <stdlib.h>

static ze_result_t build(syclze_queue queue, const char *path, syclze_kernel *kernel) {
  static unsigned char code[1 << 16];
  FILE *file = fopen(path, "rb");
  if (file == NULL) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const syclze_kernel_bundle_desc desc = {.spirv = code, .size = fread(code, 1, sizeof code, file)};
  fclose(file);
  syclze_kernel_bundle bundle;
  ze_result_t result = syclze_kernel_bundle_create(
      syclze_queue_get_context(queue), syclze_queue_get_device(queue), &desc, &bundle);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze_kernel_create(bundle, "saxpy", kernel);
  syclze_release(bundle);
  return result;
}

struct library *library_open(syclze_queue queue, const char *spirv) {
  struct library *library = calloc(1, sizeof *library);
  if (library == NULL) return NULL;
  if (build(queue, spirv, &library->saxpy) != ZE_RESULT_SUCCESS) {
    free(library);
    return NULL;
  }
  syclze_retain(queue);
  library->queue = queue;
  return library;
}

ze_result_t library_saxpy(
    struct library *library, float a, const float *x, float *y, size_t count, syclze_event *done) {
  const syclze_nd_range range = {.global = {count}, .dimensions = 1};
  syclze_group group = syclze_group_begin(library->queue);
  return syclze_launch(
      &group, library->saxpy, &range, done, syclze_arg(a), syclze_arg(x), syclze_arg(y));
}

void library_close(struct library *library) {
  syclze_release(library->saxpy);
  syclze_release(library->queue);
  free(library);
}
