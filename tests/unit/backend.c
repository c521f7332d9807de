/* Tagged unions: each kind uses its own function, with its checks and ownership. */
#include "support/zoo.h"
#include "tests/check.h"

/* The native handle in a backend_return of any kind. */
static const void *handle_in(syclze_backend_return native) {
  CHECK_EQ(native.backend, SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO);
  switch (native.kind) {
  case SYCLZE_OBJECT_PLATFORM:
    return native.platform;
  case SYCLZE_OBJECT_DEVICE:
    return native.device;
  case SYCLZE_OBJECT_CONTEXT:
    return native.context;
  case SYCLZE_OBJECT_QUEUE:
    CHECK_EQ(native.queue.kind, SYCLZE_NATIVE_QUEUE_LIST);
    return native.queue.list;
  case SYCLZE_OBJECT_EVENT:
    return native.event;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    CHECK_EQ(native.kernel_bundle.count, 1);
    return native.kernel_bundle.modules[0];
  case SYCLZE_OBJECT_KERNEL:
    return native.kernel;
  case SYCLZE_OBJECT_SAMPLER:
    return native.sampler;
  case SYCLZE_OBJECT_BUFFER:
  case SYCLZE_OBJECT_IMAGE:
  case SYCLZE_OBJECT_NONE:
    break;
  }
  return NULL;
}

static const void *handle_of(syclze_object_kind kind) {
  const void *const handles[] = {NULL, world.driver, world.sub, zoo.context, zoo.list, zoo.event,
      zoo.module, zoo.kernel, zoo.memory, zoo.image, zoo.sampler};
  return handles[kind];
}

TEST(every_kind_wraps_and_returns_its_native_handle) { // shows backend 11 26, host_data 17
  for (int k = SYCLZE_OBJECT_PLATFORM; k <= SYCLZE_OBJECT_SAMPLER; k++) {
    syclze_object_kind kind = (syclze_object_kind)k;
    zoo_begin();
    syclze_backend_input input = zoo_input(kind, SYCLZE_OWNERSHIP_KEEP);
    syclze_object object;
    CHECK_OK(syclze_make_object(&input, world.context, &object));
    CHECK_EQ(object.kind, kind);
    syclze_backend_return native = syclze_object_get_native(object);
    /* The native memory of a buffer or image comes from an interop handle only (4.2). */
    int by_interop_handle = kind == SYCLZE_OBJECT_BUFFER || kind == SYCLZE_OBJECT_IMAGE;
    CHECK_EQ(native.kind, by_interop_handle ? SYCLZE_OBJECT_NONE : kind);
    CHECK_EQ(handle_in(native), by_interop_handle ? NULL : handle_of(kind));
    CHECK_OK(syclze_object_retain(object));
    CHECK_OK(syclze_object_release(object));
    CHECK_OK(syclze_object_release(object));
    CHECK_EQ(fake_all_destroys(), 0);
    zoo_end();
  }
}

TEST(every_counted_kind_is_destroyed_after_its_last_reference) {
  for (int k = SYCLZE_OBJECT_CONTEXT; k <= SYCLZE_OBJECT_SAMPLER; k++) {
    syclze_object_kind kind = (syclze_object_kind)k;
    zoo_begin();
    if (kind == SYCLZE_OBJECT_KERNEL_BUNDLE) fake_destroy(zoo.kernel);
    unsigned before = fake_all_destroys();
    syclze_backend_input input = zoo_input(kind, SYCLZE_OWNERSHIP_TRANSFER);
    syclze_object object;
    CHECK_OK(syclze_make_object(&input, world.context, &object));
    CHECK_OK(syclze_object_retain(object));
    CHECK_OK(syclze_object_release(object));
    CHECK_EQ(fake_all_destroys(), before);
    CHECK_OK(syclze_object_release(object));
    CHECK_EQ(fake_all_destroys(), before + 1);
    CHECK_EQ(fake_destroys(handle_of(kind)), 1);
    zoo_end();
  }
}

TEST(a_typed_object_can_be_read_from_the_union) {
  zoo_begin();
  syclze_backend_input input = zoo_input(SYCLZE_OBJECT_EVENT, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_object object;
  CHECK_OK(syclze_make_object(&input, world.context, &object));
  syclze_event event = object.event;
  CHECK_EQ(syclze_event_get_native(event), zoo.event);
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(zoo.event), 1);
  zoo_end();
}

