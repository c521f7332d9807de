/* Children that threads make and release in their own blocks, where the parent ends with the last:
   after references and children of all threads, once, on whichever thread that is. The fake checks
   that nothing is destroyed before or twice. */
#include "support/threads.h"
#include "support/zoo.h"
#include "tests/check.h"

#include <pthread.h>
#include <sched.h>

enum { EVENTS = 300, MAILBOXES = 64 };

static syclze_context parent;
static ze_event_pool_handle_t pool;
static ze_event_handle_t native;
static struct syclze__event *mailboxes[MAILBOXES];

/* The native event is of another context than those that are made here. */
static void begin(void) {
  world_begin();
  pool = fake_event_pool(world.native_context);
  fake.no_getters = 1;
  native = fake_event(pool);
}

static void end(void) {
  fake_destroy(native);
  fake_destroy(pool);
  world_end();
}

static ze_context_handle_t transferred_context(syclze_context *context) {
  const ze_context_handle_t handle = fake_context(world.driver);
  const syclze_context_input input = {handle, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_context(&input, context), ZE_RESULT_SUCCESS);
  return handle;
}

static syclze_event event_in(syclze_context context) {
  const syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
  syclze_event event = {NULL};
  CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
  return event;
}

/* Puts an event into a mailbox, and releases the one that was there. */
static void exchange(unsigned number, syclze_event event) {
  syclze_event other = {
      __atomic_exchange_n(&mailboxes[number % MAILBOXES], event.rep, __ATOMIC_ACQ_REL)};
  CHECK_EQ(syclze_event_release(other), ZE_RESULT_SUCCESS);
}

/* A reference covers the first half; in the second, where the parent may be closing, only an event
 * of the thread's own. */
static void make_and_exchange(unsigned thread) {
  unsigned seed = thread + 1;
  syclze_event cover = event_in(parent);
  for (int i = 0; i < EVENTS; i++) {
    seed = seed * 1103515245u + 12345u;
    exchange(seed >> 16, event_in(parent));
  }
  CHECK_EQ(syclze_context_release(parent), ZE_RESULT_SUCCESS);
  for (int i = 0; i < EVENTS; i++) {
    const syclze_context context = syclze_event_get_context(cover);
    seed = seed * 1103515245u + 12345u;
    if (i % 3 == 0) CHECK_EQ(syclze_context_retain(context), ZE_RESULT_SUCCESS);
    exchange(seed >> 16, event_in(context));
    if (i % 3 == 0) CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_event_release(cover), ZE_RESULT_SUCCESS);
}

static void empty_mailboxes(unsigned thread) {
  for (int i = 0; i < MAILBOXES; i++)
    exchange(thread + (unsigned)i, (syclze_event){NULL});
}

TEST(a_context_ends_with_its_last_child_on_any_thread) {
  for (int round = 0, count = check_repeats(20); round < count; round++) {
    begin();
    const ze_context_handle_t handle = transferred_context(&parent);
    for (int i = 1; i < THREADS; i++)
      CHECK_OK(syclze_context_retain(parent));
    threads_run(make_and_exchange);
    CHECK_EQ(fake_destroys(handle), 0);
    threads_run(empty_mailboxes);
    CHECK_EQ(fake_destroys(handle), 1);
    end();
  }
}

TEST(more_parents_than_entries_keep_their_children) {
  enum { PARENTS = SYCLZE__ENTRIES + 50 };
  static syclze_event events[PARENTS][2];
  static ze_context_handle_t handles[PARENTS];
  begin();
  for (int i = 0; i < PARENTS; i++) {
    syclze_context context;
    handles[i] = transferred_context(&context);
    events[i][0] = event_in(context);
    CHECK_OK(syclze_context_release(context));
    events[i][1] = event_in(syclze_event_get_context(events[i][0]));
  }
  for (int child = 0; child < 2; child++)
    for (int i = 0; i < PARENTS; i++) {
      CHECK_EQ(fake_destroys(handles[i]), 0);
      CHECK_OK(syclze_event_release(events[i][child]));
      CHECK_EQ(fake_destroys(handles[i]), child);
    }
  end();
}

