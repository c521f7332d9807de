/* Level Zero through a table: a program that is not linked with the loader. Each case needs a
   process of its own, since a table that is filled stays (tests/build/loader.sh). In C and in C++.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv, RTLD_NEXT */
#endif
#define SYCLZE_LOADER_DYNAMIC
#include "syclze/command.h"
#include "syclze/device_query.h"
#include "syclze/loader_close.h"
#include "syclze/offload/offload.h"
#include "syclze/syclze.h"
#include "syclze/trace/level_zero.h"
#include "syclze/trace/writer.h"
#include "tests/check.h"

#include <dlfcn.h>
#include <pthread.h>

#include "syclze/loader_names.h"

static int diagnostics;
static const char *last_function, *last_rule;
static char last_detail[300];

static void notify(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  diagnostics++;
  last_function = diagnostic->function;
  last_rule = diagnostic->rule;
  last_detail[0] = '\0';
  if (diagnostic->detail != NULL)
    snprintf(last_detail, sizeof last_detail, "%s", diagnostic->detail);
}

static void receive_diagnostics(void) {
  static const syclze_diagnostic_handler handler = {notify, NULL};
  syclze_diagnostic_set_handler(&handler);
}

static void *call_without_a_loader(void *result) {
  *(ze_result_t *)result = SYCLZE__ZE(zeEventDestroy)(NULL);
  return NULL;
}

