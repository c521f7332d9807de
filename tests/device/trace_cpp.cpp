/* Call sites of the forms that are overloads and templates in C++. */
#include "syclze/trace/xpti.h"
#include "tests/check.h"

/* In C a struct and a function may have the same name. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "support/traced.h"
}
#pragma GCC diagnostic pop
TEST(a_launch_by_the_template_has_its_line) { // shows tracing 7
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  const syclze_nd_range whole = {{256, 0, 0}, {64, 0, 0}, {0, 0, 0}, 1};
  syclze_group group = syclze_group_begin(t.queue);
  const syclze_accessor in = syclze_require(&group, t.a, SYCLZE_ACCESS_READ);
  const syclze_accessor out = syclze_require(&group, t.b, SYCLZE_ACCESS_READ_WRITE);
  const uint32_t line = __LINE__ + 2;
  const ze_result_t launched =
      syclze_launch(&group, t.mix, &whole, static_cast<syclze_event *>(nullptr), syclze_arg(out),
          syclze_arg(in), syclze_arg(3u), syclze_arg(1u));
  CHECK_EQ(launched, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(c.line("graph_mix"), line);

  syclze_queue refused;
  const syclze_queue_input invalid = {
      syclze_get_native(t.queue), {nullptr}, SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
  CHECK(syclze_make_native(&invalid, t.context, &refused) != ZE_RESULT_SUCCESS);
  CHECK_EQ(c.count(CHECKER_SYCL, 126), 1);
  CHECK_EQ(c.seen(CHECKER_SYCL, 126, "sym_line_no"), 1);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
}

/* The subscriber checks the arguments of another launch: these are pointers. */
TEST(a_launch_on_a_queue_has_its_line) { // shows tracing 7
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  const syclze_nd_range whole = {{256, 0, 0}, {64, 0, 0}, {0, 0, 0}, 1};
  void *memory;
  CHECK_EQ(syclze_malloc_shared(1024, t.device, t.context, &memory), ZE_RESULT_SUCCESS);
  const uint32_t next = __LINE__ + 1;
  const ze_result_t again = syclze_queue_launch(t.queue, t.mix, &whole, nullptr, 0, nullptr,
      syclze_arg(memory), syclze_arg(memory), syclze_arg(3u), syclze_arg(1u));
  CHECK_EQ(again, ZE_RESULT_SUCCESS);
  CHECK_EQ(c.line("graph_mix"), next);
  const syclze_argument arguments[] = {
      syclze_arg(memory), syclze_arg(memory), syclze_arg(3u), syclze_arg(1u)};
  const uint32_t sampled = __LINE__ + 1;
  CHECK_EQ(syclze_queue_launch_sampled(
               t.queue, t.mix, &whole, arguments, 4, nullptr, 0, nullptr, 0, nullptr),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(c.line("graph_mix"), sampled);
  CHECK_EQ(syclze_queue_wait(t.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, t.context), ZE_RESULT_SUCCESS);
  traced_end(&t);
}

TEST_MAIN(a_launch_by_the_template_has_its_line, a_launch_on_a_queue_has_its_line)
