/* Failing waits and timestamp queries: the code is passed through, and no state is lost. */
#undef SYCLZE_DECLARATIONS
#include <stdatomic.h>
#include <stdbool.h>
#include <level_zero/ze_api.h>

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

/* Result of the next call of each function. */
static atomic_bool wait_fails, times_fail, properties_fail, clock_stands;

static ze_result_t refuse_wait(ze_event_handle_t event, uint64_t nanoseconds) {
  return atomic_exchange(&wait_fails, false) ? broken : zeEventHostSynchronize(event, nanoseconds);
}

static ze_result_t refuse_times(ze_event_handle_t event, ze_kernel_timestamp_result_t *times) {
  return atomic_exchange(&times_fail, false) ? broken : zeEventQueryKernelTimestamp(event, times);
}

static ze_result_t refuse_properties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  if (atomic_exchange(&properties_fail, false)) return broken;
  ze_result_t result = zeDeviceGetProperties(device, properties);
  if (atomic_exchange(&clock_stands, false)) properties->timerResolution = 0;
  return result;
}

#define zeEventHostSynchronize refuse_wait
#define zeEventQueryKernelTimestamp refuse_times
#define zeDeviceGetProperties refuse_properties
#include "syclze/command.h"
#include "syclze/syclze.h"
#undef zeEventHostSynchronize
#undef zeEventQueryKernelTimestamp
#undef zeDeviceGetProperties

#include "support/lacking.h"
#include "support/made.h"
#include "support/refused.h"

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
};

static struct world begin(void) {
  given_needs_execution();
  static const syclze_property_list properties = {
      .flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING};
  struct world w = {.g = given()};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(w.context, w.device, &properties, &w.queue), ZE_RESULT_SUCCESS);
  lacking_list_waits();
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static ze_result_t fail(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return SYCLZE_RESULT_ERROR_RUNTIME;
}

TEST(a_failed_wait_loses_no_error_of_the_queue) {
  struct world w = begin();
  syclze_event done;
  syclze_group group = syclze_group_begin(w.queue);
  CHECK_EQ(syclze_group_host_task(&group, fail, NULL, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  atomic_store(&wait_fails, true);
  FAILED(syclze_queue_wait(w.queue), broken, "syclze_queue_wait", "zeEventHostSynchronize",
      w.queue.rep->native.list);
  CHECK_EQ(syclze_queue_wait(w.queue), SYCLZE_RESULT_ERROR_RUNTIME);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The timestamp query is refused. */
static void check_refused(struct world *w, syclze_event done, ze_result_t code, const char *rule) {
  uint64_t start = 1, stop = 1;
  FAILED(syclze_event_get_profiling(done, w->device, &start, &stop), code,
      "syclze_event_get_profiling", rule, syclze_get_native(done));
  CHECK_EQ(start, 0);
  CHECK_EQ(stop, 0);
}

TEST(failed_timestamp_queries_are_passed_through) { // shows promises 28
  struct world w = begin();
  uint64_t start, stop;
  syclze_event done;
  CHECK_EQ(syclze_queue_submit_barrier(w.queue, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  atomic_store(&properties_fail, true);
  check_refused(&w, done, broken, "failed");
  atomic_store(&clock_stands, true);
  check_refused(&w, done, SYCLZE_RESULT_ERROR_PROFILING, "resolution");
  atomic_store(&times_fail, true);
  check_refused(&w, done, broken, "failed");
  /* The device's clock is known by now. */
  atomic_store(&properties_fail, true);
  CHECK_EQ(syclze_event_get_profiling(done, w.device, &start, &stop), ZE_RESULT_SUCCESS);
  CHECK(atomic_exchange(&properties_fail, false));
  CHECK(start != 0 && start <= stop);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_failed_wait_loses_no_error_of_the_queue, failed_timestamp_queries_are_passed_through)
