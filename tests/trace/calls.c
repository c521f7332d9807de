/* Level Zero calls that a tracer reports. */
#define _GNU_SOURCE
#include "../check.h"
#include "syclze/syclze.h"
#include "syclze/trace/tracer.h"

#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };

static struct {
  uint32_t begun, ended, open[SYCLZE__CALL_NUMBERS];
  ze_result_t result; /* of the last call that ended */
  uint32_t last;
  ze_driver_handle_t driver; /* of the last zeDeviceGet */
} seen;

static void begin(syclze_tracer *tracer, const syclze_tracer_call *call) {
  (void)tracer;
  CHECK(call->result == NULL);
  *call->instance = (void *)(uintptr_t)(1000 + call->function);
  __atomic_fetch_add(&seen.begun, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&seen.open[call->function], 1, __ATOMIC_RELAXED);
}

static void end(syclze_tracer *tracer, const syclze_tracer_call *call) {
  (void)tracer;
  CHECK_EQ((uintptr_t)*call->instance, 1000 + call->function);
  __atomic_fetch_add(&seen.ended, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&seen.open[call->function], 1, __ATOMIC_RELAXED);
  __atomic_store_n(&seen.last, call->function, __ATOMIC_RELAXED);
  __atomic_store_n((uint32_t *)&seen.result, (uint32_t)*call->result, __ATOMIC_RELAXED);
  if (call->function == SYCLZE__CALL_DeviceGet) {
    ze_driver_handle_t driver = **(ze_driver_handle_t **)call->arguments;
    uint32_t none = 0;
    __atomic_store_n(&seen.driver, driver, __ATOMIC_RELAXED);
    CHECK_EQ(zeDeviceGet(driver, &none, NULL), ZE_RESULT_SUCCESS);
  }
}

static bool refuses;

/* In front of the loader's. */
ze_result_t ZE_APICALL zelTracerDeviceGetRegisterCallback(
    void *handle, int when, void (*callback)(void));
ze_result_t ZE_APICALL zelTracerDeviceGetRegisterCallback(
    void *handle, int when, void (*callback)(void)) {
  ze_result_t(ZE_APICALL * next)(void *, int, void (*)(void));
  if (refuses) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  void *address = dlsym(RTLD_NEXT, "zelTracerDeviceGetRegisterCallback");
  memcpy(&next, &address, sizeof next);
  return next(handle, when, callback);
}

static syclze_tracer tracer = {begin, end, NULL, 0};

static ze_driver_handle_t listening(void) {
  uint32_t one = 1;
  ze_driver_handle_t driver = NULL;
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  CHECK_EQ(syclze_tracer_start(&tracer), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDriverGet(&one, &driver), ZE_RESULT_SUCCESS);
  memset(&seen, 0, sizeof seen);
  return driver;
}

static void check_balanced(void) {
  CHECK_EQ(seen.begun, seen.ended);
  for (uint32_t i = 0; i < SYCLZE__CALL_NUMBERS; i++)
    CHECK_EQ(seen.open[i], 0);
}

TEST(a_call_is_reported_with_its_arguments_and_result) {
  ze_driver_handle_t driver = listening();
  uint32_t one = 1;
  ze_device_handle_t device;
  CHECK_EQ(zeDeviceGet(driver, &one, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.begun, 1);
  CHECK_EQ(seen.last, SYCLZE__CALL_DeviceGet);
  CHECK_EQ(seen.result, ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.driver, driver);
  check_balanced();
}

/* The tracer's own zeDeviceGet above would make two calls of one. */
TEST(calls_of_the_callback_are_not_reported) {
  ze_driver_handle_t driver = listening();
  uint32_t none = 0;
  for (int i = 0; i < 5; i++)
    CHECK_EQ(zeDeviceGet(driver, &none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.begun, 5);
  check_balanced();
}

TEST(a_call_that_fails_ends_too) {
  listening();
  CHECK_EQ(zeDriverGet(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(seen.begun, 1);
  CHECK_EQ(seen.result, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  check_balanced();
}

TEST(calls_of_syclze_are_reported) {
  ze_driver_handle_t driver = listening();
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_SUCCESS);
  CHECK(seen.begun > 0);
  check_balanced();
}

static void *call(void *driver) {
  uint32_t count = 0;
  for (int i = 0; i < ROUNDS; i++)
    zeDeviceGet((ze_driver_handle_t)driver, &count, NULL), zeDriverGet(NULL, NULL);
  return NULL;
}

TEST(calls_of_several_threads_balance) {
  ze_driver_handle_t driver = listening();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, call, driver), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK_EQ(seen.begun, 2 * THREADS * ROUNDS);
  check_balanced();
}

TEST(nothing_is_reported_after_the_stop) {
  ze_driver_handle_t driver = listening();
  uint32_t none = 0;
  CHECK_EQ(syclze_tracer_stop(&tracer), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGet(driver, &none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.begun, 0);
  CHECK_EQ(syclze_tracer_start(&tracer), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGet(driver, &none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.begun, seen.ended);
  CHECK(seen.begun > 0);
}

TEST(a_start_that_failed_is_made_again) {
  static syclze_tracer other = {begin, end, NULL, 0};
  const ze_driver_handle_t driver = listening();
  uint32_t none = 0;
  CHECK_EQ(syclze_tracer_stop(&tracer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    refuses = true;
    CHECK_EQ(syclze_tracer_start(&other), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    refuses = false;
    CHECK(other.handle == NULL);
    CHECK_EQ(other.functions, 0);
  }
  CHECK_EQ(syclze_tracer_start(&other), ZE_RESULT_SUCCESS);
  CHECK_EQ(other.functions, tracer.functions);
  CHECK_EQ(zeDeviceGet(driver, &none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.begun, 1);
  check_balanced();
  CHECK_EQ(syclze_tracer_stop(&other), ZE_RESULT_SUCCESS);
}

TEST_MAIN(a_call_is_reported_with_its_arguments_and_result, calls_of_the_callback_are_not_reported,
    a_call_that_fails_ends_too, calls_of_syclze_are_reported, calls_of_several_threads_balance,
    nothing_is_reported_after_the_stop, a_start_that_failed_is_made_again)