/* Each entry serves many parents one after the other. */
TEST(entries_are_used_again) {
  begin();
  for (int i = 0; i < 3 * SYCLZE__ENTRIES; i++) {
    syclze_context context;
    syclze_event event;
    const ze_context_handle_t handle = transferred_context(&context);
    CHECK_OK(syclze_event_create(context, 0, &event));
#if SYCLZE_HAS_THREAD_CACHE
    CHECK(context.rep->parent.entry != 0);
#endif
    CHECK_OK(syclze_event_release(event));
    CHECK_OK(syclze_event_release(event_in(context)));
    CHECK_OK(syclze_context_release(context));
    CHECK_EQ(fake_destroys(handle), 1);
  }
  end();
}

TEST(a_release_without_reference_is_refused_while_children_live) {
  world_begin();
  syclze_context context;
  syclze_event event;
  const ze_context_handle_t handle = transferred_context(&context);
  CHECK_OK(syclze_event_create(context, 0, &event));
  CHECK_OK(syclze_context_release(context));
#if SYCLZE_HAS_POOLS
  CHECK_EQ(syclze_context_release(context), SYCLZE_RESULT_ERROR_INVALID);
#endif
  CHECK_OK(syclze_context_retain(context));
  CHECK_OK(syclze_context_retain(context));
  CHECK_OK(syclze_context_release(context));
  CHECK_OK(syclze_context_release(context));
  CHECK_EQ(fake_destroys(handle), 0);
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(handle), 1);
#if SYCLZE_HAS_POOLS
  CHECK_EQ(syclze_context_release(context), SYCLZE_RESULT_ERROR_INVALID);
#endif
  world_end();
}

static syclze_kernel_bundle bundle;
static syclze_kernel kernels[THREADS];

static void make_kernel(unsigned thread) {
  const syclze_kernel_input input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  for (int i = 0; i < 200; i++) {
    CHECK_EQ(syclze_make_kernel(&input, world.context, &kernels[thread]), ZE_RESULT_SUCCESS);
    if (i < 199) CHECK_EQ(syclze_kernel_release(kernels[thread]), ZE_RESULT_SUCCESS);
  }
}

static void release_kernel_of_another(unsigned thread) {
  CHECK_EQ(syclze_kernel_release(kernels[(thread + 3) % THREADS]), ZE_RESULT_SUCCESS);
}

TEST(a_bundle_ends_with_its_last_kernel_on_any_thread) {
  for (int round = 0, count = check_repeats(20); round < count; round++) {
    zoo_begin();
    const syclze_kernel_bundle_input input = {zoo.module, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
    threads_run(make_kernel);
    CHECK_OK(syclze_kernel_bundle_release(bundle));
    CHECK_EQ(fake_destroys(zoo.module), 0);
    fake_destroy(zoo.kernel);
    threads_run(release_kernel_of_another);
    CHECK_EQ(fake_destroys(zoo.module), 1);
    zoo_end();
  }
}

static syclze_event last_child;
static uint32_t arrived;
static unsigned owner_calls;

static ze_result_t count_call(void *data) {
  (void)data;
  owner_calls++;
  return ZE_RESULT_SUCCESS;
}

/* Orders nothing between the two threads. */
static void meet(void) {
  __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < 2)
    sched_yield();
}

static void *drop_reference(void *argument) {
  meet();
  CHECK(syclze_context_get_owner(parent).release == count_call);
  CHECK_EQ(syclze_context_release(parent), ZE_RESULT_SUCCESS);
  return argument;
}

static void *drop_child(void *argument) {
  meet();
  CHECK_EQ(syclze_event_release(last_child), ZE_RESULT_SUCCESS);
  return argument;
}

