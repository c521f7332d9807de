/* Each driver call of each syclze function fails once: the function returns the code and null,
   takes nothing and leaks nothing, and succeeds when called again. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

/* A code that every function passes through unchanged. */
static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct setting {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_kernel_bundle bundle; /* of g.module, kept */
  struct given_file file;
  void *memory;
};

static struct setting begin(void) {
  struct setting s = {.g = given()};
  s.context = made_context(&s.g, SYCLZE_OWNERSHIP_KEEP);
  s.device = made_device(&s.g);
  return s;
}

static struct setting begin_with_kernel(const char *path, const char *name) {
  struct setting s = begin();
  given_kernel(&s.g, path, name);
  s.bundle = made_kernel_bundle(s.context, s.g.module, SYCLZE_OWNERSHIP_KEEP);
  s.file = given_file(path);
  return s;
}

static void end(struct setting *s) {
  free(s->file.bytes);
  CHECK_EQ(syclze_kernel_bundle_release(s->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(s->context), ZE_RESULT_SUCCESS);
  given_end(&s->g);
}

/* A function under test and the diagnostic that it must give on failure. */
struct attempt {
  ze_result_t (*make)(struct setting *s, syclze_object *object);
  const char *function;
  const void *handle;
  const char *harmless; /* calls whose failure the function tolerates */
};

/* Calls the function with its n-th driver call failing. False once there are fewer calls. */
static bool fails_at(struct setting *s, const struct attempt *attempt, unsigned n) {
  syclze_object object = {.kind = SYCLZE_OBJECT_EVENT};
  memset(&object.event, 0x5a, sizeof object.event);
  refused_begin();
  spy_fail_at(n, broken);
  ze_result_t result = attempt->make(s, &object);
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  if (failed && !strstr(attempt->harmless, failed)) {
    if (result != broken || object.event.rep != NULL)
      check_fail(__FILE__, __LINE__, "%s returns 0x%x without %s", attempt->function,
          (unsigned)result, failed);
    refused_check(broken, attempt->function, "", attempt->handle, __FILE__, __LINE__);
    return true;
  }
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of_marked(), 0);
  CHECK_EQ(syclze_object_release(object), ZE_RESULT_SUCCESS);
  return failed != NULL;
}

static void fail_each_call(struct setting *s, struct attempt attempt, unsigned least) {
  unsigned n = 1;
  while (fails_at(s, &attempt, n))
    n++;
  CHECK(n > least);
}

static ze_result_t make_platform(struct setting *s, syclze_object *object) {
  object->kind = SYCLZE_OBJECT_PLATFORM;
  return syclze_make_platform(s->g.driver, &object->platform);
}

static ze_result_t make_device(struct setting *s, syclze_object *object) {
  object->kind = SYCLZE_OBJECT_DEVICE;
  return syclze_make_device(s->g.device, &object->device);
}

/* Runs first, before any enumeration, which the make of a platform does not need. */
TEST(a_platform_is_made_without_enumeration) {
  struct setting s = {.g = given()};
  fail_each_call(&s, (struct attempt){make_platform, "syclze_make_platform", s.g.driver, ""}, 0);
  given_end(&s.g);
}

TEST(a_device_is_made_without_enumeration) {
  struct setting s = {.g = given()};
  fail_each_call(
      &s, (struct attempt){make_device, "syclze_make_device", s.g.device, "zeDriverGet"}, 0);
  given_end(&s.g);
}

static ze_result_t make_context(struct setting *s, syclze_object *object) {
  syclze_context_input input = {s->g.context, &s->device, 1, SYCLZE_OWNERSHIP_KEEP};
  object->kind = SYCLZE_OBJECT_CONTEXT;
  return syclze_make_context(&input, &object->context);
}

static ze_result_t create_context(struct setting *s, syclze_object *object) {
  object->kind = SYCLZE_OBJECT_CONTEXT;
  return syclze_context_create(&s->device, 1, &object->context);
}

TEST(contexts) {
  struct setting s = begin();
  fail_each_call(&s, (struct attempt){make_context, "syclze_make_context", s.g.context, ""}, 1);
  fail_each_call(&s, (struct attempt){create_context, "syclze_context_create", NULL, ""}, 1);
  works_context(s.g.context);
  end(&s);
}

