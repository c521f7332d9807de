/* The revisions of the specification: each case is a row of the table in
   syclze/manual/revisions.md. */
#include "support/made.h"
#include "support/spy.h"
#include "support/works.h"

/* The native handles, with context and device wrapped; the context is kept. */
struct wrapped {
  struct given g;
  syclze_device device;
  syclze_context context;
};

static struct wrapped begin(void) {
  struct wrapped w = {.g = given()};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  return w;
}

static void end(struct wrapped *w) {
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

#if SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO != 5
#error "the feature-test macro is of another revision"
#endif
TEST(the_feature_test_macro_is_5) { // shows backend 1
  CHECK_EQ(SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO, 5);
}

TEST(revision_1_platforms_and_devices_map_to_their_handles) { // shows backend 12
  struct wrapped w = begin();
  syclze_platform platform;
  syclze_device device;
  CHECK_EQ(syclze_make_native(w.g.driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(w.g.device, &device), ZE_RESULT_SUCCESS);
  ze_driver_handle_t driver = syclze_get_native(platform);
  ze_device_handle_t native = syclze_get_native(device);
  CHECK_EQ(driver, w.g.driver);
  CHECK_EQ(native, w.g.device);
  end(&w);
}

TEST(revision_1_a_context_has_devices_and_an_ownership) { // shows backend 13
  struct wrapped w = begin();
  syclze_context_input input = {
      .native_handle = given_context(&w.g), .device_list = &w.device, .device_count = 1};
  syclze_context context;
  CHECK_EQ(syclze_make_native(&input, &context), ZE_RESULT_SUCCESS);
  ze_context_handle_t native = syclze_get_native(context);
  CHECK_EQ(native, input.native_handle);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  end(&w);
}

/* The deprecated form uses the first device of the context. */
TEST(revision_1_a_queue_input_has_a_command_queue_and_an_ownership) { // shows backend 14
  struct wrapped w = begin();
  syclze_queue_input_v1 input = {.native_handle = w.g.queue};
  syclze_queue queue;
  CHECK_EQ(syclze_make_native(&input, w.context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_device(queue).rep, syclze_context_get_device(w.context, 0).rep);
  works_queue(&w.g, w.g.queue);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(w.g.queue), 1);
  end(&w);
}

TEST(revision_1_a_queue_returns_its_command_queue) {
  struct wrapped w = begin();
  syclze_queue_input_v1 input = {w.g.queue, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue_v1(&input, w.context, &queue), ZE_RESULT_SUCCESS);
  ze_command_queue_handle_t native = syclze_get_native(queue).queue;
  CHECK_EQ(native, w.g.queue);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(revision_1_an_event_has_an_ownership) { // shows backend 17
  struct wrapped w = begin();
  syclze_event_input input = {.native_handle = given_event(&w.g)};
  syclze_event event;
  CHECK_EQ(syclze_make_native(&input, w.context, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_get_native(event);
  CHECK_EQ(native, input.native_handle);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  end(&w);
}

TEST(revision_1_a_kernel_bundle_wraps_a_module_and_returns_a_list) { // shows backend 17
  struct wrapped w = begin();
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle_input bundle_input = {.native_handle = w.g.module};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_make_native(&bundle_input, w.context, &bundle), ZE_RESULT_SUCCESS);
  syclze_native_modules modules = syclze_get_native(bundle);
  CHECK_EQ(modules.count, 1);
  CHECK_EQ(modules.modules[0], w.g.module);
  CHECK_EQ(zeKernelDestroy(w.g.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(w.g.module), 1);
  end(&w);
}

TEST(revision_1_a_kernel_names_its_bundle) { // shows backend 17
  struct wrapped w = begin();
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_input input = {.kernel_bundle = bundle, .native_handle = w.g.kernel};
  syclze_kernel kernel;
  CHECK_EQ(syclze_make_native(&input, w.context, &kernel), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t native = syclze_get_native(kernel);
  CHECK_EQ(native, w.g.kernel);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  end(&w);
}

static void *given_memory(const struct wrapped *w) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(256, w->device, w->context, &memory), ZE_RESULT_SUCCESS);
  return memory;
}

TEST(revision_2_a_buffer_wraps_an_allocation) { // shows backend 18
  struct wrapped w = begin();
  syclze_buffer_input input = {.native_handle = given_memory(&w)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_native(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_byte_size(buffer), 256);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  end(&w);
}

TEST(revision_2_a_buffer_may_have_an_available_event) {
  struct wrapped w = begin();
  ze_event_handle_t ready = given_event(&w.g);
  syclze_event event = made_event(w.context, ready, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(zeEventHostSignal(ready), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = given_memory(&w)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_native(&input, w.context, event, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  CHECK_EQ(zeEventDestroy(ready), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(revision_3_a_queue_input_names_its_device) { // shows backend 15
  struct wrapped w = begin();
  syclze_queue_input_v3 input = {.native_handle = w.g.queue, .device = w.device};
  syclze_queue queue;
  CHECK_EQ(syclze_make_native(&input, w.context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_device(queue).rep, w.device.rep);
  CHECK_EQ(syclze_get_native(queue).queue, w.g.queue);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(w.g.queue), 1);
  end(&w);
}

/* Either handle, and properties; get_native returns the same alternative. */
TEST(revision_4_a_queue_wraps_a_command_queue_or_a_command_list) { // shows backend 16
  struct wrapped w = begin();
  syclze_queue_input of_list = {.native_handle = syclze_native_queue_of(w.g.list),
      .device = w.device,
      .properties = {.flags = SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING}};
  syclze_queue_input of_queue = {
      .native_handle = syclze_native_queue_of(w.g.queue), .device = w.device};
  syclze_queue first, then;
  CHECK_EQ(syclze_make_native(&of_list, w.context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(&of_queue, w.context, &then), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_properties(first).flags, SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
  CHECK_EQ(syclze_queue_get_properties(then).flags, 0);
  works_list(&w.g, w.g.list);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(then), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(w.g.list), 1);
  CHECK_EQ(spy_destroys_of(w.g.queue), 1);
  end(&w);
}

TEST(revision_4_a_queue_returns_the_kind_of_handle_it_wraps) { // shows backend 23
  struct wrapped w = begin();
  syclze_queue of_list =
      made_queue(&w.g, w.context, syclze_native_queue_of(w.g.list), SYCLZE_OWNERSHIP_KEEP);
  syclze_queue of_queue =
      made_queue(&w.g, w.context, syclze_native_queue_of(w.g.queue), SYCLZE_OWNERSHIP_KEEP);
  syclze_native_queue native = syclze_get_native(of_list);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_LIST);
  CHECK_EQ(native.list, w.g.list);
  native = syclze_get_native(of_queue);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_QUEUE);
  CHECK_EQ(native.queue, w.g.queue);
  CHECK_EQ(syclze_release(of_list), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(of_queue), ZE_RESULT_SUCCESS);
  end(&w);
}

/* A native image and its description; the case is skipped where the driver has no images. */
static syclze_image_input given_image(const struct wrapped *w) {
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
          .type = ZE_IMAGE_FORMAT_TYPE_UINT,
          .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
          .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
          .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
          .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 4,
      .height = 2,
      .depth = 1};
  syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {4, 2}};
  ze_result_t result = zeImageCreate(w->g.context, w->g.device, &desc, &input.native_handle);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return input;
}

TEST(revision_5_an_image_wraps_a_handle_and_its_description) { // shows backend 18
  struct wrapped w = begin();
  syclze_image_input input = given_image(&w);
  syclze_image image;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_EQ(syclze_make_native(&input, w.context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_get_dimensions(image), 2);
  CHECK_EQ(syclze_image_get_range(image, 0), 4);
  CHECK_EQ(syclze_image_get_range(image, 1), 2);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_EQ(syclze_make_native(&input, w.context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(revision_5_an_image_may_have_an_available_event) { // shows backend 71
  struct wrapped w = begin();
  ze_event_handle_t ready = given_event(&w.g);
  syclze_event event = made_event(w.context, ready, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(zeEventHostSignal(ready), ZE_RESULT_SUCCESS);
  syclze_image_input input = given_image(&w);
  syclze_image image;
  CHECK_EQ(syclze_make_native(&input, w.context, event, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(ready), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Kinds known at run time: all nine, in both directions. */
TEST(every_kind_passes_through_the_tagged_unions) { // shows backend 11
  struct wrapped w = begin();
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  ze_event_handle_t event = given_event(&w.g);
  void *memory = given_memory(&w);
  const syclze_backend_input inputs[] = {{.kind = SYCLZE_OBJECT_PLATFORM, .platform = w.g.driver},
      {.kind = SYCLZE_OBJECT_DEVICE, .device = w.g.device},
      {.kind = SYCLZE_OBJECT_CONTEXT,
          .context = {w.g.context, &w.device, 1, SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_QUEUE,
          .queue = {.native_handle = syclze_native_queue_of(w.g.list),
              .device = w.device,
              .ownership = SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_EVENT, .event = {event, SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_KERNEL_BUNDLE, .kernel_bundle = {w.g.module, SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_KERNEL, .kernel = {bundle, w.g.kernel, SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_BUFFER,
          .buffer = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP}},
      {.kind = SYCLZE_OBJECT_IMAGE, .image = given_image(&w)}};
  for (int i = 0; i < 9; i++) {
    syclze_object object;
    CHECK_EQ(syclze_make_native(&inputs[i], w.context, &object), ZE_RESULT_SUCCESS);
    CHECK_EQ(object.kind, inputs[i].kind);
    syclze_backend_return native = syclze_get_native(object);
    CHECK_EQ(native.backend, SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
    switch (object.kind) {
    case SYCLZE_OBJECT_PLATFORM:
      CHECK_EQ(native.platform, w.g.driver);
      break;
    case SYCLZE_OBJECT_DEVICE:
      CHECK_EQ(native.device, w.g.device);
      break;
    case SYCLZE_OBJECT_CONTEXT:
      CHECK_EQ(native.context, w.g.context);
      break;
    case SYCLZE_OBJECT_QUEUE:
      CHECK_EQ(native.queue.kind, SYCLZE_NATIVE_QUEUE_LIST);
      CHECK_EQ(native.queue.list, w.g.list);
      break;
    case SYCLZE_OBJECT_EVENT:
      CHECK_EQ(native.event, event);
      break;
    case SYCLZE_OBJECT_KERNEL_BUNDLE:
      CHECK_EQ(native.kernel_bundle.modules[0], w.g.module);
      break;
    case SYCLZE_OBJECT_KERNEL:
      CHECK_EQ(native.kernel, w.g.kernel);
      break;
    case SYCLZE_OBJECT_BUFFER: /* 4.2: from an interop handle only */
    case SYCLZE_OBJECT_IMAGE:
    case SYCLZE_OBJECT_NONE:
    default:
      CHECK_EQ(native.kind, SYCLZE_OBJECT_NONE);
      break;
    }
    CHECK_EQ(syclze_release(object), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_free(memory, w.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(the_feature_test_macro_is_5, revision_1_platforms_and_devices_map_to_their_handles,
    revision_1_a_context_has_devices_and_an_ownership,
    revision_1_a_queue_input_has_a_command_queue_and_an_ownership,
    revision_1_a_queue_returns_its_command_queue, revision_1_an_event_has_an_ownership,
    revision_1_a_kernel_bundle_wraps_a_module_and_returns_a_list,
    revision_1_a_kernel_names_its_bundle, revision_2_a_buffer_wraps_an_allocation,
    revision_2_a_buffer_may_have_an_available_event, revision_3_a_queue_input_names_its_device,
    revision_4_a_queue_wraps_a_command_queue_or_a_command_list,
    revision_4_a_queue_returns_the_kind_of_handle_it_wraps,
    revision_5_an_image_wraps_a_handle_and_its_description,
    revision_5_an_image_may_have_an_available_event, every_kind_passes_through_the_tagged_unions)
