/* Null objects, {0}: SYCL's default event is complete, retains and releases have no effect. Native
   handles of null objects are refused by the checker, which this file is compiled with. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/fake.h"
#include "support/notes.h"
#include "syclze/syclze.h"
#include "tests/check.h"

static struct {
  syclze_platform platform;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_buffer buffer;
  syclze_image image;
  syclze_sampler sampler;
} none;

TEST(a_null_event_is_complete) { // shows promises 49, queues 1
  notes_begin();
  const syclze_event many[3] = {none.event, none.event, none.event};
  syclze_event_status status = SYCLZE_EVENT_STATUS_SUBMITTED;
  CHECK_OK(syclze_event_wait(none.event));
  CHECK_OK(syclze_events_wait(many, 3));
  CHECK_OK(syclze_events_wait(NULL, 0));
  CHECK_OK(syclze_event_get_status(none.event, &status));
  CHECK_EQ(status, SYCLZE_EVENT_STATUS_COMPLETE);
  CHECK_EQ(fake_all_calls(), 0);
}

TEST(retain_and_release_of_null_have_no_effect) { // shows promises 49
  notes_begin();
  CHECK_OK(syclze_retain(none.platform));
  CHECK_OK(syclze_retain(none.device));
  CHECK_OK(syclze_retain(none.context));
  CHECK_OK(syclze_retain(none.queue));
  CHECK_OK(syclze_retain(none.event));
  CHECK_OK(syclze_retain(none.bundle));
  CHECK_OK(syclze_retain(none.kernel));
  CHECK_OK(syclze_retain(none.buffer));
  CHECK_OK(syclze_retain(none.image));
  CHECK_OK(syclze_retain(none.sampler));
  CHECK_OK(syclze_release(none.platform));
  CHECK_OK(syclze_release(none.device));
  CHECK_OK(syclze_release(none.context));
  CHECK_OK(syclze_release(none.queue));
  CHECK_OK(syclze_release(none.event));
  CHECK_OK(syclze_release(none.bundle));
  CHECK_OK(syclze_release(none.kernel));
  CHECK_OK(syclze_release(none.buffer));
  CHECK_OK(syclze_release(none.image));
  CHECK_OK(syclze_release(none.sampler));
}

static void check_reported(const char *function, int line) {
  if (notes.count != 1 || strcmp(notes.first.function, function) != 0 ||
      notes.first.result != ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
    check_fail(__FILE__, line, "%u diagnostics for %s", notes.count, function);
}

/* Returns null after one diagnostic. */
#define CHECK_NULL_NATIVE(expression, function)                                                    \
  do {                                                                                             \
    notes_start();                                                                                 \
    CHECK_EQ(expression, NULL);                                                                    \
    check_reported(function, __LINE__);                                                            \
  } while (0)

TEST(the_native_handle_of_null_is_null_and_reported) { // shows promises 49
  notes_begin();
  CHECK_NULL_NATIVE(syclze_get_native(none.platform), "syclze_platform_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.device), "syclze_device_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.context), "syclze_context_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.queue).queue, "syclze_queue_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.event), "syclze_event_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.bundle).modules, "syclze_kernel_bundle_get_native");
  CHECK_NULL_NATIVE(syclze_get_native(none.kernel), "syclze_kernel_get_native");
}

TEST_MAIN(a_null_event_is_complete, retain_and_release_of_null_have_no_effect,
    the_native_handle_of_null_is_null_and_reported)
