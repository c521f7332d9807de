/* Release of buffers and images with pending work (4.3, 4.5). */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/made.h"
#include "support/spy.h"
#include "support/works.h"
#include "syclze/detail/objects/memory_use.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

/* A barrier in the list waits for `go` and signals `done`, which is registered as a use of the
   memory. */
struct work {
  struct given g;
  syclze_context context;
  ze_event_handle_t go;
  syclze_event done;
};

static struct work begin(void) {
  given_needs_execution();
  struct work w = {.g = given()};
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.go = given_event(&w.g);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendBarrier(w.g.list, syclze_event_get_native(w.done), 1, &w.go),
      ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct work *w) {
  CHECK_EQ(zeEventDestroy(w->go), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(w->done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static int has_gone; /* the host has signalled `go` */

static void *let_go(void *event) {
  struct timespec nap = {0, 50 * 1000 * 1000};
  nanosleep(&nap, NULL);
  __atomic_store_n(&has_gone, 1, __ATOMIC_SEQ_CST);
  CHECK_EQ(zeEventHostSignal((ze_event_handle_t)event), ZE_RESULT_SUCCESS);
  return NULL;
}

/* Signals `go` from another thread while this one releases an object that must wait for the
   work. */
static void check_waits(struct work *w, syclze_object object) {
  pthread_t thread;
  __atomic_store_n(&has_gone, 0, __ATOMIC_SEQ_CST);
  CHECK_EQ(pthread_create(&thread, NULL, let_go, w->go), 0);
  ze_result_t result = syclze_object_release(object);
  int released_late = __atomic_load_n(&has_gone, __ATOMIC_SEQ_CST);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK(released_late);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(w->done)), ZE_RESULT_SUCCESS);
}

static syclze_object made_buffer(struct work *w, syclze_ownership ownership, void **memory) {
  CHECK_EQ(syclze_malloc_host(64, w->context, memory), ZE_RESULT_SUCCESS);
  memset(*memory, 0x5a, 64);
  syclze_buffer_input input = {.native_handle = *memory, .ownership = ownership};
  syclze_object object = {.kind = SYCLZE_OBJECT_BUFFER};
  CHECK_EQ(syclze_make_buffer(&input, w->context, &object.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze__memory_use(&object.buffer.rep->memory, w->done.rep), ZE_RESULT_SUCCESS);
  return object;
}

TEST(releasing_a_kept_buffer_waits_for_its_work_and_copies_nothing) { // shows backend 83 84 86
  struct work w = begin();
  void *memory;
  syclze_object object = made_buffer(&w, SYCLZE_OWNERSHIP_KEEP, &memory);
  CHECK_EQ(syclze_object_retain(object), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_object_release(object), ZE_RESULT_SUCCESS);
  check_waits(&w, object);
  for (int i = 0; i < 64; i++)
    CHECK_EQ(((unsigned char *)memory)[i], 0x5a);
  CHECK_EQ(syclze_free(memory, w.context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(releasing_a_transferred_buffer_does_not_wait_and_frees_later) { // shows backend 87 88
  struct work w = begin();
  void *memory;
  syclze_object object = made_buffer(&w, SYCLZE_OWNERSHIP_TRANSFER, &memory);
  CHECK_EQ(syclze_object_release(object), ZE_RESULT_SUCCESS);
  /* Long enough for a release that does not wait to return. */
  CHECK_EQ(zeEventHostSynchronize(w.go, 20 * 1000 * 1000), ZE_RESULT_NOT_READY);
  CHECK_EQ(spy_destroys_of(memory), 0);
  CHECK_EQ(zeEventHostSignal(w.go), ZE_RESULT_SUCCESS);
  while (spy_destroys_of(memory) == 0)
    sched_yield();
  end(&w);
}

static syclze_object made_image(
    struct work *w, syclze_ownership ownership, ze_image_handle_t *native) {
  syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 1,
      .range = {8},
      .ownership = ownership};
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .width = 8,
      .height = 1,
      .depth = 1};
  CHECK_EQ(syclze_image_format(input.chan_order, input.chan_type, &desc.format), ZE_RESULT_SUCCESS);
  ze_result_t result = zeImageCreate(w->g.context, w->g.device, &desc, native);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  input.native_handle = *native;
  syclze_object object = {.kind = SYCLZE_OBJECT_IMAGE};
  CHECK_EQ(syclze_make_image(&input, w->context, &object.image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze__memory_use(&object.image.rep->memory, w->done.rep), ZE_RESULT_SUCCESS);
  return object;
}

TEST(releasing_a_kept_image_waits_for_its_work) { // shows backend 69
  struct work w = begin();
  ze_image_handle_t native = NULL;
  check_waits(&w, made_image(&w, SYCLZE_OWNERSHIP_KEEP, &native));
  CHECK_EQ(zeImageDestroy(native), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(releasing_a_transferred_image_does_not_wait) { // shows backend 67
  struct work w = begin();
  ze_image_handle_t native = NULL;
  syclze_object object = made_image(&w, SYCLZE_OWNERSHIP_TRANSFER, &native);
  CHECK_EQ(syclze_object_release(object), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(w.done)), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(w.go), ZE_RESULT_SUCCESS);
  while (spy_destroys_of(native) == 0)
    sched_yield();
  end(&w);
}

TEST_MAIN(releasing_a_kept_buffer_waits_for_its_work_and_copies_nothing,
    releasing_a_transferred_buffer_does_not_wait_and_frees_later,
    releasing_a_kept_image_waits_for_its_work, releasing_a_transferred_image_does_not_wait)
