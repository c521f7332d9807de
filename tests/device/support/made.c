#include "made.h"

syclze_device made_device(const struct given *g) {
  syclze_device device;
  CHECK_EQ(syclze_make_device(g->device, &device), ZE_RESULT_SUCCESS);
  return device;
}

syclze_context made_context(const struct given *g, syclze_ownership ownership) {
  syclze_device device = made_device(g);
  syclze_context_input input = {g->context, &device, 1, ownership};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  return context;
}

syclze_context made_no_context(void) {
  return (syclze_context){NULL};
}

syclze_queue made_queue(const struct given *g, syclze_context context, syclze_native_queue native,
    syclze_ownership ownership) {
  syclze_queue_input input = {
      .native_handle = native, .device = made_device(g), .ownership = ownership};
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

void made_queues(syclze_context context, syclze_device device, const uint32_t *flags,
    syclze_queue *queues, int count) {
  for (int i = 0; i < count; i++) {
    const syclze_property_list properties = {.flags = flags[i]};
    CHECK_EQ(syclze_queue_create(context, device, &properties, &queues[i]), ZE_RESULT_SUCCESS);
  }
}

void release_queues(const syclze_queue *queues, int count) {
  for (int i = 0; i < count; i++) {
    if (given_executes()) CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queues[i]), ZE_RESULT_SUCCESS);
  }
}

syclze_event made_event(
    syclze_context context, ze_event_handle_t event, syclze_ownership ownership) {
  syclze_event_input input = {event, ownership};
  syclze_event made;
  CHECK_EQ(syclze_make_event(&input, context, &made), ZE_RESULT_SUCCESS);
  return made;
}

syclze_kernel_bundle made_kernel_bundle(
    syclze_context context, ze_module_handle_t module, syclze_ownership ownership) {
  syclze_kernel_bundle_input input = {module, ownership};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_make_kernel_bundle(&input, context, &bundle), ZE_RESULT_SUCCESS);
  return bundle;
}

syclze_kernel made_kernel(syclze_kernel_bundle bundle, ze_kernel_handle_t kernel,
    syclze_context context, syclze_ownership ownership) {
  syclze_kernel_input input = {bundle, kernel, ownership};
  syclze_kernel made;
  CHECK_EQ(syclze_make_kernel(&input, context, &made), ZE_RESULT_SUCCESS);
  return made;
}
