/* Objects of SYCL without a SYCL runtime, and with one that lacks symbols (sycl_interop.h): each
   function is refused by one diagnostic, which names the symbol. */
#include "syclze/sycl_interop.h"

#include "support/memory.h"
#include "support/world.h"
#include "support/zoo.h"
#include "tests/check.h"

/* All that this program exports of libsycl. */
uintptr_t queue_native(const void *queue, int32_t *is_list) __asm__(
    "_ZNK4sycl3_V15queue9getNativeERi");
uintptr_t queue_native(const void *queue, int32_t *is_list) {
  (void)queue;
  *is_list = 0;
  CHECK(!"a runtime without the other symbols is called");
  return 0;
}

static struct {
  unsigned count;
  ze_result_t result;
  char rule[128], detail[256];
} refusal;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  refusal.count++;
  refusal.result = diagnostic->result;
  snprintf(refusal.rule, sizeof refusal.rule, "%s", diagnostic->rule);
  snprintf(refusal.detail, sizeof refusal.detail, "%s",
      diagnostic->detail != NULL ? diagnostic->detail : "");
}

static const syclze_diagnostic_handler handler = {note, NULL};

/* The call has failed with the code, by one diagnostic with the rule and the detail. */
static void check_refused(
    ze_result_t result, ze_result_t expected, const char *rule, const char *detail) {
  CHECK_EQ(result, expected);
  CHECK_EQ(refusal.result, expected);
  CHECK_EQ(refusal.count, 1);
  CHECK(strstr(refusal.rule, rule) != NULL);
  CHECK(strncmp(refusal.detail, detail, strlen(detail)) == 0);
  CHECK((*detail == '\0') == (*refusal.detail == '\0'));
  refusal.count = 0;
}

/* Calls each function for what it is not given by a SYCL runtime. */
static void check_all_refused(const char *rule, const char *detail) {
  const ze_result_t expected = SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  const void *const words[4] = {NULL}, *object = words;
  const syclze_queue none = {NULL};
  syclze_backend_input input = zoo_input(SYCLZE_OBJECT_QUEUE, SYCLZE_OWNERSHIP_KEEP);
  syclze_object made, queue, event;
  void *result;
  CHECK_OK(syclze_make_object(&input, world.context, &queue));
  input = zoo_input(SYCLZE_OBJECT_EVENT, SYCLZE_OWNERSHIP_KEEP);
  CHECK_OK(syclze_make_object(&input, world.context, &event));
#define FROM(kind)                                                                                 \
  do {                                                                                             \
    check_refused(syclze_##kind##_from_sycl(object, &made.kind), expected, rule, detail);          \
    CHECK(made.kind.rep == NULL);                                                                  \
  } while (0)
#define TO(kind, own)                                                                              \
  do {                                                                                             \
    result = &made;                                                                                \
    check_refused(syclze_##kind##_to_sycl(own, &result), expected, rule, detail);                  \
    CHECK(result == NULL);                                                                         \
  } while (0)
  FROM(platform);
  FROM(device);
  FROM(context);
  FROM(queue);
  FROM(kernel_bundle);
  FROM(kernel);
  check_refused(syclze_event_from_sycl(object, world.context, &made.event), expected, rule, detail);
  TO(platform, syclze_device_get_platform(world.device));
  TO(device, world.device);
  TO(context, world.context);
  TO(queue, queue.queue);
  TO(kernel_bundle, zoo.bundle);
  check_refused(syclze_event_to_sycl(event.event, none, &result), expected, rule, detail);
#undef FROM
#undef TO
  CHECK_OK(syclze_object_release(event));
  CHECK_OK(syclze_object_release(queue));
}

static void begin(int without_symbols) {
  zoo_begin();
  fake.old_loader = without_symbols; /* dlsym finds nothing */
  refusal.count = 0;
  syclze_diagnostic_set_handler(&handler);
}

static void end(void) {
  syclze_diagnostic_set_handler(NULL);
  zoo_end();
}

TEST(without_a_runtime_all_are_refused) { // shows promises 14
  begin(1);
  check_all_refused("no SYCL runtime", "");
  end();
}

static void convert(void) {
  const void *const words[4] = {NULL}, *object = words;
  syclze_queue queue;
  check_refused(syclze_queue_from_sycl(object, &queue), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
      "does not export", "_ZN");
}

/* The second thread begins and ends while the first one looks for the functions. */
TEST(two_threads_that_look_for_the_functions_keep_one_table) {
#ifdef _WIN32
  check_skip("a SYCL runtime is not looked for on Windows");
#endif
  begin(0);
  const long before = memory_live();
  memory_interrupt(sizeof(struct syclze__sycl), convert);
  convert();
  CHECK_EQ(memory_live(), before + 1);
  convert();
  CHECK_EQ(memory_live(), before + 1);
  end();
}

TEST(a_symbol_that_is_not_there_is_named) { // shows promises 14
#ifdef _WIN32
  check_skip("a SYCL runtime is not looked for on Windows");
#endif
  begin(0);
  check_all_refused("does not export", "_ZN");
  end();
}

TEST(null_objects_and_results_are_refused_first) { // shows promises 14
  const void *const words[4] = {NULL};
  const syclze_context no_context = {NULL};
  const syclze_queue no_queue = {NULL};
  syclze_queue queue = {(struct syclze__queue *)(uintptr_t)words};
  syclze_event event;
  void *result = &result;
  begin(1);
  check_refused(syclze_queue_from_sycl(NULL, &queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "object is null", "");
  CHECK(queue.rep == NULL);
  check_refused(syclze_queue_from_sycl(words, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "result's pointer", "");
  check_refused(syclze_event_from_sycl(words, no_context, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "context is null", "");
  check_refused(syclze_queue_to_sycl(no_queue, &result), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "object is null", "");
  CHECK(result == NULL);
  check_refused(syclze_context_to_sycl(world.context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "result's pointer", "");
  syclze_sycl_delete(NULL);
  end();
}

TEST_MAIN(without_a_runtime_all_are_refused, two_threads_that_look_for_the_functions_keep_one_table,
    a_symbol_that_is_not_there_is_named, null_objects_and_results_are_refused_first)
