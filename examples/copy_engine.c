/* Copies on a copy engine beside kernels on a compute engine, on plain USM pointers: without a
   buffer and a group, events alone order the two queues. A device without a copy engine takes a
   second queue of the group that computes. */
#include "command.h"
#include "syclze/device_query.h"

enum { COUNT = 1024, PARTS = 4, PART = COUNT / PARTS };

/* A group that only copies, or else the first one that computes. */
static uint32_t copy_group(syclze_device device) {
  syclze_queue_group groups[16];
  uint32_t count = 16, found = 16;
  TRY(syclze_device_get_queue_groups(device, &count, groups));
  for (uint32_t i = 0; i < count; i++)
    if (groups[i].computes ? found == 16 : groups[i].copies) found = i;
  CLAIM(found < count);
  return found;
}

static syclze_queue copying_queue(syclze_context context, syclze_device device) {
  const syclze_property_list properties = {.ordinal = copy_group(device),
      .flags = SYCLZE_QUEUE_PROPERTY_ORDINAL | SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  TRY(syclze_queue_create(context, device, &properties, &queue));
  return queue;
}

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue computes = queue_of(context, device), copies = copying_queue(context, device);
  syclze_kernel_bundle_input input = {
      .native_handle = load_module(syclze_get_native(context), syclze_get_native(device),
          argc > 1 ? argv[1] : "examples/saxpy.spv")};
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  TRY(syclze_make_native(&input, context, &bundle));
  TRY(syclze_kernel_create(bundle, "saxpy", &kernel));

  static float x[COUNT], y[COUNT];
  const float two = 2;
  const syclze_nd_range range = {.global = {PART}};
  void *memory[2];
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 1;
  for (int i = 0; i < 2; i++)
    TRY(syclze_malloc_device(sizeof x, device, context, &memory[i]));

  /* The kernel of a part runs while the next part is copied. */
  syclze_event computed[PARTS];
  for (int part = 0; part < PARTS; part++) {
    float *from = (float *)memory[0] + part * PART, *to = (float *)memory[1] + part * PART;
    syclze_event copied[2];
    TRY(syclze_queue_copy(copies, from, x + part * PART, sizeof x / PARTS, NULL, 0, &copied[0]));
    TRY(syclze_queue_copy(copies, to, y + part * PART, sizeof y / PARTS, NULL, 0, &copied[1]));
    TRY(syclze_queue_launch(computes, kernel, &range, copied, 2, &computed[part], syclze_arg(two),
        syclze_arg(from), syclze_arg(to)));
    TRY(syclze_release(copied[0]));
    TRY(syclze_release(copied[1]));
  }
  TRY(syclze_queue_copy(copies, y, memory[1], sizeof y, computed, PARTS, NULL));
  TRY(syclze_queue_wait(copies));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += y[i] != 2 * (float)i + 1;
  printf("%d numbers, %d wrong\n", COUNT, wrong);
  for (int part = 0; part < PARTS; part++)
    TRY(syclze_release(computed[part]));
  for (int i = 0; i < 2; i++)
    TRY(syclze_free(memory[i], context));
  TRY(syclze_release(kernel));
  TRY(syclze_release(bundle));
  TRY(syclze_release(copies));
  TRY(syclze_release(computes));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
