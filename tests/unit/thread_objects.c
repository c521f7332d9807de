/* Eight concurrent threads: first enumeration, references, native handles, objects in one context,
   and the diagnostic handler. The fake takes no lock, so that ThreadSanitizer sees only the
   ordering of syclze. */
#undef SYCLZE_DECLARATIONS
#include "support/forget.h"
#include "support/threads.h"
#include "support/zoo.h"
#include "syclze/detail/objects/memory_use.h"
#include "tests/check.h"

enum { ROUNDS = 500 };

static struct syclze__device *reps[THREADS][5];
static struct syclze__platform *platforms[THREADS][3];
static ze_driver_handle_t hidden;

static void enumerate(unsigned thread) {
  const ze_device_handle_t handles[] = {
      world.root, world.root2, world.sub, world.sub_sub, world.other_root};
  const ze_driver_handle_t drivers[] = {world.driver, world.other_driver, hidden};
  for (unsigned i = 0; i < 5; i++) {
    unsigned at = (i + thread) % 5;
    syclze_device device;
    CHECK_EQ(syclze_make_device(handles[at], &device), ZE_RESULT_SUCCESS);
    reps[thread][at] = device.rep;
    CHECK_EQ(syclze_device_get_native(device), handles[at]);
  }
  CHECK_EQ(syclze_init(SYCLZE_INIT_FLAG_NPU), ZE_RESULT_SUCCESS);
  for (unsigned i = 0; i < 3; i++) {
    unsigned at = (i + thread) % 3;
    syclze_platform platform;
    CHECK_EQ(syclze_make_platform(drivers[at], &platform), ZE_RESULT_SUCCESS);
    platforms[thread][at] = platform.rep;
  }
  uint32_t count = 0;
  CHECK_EQ(syclze_platform_get(&count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 3);
}

TEST(concurrent_first_enumerations_agree) {
  for (int round = 0, rounds = check_repeats(50); round < rounds; round++) {
    world_begin_bare();
    hidden = fake_hidden_driver();
    threads_run(enumerate);
    for (unsigned thread = 1; thread < THREADS; thread++) {
      for (int i = 0; i < 5; i++)
        CHECK_EQ(reps[thread][i], reps[0][i]);
      for (int i = 0; i < 3; i++)
        CHECK_EQ(platforms[thread][i], platforms[0][i]);
    }
    world_end();
  }
}

static syclze_context context;
static syclze_queue queue;
static syclze_kernel kernel;
static syclze_kernel_bundle bundle;

static void refer(unsigned thread) {
  (void)thread;
  for (int i = 0, count = check_repeats(ROUNDS); i < count; i++) {
    syclze_context_retain(context);
    syclze_queue_retain(queue);
    syclze_kernel_retain(kernel);
    CHECK_EQ(syclze_context_get_native(context), zoo.context);
    CHECK_EQ(syclze_queue_get_native(queue).list, zoo.list);
    CHECK_EQ(syclze_kernel_get_native(kernel), zoo.kernel);
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  }
  /* The thread that drops the last reference is not determined. */
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
}

TEST(the_last_reference_may_be_dropped_on_any_thread) { // shows backend 74
  for (int round = 0, rounds = check_repeats(20); round < rounds; round++) {
    zoo_begin();
    syclze_context_input context_input = {zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_queue_input queue_input = {
        syclze_native_queue_of_list(zoo.list), world.device, SYCLZE_OWNERSHIP_TRANSFER, {0}};
    syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_context(&context_input, &context));
    CHECK_OK(syclze_make_queue(&queue_input, world.context, &queue));
    CHECK_OK(syclze_make_kernel_bundle(&bundle_input, world.context, &bundle));
    syclze_kernel_input kernel_input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_kernel(&kernel_input, world.context, &kernel));
    CHECK_OK(syclze_kernel_bundle_release(bundle));
    for (int i = 1; i < THREADS; i++) {
      CHECK_OK(syclze_context_retain(context));
      CHECK_OK(syclze_queue_retain(queue));
      CHECK_OK(syclze_kernel_retain(kernel));
    }
    threads_run(refer);
    CHECK_EQ(fake_destroys(zoo.context), 1);
    CHECK_EQ(fake_destroys(zoo.list), 1);
    CHECK_EQ(fake_destroys(zoo.kernel), 1);
    CHECK_EQ(fake_destroys(zoo.module), 1);
    CHECK(fake_destroyed_as(zoo.kernel) < fake_destroyed_as(zoo.module));
    zoo_end();
  }
}