/* Whichever of the two ends the context, what the other one read of it was read before. */
TEST(the_last_child_and_the_last_reference_end_a_closed_parent_once) {
  const unsigned count = (unsigned)check_repeats(300);
  begin();
  const ze_context_handle_t handle = fake_context(world.driver);
  owner_calls = 0;
  for (unsigned round = 1; round <= count; round++) {
    const syclze_owner owner = {count_call, NULL};
    pthread_t threads[2];
    parent = world_context(handle, &world.device, 1);
    CHECK_EQ(syclze_context_set_owner(parent, owner), ZE_RESULT_SUCCESS);
    last_child = event_in(parent);
    CHECK_EQ(syclze_context_release(parent), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_retain(parent), ZE_RESULT_SUCCESS);
    arrived = 0;
    CHECK_EQ(pthread_create(&threads[0], NULL, drop_reference, NULL), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, drop_child, NULL), 0);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_EQ(owner_calls, round);
  }
  fake_destroy(handle);
  end();
}

static void *close_parent(void *argument) {
  CHECK_EQ(syclze_context_release(parent), ZE_RESULT_SUCCESS);
  return argument;
}

static void *use_parent(void *argument) {
  CHECK_EQ(syclze_event_release(event_in(parent)), ZE_RESULT_SUCCESS);
  return argument;
}

static void run(void *(*body)(void *)) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, body, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

#if SYCLZE_HAS_THREAD_CACHE && SYCLZE_HAS_POOLS
enum { MOVED = 1000 };

static syclze_event moved[MOVED];

/* As if the calling thread had added this many children, which other threads removed. */
static void add_children(int count) {
  syclze__own_thread()->entries[parent.rep->parent.index].base += count;
}

static void *remove_children(void *argument) {
  CHECK_EQ(syclze_event_release(event_in(parent)), ZE_RESULT_SUCCESS);
  add_children(-(1 << 30));
  for (int i = 0; i < MOVED; i++)
    CHECK_EQ(syclze_event_release(moved[i]), ZE_RESULT_SUCCESS);
  return argument;
}
#endif

/* One thread makes all events, another releases them, for hours. */
TEST(a_thread_makes_more_children_than_32_bits_count) {
#if SYCLZE_HAS_THREAD_CACHE && SYCLZE_HAS_POOLS
  begin();
  const ze_context_handle_t handle = transferred_context(&parent);
  for (int i = 0; i < MOVED; i++)
    moved[i] = event_in(parent);
  add_children(1 << 30);
  syclze_event last = event_in(parent);
  run(remove_children);
  CHECK_OK(syclze_context_release(parent));
  CHECK_EQ(fake_destroys(handle), 0);
  CHECK_OK(syclze_event_release(last));
  CHECK_EQ(fake_destroys(handle), 1);
  end();
#else
  SKIP("children are counted without blocks of threads");
#endif
}

/* A parent that closes while it has children orders what its other threads count, if there are
   some. */
TEST(a_parent_that_closes_needs_a_barrier_for_other_threads_only) {
  if (!SYCLZE_HAS_POOLS) SKIP("children are counted without blocks of threads");
#ifndef __linux__
  SKIP("barriers are counted on Linux");
#endif
  enum { ALONE, BY_ANOTHER, BESIDE_ANOTHER, WAYS };
  for (int way = 0; way < WAYS; way++) {
    begin();
    const ze_context_handle_t handle = transferred_context(&parent);
    syclze_event event = event_in(parent);
    if (way == BESIDE_ANOTHER) run(use_parent);
    const unsigned barriers = threads_barriers();
    if (way == BY_ANOTHER)
      run(close_parent);
    else
      close_parent(NULL);
    CHECK_EQ(threads_barriers(), barriers + (way != ALONE));
    CHECK_EQ(fake_destroys(handle), 0);
    CHECK_OK(syclze_event_release(event));
    CHECK_EQ(fake_destroys(handle), 1);
    end();
  }
}

TEST_MAIN(a_context_ends_with_its_last_child_on_any_thread,
    the_last_child_and_the_last_reference_end_a_closed_parent_once,
    a_parent_that_closes_needs_a_barrier_for_other_threads_only,
    a_thread_makes_more_children_than_32_bits_count, more_parents_than_entries_keep_their_children,
    entries_are_used_again, a_release_without_reference_is_refused_while_children_live,
    a_bundle_ends_with_its_last_kernel_on_any_thread)
