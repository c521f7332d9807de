/* Lazily created objects of which there may be one: a second thread creates it while the first is
   about to. Both continue with the same object. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/failing.h"

#include "support/child.h"
#include "support/made.h"

enum { BYTES = 64 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue, other; /* in order */
  unsigned char *memory;
  syclze_event made;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  atomic_int meetings;
};

static syclze_queue queue_of(const struct world *w) {
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(w->context, w->device, &in_order, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static struct world begin(void) {
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = queue_of(&w);
  w.other = queue_of(&w);
  CHECK_EQ(syclze_malloc_shared(BYTES, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, BYTES);
  return w;
}

static void end(struct world *w) {
  CHECK(!failing_end());
  CHECK_EQ(atomic_load(&w->meetings), 1);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* The second thread, started and joined inside an allocation of the first. */
struct second {
  void (*does)(struct world *w);
  struct world *w;
};

static void *do_it(void *argument) {
  const struct second *second = argument;
  second->does(second->w);
  atomic_fetch_add(&second->w->meetings, 1);
  return NULL;
}

static void meet(void *argument) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, do_it, argument), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void fill(struct world *w, unsigned char value, size_t size) {
  syclze_group group = syclze_group_begin(w->queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w->memory), &value, 1, size, NULL),
      ZE_RESULT_SUCCESS);
}

static void fill_first(struct world *w) {
  fill(w, 1, BYTES);
}

TEST(concurrent_first_submissions_share_one_queue_state) {
  given_needs_execution();
  struct world w = begin();
  struct second second = {fill_first, &w};
  failing_interrupt(sizeof(struct syclze__queue_state), meet, &second);
  fill(&w, 2, BYTES / 2);
  CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
  /* In order: the second thread's fill came first. */
  CHECK_EQ(w.memory[0], 2);
  CHECK_EQ(w.memory[BYTES - 1], 1);
  end(&w);
}

static void make_event(struct world *w) {
  CHECK_EQ(syclze_event_create(w->context, 0, &w->made), ZE_RESULT_SUCCESS);
}

TEST(concurrent_first_events_share_one_pool_set) {
  struct world w = begin();
  struct second second = {make_event, &w};
  syclze_event event;
  failing_interrupt(sizeof(struct syclze__event_pools), meet, &second);
  CHECK_EQ(syclze_event_create(w.context, 0, &event), ZE_RESULT_SUCCESS);
  CHECK(syclze_get_native(event) != syclze_get_native(w.made));
  CHECK_EQ(zeEventHostSignal(syclze_get_native(event)), ZE_RESULT_SUCCESS);
  if (given_executes())
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(w.made)), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.made), ZE_RESULT_SUCCESS);
  end(&w);
}

static void make_kernel(struct world *w) {
  w->kernel = made_kernel(w->bundle, w->g.kernel, w->context, SYCLZE_OWNERSHIP_KEEP);
}

TEST(concurrent_first_kernels_share_one_name_list) {
  struct world w = begin();
  struct second second = {make_kernel, &w};
  uint32_t count = 0;
  given_kernel(&w.g, "tests/kernels/basic.spv", "nothing");
  w.bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(zeModuleGetKernelNames(w.g.module, &count, NULL), ZE_RESULT_SUCCESS);
  syclze_kernel_input input = {w.bundle, w.g.kernel, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel kernel;
  /* The list of kernel names, null-terminated. */
  failing_interrupt((count + 1) * sizeof(const char *), meet, &second);
  CHECK_EQ(syclze_make_kernel(&input, w.context, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_native(kernel), w.g.kernel);
  CHECK_EQ(syclze_get_native(w.kernel), w.g.kernel);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.bundle), ZE_RESULT_SUCCESS);
  end(&w);
}

static void transfer_event(struct world *w) {
  syclze_event_input input = {given_event(&w->g), SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_native(&input, w->context, &w->made), ZE_RESULT_SUCCESS);
}

/* Both use the checker that was created first. */
static int first_checks(int unused) {
  (void)unused;
  struct world w = {.g = given()};
  struct second second = {transfer_event, &w};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event_input input = {given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event, again;
  failing_interrupt(sizeof(struct syclze__checker), meet, &second);
  CHECK_EQ(syclze_make_native(&input, w.context, &event), ZE_RESULT_SUCCESS);
  CHECK(!failing_end());
  CHECK_EQ(atomic_load(&w.meetings), 1);
  CHECK_EQ(syclze_make_native(&input, w.context, &again), SYCLZE_RESULT_ERROR_INVALID);
  input.native_handle = syclze_get_native(w.made);
  CHECK_EQ(syclze_make_native(&input, w.context, &again), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.made), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.context), ZE_RESULT_SUCCESS);
  given_end(&w.g);
  return 0;
}

/* Runs first, in a child process. */
TEST(concurrent_first_checks_share_one_checker) {
  CHECK_EQ(in_child(first_checks, 0), 0);
}

TEST_MAIN(concurrent_first_checks_share_one_checker,
    concurrent_first_submissions_share_one_queue_state, concurrent_first_events_share_one_pool_set,
    concurrent_first_kernels_share_one_name_list)
