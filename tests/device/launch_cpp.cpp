/* C++ overloads in place of the macros: syclze_arg by type, and syclze_launch with any number of
   arguments. */
/* In C a struct and a function may have the same name. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "support/given.h"
}
#pragma GCC diagnostic pop
#include "syclze/command.h"
#include "syclze/syclze.h"
#include "tests/check.h"

enum { ITEMS = 64 };

TEST(arguments_are_dispatched_by_type) { // shows promises 7 21
  given_needs_execution();
  struct given g = given();
  given_kernel(&g, "tests/kernels/graph.spv", "graph_set");
  syclze_device device;
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  syclze_context_input context_input = {g.context, &device, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&context_input, &context), ZE_RESULT_SUCCESS);
  syclze_kernel_bundle_input bundle_input = {g.module, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_make_kernel_bundle(&bundle_input, context, &bundle), ZE_RESULT_SUCCESS);
  syclze_kernel_input kernel_input = {bundle, g.kernel, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel kernel;
  CHECK_EQ(syclze_make_kernel(&kernel_input, context, &kernel), ZE_RESULT_SUCCESS);
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(ITEMS * sizeof(uint32_t), device, context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input buffer_input = {
      memory, SYCLZE_OWNERSHIP_KEEP, sizeof(uint32_t), 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&buffer_input, context, &buffer), ZE_RESULT_SUCCESS);

  const uint32_t *numbers = static_cast<const uint32_t *>(memory);
  syclze_nd_range range = {{ITEMS, 0, 0}, {8, 0, 0}, {0, 0, 0}, 1};
  /* Passes an accessor, as a variable and a temporary; then the pointer itself. */
  uint32_t factor = 3;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor out = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(out), syclze_arg(factor),
               syclze_arg(uint32_t(10))),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(numbers[i], 3 * i + 10);
  syclze_event done;
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, &done, syclze_arg(memory), syclze_arg(factor),
               syclze_arg(uint32_t(20))),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(numbers[i], 3 * i + 20);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL), SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  /* Temporaries in an array: their bytes are in the arguments. */
  const syclze_argument arguments[] = {
      syclze_arg(memory), syclze_arg(uint32_t(2)), syclze_arg(uint32_t(30))};
  volatile double other[4] = {9, 9, 9, 9};
  CHECK(other[1] > 8);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_launch(&group, kernel, &range, arguments, 3, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(numbers[i], 2 * i + 30);
  CHECK_EQ(syclze_queue_launch(queue, kernel, &range, NULL, 0, NULL, syclze_arg(memory),
               syclze_arg(uint32_t(3)), syclze_arg(uint32_t(40))),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(numbers[i], 3 * i + 40);
  /* An accessor in place, and operands of copies by type. */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL,
               syclze_arg(syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE)), syclze_arg(factor),
               syclze_arg(uint32_t(50))),
      ZE_RESULT_SUCCESS);
  uint32_t copied[ITEMS] = {0};
  const uint32_t seven = 7;
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_copy(&group, copied, buffer, sizeof copied, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(copied[i], 3 * i + 50);
  group = syclze_group_begin(queue);
  out = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_fill(&group, out, &seven, sizeof seven, sizeof copied, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_copy(&group, syclze_mem_arg(copied), buffer, sizeof copied, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(copied[i], 7);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(arguments_are_dispatched_by_type)
