/* Setup in a line (syclze/setup.h): what is created and released, in which order, and what fails.
 */
#define _POSIX_C_SOURCE 200809L /* setenv, mkstemp */
#include "support/memory.h"
#include "support/zoo.h"
#include "syclze/setup.h"
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const syclze_device no_device;

TEST(a_setup_has_a_context_and_a_queue_of_its_device) { // shows queues 21
  world_begin();
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_setup s;
  CHECK_OK(syclze_setup_create(world.device2, &in_order, &s));
  CHECK_EQ(s.device.rep, world.device2.rep);
  CHECK_EQ(syclze_queue_get_device(s.queue).rep, world.device2.rep);
  CHECK_EQ(syclze_queue_get_context(s.queue).rep, s.context.rep);
  CHECK(s.queue.rep->driver_in_order);
  CHECK_OK(syclze_setup_release(&s));
  CHECK(s.device.rep == NULL && s.context.rep == NULL && s.queue.rep == NULL);
  CHECK_OK(syclze_setup_release(&s));
  CHECK_OK(syclze_setup_release(NULL));
  world_end();
}

TEST(without_a_device_it_is_the_first_that_the_environment_selects) { // shows queues 21
  world_begin();
  syclze_setup s;
  CHECK_OK(syclze_setup_create(no_device, NULL, &s));
  CHECK_EQ(s.device.rep, world.device.rep);
  CHECK_OK(syclze_setup_release(&s));
  CHECK_EQ(setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:1", 1), 0);
  CHECK_OK(syclze_setup_create(no_device, NULL, &s));
  CHECK_EQ(s.device.rep, world.device2.rep);
  CHECK_OK(syclze_setup_release(&s));
  CHECK_EQ(setenv("ONEAPI_DEVICE_SELECTOR", "opencl:*", 1), 0);
  CHECK_REFUSED(syclze_setup_create(no_device, NULL, &s), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_setup_create", NULL);
  CHECK(s.device.rep == NULL && s.queue.rep == NULL);
  CHECK_EQ(unsetenv("ONEAPI_DEVICE_SELECTOR"), 0);
  world_end();
}

TEST(a_setup_that_fails_leaves_nothing) { // shows queues 21
  world_begin();
  const syclze_property_list both = {
      .flags = SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW | SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH};
  syclze_setup s;
  CHECK_REFUSED(syclze_setup_create(world.device, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_setup_create", NULL);
  CHECK_EQ(syclze_setup_create(world.device, &both, &s), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(s.device.rep == NULL && s.context.rep == NULL && s.queue.rep == NULL);
  world_end();
}

/* A file with the bytes, whose name the caller removes. */
static const char *made_file(const void *bytes, size_t size) {
  static char name[64];
  strcpy(name, "/tmp/syclze_setup_XXXXXX");
  const int file = mkstemp(name);
  CHECK(file >= 0);
  CHECK_EQ(write(file, bytes, size), (ssize_t)size);
  CHECK_EQ(close(file), 0);
  return name;
}

TEST(a_bundle_of_a_file_is_of_spir_v_or_native_code) { // shows queues 22
  world_begin();
  static const char *const files[] = {
      "\x03\x02\x23\x07 add", "\x07\x23\x02\x03 add", "add scale", "a"};
  static const ze_module_format_t formats[] = {ZE_MODULE_FORMAT_IL_SPIRV, ZE_MODULE_FORMAT_IL_SPIRV,
      ZE_MODULE_FORMAT_NATIVE, ZE_MODULE_FORMAT_NATIVE};
  for (int i = 0; i < 4; i++) {
    const char *path = made_file(files[i], strlen(files[i]));
    const syclze_kernel_bundle_desc desc = {.build_flags = "-flag"};
    syclze_kernel_bundle bundle;
    CHECK_OK(syclze_kernel_bundle_load(
        world.context, world.device, path, i % 2 ? &desc : NULL, &bundle));
    CHECK_EQ(fake_seen.module_format, formats[i]);
    CHECK_EQ(fake_seen.build_flags, i % 2 ? desc.build_flags : NULL);
    CHECK_OK(syclze_kernel_bundle_release(bundle));
    CHECK_EQ(remove(path), 0);
  }
  world_end();
}

TEST(a_bundle_of_a_file_that_fails_has_its_log_or_its_path) { // shows queues 22
  world_begin();
  char log[64] = "before";
  const syclze_kernel_bundle_desc desc = {.build_log = log, .build_log_size = sizeof log};
  syclze_kernel_bundle bundle;
  const char *path = made_file("!line 1: no such thing", 22);
  CHECK_EQ(syclze_kernel_bundle_load(world.context, world.device, path, &desc, &bundle),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK_EQ(bundle.rep, NULL);
  CHECK_STR_EQ(log, "line 1: no such thing");
  CHECK_EQ(remove(path), 0);
  CHECK_REFUSED(syclze_kernel_bundle_load(world.context, world.device, path, &desc, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_kernel_bundle_load", NULL);
  CHECK_STR_EQ(notes.detail, path);
  CHECK_STR_EQ(log, "");
  path = made_file("add", 3);
  memory_fail(1);
  CHECK_FAILED(syclze_kernel_bundle_load(world.context, world.device, path, NULL, &bundle),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_kernel_bundle_load", NULL);
  memory_fail(0);
  CHECK_EQ(remove(path), 0);
  path = made_file("", 0);
  CHECK_REFUSED(syclze_kernel_bundle_load(world.context, world.device, path, NULL, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_kernel_bundle_load", NULL);
  CHECK_EQ(remove(path), 0);
  CHECK_REFUSED(syclze_kernel_bundle_load(world.context, world.device, "/tmp", NULL, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_kernel_bundle_load", NULL);
  CHECK_REFUSED(syclze_kernel_bundle_load(world.context, world.device, NULL, NULL, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_kernel_bundle_load", NULL);
  CHECK_REFUSED(syclze_kernel_bundle_load(world.context, world.device, path, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_kernel_bundle_load", NULL);
  CHECK_EQ(bundle.rep, NULL);
  world_end();
}

static syclze_kernel_bundle made_bundle(const char *names) {
  const syclze_kernel_bundle_desc desc = {
      .spirv = names, .size = strlen(names), .format = ZE_MODULE_FORMAT_NATIVE};
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle));
  CHECK_EQ(fake_seen.module_format, ZE_MODULE_FORMAT_NATIVE);
  return bundle;
}

TEST(kernels_of_a_table_are_created_all_or_none) { // shows queues 22
  world_begin();
  const syclze_kernel_bundle bundle = made_bundle("add scale");
  syclze_kernel add, scale, none;
  const syclze_kernel_entry table[] = {{"add", &add}, {"scale", &scale}};
  const syclze_kernel_entry wrong[] = {{"add", &add}, {"subtract", &none}, {"scale", &scale}};
  const syclze_kernel_entry null[] = {{"add", &add}, {NULL, &scale}};
  CHECK_OK(syclze_kernels_create(bundle, table, 2));
  CHECK(add.rep != NULL && scale.rep != NULL && add.rep != scale.rep);
  CHECK_OK(syclze_kernel_release(add));
  CHECK_OK(syclze_kernel_release(scale));
  CHECK_FAILED(syclze_kernels_create(bundle, wrong, 3), ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
      "syclze_kernel_create", syclze_kernel_bundle_get_native(bundle).modules[0]);
  CHECK(add.rep == NULL && none.rep == NULL && scale.rep == NULL);
  CHECK_OK(syclze_kernels_create(bundle, NULL, 0));
  CHECK_REFUSED(syclze_kernels_create(bundle, NULL, 1), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_kernels_create", NULL);
  CHECK_REFUSED(syclze_kernels_create(bundle, null, 2), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_kernels_create", NULL);
  CHECK(add.rep == NULL && scale.rep == NULL);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  world_end();
}

static syclze_event wrapped_event(void) {
  syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  return event;
}

TEST(a_scope_releases_what_was_added_in_reverse_order) { // shows queues 23
  zoo_begin();
  syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_TRANSFER};
  {
    syclze_scoped(scope) made = {0};
    syclze_kernel_bundle bundle;
    syclze_kernel kernel;
    const syclze_queue none = {0};
    CHECK_OK(syclze_scope_add(&made, wrapped_event()));
    CHECK_OK(syclze_make_kernel_bundle(&bundle_input, world.context, &bundle));
    CHECK_OK(syclze_scope_add(&made, bundle));
    syclze_kernel_input kernel_input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_kernel(&kernel_input, world.context, &kernel));
    CHECK_OK(syclze_scope_add(&made, kernel));
    CHECK_OK(syclze_scope_add(&made, none));
    CHECK_EQ(fake_all_destroys(), 0);
  }
  CHECK_EQ(fake_destroyed_as(zoo.kernel), 1);
  CHECK_EQ(fake_destroyed_as(zoo.module), 2);
  CHECK_EQ(fake_destroyed_as(zoo.event), 3);
  zoo_end();
}

TEST(a_scope_takes_any_number_of_objects_and_is_used_again) { // shows queues 23
  zoo_begin();
  syclze_scope made = {0};
  syclze_event event = wrapped_event();
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < 100; i++) {
      CHECK_OK(syclze_event_retain(event));
      CHECK_OK(syclze_scope_add(&made, event));
    }
    CHECK_OK(syclze_scope_end(&made));
    CHECK(fake_is_alive(zoo.event));
  }
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(zoo.event), 1);
  zoo_end();
}

TEST(what_a_scope_cannot_take_is_released) { // shows queues 23
  zoo_begin();
  syclze_scope made = {0};
  syclze_event event = wrapped_event();
  for (int i = 0; i < 16; i++) {
    CHECK_OK(syclze_event_retain(event));
    CHECK_OK(syclze_scope_add(&made, event));
  }
  memory_fail(1);
  CHECK_EQ(syclze_scope_add(&made, event), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK(memory_failed());
  memory_fail(0);
  CHECK(fake_is_alive(zoo.event));
  CHECK_OK(syclze_scope_end(&made));
  CHECK_EQ(fake_destroys(zoo.event), 1);
  const syclze_object unknown = {.kind = SYCLZE_OBJECT_NONE};
  CHECK_REFUSED(syclze_scope_add_object(&made, unknown), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_scope_add_object", NULL);
  zoo_end();
}

TEST(memory_is_freed_before_what_was_added_before_it) { // shows queues 23
  world_begin();
  syclze_setup s;
  void *memory;
  CHECK_OK(syclze_setup_create(world.device, NULL, &s));
  {
    syclze_scoped(scope) made = {0};
    CHECK_OK(syclze_scope_add(&made, s.context));
    CHECK_OK(syclze_scope_add(&made, s.queue));
    CHECK_OK(syclze_malloc_device(64, s.device, s.context, &memory));
    CHECK_OK(syclze_scope_add_memory(&made, memory, s.context));
    CHECK_OK(syclze_scope_add_memory(&made, NULL, s.context));
    CHECK_EQ(fake_calls(FAKE_zeMemFree), 0);
  }
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 1);
  world_end();
}

TEST_MAIN(a_setup_has_a_context_and_a_queue_of_its_device,
    without_a_device_it_is_the_first_that_the_environment_selects,
    a_setup_that_fails_leaves_nothing, a_bundle_of_a_file_is_of_spir_v_or_native_code,
    a_bundle_of_a_file_that_fails_has_its_log_or_its_path,
    kernels_of_a_table_are_created_all_or_none, a_scope_releases_what_was_added_in_reverse_order,
    a_scope_takes_any_number_of_objects_and_is_used_again, what_a_scope_cannot_take_is_released,
    memory_is_freed_before_what_was_added_before_it)
