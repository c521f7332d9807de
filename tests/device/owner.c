/* Owners of handles whose work is in flight (owner.h): they are called once it is done, with no
   lock of the library held. */
#include "support/made.h"
#include "support/spy.h"

#include <pthread.h>

enum { SIZE = 64 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t has_changed;
  unsigned count; /* of calls */
  bool may_be;    /* the work may be done by now */
} called = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_changed = PTHREAD_COND_INITIALIZER};

struct world {
  struct given g;
  syclze_context context;
  syclze_queue queue;
  syclze_event gate;
  unsigned char *memory; /* shared */
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  called.count = 0;
  called.may_be = false;
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = made_queue(&w.g, w.context, syclze_native_queue_of(w.g.list), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_malloc_shared(SIZE, made_device(&w.g), w.context, &memory), ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, SIZE);
  w.gate = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void count_call(void) {
  pthread_mutex_lock(&called.lock);
  CHECK(called.may_be);
  called.count++;
  pthread_cond_signal(&called.has_changed);
  pthread_mutex_unlock(&called.lock);
}

static void await_call(void) {
  pthread_mutex_lock(&called.lock);
  while (called.count == 0)
    pthread_cond_wait(&called.has_changed, &called.lock);
  pthread_mutex_unlock(&called.lock);
  CHECK_EQ(called.count, 1);
}

static void open_gate(struct world *w) {
  pthread_mutex_lock(&called.lock);
  CHECK_EQ(called.count, 0);
  called.may_be = true;
  pthread_mutex_unlock(&called.lock);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

static ze_result_t end_list(void *list) {
  count_call();
  return zeCommandListDestroy(list);
}

static void fill_behind_gate(struct world *w, syclze_queue queue) {
  const unsigned char one = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, w->gate);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(w->memory), &one, 1, SIZE, NULL), ZE_RESULT_SUCCESS);
}

/* Covers an owner that is set while the work is in flight, for each ownership. */
TEST(the_owner_of_a_queue_is_called_once_its_work_is_done) {
  for (int variant = 0; variant < 4; variant++) {
    struct world w = begin();
    const ze_command_list_handle_t list = given_list(&w.g);
    const syclze_queue queue = made_queue(&w.g, w.context, syclze_native_queue_of(list),
        variant & 1 ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER);
    const syclze_owner owner = {end_list, list};
    if (variant & 2) fill_behind_gate(&w, queue);
    CHECK_EQ(syclze_set_owner(queue, owner), ZE_RESULT_SUCCESS);
    if (!(variant & 2)) fill_behind_gate(&w, queue);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    open_gate(&w);
    await_call();
    CHECK_EQ(w.memory[SIZE - 1], 1);
    CHECK_EQ(syclze_free(w.memory, w.context), ZE_RESULT_SUCCESS);
    end(&w);
    CHECK_EQ(spy_destroys_of(list), 1);
  }
}

static ze_context_handle_t of_memory;

static ze_result_t free_memory(void *memory) {
  count_call();
  return zeMemFree(of_memory, memory);
}

/* The release of a kept buffer would wait here, for ever. */
TEST(a_buffer_with_an_owner_is_released_without_a_wait) {
  for (int ownership = 0; ownership < 2; ownership++) {
    struct world w = begin();
    syclze_buffer_input input = {
        .native_handle = w.memory, .ownership = (syclze_ownership)ownership};
    const unsigned char one = 1;
    syclze_buffer buffer;
    of_memory = w.g.context;
    CHECK_EQ(syclze_make_buffer(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_set_owner(buffer, (syclze_owner){free_memory, w.memory}), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w.queue);
    syclze_group_depends_on(&group, w.gate);
    syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(accessor), &one, 1, SIZE, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    open_gate(&w);
    await_call();
    end(&w);
  }
}

static ze_result_t end_kernel(void *kernel) {
  count_call();
  return zeKernelDestroy(kernel);
}

TEST(the_owner_of_a_kernel_is_called_once_its_launches_are_done) {
  for (int ownership = 0; ownership < 2; ownership++) {
    struct world w = begin();
    given_kernel(&w.g, "tests/kernels/basic.spv", "nothing");
    const syclze_kernel_bundle bundle =
        made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
    const syclze_kernel kernel =
        made_kernel(bundle, w.g.kernel, w.context, (syclze_ownership)ownership);
    const syclze_nd_range range = {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 1};
    CHECK_EQ(syclze_set_owner(kernel, (syclze_owner){end_kernel, w.g.kernel}), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w.queue);
    syclze_group_depends_on(&group, w.gate);
    CHECK_EQ(syclze_launch(&group, kernel, &range, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    open_gate(&w);
    /* Drops the reference of the launch. */
    CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
    w.queue.rep = NULL;
    await_call();
    w.g.kernel = NULL;
    CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(w.memory, w.context), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

static struct world *of_event;
static syclze_buffer buffer_of_event;

/* Uses the queue and the buffer whose submission drops the event. */
static ze_result_t end_event(void *event) {
  const unsigned char two = 2;
  count_call();
  syclze_group group = syclze_group_begin(of_event->queue);
  syclze_accessor accessor = syclze_require(&group, buffer_of_event, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(accessor), &two, 1, SIZE, NULL), ZE_RESULT_SUCCESS);
  return zeEventDestroy(event);
}

/* The first use of the memory drops the available event, whose last reference it has. */
TEST(the_owner_of_an_available_event_may_use_the_memory) {
  struct world w = begin();
  const syclze_buffer_input input = {.native_handle = w.memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  const ze_event_handle_t native = given_event(&w.g);
  const syclze_event available = made_event(w.context, native, SYCLZE_OWNERSHIP_KEEP);
  const unsigned char one = 1;
  of_event = &w;
  called.may_be = true;
  CHECK_EQ(syclze_set_owner(available, (syclze_owner){end_event, native}), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_make_buffer_after(&input, w.context, available, &buffer_of_event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(available), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
  /* The queue's later submissions and its wait drop what a submission keeps. */
  for (int i = 0; i < 4 || called.count == 0; i++) {
    syclze_group group = syclze_group_begin(w.queue);
    syclze_accessor accessor = syclze_require(&group, buffer_of_event, SYCLZE_ACCESS_WRITE);
    syclze_event done;
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(accessor), &one, 1, SIZE, &done),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  await_call();
  CHECK_EQ(syclze_release(buffer_of_event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w.memory, w.context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(the_owner_of_a_queue_is_called_once_its_work_is_done,
    a_buffer_with_an_owner_is_released_without_a_wait,
    the_owner_of_a_kernel_is_called_once_its_launches_are_done,
    the_owner_of_an_available_event_may_use_the_memory)
