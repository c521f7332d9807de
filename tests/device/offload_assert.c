/* DPC++'s fall-back of assert, for a device whose compiler has none: an image exports the functions
   that a kernel's image imports; a kernel behind reads what failed first, of the same module. */
#include "support/offload.h"
#include "support/refused.h"

#include "syclze/offload/assert.h"
#include "syclze/offload/launch.h"

static void launch(struct offload *o, syclze_queue queue, const char *kernel, size_t items,
    syclze_argument argument) {
  static char log[2048];
  const syclze_nd_range range = {.global = {items}, .local = {items < 16 ? items : 16}};
  const syclze_program_request request = {.kernel = kernel, .log = log, .log_size = sizeof log};
  syclze_event done;
  syclze_group group = syclze_group_begin(queue);
  const ze_result_t result =
      syclze_program_launch(o->program, &group, &request, &range, &argument, 1, &done);
  if (result != ZE_RESULT_SUCCESS) check_fail(__FILE__, __LINE__, "%s: %s", kernel, log);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
}

TEST(the_fallback_of_assert_is_linked_and_read) { // shows offload 47
  struct offload o;
  given_needs_execution();
  CHECK_EQ(sizeof(syclze_assert_happened), 704);
  offload_begin(&o, NULL);
  syclze_queue queue = offload_queue(&o);
  offload_add(&o, "tests/kernels/assert.spv");
  const syclze_program_request request = {.kernel = "check_values"};
  syclze_kernel kernel;
  CHECK(syclze_program_get_kernel(o.program, o.device, &request, &kernel) != ZE_RESULT_SUCCESS);
  const char *fallback = getenv("SYCLZE_ASSERT_FALLBACK"); /* DPC++'s own */
  offload_add(&o, fallback ? fallback : "tests/kernels/assert_fallback.spv");
  void *memory;
  char message[256];
  CHECK_EQ(syclze_malloc_shared(sizeof(syclze_assert_happened), o.device, o.context, &memory), 0);
  syclze_assert_happened *happened = memory;
  for (int i = 0; i < 64; i++)
    o.ints[i] = i == 37 ? 4 : 0;
  launch(&o, queue, "check_values", 64, syclze_arg(o.ints));
  launch(&o, queue, "read_assert", 1, syclze_arg(happened));
  CHECK_EQ(syclze_assert_check(happened, message, sizeof message), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(message, "");
  o.ints[37] = 5;
  launch(&o, queue, "check_values", 64, syclze_arg(o.ints));
  launch(&o, queue, "read_assert", 1, syclze_arg(happened));
  FAILED(syclze_assert_check(happened, message, sizeof message), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_assert_check", "an assertion of device code failed", NULL);
  CHECK_STR_EQ(message, "assert.cl:24: check_values: global id: [37,0,0], local id: [5,0,0] "
                        "Assertion `out[i] != 5` failed.");
  CHECK_EQ(o.ints[37], 12);
  char cut[6];
  CHECK_EQ(syclze_assert_check(happened, cut, sizeof cut), SYCLZE_RESULT_ERROR_RUNTIME);
  CHECK_STR_EQ(cut, "asser");
  CHECK_EQ(syclze_assert_check(NULL, cut, sizeof cut), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_free(happened, o.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  offload_end(&o);
}

TEST_MAIN(the_fallback_of_assert_is_linked_and_read)
