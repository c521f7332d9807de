/* The debug checker (check.h), enabled in this file only. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "syclze/buffer_create.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"

#include "support/checked.h"
#include "support/spy.h"

#include <pthread.h>

/* "KIND made at FILE:LINE" of this file. */
static void check_place(const char *kind, int line) {
  char place[160];
  snprintf(place, sizeof place, "%s made at %s:%d", kind, __FILE__, line);
  CHECK_STR_EQ(noted.detail, place);
}

TEST(a_handle_transferred_twice_is_refused) { // shows backend 77
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event first, second;
  CHECK_EQ(syclze_make_native(&input, context, &first), ZE_RESULT_SUCCESS);
  char place[160];
  snprintf(place, sizeof place, "transfer before, event made at %s:%d", __FILE__, __LINE__ - 2);
  noted.count = 0;
  CHECK_EQ(syclze_make_event(&input, context, &second), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(second.rep, NULL);
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(noted.handle, input.native_handle);
  CHECK(strstr(noted.rule, place) != NULL);
  CHECK_EQ(syclze_event_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  end();
}

TEST(a_kept_handle_may_be_wrapped_twice) {
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_KEEP};
  syclze_event first, second;
  CHECK_EQ(syclze_make_event(&input, context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_event(&input, context, &second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 0);
  CHECK_EQ(zeEventDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  end();
}

static ze_result_t destroy_event(void *event) {
  return zeEventDestroy(event);
}

/* The owner may destroy the handle. */
TEST(a_handle_with_an_owner_cannot_be_transferred) {
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_KEEP};
  syclze_event first, second;
  CHECK_EQ(syclze_make_event(&input, context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_set_owner(first, (syclze_owner){destroy_event, input.native_handle}),
      ZE_RESULT_SUCCESS);
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_EQ(syclze_make_event(&input, context, &second), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(syclze_event_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  end();
}

TEST(a_released_object_gets_no_owner) {
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event;
  CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_set_owner(event, (syclze_owner){destroy_event, input.native_handle}),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 1);
  CHECK_STR_EQ(noted.function, "syclze_event_set_owner");
  end();
}

TEST(a_wrapped_handle_cannot_be_destroyed_by_the_application) { // shows backend 76
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_KEEP};
  syclze_event event;
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(input.native_handle), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_EQ(spy_destroys_of(input.native_handle), 0);
  CHECK_EQ(noted.count, 1);
  CHECK_STR_EQ(noted.function, "zeEventDestroy");
  check_place("event", line);
  CHECK_EQ(zeEventHostSignal(input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  end();
}

TEST(a_buffer_s_memory_cannot_be_freed_by_the_application) { // shows backend 76
  begin();
  void *memory = NULL;
  ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  CHECK_EQ(zeMemAllocHost(g.context, &desc, 64, 64, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_native(&input, context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(g.context, memory), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(g.context, memory), ZE_RESULT_SUCCESS);
  end();
}

static syclze_queue shared_queue;

static void *use(void *argument) {
  (void)argument;
  ze_command_list_handle_t list = syclze_queue_get_native(shared_queue).list;
  for (int i = 0; i < 20000 && __atomic_load_n(&noted.count, __ATOMIC_RELAXED) == 0; i++)
    zeCommandListAppendBarrier(list, NULL, 0, NULL);
  return NULL;
}

TEST(two_threads_on_one_command_list_are_reported) { // shows backend 81
  begin();
  syclze_queue_input input = {.native_handle = syclze_native_queue_of(g.list),
      .device = syclze_context_get_device(context, 0),
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&input, context, &shared_queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 100; i++)
    CHECK_EQ(zeCommandListAppendBarrier(g.list, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 0);

  /* One thread inside a call suffices for the other's call to be reported. */
  pthread_t thread;
  CHECK(syclze__check_enter(g.list, "a call that lasts"));
  CHECK_EQ(pthread_create(&thread, NULL, use, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQ(syclze__check_leave(g.list, true, ZE_RESULT_SUCCESS), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 1);
  CHECK_STR_EQ(noted.function, "zeCommandListAppendBarrier");
  CHECK(strstr(noted.rule, "4.4.4") != NULL);
  CHECK_EQ(syclze_release(shared_queue), ZE_RESULT_SUCCESS);
  end();
}

/* Kinds and lines of what is reported at exit. */
static char listed[512];

static void list(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  const char *line = strrchr(diagnostic->detail, ':');
  snprintf(listed + strlen(listed), sizeof listed - strlen(listed), "%.*s%s\n",
      (int)(strstr(diagnostic->detail, " made at") - diagnostic->detail), diagnostic->detail, line);
}

static const syclze_diagnostic_handler lister = {list, NULL};

static void check_listed(const char *kind, int line) {
  char entry[64];
  snprintf(entry, sizeof entry, "%s:%d\n", kind, line);
  CHECK(strstr(listed, entry) != NULL);
}

TEST(objects_without_a_handle_are_reported_at_exit) { // shows promises 15
  given_needs_execution();
  begin();
  syclze_graph graph;
  syclze_executable_graph executable;
  syclze_buffer buffer;
  syclze_host_accessor accessor, ended;
  uint32_t data[16];
  const syclze_buffer_desc desc = {.host_data = data, .element_size = 4, .range = {16}};
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &ended), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(ended), ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(&lister);
  syclze__check_exit();
  check_listed("graph", line);
  check_listed("executable graph", line + 1);
  check_listed("buffer", line + 2);
  check_listed("host accessor", line + 4);
  CHECK(strstr(strstr(listed, "host accessor") + 1, "host accessor") == NULL);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end();
}

TEST(handles_still_wrapped_at_exit_are_reported) { // shows promises 15
  begin();
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  syclze__check_exit();
  CHECK_EQ(noted.count, 2); /* the event, and the context that it keeps */
  CHECK(strstr(noted.rule, "at exit") != NULL);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  noted.count = 0;
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  syclze__check_exit();
  CHECK_EQ(noted.count, 0);
  syclze_diagnostic_set_handler(NULL);
  given_end(&g);
}

/* The order is that of the makes, whatever the handles' addresses: an object follows those that
 * keep it. */
TEST(the_last_handle_is_reported_first_at_exit) { // shows promises 15
  enum { EVENTS = 5 };
  begin();
  syclze_event events[EVENTS];
  char expected[512] = "", entry[64];
  const int line = __LINE__ + 2;
  for (int i = 0; i < EVENTS; i++)
    CHECK_EQ(syclze_event_create(context, 0, &events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(events[2]), ZE_RESULT_SUCCESS);
  const int last = __LINE__ + 1;
  CHECK_EQ(syclze_event_create(context, 0, &events[2]), ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(&lister);
  listed[0] = 0;
  syclze__check_exit();
  snprintf(expected, sizeof expected, "event:%d\n", last);
  snprintf(entry, sizeof entry, "event:%d\n", line);
  for (int i = 1; i < EVENTS; i++)
    strcat(expected, entry);
  strcat(expected, "context:");
  CHECK(strncmp(listed, expected, strlen(expected)) == 0);
  for (int i = 0; i < EVENTS; i++)
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  end();
}

TEST(arguments_of_checked_calls_have_any_names) {
  begin();
  ze_event_handle_t used_ = given_event(&g), destroyed_ = used_;
  CHECK_EQ(zeCommandListAppendSignalEvent(g.list, used_), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(used_, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(destroyed_), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(a_handle_transferred_twice_is_refused, a_kept_handle_may_be_wrapped_twice,
    a_handle_with_an_owner_cannot_be_transferred, a_released_object_gets_no_owner,
    a_wrapped_handle_cannot_be_destroyed_by_the_application,
    a_buffer_s_memory_cannot_be_freed_by_the_application,
    two_threads_on_one_command_list_are_reported, objects_without_a_handle_are_reported_at_exit,
    handles_still_wrapped_at_exit_are_reported, the_last_handle_is_reported_first_at_exit,
    arguments_of_checked_calls_have_any_names)
