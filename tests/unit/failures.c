/* Every creating function, with each of its Level Zero calls and allocations failing in turn: it
   returns the code and null, gives one diagnostic, destroys nothing of the caller's, leaks nothing,
   and succeeds on the next call. */
#include "support/memory.h"
#include "support/zoo.h"
#include "tests/check.h"

static syclze_object made;

#define MADE(kind_, member, call)                                                                  \
  ze_result_t result = call;                                                                       \
  made.kind = made.member.rep != NULL ? kind_ : SYCLZE_OBJECT_NONE;                                \
  return result

static ze_result_t context_make(void) {
  syclze_context_input input = {zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  MADE(SYCLZE_OBJECT_CONTEXT, context, syclze_make_context(&input, &made.context));
}

static ze_result_t context_create(void) {
  const syclze_device devices[] = {
      world.device, world.device2, world.device, world.device2, world.device};
  MADE(SYCLZE_OBJECT_CONTEXT, context, syclze_context_create(devices, 5, &made.context));
}

static ze_result_t queue_make(void) {
  syclze_queue_input input = {
      syclze_native_queue_of_list(zoo.list), world.device, SYCLZE_OWNERSHIP_TRANSFER, {0}};
  MADE(SYCLZE_OBJECT_QUEUE, queue, syclze_make_queue(&input, world.context, &made.queue));
}

static ze_result_t queue_create(void) {
  MADE(SYCLZE_OBJECT_QUEUE, queue,
      syclze_queue_create(world.context, world.device, NULL, &made.queue));
}

static ze_result_t event_make(void) {
  syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
  MADE(SYCLZE_OBJECT_EVENT, event, syclze_make_event(&input, world.context, &made.event));
}

static ze_result_t event_create(void) {
  MADE(SYCLZE_OBJECT_EVENT, event, syclze_event_create(world.context, 0, &made.event));
}

static ze_result_t bundle_make(void) {
  syclze_kernel_bundle_input input = {
      fake_module(world.native_context, "add"), SYCLZE_OWNERSHIP_KEEP};
  fake_module_import(input.native_handle, 1);
  ze_result_t result = syclze_make_kernel_bundle(&input, world.context, &made.kernel_bundle);
  made.kind = made.kernel_bundle.rep != NULL ? SYCLZE_OBJECT_KERNEL_BUNDLE : SYCLZE_OBJECT_NONE;
  fake_destroy(input.native_handle);
  return result;
}

static ze_result_t bundle_create(void) {
  syclze_kernel_bundle_desc desc = {0};
  desc.spirv = "add";
  desc.size = 3;
  MADE(SYCLZE_OBJECT_KERNEL_BUNDLE, kernel_bundle,
      syclze_kernel_bundle_create(world.context, world.device, &desc, &made.kernel_bundle));
}

static ze_result_t kernel_make(void) {
  syclze_kernel_input input = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
  MADE(SYCLZE_OBJECT_KERNEL, kernel, syclze_make_kernel(&input, world.context, &made.kernel));
}

static ze_result_t kernel_make_at_length(void) {
  fake.name_size_unchanged = 1;
  return kernel_make();
}

static ze_result_t kernel_create(void) {
  MADE(SYCLZE_OBJECT_KERNEL, kernel, syclze_kernel_create(zoo.bundle, "add", &made.kernel));
}

static ze_result_t buffer_make(void) {
  syclze_buffer_input input = {zoo.memory, SYCLZE_OWNERSHIP_TRANSFER, 0, 0, {0, 0, 0}};
  MADE(SYCLZE_OBJECT_BUFFER, buffer, syclze_make_buffer(&input, world.context, &made.buffer));
}

static syclze_image_input image_input(void) {
  syclze_image_input input = {0};
  input.native_handle = zoo.image;
  input.dimensions = 1;
  input.range[0] = 1;
  return input;
}

static ze_result_t image_make(void) {
  syclze_image_input input = image_input();
  MADE(SYCLZE_OBJECT_IMAGE, image, syclze_make_image(&input, world.context, &made.image));
}

static ze_result_t image_create(void) {
  syclze_image_input input = image_input();
  MADE(SYCLZE_OBJECT_IMAGE, image,
      syclze_image_create(world.context, world.device, &input, &made.image));
}

static ze_result_t sampler_make(void) {
  syclze_sampler_input input = {zoo.sampler, SYCLZE_OWNERSHIP_TRANSFER};
  MADE(SYCLZE_OBJECT_SAMPLER, sampler, syclze_make_sampler(&input, world.context, &made.sampler));
}

static ze_result_t sampler_create(void) {
  syclze_sampler_desc desc = {SYCLZE_ADDRESSING_MODE_NONE, SYCLZE_FILTERING_MODE_NEAREST,
      SYCLZE_COORDINATE_MODE_UNNORMALIZED};
  MADE(SYCLZE_OBJECT_SAMPLER, sampler,
      syclze_sampler_create(world.context, world.device, &desc, &made.sampler));
}

#undef MADE

static const struct scenario {
  const char *name;
  ze_result_t (*act)(void);
  unsigned calls; /* that can fail, at least */
} scenarios[] = {
    {"syclze_make_context", context_make, 1},
    {"syclze_context_create", context_create, 1},
    {"syclze_make_queue", queue_make, 3},
    {"syclze_queue_create", queue_create, 3},
    {"syclze_make_event", event_make, 2},
    {"syclze_event_create", event_create, 33},
    {"syclze_make_kernel_bundle", bundle_make, 4},
    {"syclze_kernel_bundle_create", bundle_create, 3},
    {"syclze_make_kernel", kernel_make, 2},
    {"syclze_make_kernel", kernel_make_at_length, 5},
    {"syclze_kernel_create", kernel_create, 1},
    {"syclze_make_buffer", buffer_make, 2},
    {"syclze_make_image", image_make, 0},
    {"syclze_image_create", image_create, 1},
    {"syclze_make_sampler", sampler_make, 0},
    {"syclze_sampler_create", sampler_create, 1},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* Runs the scenario with one failure injected, then without. Returns whether the failure
   occurred. */
static int check_one(const struct scenario *scenario, ze_result_t code) {
  memset(&made, 0x55, sizeof made);
  notes_start();
  ze_result_t result = scenario->act();
  int failed = memory_failed() || fake_failed_function() != FAKE_FUNCTION_COUNT;
  int destroy_failed = fake_failed_function() == FAKE_zeKernelDestroy ||
                       fake_failed_function() == FAKE_zeModuleBuildLogDestroy;
  memory_fail(0);
  fake_fail_nth_call(0, ZE_RESULT_SUCCESS);
  const void *const callers[] = {
      zoo.context, zoo.list, zoo.event, zoo.module, zoo.kernel, zoo.memory, zoo.image};
  for (unsigned i = 0; i < sizeof callers / sizeof *callers; i++)
    CHECK(fake_is_alive(callers[i]));
  CHECK_EQ(made.kind == SYCLZE_OBJECT_NONE, result != ZE_RESULT_SUCCESS);
  if (result != ZE_RESULT_SUCCESS) {
    CHECK(failed);
    CHECK_EQ(result, code);
    CHECK_EQ(notes.count, 1);
    CHECK_STR_EQ(notes.first.function, scenario->name);
    CHECK_EQ(notes.first.result, code);
    CHECK_OK(scenario->act());
  }
  CHECK_OK(syclze_object_release(made));
  /* Handles whose destruction failed are still alive, as expected. */
  if (destroy_failed) fake_forgive();
  return failed;
}

TEST(every_call_fails_once) { // shows backend 79
  for (int s = 0; s < SCENARIOS; s++) {
    unsigned nth = 0;
    int failed;
    do {
      zoo_begin();
      fake_fail_nth_call(++nth, ZE_RESULT_ERROR_UNKNOWN);
      failed = check_one(&scenarios[s], ZE_RESULT_ERROR_UNKNOWN);
      zoo_end();
    } while (failed && nth < 1000);
    CHECK(nth < 1000);
    CHECK(nth > scenarios[s].calls);
  }
}

TEST(every_allocation_fails_once) { // shows backend 79
  for (int s = 0; s < SCENARIOS; s++) {
    unsigned nth = 0;
    int failed;
    do {
      zoo_begin();
      if (scenarios[s].act == context_make) world_use_up(SYCLZE__POOL_CONTEXT);
      if (scenarios[s].act == bundle_make || scenarios[s].act == bundle_create)
        world_use_up(SYCLZE__POOL_KERNEL_BUNDLE);
      memory_fail(++nth);
      failed = check_one(&scenarios[s], ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      zoo_end();
    } while (failed && nth < 1000);
    CHECK(nth > 1 && nth < 1000);
  }
}

/* Optional queries that only refine a check may fail. */
TEST(failing_optional_queries_do_not_fail_a_make) {
  static const struct {
    enum fake_function function;
    ze_result_t (*act)(void);
  } cases[] = {{FAKE_zeCommandListIsImmediate, queue_make},
      {FAKE_zeCommandListGetContextHandle, queue_make},
      {FAKE_zeCommandListGetDeviceHandle, queue_make}, {FAKE_zeEventGetEventPool, event_make},
      {FAKE_zeEventPoolGetContextHandle, event_make}, {FAKE_zeKernelGetName, kernel_make},
      {FAKE_zeModuleGetKernelNames, bundle_make}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    zoo_begin();
    fake_fail(cases[i].function, 1, ZE_RESULT_ERROR_UNKNOWN);
    CHECK_OK(cases[i].act());
    CHECK_EQ(fake_failed_function(), cases[i].function);
    CHECK_OK(syclze_object_release(made));
    zoo_end();
  }
}

TEST_MAIN(
    every_call_fails_once, every_allocation_fails_once, failing_optional_queries_do_not_fail_a_make)