/* A context is wrapped and released although its device is lost. */
TEST(a_context_of_a_lost_device_is_accepted) {
  struct setting s = begin();
  syclze_context_input input = {s.g.context, &s.device, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  spy_fail_at(1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(spy_failed_call(), "zeContextGetStatus");
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&s);
}

static ze_result_t create_queue(struct setting *s, syclze_object *object) {
  object->kind = SYCLZE_OBJECT_QUEUE;
  return syclze_queue_create(s->context, s->device, NULL, &object->queue);
}

TEST(queues) { // shows backend 79
  struct setting s = begin();
  fail_each_call(&s, (struct attempt){create_queue, "syclze_queue_create", NULL, ""}, 3);
  end(&s);
}

/* Creation fails with the driver's code and leaks nothing. */
static void fail_event(const struct setting *s, unsigned n, const char *call) {
  syclze_event event;
  spy_fail_at(n, broken);
  REFUSED(event, syclze_event_create(s->context, 0, &event), broken, "syclze_event_create", call,
      s->g.context);
  CHECK_STR_EQ(spy_failed_call(), call);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
}

TEST(events) {
  struct setting s = begin();
  fail_event(&s, 1, "zeEventPoolCreate");
  fail_event(&s, 2, "zeEventCreate");
  syclze_event event;
  CHECK_EQ(syclze_event_create(s.context, 0, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_event_get_native(event);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  fail_event(&s, 1, "zeEventHostReset");
  CHECK_EQ(syclze_event_create(s.context, 0, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_native(event), native);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  end(&s);
}

/* zeEventCreate fails after the first event of a new pool. */
TEST(a_pool_with_a_single_event) {
  struct setting s = begin();
  syclze_event first, second;
  spy_fail_at(3, broken);
  CHECK_EQ(syclze_event_create(s.context, 0, &first), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(spy_failed_call(), "zeEventCreate");
  CHECK_EQ(spy_alive(SPY_EVENT), 1);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(s.context, 0, &second), ZE_RESULT_SUCCESS);
  works_event(syclze_event_get_native(first));
  works_event(syclze_event_get_native(second));
  CHECK_EQ(syclze_event_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(second), ZE_RESULT_SUCCESS);
  end(&s);
}

static ze_result_t make_bundle(struct setting *s, syclze_object *object) {
  syclze_kernel_bundle_input input = {s->g.module, SYCLZE_OWNERSHIP_KEEP};
  object->kind = SYCLZE_OBJECT_KERNEL_BUNDLE;
  return syclze_make_kernel_bundle(&input, s->context, &object->kernel_bundle);
}

/* A log whose destruction failed is destroyed here. */
static ze_result_t create_bundle(struct setting *s, syclze_object *object) {
  syclze_kernel_bundle_desc desc = {.spirv = s->file.bytes, .size = s->file.size};
  object->kind = SYCLZE_OBJECT_KERNEL_BUNDLE;
  ze_result_t result =
      syclze_kernel_bundle_create(s->context, s->device, &desc, &object->kernel_bundle);
  ze_module_build_log_handle_t log = spy_survivor(SPY_BUILD_LOG);
  if (log) CHECK_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_SUCCESS);
  return result;
}

TEST(kernel_bundles) { // shows backend 79
  struct setting s = begin_with_kernel("tests/kernels/basic.spv", "iota");
  fail_each_call(&s, (struct attempt){make_bundle, "syclze_make_kernel_bundle", s.g.module, ""}, 1);
  fail_each_call(&s,
      (struct attempt){
          create_bundle, "syclze_kernel_bundle_create", NULL, "zeModuleBuildLogDestroy"},
      2);
  works_module(s.g.module, "iota");
  end(&s);
}

/* The build log is optional: without it the build's own code is returned. */
TEST(build_logs_of_failed_builds) {
  struct setting s = begin();
  given_needs_zecl(s.g.driver);
  static const char junk[64] = "junk";
  char log[64];
  syclze_kernel_bundle_desc desc = {.spirv = junk, .size = sizeof junk, .build_log = log};
  desc.build_log_size = sizeof log;
  unsigned n = 1;
  for (const char *failed = ""; failed; n++) {
    syclze_kernel_bundle bundle;
    memset(&bundle, 0x5a, sizeof bundle);
    memset(log, '#', sizeof log);
    refused_begin();
    spy_fail_at(n, broken);
    ze_result_t result = syclze_kernel_bundle_create(s.context, s.device, &desc, &bundle);
    failed = spy_failed_call();
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    ze_module_build_log_handle_t left = spy_survivor(SPY_BUILD_LOG);
    if (left) CHECK_EQ(zeModuleBuildLogDestroy(left), ZE_RESULT_SUCCESS);
    refused_check(result, "syclze_kernel_bundle_create", "", NULL, __FILE__, __LINE__);
    CHECK_EQ(result, failed && strcmp(failed, "zeModuleCreate") == 0
                         ? broken
                         : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    CHECK(bundle.rep == NULL);
    CHECK(strlen(log) < sizeof log);
    CHECK(!failed == (strlen(log) > 0) || strcmp(failed, "zeModuleBuildLogDestroy") == 0);
  }
  CHECK(n > 4);
  end(&s);
}

static ze_result_t make_a_kernel(struct setting *s, syclze_object *object) {
  syclze_kernel_input input = {s->bundle, s->g.kernel, SYCLZE_OWNERSHIP_KEEP};
  object->kind = SYCLZE_OBJECT_KERNEL;
  return syclze_make_kernel(&input, s->context, &object->kernel);
}

static ze_result_t create_kernel(struct setting *s, syclze_object *object) {
  object->kind = SYCLZE_OBJECT_KERNEL;
  return syclze_kernel_create(s->bundle, "iota", &object->kernel);
}

/* The module's kernel names are queried once; a kernel's name is queried again with the size that
   it needs. */
TEST(kernels) {
  struct setting s = begin_with_kernel("tests/kernels/basic.spv", "iota");
  fail_each_call(
      &s, (struct attempt){make_a_kernel, "syclze_make_kernel", s.g.kernel, "zeKernelGetName"}, 2);
  fail_each_call(&s, (struct attempt){create_kernel, "syclze_kernel_create", s.g.module, ""}, 1);
  works_iota(&s.g, s.g.list, s.g.kernel);
  end(&s);
}

TEST(a_kernel_whose_name_is_unavailable_is_refused) {
  struct setting s = begin_with_kernel("tests/kernels/basic.spv", "iota");
  syclze_kernel_input input = {.kernel_bundle = s.bundle, .native_handle = s.g.kernel};
  syclze_kernel kernel;
  spy_fail_from(1, broken);
  REFUSED(kernel, syclze_make_kernel(&input, s.context, &kernel), broken, "syclze_make_kernel",
      "name", s.g.kernel);
  spy_fail_from(2, broken);
  REFUSED(kernel, syclze_make_kernel(&input, s.context, &kernel), broken, "syclze_make_kernel",
      "name", s.g.kernel);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  works_iota(&s.g, s.g.list, s.g.kernel);
  end(&s);
}

TEST(allocations) {
  struct setting s = begin();
  void *memory;
  spy_fail_at(1, broken);
  REFUSED(memory, syclze_malloc_device(64, s.device, s.context, &memory), broken,
      "syclze_aligned_alloc_device", "allocation", s.g.context);
  spy_fail_at(1, broken);
  REFUSED(memory, syclze_malloc_shared(64, s.device, s.context, &memory), broken,
      "syclze_aligned_alloc_shared", "allocation", s.g.context);
  spy_fail_at(1, broken);
  REFUSED(memory, syclze_malloc_host(64, s.context, &memory), broken, "syclze_aligned_alloc_host",
      "allocation", s.g.context);
  CHECK_EQ(syclze_malloc_host(64, s.context, &memory), ZE_RESULT_SUCCESS);
  spy_fail_at(1, broken);
  FAILED(syclze_free(memory, s.context), broken, "syclze_free", "zeMemFree", memory);
  memset(memory, 1, 64);
  CHECK_EQ(syclze_free(memory, s.context), ZE_RESULT_SUCCESS);
  end(&s);
}

/* A failed destruction is reported, and the parents are destroyed all the same. */
static ze_result_t make_a_buffer(struct setting *s, syclze_object *object) {
  syclze_buffer_input input = {.native_handle = s->memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  object->kind = SYCLZE_OBJECT_BUFFER;
  return syclze_make_buffer(&input, s->context, &object->buffer);
}

TEST(buffers) {
  struct setting s = begin();
  CHECK_EQ(syclze_malloc_shared(64, s.device, s.context, &s.memory), ZE_RESULT_SUCCESS);
  fail_each_call(&s, (struct attempt){make_a_buffer, "syclze_make_buffer", s.memory, ""}, 2);
  syclze_buffer_input input = {.native_handle = s.memory};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, s.context, &buffer), ZE_RESULT_SUCCESS);
  spy_fail_at(1, broken);
  FAILED(syclze_release(buffer), broken, "syclze_buffer_release", "zeMemFree", s.memory);
  memset(s.memory, 1, 64);
  CHECK_EQ(syclze_free(s.memory, s.context), ZE_RESULT_SUCCESS);
  end(&s);
}

TEST(destruction_of_a_kernel_and_its_module) {
  for (unsigned n = 1; n <= 2; n++) {
    struct setting s = begin_with_kernel("tests/kernels/basic.spv", "iota");
    ze_module_handle_t module = given_module(&s.g, "tests/kernels/basic.spv");
    ze_kernel_handle_t native = given_kernel_of(module, "iota");
    syclze_kernel_bundle bundle = made_kernel_bundle(s.context, module, SYCLZE_OWNERSHIP_TRANSFER);
    syclze_kernel kernel = made_kernel(bundle, native, s.context, SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
    refused_begin();
    spy_fail_at(n, broken);
    CHECK_EQ(syclze_release(kernel), broken);
    CHECK_STR_EQ(spy_failed_call(), n == 1 ? "zeKernelDestroy" : "zeModuleDestroy");
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    CHECK_EQ(refused_count(), 1);
    CHECK_EQ(spy_destroys_of(native), n == 1 ? 0 : 1);
    CHECK_EQ(spy_destroys_of(module), n == 1 ? 1 : 0);
    if (n == 1) CHECK_EQ(zeKernelDestroy(native), ZE_RESULT_SUCCESS);
    if (n == 2) CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
    end(&s);
  }
}

TEST(destruction_of_a_queue) {
  struct setting s = begin();
  syclze_queue queue =
      made_queue(&s.g, s.context, syclze_native_queue_of(s.g.list), SYCLZE_OWNERSHIP_TRANSFER);
  spy_fail_at(1, broken);
  FAILED(syclze_release(queue), broken, "syclze_queue_release", "Destroy", s.g.list);
  queue = made_queue(&s.g, s.context, syclze_native_queue_of(s.g.queue), SYCLZE_OWNERSHIP_TRANSFER);
  spy_fail_at(1, broken);
  FAILED(syclze_release(queue), broken, "syclze_queue_release", "Destroy", s.g.queue);
  works_list(&s.g, s.g.list);
  works_queue(&s.g, s.g.queue);
  end(&s);
}

TEST(destruction_of_an_event) {
  struct setting s = begin();
  ze_event_handle_t native = given_event(&s.g);
  syclze_event event = made_event(s.context, native, SYCLZE_OWNERSHIP_TRANSFER);
  spy_fail_at(1, broken);
  FAILED(syclze_release(event), broken, "syclze_event_release", "zeEventDestroy", native);
  works_event(native);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  end(&s);
}

TEST(destruction_of_a_context) {
  struct setting s = begin();
  ze_context_handle_t native = given_context(&s.g);
  syclze_context_input input = {.native_handle = native, .device_list = &s.device};
  input.device_count = 1;
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  spy_fail_at(1, broken);
  FAILED(syclze_release(context), broken, "syclze_context_release", "zeContextDestroy", native);
  works_context(native);
  CHECK_EQ(zeContextDestroy(native), ZE_RESULT_SUCCESS);
  end(&s);
}

/* Destroys the handle whose destruction failed. */
static void destroy_survivor(const char *failed) {
  if (strcmp(failed, "zeEventDestroy") == 0)
    CHECK_EQ(zeEventDestroy(spy_survivor(SPY_EVENT)), ZE_RESULT_SUCCESS);
  else if (strcmp(failed, "zeEventPoolDestroy") == 0)
    CHECK_EQ(zeEventPoolDestroy(spy_survivor(SPY_EVENT_POOL)), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(zeContextDestroy(spy_survivor(SPY_CONTEXT)), ZE_RESULT_SUCCESS);
}

/* Pooled events: one that fails to be destroyed does not keep the others alive. */
TEST(destruction_of_pooled_events) {
  unsigned n = 1;
  for (const char *failed = ""; failed; n++) {
    struct given g = given();
    given_needs_zecl(g.driver);
    syclze_device device = made_device(&g);
    syclze_context context;
    syclze_event events[2];
    unsigned before = spy_alive_in_all();
    CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_event_create(context, 0, &events[i]), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
    refused_begin();
    spy_fail_at(n, broken);
    ze_result_t result = syclze_release(context);
    failed = spy_failed_call();
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    CHECK_EQ(result, failed ? broken : ZE_RESULT_SUCCESS);
    CHECK_EQ(refused_count(), failed ? 1 : 0);
    CHECK_EQ(spy_alive_in_all(), before + (failed ? 1 : 0));
    if (failed) destroy_survivor(failed);
    given_end(&g);
  }
  CHECK(n > 4);
}

TEST_MAIN(a_platform_is_made_without_enumeration, a_device_is_made_without_enumeration, contexts,
    a_context_of_a_lost_device_is_accepted, queues, events, a_pool_with_a_single_event,
    kernel_bundles, build_logs_of_failed_builds, kernels,
    a_kernel_whose_name_is_unavailable_is_refused, allocations, buffers,
    destruction_of_a_kernel_and_its_module, destruction_of_a_queue, destruction_of_an_event,
    destruction_of_a_context, destruction_of_pooled_events)
