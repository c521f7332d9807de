/* How does the host set a variable of a module, which its kernels share? By its name, as commands
   of a queue. */
#include "command.h"
#include "syclze/device_global.h"

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  syclze_kernel_bundle_input module = {
      .native_handle = load_module(syclze_get_native(context), syclze_get_native(device),
          argc > 1 ? argv[1] : "tests/kernels/globals.spv")};
  syclze_kernel_bundle bundle;
  syclze_kernel add;
  TRY(syclze_make_native(&module, context, &bundle));
  TRY(syclze_kernel_create(bundle, "add_to_counter", &add));

  const int start = 100, five = 5;
  int counter = 0;
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_device_global_copy_to(bundle, &group, "counter", &start, sizeof start, 0, NULL));
  const syclze_nd_range one = {.global = {1}};
  for (int i = 0; i < 3; i++) {
    group = syclze_group_begin(queue);
    TRY(syclze_launch(&group, add, &one, NULL, syclze_arg(five)));
  }
  group = syclze_group_begin(queue);
  TRY(syclze_device_global_copy_from(bundle, &group, "counter", &counter, sizeof counter, 0, NULL));
  TRY(syclze_queue_wait(queue));
  printf("counter: %d\n", counter);
  CLAIM(counter == start + 3 * five);

  /* Its address is a pointer as others are, as long as the bundle is. */
  void *address;
  size_t size;
  TRY(syclze_device_global_find(bundle, "table", &address, &size));
  CLAIM(size == 4 * sizeof(int));
  TRY(syclze_queue_copy(queue, &counter, (int *)address + 2, sizeof(int), NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  CLAIM(counter == 3);
  CLAIM(syclze_device_global_find(bundle, "no such name", &address, NULL) ==
        ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);

  TRY(syclze_release(add));
  TRY(syclze_release(bundle));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
