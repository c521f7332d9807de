/* The child of a fork whose parent has used the library: calls return an error, releases destroy no
   native handle, and Level Zero is not called. */
#define _POSIX_C_SOURCE 200809L
#include "support/fake_object.h"
#include "support/zoo.h"
#include "syclze/buffer_create.h"
#include "syclze/command/launch.h"
#include "syclze/command/launch_cooperative.h"
#include "syclze/device_global.h"
#include "syclze/offload/device_traits.h"
#include "syclze/queue_commands.h"
#include "syclze/selector.h"
#include "tests/check.h"

#include <sys/wait.h>
#include <unistd.h>

/* Runs the body in a child that ends without exit handlers. A failed check in the child is a
   failure here. */
static void in_fork(void (*body)(void)) {
  int status = -1;
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check_case_end = NULL;
    body();
    fflush(stdout);
    _exit(check_program.case_failed);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

/* The call fails with one diagnostic of the function. */
#define CHECK_NOT_IN_CHILD(call, function)                                                         \
  (notes_start(), check_not_in_child(call, function, __LINE__, #call))
static void check_not_in_child(
    ze_result_t result, const char *function, int line, const char *text) {
  notes_check_refused(
      result, ZE_RESULT_ERROR_UNINITIALIZED, function, notes.first.handle, 1, __FILE__, line, text);
}

static void create_all(void) {
  const unsigned before = fake_all_calls();
  syclze_context context;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_image image;
  syclze_device device;
  uint32_t count = 1;
  void *memory;
  syclze_kernel_bundle_desc bundle_desc = {0};
  bundle_desc.spirv = "code";
  bundle_desc.size = 4;
  syclze_image_input image_input = {0};
  image_input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  image_input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
  image_input.dimensions = 1;
  image_input.range[0] = 4;

  CHECK_NOT_IN_CHILD(syclze_context_create(&world.device, 1, &context), "syclze_context_create");
  CHECK_EQ(context.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_queue_create(world.context, world.device, NULL, &queue), "syclze_queue_create");
  CHECK_EQ(queue.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_event_create(world.context, 0, &event), "syclze_event_create");
  CHECK_EQ(event.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_kernel_bundle_create(world.context, world.device, &bundle_desc, &bundle),
      "syclze_kernel_bundle_create");
  CHECK_EQ(bundle.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_kernel_create(zoo.bundle, "add", &kernel), "syclze_kernel_create");
  CHECK_EQ(kernel.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_image_create(world.context, world.device, &image_input, &image),
      "syclze_image_create");
  CHECK_EQ(image.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_malloc_device(8, world.device, world.context, &memory), "syclze_aligned_alloc_device");
  CHECK_NOT_IN_CHILD(
      syclze_malloc_shared(8, world.device, world.context, &memory), "syclze_aligned_alloc_shared");
  CHECK_NOT_IN_CHILD(syclze_malloc_host(8, world.context, &memory), "syclze_aligned_alloc_host");
  CHECK_EQ(memory, NULL);
  CHECK_NOT_IN_CHILD(syclze_device_select("*:gpu", &count, &device), "syclze_device_select");
  CHECK_EQ(count, 0);
  CHECK_NOT_IN_CHILD(syclze_device_find("gpu", &device), "syclze_device_find");
  CHECK_EQ(device.rep, NULL);
  /* A platform whose devices the parent has not enumerated. */
  SYCLZE__STATE.platforms->devices = NULL;
  const syclze_platform platform = {SYCLZE__STATE.platforms};
  CHECK_NOT_IN_CHILD(syclze_device_get(platform, &count, &device), "syclze_device_get");
  CHECK_NOT_IN_CHILD(syclze_make_device(world.root, &device), "syclze_make_device");
  CHECK_EQ(device.rep, NULL);
  CHECK_EQ(fake_all_calls(), before);
}

TEST(creations_return_an_error) {
  zoo_begin();
  in_fork(create_all);
  zoo_end();
}

static syclze_queue submitted_to;
static syclze_kernel launched;

ze_result_t ZE_APICALL zeKernelGetProperties(
    ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  FAKE_ENTER(zeKernelGetProperties);
  (void)kernel, (void)properties;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
    uint32_t z, uint32_t *size_x, uint32_t *size_y, uint32_t *size_z) {
  FAKE_ENTER(zeKernelGetProperties);
  (void)kernel, (void)x, (void)y, (void)z;
  *size_x = *size_y = *size_z = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetProperties(
    ze_driver_handle_t driver, ze_driver_properties_t *properties) {
  FAKE_ENTER(zeKernelGetProperties);
  (void)driver, (void)properties;
  return ZE_RESULT_ERROR_UNINITIALIZED;
}

static void launch(void) {
  const unsigned before = fake_all_calls();
  const syclze_nd_range range = {.global = {1}, .local = {1}}, unsized = {.global = {1}};
  const syclze_argument one = syclze_arg(1u);
  syclze_group group = syclze_group_begin(submitted_to);
  CHECK_NOT_IN_CHILD(
      syclze_group_launch(&group, launched, &range, &one, 1, NULL), "syclze_group_launch");
  CHECK_NOT_IN_CHILD(
      syclze_queue_launch_arguments(submitted_to, launched, &range, &one, 1, NULL, 0, NULL),
      "syclze_queue_launch");
  CHECK_NOT_IN_CHILD(
      syclze_queue_launch_arguments(submitted_to, launched, &unsized, &one, 1, NULL, 0, NULL),
      "syclze_queue_launch");
  CHECK_NOT_IN_CHILD(
      syclze_queue_launch_cooperative(submitted_to, launched, &range, &one, 1, NULL, 0, NULL),
      "syclze_queue_launch_cooperative");
  CHECK_EQ(fake_all_calls(), before);
}

/* The diagnostic does without the kernel's name, which only Level Zero knows. */
TEST(launches_return_an_error) {
  zoo_begin();
  const syclze_kernel_input kernel = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  const syclze_queue_input queue = {
      syclze_native_queue_of(zoo.list), world.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  CHECK_OK(syclze_make_kernel(&kernel, world.context, &launched));
  CHECK_OK(syclze_make_queue(&queue, world.context, &submitted_to));
  in_fork(launch);
  CHECK_OK(syclze_release(launched));
  CHECK_OK(syclze_release(submitted_to));
  zoo_end();
}

static syclze_buffer parent;

static void view_all(void) {
  const size_t zero = 0, one = 1;
  syclze_buffer view;
  CHECK_NOT_IN_CHILD(
      syclze_buffer_create_sub(parent, &zero, &one, &view), "syclze_buffer_create_sub");
  CHECK_EQ(view.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_buffer_reinterpret(parent, 1, 1, &one, &view), "syclze_buffer_reinterpret");
  CHECK_EQ(view.rep, NULL);
}

TEST(views_of_a_buffer_return_an_error) {
  zoo_begin();
  syclze_buffer_input input = {0};
  input.native_handle = zoo.memory;
  CHECK_OK(syclze_make_buffer(&input, world.context, &parent));
  in_fork(view_all);
  CHECK_OK(syclze_release(parent));
  zoo_end();
}

static void wrap_all(void) {
  syclze_context context;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_buffer buffer;
  syclze_image image;
  const syclze_context_input context_input = {zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue_input queue_input = {0};
  queue_input.native_handle = syclze_native_queue_of(zoo.list);
  queue_input.device = world.device;
  const syclze_event_input event_input = {zoo.event, SYCLZE_OWNERSHIP_KEEP};
  const syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_KEEP};
  const syclze_kernel_input kernel_input = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer_input buffer_input = {0};
  buffer_input.native_handle = zoo.memory;
  syclze_image_input image_input = {0};
  image_input.native_handle = zoo.image;
  image_input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  image_input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
  image_input.dimensions = 1;
  image_input.range[0] = 4;

  CHECK_NOT_IN_CHILD(syclze_make_context(&context_input, &context), "syclze_make_context");
  CHECK_EQ(context.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_make_queue(&queue_input, world.context, &queue), "syclze_make_queue");
  CHECK_EQ(queue.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_make_event(&event_input, world.context, &event), "syclze_make_event");
  CHECK_EQ(event.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_make_kernel_bundle(&bundle_input, world.context, &bundle),
      "syclze_make_kernel_bundle");
  CHECK_EQ(bundle.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_make_kernel(&kernel_input, world.context, &kernel), "syclze_make_kernel");
  CHECK_EQ(kernel.rep, NULL);
  CHECK_NOT_IN_CHILD(
      syclze_make_buffer(&buffer_input, world.context, &buffer), "syclze_make_buffer");
  CHECK_EQ(buffer.rep, NULL);
  CHECK_NOT_IN_CHILD(syclze_make_image(&image_input, world.context, &image), "syclze_make_image");
  CHECK_EQ(image.rep, NULL);
}

TEST(makes_return_an_error) { // shows promises 60
  if (!SYCLZE_HAS_POOLS) SKIP("objects of their own allocation can be had");
  zoo_begin();
  in_fork(wrap_all);
  zoo_end();
}

static struct {
  syclze_queue queue;
  syclze_event event, created;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_buffer buffer;
  syclze_context context;
  syclze_context empty; /* without children */
  syclze_kernel_bundle empty_bundle;
} own;

static void own_all(void) {
  const ze_context_handle_t native = fake_context(world.driver);
  const syclze_context_input context_input = {native, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_context(&context_input, &own.context));
  const syclze_context_input empty_input = {
      fake_context(world.driver), &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_context(&empty_input, &own.empty));
  syclze_queue_input queue_input = {0};
  queue_input.native_handle = syclze_native_queue_of(fake_list(native, world.root));
  queue_input.device = world.device;
  CHECK_OK(syclze_make_queue(&queue_input, own.context, &own.queue));
  const syclze_event_input event_input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_event(&event_input, world.context, &own.event));
  CHECK_OK(syclze_event_create(own.context, 0, &own.created));
  const ze_module_handle_t module = fake_module(native, "add");
  const syclze_kernel_bundle_input bundle_input = {module, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_kernel_bundle(&bundle_input, own.context, &own.bundle));
  const syclze_kernel_bundle_input empty_bundle = {
      fake_module(native, "scale"), SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_kernel_bundle(&empty_bundle, own.context, &own.empty_bundle));
  const syclze_kernel_input kernel_input = {
      own.bundle, fake_kernel(module, "add"), SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_kernel(&kernel_input, own.context, &own.kernel));
  syclze_buffer_input buffer_input = {0};
  buffer_input.native_handle = fake_allocation(native, ZE_MEMORY_TYPE_HOST, NULL, 8);
  CHECK_OK(syclze_make_buffer(&buffer_input, own.context, &own.buffer));
}

static void release_all(void) {
  CHECK_OK(syclze_buffer_release(own.buffer));
  CHECK_OK(syclze_kernel_release(own.kernel));
  CHECK_OK(syclze_kernel_bundle_release(own.bundle));
  CHECK_OK(syclze_kernel_bundle_release(own.empty_bundle));
  CHECK_OK(syclze_event_release(own.created));
  CHECK_OK(syclze_event_release(own.event));
  CHECK_OK(syclze_queue_release(own.queue));
  CHECK_OK(syclze_context_release(own.context));
  CHECK_OK(syclze_context_release(own.empty));
}

static void release_in_child(void) {
  const unsigned calls = fake_all_calls(), destroys = fake_all_destroys();
  release_all();
  CHECK_EQ(fake_all_destroys(), destroys);
  CHECK_EQ(fake_all_calls(), calls);
}

TEST(releases_destroy_no_native_handle) {
  zoo_begin();
  own_all();
  in_fork(release_in_child);
  const unsigned destroys = fake_all_destroys();
  release_all();
  CHECK(fake_all_destroys() >= destroys + 9);
  zoo_end();
}

static void use_in_child(void) {
  const unsigned calls = fake_all_calls();
  syclze_device_traits traits;
  void *variable = &own;
  uint64_t times[2];
  uint32_t count = 0;
  /* Objects that the parent has enumerated are known. */
  CHECK_OK(syclze_platform_get(&count, NULL));
  CHECK_EQ(count, 2);
  CHECK_EQ(syclze_event_get_native(own.event), zoo.event);
  CHECK_OK(syclze_event_retain(own.event));
  CHECK_OK(syclze_event_release(own.event));
  CHECK_EQ(syclze_event_wait(own.event), ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_NOT_IN_CHILD(syclze_event_get_profiling(own.event, world.device, &times[0], &times[1]),
      "syclze_event_get_profiling");
  CHECK_NOT_IN_CHILD(syclze_free(zoo.memory, world.context), "syclze_free");
  CHECK_NOT_IN_CHILD(
      syclze_kernel_set_indirect_access(own.kernel, 0), "syclze_kernel_set_indirect_access");
  CHECK_NOT_IN_CHILD(syclze_device_global_find(own.bundle, "counter", &variable, NULL),
      "syclze_device_global_find");
  CHECK_EQ(variable, NULL);
  CHECK_NOT_IN_CHILD(syclze_device_get_traits(world.device, &traits), "syclze_device_get_traits");
  CHECK_EQ(fake_all_calls(), calls);
}

TEST(waits_and_queries_return_an_error) {
  zoo_begin();
  own_all();
  in_fork(use_in_child);
  release_all();
  zoo_end();
}

static void fork_again(void) {
  in_fork(create_all);
}

TEST(the_same_holds_in_the_child_of_a_child) {
  zoo_begin();
  in_fork(fork_again);
  zoo_end();
}

static void use_anew(void) {
  world_begin();
  syclze_event event;
  CHECK_OK(syclze_event_create(world.context, 0, &event));
  CHECK_OK(syclze_event_release(event));
  world_end();
}

/* The library was not used before. */
TEST(a_child_may_be_the_first_to_use_the_library) {
  in_fork(use_anew);
}

TEST(the_parent_is_not_affected) {
  zoo_begin();
  own_all();
  in_fork(release_in_child);
  syclze_event event;
  CHECK_OK(syclze_event_create(world.context, 0, &event));
  CHECK_OK(syclze_event_release(event));
  release_all();
  zoo_end();
}

TEST_MAIN(a_child_may_be_the_first_to_use_the_library, creations_return_an_error,
    launches_return_an_error, views_of_a_buffer_return_an_error, makes_return_an_error,
    releases_destroy_no_native_handle, waits_and_queries_return_an_error,
    the_same_holds_in_the_child_of_a_child, the_parent_is_not_affected)
