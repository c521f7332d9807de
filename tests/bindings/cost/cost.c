/* Each operation COUNT times, between two marks: in C with the headers, with -DLIBRARY on the
 * library. */
#ifdef LIBRARY
#include "syclze_library.h"
typedef syclze_group *group_type;
#define GROUP(group) (group)
#else
#include "syclze/command.h"
#include "syclze/syclze.h"
typedef syclze_group group_type;
#define GROUP(group) (&(group))
#endif

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, WARM = 100, SIZE = 256 };

void mark_begin(void);
void mark_end(const char *name);

static void try(ze_result_t result) {
  if (result == ZE_RESULT_SUCCESS) return;
  fprintf(stderr, "cost: %s\n", syclze_result_string(result));
  exit(1);
}

#define MEASURE(name, code)                                                                        \
  do {                                                                                             \
    for (int i = 0; i < WARM; i++) {                                                               \
      code                                                                                         \
    }                                                                                              \
    mark_begin();                                                                                  \
    for (int i = 0; i < COUNT; i++) {                                                              \
      code                                                                                         \
    }                                                                                              \
    mark_end(name);                                                                                \
  } while (0)

int main(void) {
  uint32_t one = 1;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_event event, made;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_buffer buffer;
  void *x, *y;
  static char code[1 << 16];
  FILE *file = fopen("tests/kernels/basic.spv", "rb");
  syclze_kernel_bundle_desc desc = {0};
  syclze_buffer_input of_buffer = {0};
  syclze_event_input of_event = {0};
  const syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const syclze_nd_range range = {.global = {64}, .local = {64}};
  const float a = 2;
  const int zero = 0;
  if (file == NULL) return 1;
  desc.spirv = code;
  desc.size = fread(code, 1, sizeof code, file);
  fclose(file);
  try(syclze_device_get_selected(&one, &device));
  try(syclze_context_create(&device, 1, &context));
  try(syclze_queue_create(context, device, &properties, &queue));
  try(syclze_event_create(context, 0, &event));
  try(syclze_kernel_bundle_create(context, device, &desc, &bundle));
  try(syclze_kernel_create(bundle, "axpy", &kernel));
  try(syclze_malloc_shared(SIZE, device, context, &x));
  try(syclze_malloc_shared(SIZE, device, context, &y));
  of_buffer.native_handle = x;
  of_buffer.element_size = 4;
  of_buffer.range[0] = SIZE / 4;
  of_buffer.dimensions = 1;
  of_buffer.ownership = SYCLZE_OWNERSHIP_KEEP;
  try(syclze_make_buffer(&of_buffer, context, &buffer));
  of_event.native_handle = syclze_event_get_native(event);
  of_event.ownership = SYCLZE_OWNERSHIP_KEEP;

  MEASURE("get_native", {
    volatile ze_event_handle_t native = syclze_event_get_native(event);
    (void)native;
  });
  MEASURE("make_event", {
    try(syclze_make_event(&of_event, context, &made));
    try(syclze_event_release(made));
  });
  MEASURE("fill", { try(syclze_queue_fill(queue, y, &zero, 4, SIZE, NULL, 0, NULL)); });
  MEASURE("launch", {
    syclze_argument arguments[3];
    arguments[0] = syclze_argument_value(&a, sizeof a);
    arguments[1] = syclze_argument_value(&x, sizeof x);
    arguments[2] = syclze_argument_value(&y, sizeof y);
    try((syclze_queue_launch_arguments)(queue, kernel, &range, arguments, 3, NULL, 0, NULL));
  });
  MEASURE("group", {
    group_type group = syclze_group_begin(queue);
    syclze_accessor all = syclze_group_require_buffer(GROUP(group), buffer, SYCLZE_ACCESS_WRITE);
    try(syclze_group_fill(
        GROUP(group), syclze_memory_argument_accessor(all), &zero, 4, SIZE, NULL));
    syclze_group_end(GROUP(group));
  });
  return 0;
}