static void make_events(unsigned thread) {
  syclze_event events[50];
  for (int round = 0, rounds = check_repeats(20); round < rounds; round++) {
    unsigned count = 1 + (thread * 7 + (unsigned)round * 11) % 50;
    for (unsigned i = 0; i < count; i++) {
      uint32_t flags = i % 5 == 0 ? SYCLZE_EVENT_FLAG_PROFILING : 0;
      CHECK_EQ(syclze_event_create(world.context, flags, &events[i]), ZE_RESULT_SUCCESS);
      /* A signalled event would be shared with another thread. */
      CHECK(!fake_is_signalled(syclze_event_get_native(events[i])));
      fake_signal(syclze_event_get_native(events[i]));
    }
    for (unsigned i = 0; i < count; i++)
      CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  }
}

TEST(concurrent_makes_return_distinct_events) { // shows backend 80
  for (int round = 0; round < 5; round++) {
    world_begin();
    threads_run(make_events);
    world_end();
  }
}

static void make_objects(unsigned thread) {
  (void)thread;
  for (int i = 0, count = check_repeats(ROUNDS / 10); i < count; i++) {
    syclze_queue made_queue;
    syclze_kernel made_kernel;
    syclze_context made_context;
    syclze_kernel_input input = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
    CHECK_EQ(
        syclze_queue_create(world.context, world.device, NULL, &made_queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_kernel(&input, world.context, &made_kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_create(&world.device, 1, &made_context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(made_context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(made_kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(made_queue), ZE_RESULT_SUCCESS);
  }
}

TEST(all_threads_make_objects_in_one_context) { // shows backend 80
  zoo_begin();
  threads_run(make_objects);
  zoo_end();
}

static struct syclze__memory *memory;

static void use_memory(unsigned thread) {
  (void)thread;
  for (int i = 0; i < 50; i++) {
    syclze_event event;
    CHECK_EQ(syclze_event_create(world.context, 0, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze__memory_use(memory, event.rep), ZE_RESULT_SUCCESS);
    fake_signal(syclze_event_get_native(event));
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze__memory_release(memory), ZE_RESULT_SUCCESS);
}

TEST(all_threads_use_and_release_one_buffer) {
  zoo_begin();
  syclze_buffer_input input = {zoo.memory, SYCLZE_OWNERSHIP_TRANSFER, 0, 0, {0, 0, 0}};
  syclze_buffer buffer;
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  memory = &buffer.rep->memory;
  for (int i = 1; i < THREADS; i++)
    CHECK_OK(syclze_buffer_retain(buffer));
  threads_run(use_memory);
  work_settle();
  CHECK_EQ(fake_destroys(zoo.memory), 1);
  zoo_end();
}

static unsigned notified[2];

static void on_diagnostic(void *user, const syclze_diagnostic *diagnostic) {
  CHECK_EQ(diagnostic->result, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  __atomic_fetch_add((unsigned *)user, 1, __ATOMIC_RELAXED);
}

static const syclze_diagnostic_handler handlers[] = {
    {on_diagnostic, &notified[0]}, {on_diagnostic, &notified[1]}};

static void fail_and_replace(unsigned thread) {
  for (int i = 0, count = check_repeats(ROUNDS); i < count; i++) {
    if (thread % 4 == 0)
      CHECK(syclze_diagnostic_set_handler(&handlers[i % 2]) != NULL);
    else
      CHECK_EQ(syclze_make_event(NULL, world.context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  }
}

TEST(the_handler_may_be_replaced_concurrently) {
  world_begin();
  notified[0] = notified[1] = 0;
  const syclze_diagnostic_handler *before = syclze_diagnostic_set_handler(&handlers[0]);
  threads_run(fail_and_replace);
  CHECK_EQ(notified[0] + notified[1], 6 * check_repeats(ROUNDS));
  syclze_diagnostic_set_handler(before);
  world_end();
}

static void make_an_event(unsigned thread) {
  syclze_event event;
  (void)thread;
  CHECK_EQ(syclze_event_create(world.context, 0, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
}

/* The caches of threads need a fence of the whole process, which not every system has. */
TEST(without_a_barrier_of_the_process_threads_have_no_blocks) {
  for (int has = 0; has < 2; has++) {
    threads_have_barrier(has);
    world_begin();
    CHECK_EQ(SYCLZE__STATE.threads_enabled, SYCLZE_HAS_THREAD_CACHE ? has : 0);
    CHECK_EQ(SYCLZE__STATE.threads != NULL, SYCLZE__STATE.threads_enabled != 0);
    threads_run(make_an_event);
    CHECK_EQ(SYCLZE__STATE.threads != NULL, SYCLZE__STATE.threads_enabled != 0);
    world_end();
  }
}

TEST_MAIN(concurrent_first_enumerations_agree, the_last_reference_may_be_dropped_on_any_thread,
    concurrent_makes_return_distinct_events, all_threads_make_objects_in_one_context,
    all_threads_use_and_release_one_buffer, the_handler_may_be_replaced_concurrently,
    without_a_barrier_of_the_process_threads_have_no_blocks)