TEST(without_a_loader_each_call_returns_an_error) {
  receive_diagnostics();
  CHECK_EQ(setenv("SYCLZE_LOADER", "/no_such_loader.so", 1), 0);
  uint32_t count = 0;
  for (int i = 0; i < 2; i++) {
    diagnostics = 0;
    CHECK_EQ(syclze_platform_get(&count, NULL), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    CHECK_EQ(count, 0);
    CHECK_EQ(diagnostics, 2); /* of the loader, and of the call */
  }
  CHECK_EQ(syclze_loader_open(NULL), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  CHECK_STR_EQ(last_function, "syclze_loader_open");
  CHECK(strstr(last_detail, "no_such_loader") != NULL);
  syclze_platform platform;
  ze_driver_handle_t driver = (ze_driver_handle_t)(uintptr_t)1;
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  CHECK_EQ(platform.rep, NULL);
  CHECK_EQ(SYCLZE__ZE(zeEventDestroy)(NULL), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  syclze_diagnostic_set_handler(NULL);
  pthread_t threads[2];
  ze_result_t results[2];
  for (int i = 0; i < 2; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, call_without_a_loader, &results[i]), 0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_EQ(results[i], ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  }
}

static int inits;
static ze_driver_handle_t the_driver = (ze_driver_handle_t)(uintptr_t)0x1000;

static ze_result_t ZE_APICALL fake_init(ze_init_flags_t flags) {
  (void)flags;
  inits++;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL fake_driver_get(uint32_t *count, ze_driver_handle_t *drivers) {
  if (*count != 0 && drivers != NULL) drivers[0] = the_driver;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

static syclze_loader_function find_fake(const char *name, void *user) {
  CHECK_EQ(user, &the_driver);
  if (strcmp(name, "zeInit") == 0) return (syclze_loader_function)fake_init;
  if (strcmp(name, "zeDriverGet") == 0) return (syclze_loader_function)fake_driver_get;
  return NULL;
}

/* Another thread gives the functions when the loader has just been missed. No order but that of the
   table is between the two. */
static int missed;

static void *give_functions(void *argument) {
  while (!__atomic_load_n(&missed, __ATOMIC_RELAXED))
    continue;
  CHECK_EQ(syclze_loader_set(find_fake, &the_driver), ZE_RESULT_SUCCESS);
  __atomic_store_n(&missed, 2, __ATOMIC_RELAXED);
  return argument;
}

static void wait_for_functions(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (strcmp(diagnostic->function, "syclze_loader_open") != 0) return;
  __atomic_store_n(&missed, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&missed, __ATOMIC_RELAXED) != 2)
    continue;
}

TEST(functions_that_are_given_meanwhile_are_used) {
  static const syclze_diagnostic_handler handler = {wait_for_functions, NULL};
  pthread_t thread;
  syclze_platform platform;
  CHECK_EQ(setenv("SYCLZE_LOADER", "/no_such_loader.so", 1), 0);
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(pthread_create(&thread, NULL, give_functions, NULL), 0);
  CHECK_EQ(syclze_make_platform(the_driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(inits, 0);
  CHECK_EQ(syclze_init(0), ZE_RESULT_SUCCESS);
  CHECK_EQ(inits, 1);
}

static syclze_loader_function find_nothing(const char *name, void *user) {
  (void)name, (void)user;
  return NULL;
}

TEST(the_application_gives_the_functions) {
  receive_diagnostics();
  CHECK_EQ(syclze_loader_set(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_loader_set(find_nothing, NULL), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  CHECK_STR_EQ(last_function, "syclze_loader_set");
  CHECK_EQ(diagnostics, 2);
  CHECK_EQ(syclze_loader_set(find_fake, &the_driver), ZE_RESULT_SUCCESS);
  CHECK_EQ(inits, 0);
  CHECK_EQ(syclze_loader_set(find_fake, &the_driver), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_loader_open(NULL), SYCLZE_RESULT_ERROR_INVALID);

  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(the_driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(inits, 0);
  CHECK_EQ(syclze_platform_get_native(platform), the_driver);
  CHECK_EQ(syclze_init(0), ZE_RESULT_SUCCESS);
  CHECK_EQ(inits, 1);
  /* A function that the table lacks. */
  syclze_device device;
  ze_device_handle_t handle = (ze_device_handle_t)(uintptr_t)0x2000;
  CHECK_EQ(syclze_make_device(handle, &device), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

static void query(syclze_device device) {
  syclze_device_info info;
  CHECK_EQ(syclze_device_get_info(device, &info), ZE_RESULT_SUCCESS);
  CHECK(info.memory_size > 0);
}

static void run_on(syclze_device device) {
  syclze_context context;
  syclze_queue queue;
  syclze_property_list properties;
  memset(&properties, 0, sizeof properties);
  properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, &properties, &queue), ZE_RESULT_SUCCESS);
  unsigned char *memory = NULL;
  CHECK_EQ(syclze_malloc_host(64, context, (void **)&memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, 64);
  syclze_group group = syclze_group_begin(queue);
  const unsigned char pattern = 7;
  syclze_event event;
  CHECK_EQ(
      syclze_group_fill(&group, syclze_memory_argument_pointer(memory), &pattern, 1, 64, &event),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(memory[0], 7);
  CHECK_EQ(memory[63], 7);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
}

TEST(a_device_of_a_loader_that_is_opened) {
  uint32_t count = 1;
  syclze_platform platform;
  CHECK_EQ(syclze_platform_get(&count, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  syclze_device device;
  count = 1;
  CHECK_EQ(syclze_device_get(platform, &count, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  query(device);
  run_on(device);
}

/* Under their own names, also one that the library never calls; and by syclze_ze, one of zes, which
   the header in use declares or not. */
TEST(the_program_calls_level_zero_through_the_table) {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_device_cache_properties_t caches[4];
  ze_api_version_t version;
  uint32_t count = 1;
  CHECK_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK_EQ(zeDriverGetApiVersion(driver, &version), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ze(zeDeviceGet)(driver, &count, &device), ZE_RESULT_SUCCESS);
  memset(caches, 0, sizeof caches);
  count = 0;
  for (int i = 0; i < 3; i++)
    CHECK_EQ(zeDeviceGetCacheProperties(device, &count, NULL), ZE_RESULT_SUCCESS);
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(driver, &platform), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_loader_close(), ZE_RESULT_SUCCESS);
}

/* All of the application's functions except two are missing. */
TEST(a_call_of_what_the_loader_lacks_is_an_error) {
  ze_api_version_t version;
  CHECK_EQ(syclze_loader_set(find_fake, &the_driver), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(zeDriverGetApiVersion(the_driver, &version), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    CHECK_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(inits, 2);
  CHECK_EQ(syclze_loader_close(), ZE_RESULT_SUCCESS);
  CHECK_EQ(setenv("SYCLZE_LOADER", "/no_such_loader.so", 1), 0);
  CHECK_EQ(zeInit(0), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  CHECK_EQ(inits, 2);
}

static void *the_loader;
static int closed; /* the loader, which closes libraries of its own */

SYCLZE_EXTERN_C_BEGIN
int dlclose(void *library) {
  int (*next)(void *);
  void *found = dlsym(RTLD_NEXT, "dlclose");
  memcpy(&next, &found, sizeof found);
  closed += library == the_loader;
  return next(library);
}
SYCLZE_EXTERN_C_END

TEST(a_loader_is_closed_and_opened_anew) {
  receive_diagnostics();
  for (int i = 0; i < 3; i++) {
    uint32_t count = 1;
    syclze_device device;
    syclze_context context;
    syclze_event event;
    CHECK_EQ(syclze_device_get_selected(&count, &device), ZE_RESULT_SUCCESS);
    run_on(device);
    CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
#if SYCLZE_HAS_THREAD_CACHE
    diagnostics = 0;
    CHECK_EQ(syclze_loader_close(), SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(diagnostics, 1);
    CHECK_STR_EQ(last_function, "syclze_loader_close");
#endif
    query(device); /* as before */
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
    the_loader = dlopen(SYCLZE_LOADER_NAME, RTLD_LAZY | RTLD_NOLOAD);
    CHECK(the_loader != NULL && dlclose(the_loader) == 0);
    closed = 0;
    CHECK_EQ(syclze_loader_close(), ZE_RESULT_SUCCESS);
    CHECK_EQ(closed, 1);
    CHECK_EQ(syclze_loader_close(), ZE_RESULT_SUCCESS);
    CHECK_EQ(closed, 1);
  }
  CHECK_EQ(syclze_loader_set(find_fake, &the_driver), ZE_RESULT_SUCCESS);
}

TEST_MAIN(the_program_calls_level_zero_through_the_table,
    a_call_of_what_the_loader_lacks_is_an_error, a_loader_is_closed_and_opened_anew,
    without_a_loader_each_call_returns_an_error, the_application_gives_the_functions,
    functions_that_are_given_meanwhile_are_used, a_device_of_a_loader_that_is_opened)
