/* Process exit: objects that are released late, when the driver may be unloaded, or never. Each
   case is a process of its own, which calls Level Zero for the first time after it has registered
   its exit handler. */
#include "support/child.h"
#include "support/made.h"
#include "support/spy.h"
#include "support/works.h"

static struct {
  syclze_object objects[6];
  int count;
  int by_destructor;
  struct given g; /* reachable, so that LeakSanitizer does not report it */
} late;

/* A release returns what the driver, or the loader in its place, still returns; the test asserts
   that each release returns. */
static void release_all(void) {
  while (late.count > 0)
    syclze_object_release(late.objects[--late.count]);
}

__attribute__((destructor)) static void at_the_end(void) {
  if (late.by_destructor) release_all();
}

static void add(syclze_object_kind kind, const void *rep) {
  syclze_object *object = &late.objects[late.count++];
  object->kind = kind;
  memcpy(&object->platform, &rep, sizeof rep);
}

/* Transferred objects of each kind that needs no kernel, with completed work. */
static int make_all(int unused) {
  (void)unused;
  late.g = given();
  syclze_context context = made_context(&late.g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_queue queue =
      made_queue(&late.g, context, syclze_native_queue_of(late.g.list), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_event event = made_event(context, given_event(&late.g), SYCLZE_OWNERSHIP_TRANSFER),
               created;
  CHECK_EQ(syclze_event_create(context, 0, &created), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_malloc_host(64, context, &input.native_handle), ZE_RESULT_SUCCESS);
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
  works_list(&late.g, late.g.list);
  add(SYCLZE_OBJECT_CONTEXT, context.rep);
  add(SYCLZE_OBJECT_QUEUE, queue.rep);
  add(SYCLZE_OBJECT_EVENT, event.rep);
  add(SYCLZE_OBJECT_EVENT, created.rep);
  add(SYCLZE_OBJECT_BUFFER, buffer.rep);
  return 0;
}

/* Registered before the loader loads the driver, so that the handler runs after the driver's
   own. */
static int with_a_handler(int unused) {
  atexit(release_all);
  return make_all(unused);
}

static int with_a_destructor(int unused) {
  late.by_destructor = 1;
  return make_all(unused);
}

TEST(objects_may_be_released_by_a_handler_at_exit) { // shows peers 14
  CHECK_EQ(in_child(with_a_handler, 0), 0);
}

TEST(objects_may_be_released_by_a_destructor) { // shows peers 14
  CHECK_EQ(in_child(with_a_destructor, 0), 0);
}

TEST(objects_may_be_left_to_the_end_of_the_process) { // shows peers 14
  CHECK_EQ(in_child(make_all, 0), 0);
}

TEST_MAIN(objects_may_be_released_by_a_handler_at_exit, objects_may_be_released_by_a_destructor,
    objects_may_be_left_to_the_end_of_the_process)
