/* Queues (4.3, 4.4): a command queue or an immediate list, on a device of the context. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_make_queue"

static syclze_queue_input input_of(const struct given *g, syclze_native_queue native) {
  return (syclze_queue_input){.native_handle = native, .device = made_device(g)};
}

TEST(a_transferred_list_is_destroyed_by_the_last_release) { // shows backend 41
  struct given g = given();
  ze_command_list_handle_t native = given_list(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_queue_retain(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_list(&g, syclze_queue_get_native(queue).list);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_destroys_of(g.list), 0);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_transferred_command_queue_is_destroyed_by_the_last_release) { // shows backend 41
  struct given g = given();
  ze_command_queue_handle_t native = given_queue(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_TRANSFER);
  works_queue(&g, syclze_queue_get_native(queue).queue);
  CHECK_EQ(spy_destroys_of(native), 0);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_alive(SPY_QUEUE), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(kept_lists_and_queues_are_not_destroyed) { // shows backend 39
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue of_list =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_KEEP);
  syclze_queue of_queue =
      made_queue(&g, context, syclze_native_queue_of(g.queue), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_release(of_list), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(of_queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_list(&g, g.list);
  works_queue(&g, g.queue);
  given_end(&g);
}

TEST(get_native_returns_the_wrapped_handle) { // shows backend 23 78, peers 5
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue of_list =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_KEEP);
  syclze_queue of_queue =
      made_queue(&g, context, syclze_native_queue_of(g.queue), SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(syclze_get_native(of_list).kind, SYCLZE_NATIVE_QUEUE_LIST);
    CHECK_EQ(syclze_get_native(of_list).list, g.list);
    CHECK_EQ(syclze_get_native(of_queue).kind, SYCLZE_NATIVE_QUEUE_QUEUE);
    CHECK_EQ(syclze_get_native(of_queue).queue, g.queue);
  }
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_queue_get_context(of_list).rep, context.rep);
  CHECK_EQ(syclze_queue_get_device(of_list).rep, made_device(&g).rep);
  CHECK_EQ(syclze_queue_release(of_list), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(of_queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(it_has_the_properties_of_its_input) { // shows backend 43
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(g.list));
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, input.properties.flags);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(the_older_inputs_are_distinguished) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input_v1 v1 = {g.queue, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue_input_v3 v3 = {g.queue, made_device(&g), SYCLZE_OWNERSHIP_KEEP};
  syclze_queue first, third;
  CHECK_EQ(syclze_make_native(&v1, context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(&v3, context, &third), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_device(first).rep, syclze_context_get_device(context, 0).rep);
  CHECK_EQ(syclze_queue_get_device(third).rep, v3.device.rep);
  CHECK_EQ(syclze_queue_get_native(first).kind, SYCLZE_NATIVE_QUEUE_QUEUE);
  CHECK_EQ(syclze_queue_get_native(third).queue, g.queue);
  works_queue(&g, syclze_queue_get_native(first).queue);
  CHECK_EQ(syclze_queue_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(third), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.queue), 0);
  v1.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_EQ(syclze_make_native(&v1, context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.queue), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(the_property_compute_index_is_refused) { // shows backend 44
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(g.list));
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX;
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "compute_index", g.list);
  works_list(&g, g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
  CHECK_EQ(spy_destroys_of(g.list), 1);
}

TEST(a_null_handle_or_one_without_a_kind_is_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input null = input_of(&g, syclze_native_queue_of_list(NULL));
  syclze_queue_input no_kind = input_of(&g, syclze_native_queue_of(g.list));
  no_kind.native_handle.kind = SYCLZE_NATIVE_QUEUE_NONE;
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&null, context, &queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "null", NULL);
  REFUSED(queue, syclze_make_queue(&no_kind, context, &queue), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      FUNCTION, "neither", g.list);
  works_list(&g, g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_null_context_device_or_pointer_is_refused) { // shows backend 37
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(g.list));
  syclze_queue_input no_device = {.native_handle = input.native_handle};
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, no_context, &queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "the context is null", g.list);
  REFUSED(queue, syclze_make_queue(&no_device, context, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "the device is null", g.list);
  REFUSED(queue, syclze_make_queue(NULL, context, &queue), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  FAILED(syclze_make_queue(&input, context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION,
      "null", NULL);
  works_list(&g, g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_invalid_ownership_is_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(g.queue));
  input.ownership = (syclze_ownership)7;
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      FUNCTION, "4.4", g.queue);
  works_queue(&g, g.queue);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_regular_list_is_refused) { // shows backend 42
  struct given g = given();
  if (!given_has_getter("zeCommandListIsImmediate", g.list)) {
    given_end(&g);
    SKIP("this loader or driver has no zeCommandListIsImmediate");
  }
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_command_list_handle_t regular = given_regular_list(&g);
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(regular));
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "not an immediate one", regular);
  CHECK_EQ(zeCommandListClose(regular), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(regular), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_list_of_another_context_is_refused) { // shows backend 37
  struct given g = given();
  if (!given_has_getter("zeCommandListGetContextHandle", g.list)) {
    given_end(&g);
    SKIP("this loader or driver has no zeCommandListGetContextHandle");
  }
  syclze_device device = made_device(&g);
  syclze_context_input other = {.native_handle = given_context(&g), .device_list = &device};
  other.device_count = 1;
  syclze_context context;
  CHECK_EQ(syclze_make_context(&other, &context), ZE_RESULT_SUCCESS);
  syclze_queue_input input = input_of(&g, syclze_native_queue_of(g.list));
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "of another context", g.list);
  works_list(&g, g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(it_keeps_its_context) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_context(syclze_context_get_native(syclze_queue_get_context(queue)));
  works_list(&g, g.list);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  spy_check_order(g.list, g.context);
  CHECK_EQ(spy_destroys_of(g.list), 1);
  CHECK_EQ(spy_destroys_of(g.context), 1);
  given_end(&g);
}

TEST_MAIN(a_transferred_list_is_destroyed_by_the_last_release,
    a_transferred_command_queue_is_destroyed_by_the_last_release,
    kept_lists_and_queues_are_not_destroyed, get_native_returns_the_wrapped_handle,
    it_has_the_properties_of_its_input, the_older_inputs_are_distinguished,
    the_property_compute_index_is_refused, a_null_handle_or_one_without_a_kind_is_refused,
    a_null_context_device_or_pointer_is_refused, an_invalid_ownership_is_refused,
    a_regular_list_is_refused, a_list_of_another_context_is_refused, it_keeps_its_context)
