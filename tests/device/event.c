/* Wrapped events (4.3, 4.4). */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_make_event"

TEST(a_transferred_event_is_destroyed_by_the_last_release) { // shows backend 47
  struct given g = given();
  ze_event_handle_t native = given_event(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event_input input = {.native_handle = native};
  syclze_event event;
  CHECK_EQ(syclze_make_native(&input, context, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_retain(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_event(syclze_event_get_native(event));
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_destroys(), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_kept_event_is_not_destroyed) { // shows backend 47
  struct given g = given();
  ze_event_handle_t native = given_event(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event event = made_event(context, native, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  works_event(native);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(get_native_makes_no_driver_calls) { // shows backend 78
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_event_handle_t native = given_event(&g);
  syclze_event event = made_event(context, native, SYCLZE_OWNERSHIP_TRANSFER);
  unsigned calls = spy_calls();
  for (int i = 0; i < 100; i++)
    CHECK_EQ(syclze_get_native(event), native);
  CHECK_EQ(syclze_event_get_context(event).rep, context.rep);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(zeEventQueryStatus(native), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeCommandListAppendSignalEvent(g.list, syclze_get_native(event)), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(it_keeps_its_context) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  ze_event_handle_t native = given_event(&g);
  syclze_event event = made_event(context, native, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(zeCommandListDestroy(g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.context), 0);
  works_event(native);
  works_context(syclze_context_get_native(syclze_event_get_context(event)));
  CHECK_EQ(syclze_context_retain(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.context), 0);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.context), 1);
  given_end(&g);
}

TEST(a_transferred_event_leaves_its_pool_with_the_application) { // shows peers 13
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  ze_event_handle_t native = given_event(&g);
  syclze_event event = made_event(context, native, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_destroys_of(g.pool), 0);
  ze_event_handle_t another = given_event(&g);
  works_event(another);
  CHECK_EQ(zeEventDestroy(another), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  spy_check_order(native, g.context);
  given_end(&g);
}

TEST(null_is_refused) { // shows backend 45
  struct given g = given();
  ze_event_handle_t native = given_event(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_event_input null = {0}, input = {.native_handle = native};
  syclze_event event;
  REFUSED(event, syclze_make_event(&null, context, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "null", NULL);
  REFUSED(event, syclze_make_event(&input, no_context, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "the context is null", native);
  REFUSED(event, syclze_make_event(NULL, context, &event), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  FAILED(syclze_make_event(&input, context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION,
      "null", NULL);
  works_event(native);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_invalid_ownership_is_refused) { // shows backend 73
  struct given g = given();
  ze_event_handle_t native = given_event(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event_input input = {native, (syclze_ownership)-1};
  syclze_event event;
  REFUSED(event, syclze_make_event(&input, context, &event), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      FUNCTION, "4.4", native);
  works_event(native);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_event_from_a_pool_of_another_context_is_refused) { // shows backend 46
  struct given g = given();
  ze_event_handle_t native = given_event(&g);
  if (!given_has_getter("zeEventGetEventPool", native) ||
      !given_has_getter("zeEventPoolGetContextHandle", g.pool)) {
    CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
    given_end(&g);
    SKIP("this loader or driver has no zeEventGetEventPool");
  }
  syclze_device device = made_device(&g);
  syclze_context_input other = {
      .native_handle = given_context(&g), .device_list = &device, .device_count = 1};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&other, &context), ZE_RESULT_SUCCESS);
  syclze_event_input input = {.native_handle = native};
  syclze_event event;
  REFUSED(event, syclze_make_event(&input, context, &event), SYCLZE_RESULT_ERROR_INVALID, FUNCTION,
      "of another context", native);
  works_event(native);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(the_status_follows_the_work) { // shows queues 1 2
  struct given g = given();
  given_needs_execution();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event events[3] = {{0}};
  syclze_event_status status;
  for (int i = 1; i < 3; i++) {
    ze_event_handle_t native = given_event(&g);
    events[i] = made_event(context, native, SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(syclze_event_get_status(events[i], &status), ZE_RESULT_SUCCESS);
    CHECK_EQ(status, SYCLZE_EVENT_STATUS_SUBMITTED);
    CHECK_EQ(zeCommandListAppendSignalEvent(g.list, native), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_events_wait(events, 3), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_event_get_status(events[i], &status), ZE_RESULT_SUCCESS);
    CHECK_EQ(status, SYCLZE_EVENT_STATUS_COMPLETE);
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(the_status_follows_the_work, a_transferred_event_is_destroyed_by_the_last_release,
    a_kept_event_is_not_destroyed, get_native_makes_no_driver_calls, it_keeps_its_context,
    a_transferred_event_leaves_its_pool_with_the_application, null_is_refused,
    an_invalid_ownership_is_refused, an_event_from_a_pool_of_another_context_is_refused)
