/* Buffers and images that are released while command groups use them (Level-Zero backend 4.3 and
   4.5): under keep the release waits for the groups and destroys nothing; under transfer it does
   not wait, and the memory is freed afterwards. */
#define _POSIX_C_SOURCE 200809L
#include "support/queue_kinds.h"
#include "support/spy.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { WIDTH = 8, MANY = 5 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue, other;
  syclze_event gate, last; /* awaited by the groups, and signalled by the last of them */
  void *memory;
  atomic_bool has_gone; /* the gate is signalled, or about to be */
  atomic_int runs;
};

static void begin(struct world *w, enum kind kind) {
  given_needs_execution();
  memset(w, 0, sizeof *w);
  w->g = given();
  w->device = made_device(&w->g);
  w->context = made_context(&w->g, SYCLZE_OWNERSHIP_KEEP);
  w->queue = queue_of_kind(&w->g, w->context, kind);
  w->other = queue_of_kind(&w->g, w->context, OUT_OF_ORDER);
  CHECK_EQ(syclze_malloc_shared(WIDTH * sizeof(uint32_t), w->device, w->context, &w->memory),
      ZE_RESULT_SUCCESS);
  memset(w->memory, 0x11, WIDTH * sizeof(uint32_t));
  CHECK_EQ(syclze_event_create(w->context, 0, &w->gate), ZE_RESULT_SUCCESS);
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void *let_go(void *argument) {
  struct world *w = argument;
  nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
  atomic_store(&w->has_gone, true);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
  return NULL;
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  struct world *w = argument;
  (void)handle;
  CHECK(atomic_load(&w->has_gone));
  atomic_fetch_add(&w->runs, 1);
  return ZE_RESULT_SUCCESS;
}

/* A buffer or an image. */
struct subject {
  syclze_object object;
  void *native;
};

static struct subject made_buffer(struct world *w, syclze_ownership ownership) {
  struct subject made = {.object = {.kind = SYCLZE_OBJECT_BUFFER}};
  CHECK_EQ(syclze_malloc_device(WIDTH * sizeof(uint32_t), w->device, w->context, &made.native),
      ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = made.native, .ownership = ownership};
  CHECK_EQ(syclze_make_buffer(&input, w->context, &made.object.buffer), ZE_RESULT_SUCCESS);
  return made;
}

static struct subject made_image(struct world *w, syclze_ownership ownership) {
  struct subject made = {.object = {.kind = SYCLZE_OBJECT_IMAGE}};
  syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 1,
      .range = {WIDTH},
      .ownership = ownership};
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .width = WIDTH,
      .height = 1,
      .depth = 1};
  CHECK_EQ(syclze_image_format(input.chan_order, input.chan_type, &desc.format), ZE_RESULT_SUCCESS);
  ze_result_t result = zeImageCreate(w->g.context, w->g.device, &desc, &input.native_handle);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  made.native = input.native_handle;
  CHECK_EQ(syclze_make_image(&input, w->context, &made.object.image), ZE_RESULT_SUCCESS);
  return made;
}

static syclze_accessor require(
    syclze_group *group, const struct subject *subject, syclze_access_mode mode) {
  return subject->object.kind == SYCLZE_OBJECT_IMAGE
             ? syclze_require(group, subject->object.image, mode)
             : syclze_require(group, subject->object.buffer, mode);
}

/* Writes, host tasks and reads alternately on both queues. The first waits for the gate. */
static void submit(struct world *w, const struct subject *subject) {
  bool is_image = subject->object.kind == SYCLZE_OBJECT_IMAGE;
  for (int i = 0; i < MANY; i++) {
    syclze_group group = syclze_group_begin(w->queue);
    if (i == 0) syclze_group_depends_on(&group, w->gate);
    syclze_accessor to = require(&group, subject, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(is_image
                 ? syclze_group_copy_to_image(&group, to, syclze_mem_arg(w->memory), NULL, NULL)
                 : syclze_group_copy(&group, syclze_mem_arg(to), syclze_mem_arg(w->memory),
                       WIDTH * sizeof(uint32_t), NULL),
        ZE_RESULT_SUCCESS);
    group = syclze_group_begin(i % 2 ? w->queue : w->other);
    require(&group, subject, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_group_host_task(&group, count_run, w, NULL), ZE_RESULT_SUCCESS);
  }
  syclze_group group = syclze_group_begin(w->queue);
  require(&group, subject, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_host_task(&group, count_run, w, &w->last), ZE_RESULT_SUCCESS);
  /* In driver order without an event, which the release must add. */
  group = syclze_group_begin(w->queue);
  syclze_accessor from = require(&group, subject, SYCLZE_ACCESS_READ);
  CHECK_EQ(is_image
               ? syclze_group_copy_from_image(&group, syclze_mem_arg(w->memory), from, NULL, NULL)
               : syclze_group_copy(&group, syclze_mem_arg(w->memory), syclze_mem_arg(from),
                     WIDTH * sizeof(uint32_t), NULL),
      ZE_RESULT_SUCCESS);
}

typedef struct subject make(struct world *w, syclze_ownership ownership);

/* After releasing a kept object the caller has exclusive use of the memory. */
static void check_keep(make *make_subject) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct world w;
    pthread_t thread;
    begin(&w, (enum kind)kind);
    struct subject subject = make_subject(&w, SYCLZE_OWNERSHIP_KEEP);
    submit(&w, &subject);
    CHECK_EQ(pthread_create(&thread, NULL, let_go, &w), 0);
    ze_result_t result = syclze_object_release(subject.object);
    bool released_late = atomic_load(&w.has_gone);
    int runs = atomic_load(&w.runs);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    CHECK(released_late);
    CHECK_EQ(runs, MANY + 1);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(w.last)), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(subject.native), 0);
    if (subject.object.kind == SYCLZE_OBJECT_IMAGE)
      CHECK_EQ(zeImageDestroy((ze_image_handle_t)subject.native), ZE_RESULT_SUCCESS);
    else
      CHECK_EQ(syclze_free(subject.native, w.context), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

static void check_transfer(make *make_subject) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct world w;
    begin(&w, (enum kind)kind);
    struct subject subject = make_subject(&w, SYCLZE_OWNERSHIP_TRANSFER);
    submit(&w, &subject);
    /* A release that waits would hang. */
    CHECK_EQ(syclze_object_release(subject.object), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSynchronize(syclze_get_native(w.last), 5000000), ZE_RESULT_NOT_READY);
    CHECK_EQ(spy_destroys_of(subject.native), 0);
    let_go(&w);
    while (spy_destroys_of(subject.native) == 0)
      sched_yield();
    CHECK_EQ(atomic_load(&w.runs), MANY + 1);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(w.last)), ZE_RESULT_SUCCESS);
    end(&w); /* also detects a second destruction */
  }
}

TEST(releasing_a_kept_buffer_waits_for_its_groups) { // shows backend 84
  check_keep(made_buffer);
}

TEST(releasing_a_kept_image_waits_for_its_groups) { // shows backend 69
  check_keep(made_image);
}

TEST(a_transferred_buffer_is_freed_after_its_groups) { // shows backend 88
  check_transfer(made_buffer);
}

TEST(a_transferred_image_is_destroyed_after_its_groups) { // shows backend 67
  check_transfer(made_image);
}

TEST_MAIN(releasing_a_kept_buffer_waits_for_its_groups, releasing_a_kept_image_waits_for_its_groups,
    a_transferred_buffer_is_freed_after_its_groups,
    a_transferred_image_is_destroyed_after_its_groups)
