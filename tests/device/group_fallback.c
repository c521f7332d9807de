/* Command groups with a fallback queue. */
#include "support/made.h"
#include "support/refused.h"

struct world {
  struct given g;
  ze_context_handle_t other; /* without the image */
  syclze_context contexts[2];
  syclze_queue queues[2];
  syclze_image image;
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 1,
      .range = {8}};
  syclze_device device = made_device(&w.g);
  w.other = given_context(&w.g);
  const syclze_context_input other = {w.other, &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_context(&other, &w.contexts[0]), ZE_RESULT_SUCCESS);
  w.contexts[1] = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  ze_result_t result = syclze_image_create(w.contexts[1], device, &input, &w.image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_create(w.contexts[i], device, NULL, &w.queues[i]), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->image), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w->contexts[i]), ZE_RESULT_SUCCESS);
  }
  given_end(&w->g);
}

struct seen {
  const struct world *w;
  bool wants_image;
  int groups, tasks;
  syclze_native_queue queue;
  ze_context_handle_t context;
};

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct seen *seen = argument;
  seen->tasks++;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &seen->queue), ZE_RESULT_SUCCESS);
  return syclze_interop_handle_get_native_context(handle, &seen->context);
}

static ze_result_t command_group(syclze_group *group, void *argument, syclze_event *event) {
  struct seen *seen = argument;
  seen->groups++;
  if (seen->wants_image) syclze_require(group, seen->w->image, SYCLZE_ACCESS_READ);
  return syclze_group_host_task(group, look, seen, event);
}

/* Returns the queue that the task ran on, after the given number of groups. */
static void check_ran(const struct world *w, bool wants_image, int groups, int on) {
  struct seen seen = {.w = w, .wants_image = wants_image};
  syclze_event event;
  CHECK_EQ(
      syclze_queue_submit_with_fallback(w->queues[0], w->queues[1], command_group, &seen, &event),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.groups, groups);
  CHECK_EQ(seen.tasks, 1);
  CHECK_EQ(seen.queue.list, syclze_get_native(w->queues[on]).list);
  CHECK_EQ(seen.context, syclze_get_native(w->contexts[on]));
  CHECK_EQ(syclze_event_get_context(event).rep, w->contexts[on].rep);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
}

TEST(a_group_runs_on_the_first_queue_that_accepts_it) { // shows interop 16
  struct world w = begin();
  check_ran(&w, false, 1, 0);
  end(&w);
}

TEST(a_group_refused_by_the_first_queue_runs_on_the_second) { // shows interop 17
  struct world w = begin();
  check_ran(&w, true, 2, 1);
  end(&w);
}

TEST(a_group_refused_by_both_queues_is_refused) {
  struct world w = begin();
  const syclze_queue none = {NULL};
  struct seen seen = {.w = &w, .wants_image = true};
  syclze_event event;
  REFUSED(event, syclze_queue_submit_with_fallback(w.queues[0], none, command_group, &seen, &event),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_group_host_task", "another context",
      syclze_get_native(w.queues[0]).list);
  CHECK_EQ(seen.groups, 1);
  CHECK_EQ(
      syclze_queue_submit_with_fallback(w.queues[0], w.queues[0], command_group, &seen, &event),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(seen.groups, 3);
  REFUSED(event, syclze_queue_submit_with_fallback(w.queues[0], w.queues[1], NULL, &seen, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_submit_with_fallback", "function", NULL);
  CHECK_EQ(seen.tasks, 0);
  end(&w);
}

TEST_MAIN(a_group_runs_on_the_first_queue_that_accepts_it,
    a_group_refused_by_the_first_queue_runs_on_the_second,
    a_group_refused_by_both_queues_is_refused)