TEST(another_backend_is_refused) { // shows peers 10
  zoo_begin();
  for (int backend = SYCLZE_BACKEND_OPENCL; backend <= SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU + 1;
       backend++) {
    syclze_backend_input input = zoo_input(SYCLZE_OBJECT_EVENT, SYCLZE_OWNERSHIP_TRANSFER);
    input.backend = (syclze_backend)backend;
    syclze_object object;
    memset(&object, 0x55, sizeof object);
    CHECK_REFUSED(syclze_make_object(&input, world.context, &object),
        SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "syclze_make_object", NULL);
    CHECK_EQ(object.kind, SYCLZE_OBJECT_NONE);
    CHECK_EQ(object.event.rep, NULL);
  }
  zoo_end();
}

TEST(an_invalid_kind_is_refused) {
  zoo_begin();
  static const int kinds[] = {SYCLZE_OBJECT_NONE, SYCLZE_OBJECT_SAMPLER + 1, -1};
  for (int i = 0; i < 3; i++) {
    syclze_backend_input input = zoo_input(SYCLZE_OBJECT_NONE, SYCLZE_OWNERSHIP_TRANSFER);
    input.kind = (syclze_object_kind)kinds[i];
    syclze_object object;
    CHECK_REFUSED(syclze_make_object(&input, world.context, &object),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_make_object", NULL);
    CHECK_EQ(object.kind, SYCLZE_OBJECT_NONE);
    object.kind = input.kind;
    unsigned calls = fake_all_calls();
    CHECK_OK(syclze_object_retain(object));
    CHECK_OK(syclze_object_release(object));
    CHECK_EQ(syclze_object_get_native(object).event, NULL);
    CHECK_EQ(fake_all_calls(), calls);
  }
  zoo_end();
}

TEST(null_arguments_are_refused) {
  zoo_begin();
  syclze_backend_input input = zoo_input(SYCLZE_OBJECT_EVENT, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_object object;
  memset(&object, 0x55, sizeof object);
  CHECK_REFUSED(syclze_make_object(NULL, world.context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_object", NULL);
  CHECK_EQ(object.kind, SYCLZE_OBJECT_NONE);
  CHECK_REFUSED(syclze_make_object(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_object", NULL);
  zoo_end();
}

TEST(each_kind_is_checked_by_its_own_rules) {
  static const char *const functions[] = {NULL, "syclze_make_platform", "syclze_make_device",
      "syclze_make_context", "syclze_make_queue", "syclze_make_event", "syclze_make_kernel_bundle",
      "syclze_make_kernel", "syclze_make_buffer", "syclze_make_image", "syclze_make_sampler"};
  for (int k = SYCLZE_OBJECT_PLATFORM; k <= SYCLZE_OBJECT_SAMPLER; k++) {
    syclze_object_kind kind = (syclze_object_kind)k;
    zoo_begin();
    syclze_context none = {0};
    syclze_backend_input input = zoo_input(kind, SYCLZE_OWNERSHIP_TRANSFER);
    syclze_object object;
    if (k <= SYCLZE_OBJECT_CONTEXT) { /* no context is needed */
      CHECK_OK(syclze_make_object(&input, none, &object));
      CHECK_OK(syclze_object_release(object));
      input.platform = NULL;
      input.device = NULL;
      input.context.native_handle = NULL;
    }
    memset(&object, 0x55, sizeof object);
    CHECK_REFUSED(syclze_make_object(&input, none, &object), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
        functions[k], k <= SYCLZE_OBJECT_CONTEXT ? NULL : handle_of(kind));
    CHECK_EQ(object.kind, SYCLZE_OBJECT_NONE);
    CHECK_EQ(object.event.rep, NULL);
    zoo_end();
  }
}

TEST_MAIN(every_kind_wraps_and_returns_its_native_handle,
    every_counted_kind_is_destroyed_after_its_last_reference,
    a_typed_object_can_be_read_from_the_union, another_backend_is_refused,
    an_invalid_kind_is_refused, null_arguments_are_refused, each_kind_is_checked_by_its_own_rules)
