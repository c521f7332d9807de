/* Nodes of host accessors and sub-buffers, and the reason of a barrier behind a host accessor. */
#include "support/traced.h"

#include "syclze/command/host_accessor.h"
#include "syclze/trace/xpti.h"

enum { COUNT = 256 };

static void fill(syclze_queue queue, syclze_buffer buffer) {
  const uint32_t value = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &value, sizeof value,
               syclze_buffer_byte_size(buffer), NULL),
      ZE_RESULT_SUCCESS);
}

TEST(scopes_and_parts_have_nodes_and_scopes_a_reason) { // shows host_data 26, tracing 20
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  uint32_t data[COUNT] = {0};
  const syclze_buffer_desc desc = {
      .element_size = sizeof(uint32_t), .range = {COUNT}, .host_data = data};
  const size_t offset = 8, count = 8;
  syclze_buffer buffer, part;
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_buffer_create(t.context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create_sub(buffer, &offset, &count, &part), ZE_RESULT_SUCCESS);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "sub_buffer_creation_node"), 1);
  CHECK_EQ(c.seen(CHECKER_BUFFER, 36, "data of the host"), 1);
  CHECK_EQ(
      syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ_WRITE, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "host_acc_create_buffer_lock_node"), 1);
  CHECK_EQ(c.seen(CHECKER_BUFFER, 40, "host"), 1);
  fill(t.queue, part);
  CHECK_EQ(c.seen(CHECKER_SYCL, 12, "enqueue.barrier[Buffer locked by host accessor]"), 1);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "host_acc_destroy_buffer_release_node"), 0);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(c.seen(CHECKER_SYCL, 4, "host_acc_destroy_buffer_release_node"), 1);
  CHECK_EQ(syclze_queue_wait(t.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(part), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), c.count(CHECKER_SYCL, 11));
}

TEST_MAIN(scopes_and_parts_have_nodes_and_scopes_a_reason)
