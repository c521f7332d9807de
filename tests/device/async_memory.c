/* Memory that commands allocate and free, and its pools (syclze/async_memory.h). */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/async_memory.h"
#include "syclze/command/event_sync.h"
#include "syclze/command/host_task.h"

enum { QUEUES = 5, SIZE = 4096, ITEMS = SIZE / 4, ROUNDS = 20 };
enum { IN_ORDER, OTHER, OUT_OF_ORDER, COMMAND_QUEUE, SYNCHRONOUS };

#define DEVICE ZE_MEMORY_TYPE_DEVICE
#define OK ZE_RESULT_SUCCESS

static const uint32_t kinds[QUEUES] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER,
    SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
    SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS};

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES];
};

static struct world begin(void) {
  struct world w = {.g = given()};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  made_queues(w.context, w.device, kinds, w.queues, QUEUES);
  return w;
}

static void end(struct world *w) {
  release_queues(w->queues, QUEUES);
  CHECK_EQ(syclze_release(w->context), OK);
  given_end(&w->g);
}

static syclze_memory_pool pool_of(
    struct world *w, ze_memory_type_t kind, const syclze_memory_pool_properties *properties) {
  syclze_memory_pool pool;
  CHECK_EQ(syclze_memory_pool_create(kind, w->device, w->context, properties, &pool), OK);
  CHECK(pool.rep != NULL);
  return pool;
}

static void *taken(syclze_queue queue, syclze_memory_pool pool, size_t size) {
  void *memory;
  CHECK_EQ(syclze_malloc_async_from_pool(queue, size, pool, &memory, NULL, 0, NULL), OK);
  CHECK(memory != NULL);
  return memory;
}

static void freed(syclze_queue queue, void *memory) {
  CHECK_EQ(syclze_free_async(queue, memory, NULL, 0, NULL), OK);
}

static void fill(syclze_queue queue, void *memory, uint32_t value) {
  CHECK_EQ(syclze_queue_fill(queue, memory, &value, sizeof value, SIZE, NULL, 0, NULL), OK);
}

/* An event of the application, which holds work back until it is signalled. */
static syclze_event gate_of(struct world *w) {
  return made_event(w->context, given_event(&w->g), SYCLZE_OWNERSHIP_TRANSFER);
}

/* AsyncAlloc/device/async_alloc_from_pool.cpp: an allocation, its use and its free, twice. */
TEST(a_queue_takes_again_what_it_has_freed) { // shows async_memory 1
  given_needs_execution();
  struct world w = begin();
  static const int in_order[] = {IN_ORDER, SYNCHRONOUS};
  for (int i = 0; i < 2; i++) {
    syclze_queue queue = w.queues[in_order[i]];
    syclze_memory_pool pool = pool_of(&w, DEVICE, NULL);
    uint32_t result[ITEMS];
    const unsigned before = spy_creations(SPY_MEMORY);
    void *const first = taken(queue, pool, SIZE);
    fill(queue, first, 7);
    freed(queue, first);
    for (int round = 0; round < ROUNDS; round++) {
      void *const again = taken(queue, pool, SIZE - 100);
      CHECK_EQ(again, first);
      CHECK_EQ(syclze_queue_copy(queue, result, again, SIZE, NULL, 0, NULL), OK);
      freed(queue, again);
    }
    CHECK_EQ(syclze_queue_wait(queue), OK);
    CHECK_EQ(result[0], 7);
    CHECK_EQ(result[ITEMS - 1], 7);
    CHECK_EQ(spy_creations(SPY_MEMORY), before + 1);
    CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 0);
    CHECK_EQ(syclze_release(pool), OK);
  }
  end(&w);
}

/* A free that the gate holds back: the memory is used until it is done. */
TEST(other_queues_take_memory_once_the_free_is_done) { // shows async_memory 2 7
  given_needs_execution();
  struct world w = begin();
  const syclze_memory_pool_properties stays = {.initial_threshold = SIZE_MAX};
  syclze_memory_pool pool = pool_of(&w, DEVICE, &stays);
  syclze_event gate = gate_of(&w);
  void *const first = taken(w.queues[IN_ORDER], pool, SIZE);
  fill(w.queues[IN_ORDER], first, 1);
  CHECK_EQ(syclze_free_async(w.queues[IN_ORDER], first, &gate, 1, NULL), OK);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), SIZE);
  void *second[QUEUES];
  for (int i = OTHER; i <= COMMAND_QUEUE; i++) {
    second[i] = taken(w.queues[i], pool, SIZE);
    CHECK(second[i] != first);
    for (int j = OTHER; j < i; j++)
      CHECK(second[i] != second[j]);
  }
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 4 * SIZE);
  CHECK_EQ(syclze_event_signal(gate), OK);
  CHECK_EQ(syclze_queue_wait(w.queues[IN_ORDER]), OK);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 3 * SIZE);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 4 * SIZE);
  void *const third = taken(w.queues[OTHER], pool, SIZE);
  CHECK_EQ(third, first);
  freed(w.queues[OTHER], third);
  for (int i = OTHER; i <= COMMAND_QUEUE; i++) {
    freed(w.queues[i], second[i]);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), OK);
  }
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 0);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 4 * SIZE);
  CHECK_EQ(syclze_release(pool), OK);
  CHECK_EQ(spy_destroys_of(first), 1);
  for (int i = OTHER; i <= COMMAND_QUEUE; i++)
    CHECK_EQ(spy_destroys_of(second[i]), 1);
  CHECK_EQ(syclze_release(gate), OK);
  end(&w);
}

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return OK;
}

/* The frees are deferred, and appended by a worker. */
TEST(frees_behind_host_tasks_are_done_behind_them) { // shows async_memory 2
  given_needs_execution();
  struct world w = begin();
  const syclze_memory_pool_properties stays = {.initial_threshold = SIZE_MAX};
  for (int i = 0; i < QUEUES; i++) {
    syclze_memory_pool pool = pool_of(&w, DEVICE, &stays);
    syclze_event gate = gate_of(&w), task, done;
    void *const memory = taken(w.queues[i], pool, SIZE);
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_group_depends_on(&group, gate);
    CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, &task), OK);
    CHECK_EQ(syclze_free_async(w.queues[i], memory, &task, 1, &done), OK);
    CHECK_EQ(syclze_memory_pool_get_used_size(pool), SIZE);
    CHECK_EQ(syclze_event_signal(gate), OK);
    CHECK_EQ(syclze_event_wait(done), OK);
    CHECK_EQ(syclze_memory_pool_get_used_size(pool), 0);
    CHECK_EQ(syclze_release(pool, gate, task, done), OK);
    CHECK(!spy_is_alive(SPY_MEMORY, memory));
  }
  end(&w);
}

/* AsyncAlloc/device/ooo_queue_async_alloc_from_pool.cpp: each command depends on the one before. */
TEST(events_order_allocations_and_frees) { // shows async_memory 3
  given_needs_execution();
  struct world w = begin();
  syclze_memory_pool pool = pool_of(&w, DEVICE, NULL);
  for (int i = 0; i < QUEUES; i++) {
    syclze_queue queue = w.queues[i];
    uint32_t result[ITEMS] = {0}, value = 3;
    syclze_event events[8];
    void *memory;
    CHECK_EQ(syclze_malloc_async_from_pool(queue, SIZE, pool, &memory, NULL, 0, &events[0]), OK);
    CHECK_EQ(
        syclze_queue_fill(queue, memory, &value, sizeof value, SIZE, &events[0], 1, &events[1]),
        OK);
    CHECK_EQ(syclze_free_async(queue, memory, &events[1], 1, &events[2]), OK);
    CHECK_EQ(
        syclze_malloc_async_from_pool(queue, SIZE, pool, &memory, &events[2], 1, &events[3]), OK);
    value = 5;
    CHECK_EQ(
        syclze_queue_fill(queue, memory, &value, sizeof value, SIZE, &events[3], 1, &events[4]),
        OK);
    CHECK_EQ(syclze_queue_copy(queue, result, memory, SIZE, &events[4], 1, &events[5]), OK);
    CHECK_EQ(syclze_free_async(queue, memory, &events[5], 1, &events[6]), OK);
    CHECK_EQ(syclze_event_wait(events[6]), OK);
    for (int j = 0; j < ITEMS; j++)
      CHECK_EQ(result[j], 5);
    for (int j = 0; j < 7; j++)
      CHECK_EQ(syclze_release(events[j]), OK);
  }
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 0);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

/* The example of the extension: of a default pool whose threshold is raised. */
TEST(memory_above_the_threshold_goes_back_to_the_driver) { // shows async_memory 4
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = w.queues[IN_ORDER];
  syclze_memory_pool pool;
  CHECK_EQ(syclze_memory_pool_get_default(DEVICE, w.device, w.context, &pool), OK);
  CHECK_EQ(syclze_memory_pool_get_threshold(pool), 0);
  CHECK_EQ(syclze_memory_pool_increase_threshold_to(pool, 2 * SIZE), OK);
  CHECK_EQ(syclze_memory_pool_increase_threshold_to(pool, SIZE), OK);
  CHECK_EQ(syclze_memory_pool_get_threshold(pool), 2 * SIZE);
  void *memory[3];
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_malloc_async(queue, DEVICE, SIZE, &memory[i], NULL, 0, NULL), OK);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 3 * SIZE);
  for (int i = 0; i < 3; i++)
    freed(queue, memory[i]);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 0);
  CHECK_EQ(spy_destroys_of(memory[0]), 1); /* the oldest */
  CHECK_EQ(spy_destroys_of(memory[1]), 0);
  CHECK_EQ(spy_destroys_of(memory[2]), 0);
  void *again;
  CHECK_EQ(syclze_malloc_async(queue, DEVICE, SIZE, &again, NULL, 0, NULL), OK);
  CHECK(again == memory[1] || again == memory[2]);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE);
  freed(queue, again);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

TEST(an_allocation_takes_what_is_at_most_twice_as_large) { // shows async_memory 7
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = w.queues[IN_ORDER];
  const syclze_memory_pool_properties stays = {.initial_threshold = SIZE_MAX};
  syclze_memory_pool pool = pool_of(&w, DEVICE, &stays);
  void *const large = taken(queue, pool, 4 * SIZE), *const half = taken(queue, pool, 2 * SIZE);
  freed(queue, half);
  freed(queue, large);
  void *const small = taken(queue, pool, SIZE - 1);
  CHECK(small != large && small != half);
  CHECK_EQ(taken(queue, pool, 2 * SIZE), half); /* the smallest that suits */
  CHECK_EQ(taken(queue, pool, 2 * SIZE), large);
  freed(queue, small);
  freed(queue, half);
  freed(queue, large);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

TEST(a_pool_does_not_exceed_its_maximum) { // shows async_memory 5
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = w.queues[IN_ORDER];
  const syclze_memory_pool_properties limited = {
      .initial_threshold = SIZE_MAX, .maximum_size = 2 * SIZE};
  syclze_memory_pool pool = pool_of(&w, DEVICE, &limited);
  void *const first = taken(queue, pool, SIZE), *const second = taken(queue, pool, SIZE);
  void *none;
  syclze_event no_event;
  REFUSED(none, syclze_malloc_async_from_pool(queue, 1, pool, &none, NULL, 0, &no_event),
      SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION, "syclze_malloc_async_from_pool", "maximum size",
      syclze_get_native(queue).list);
  CHECK(no_event.rep == NULL);
  REFUSED(none, syclze_malloc_async_from_pool(queue, SIZE_MAX, pool, &none, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION, "syclze_malloc_async_from_pool", "maximum size",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 2 * SIZE);
  freed(queue, first);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  REFUSED(none, syclze_malloc_async_from_pool(queue, 2 * SIZE, pool, &none, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION, "syclze_malloc_async_from_pool", "maximum size",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE); /* as it was */
  freed(queue, second);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE);
  void *const whole = taken(queue, pool, 2 * SIZE); /* makes room */
  CHECK_EQ(spy_destroys_of(first) != 0 || first == whole, true);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE);
  freed(queue, whole);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

/* Only a driver that lacks memory gets it back. */
TEST(a_driver_without_memory_gets_what_a_pool_does_not_use) { // shows async_memory 5
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = w.queues[IN_ORDER];
  const syclze_memory_pool_properties stays = {.initial_threshold = SIZE_MAX};
  syclze_memory_pool pool = pool_of(&w, DEVICE, &stays);
  void *const first = taken(queue, pool, SIZE), *const used = taken(queue, pool, SIZE), *none;
  freed(queue, first);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  spy_fail_named("zeMemAllocDevice", ZE_RESULT_ERROR_DEVICE_LOST);
  REFUSED(none, syclze_malloc_async_from_pool(queue, 4 * SIZE, pool, &none, NULL, 0, NULL),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_malloc_async_from_pool", "allocation failed",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 2 * SIZE);
  spy_fail_at(1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  void *const large = taken(queue, pool, 4 * SIZE);
  CHECK_STR_EQ(spy_failed_call(), "zeMemAllocDevice");
  CHECK_EQ(spy_destroys_of(first) != 0 || first == large, true);
  CHECK_EQ(syclze_memory_pool_get_reserved_size(pool), 5 * SIZE);
  spy_fail_named("zeMemAllocDevice", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  REFUSED(none, syclze_malloc_async_from_pool(queue, 4 * SIZE, pool, &none, NULL, 0, NULL),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_malloc_async_from_pool", "allocation failed",
      syclze_get_native(queue).list);
  spy_fail_at(0, OK);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), 5 * SIZE);
  freed(queue, used);
  freed(queue, large);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

/* AsyncAlloc/device/async_alloc_zero_init.cpp. */
TEST(memory_that_is_new_to_a_pool_is_zero) { // shows async_memory 6
  given_needs_execution();
  struct world w = begin();
  const syclze_memory_pool_properties zero = {
      .flags = SYCLZE_MEMORY_POOL_ZERO_INIT | SYCLZE_MEMORY_POOL_READ_ONLY};
  for (int i = 0; i < QUEUES; i++) {
    syclze_memory_pool pool = pool_of(&w, DEVICE, &zero);
    uint32_t result[ITEMS];
    syclze_event made;
    void *memory;
    CHECK_EQ(syclze_malloc_async_from_pool(w.queues[i], SIZE, pool, &memory, NULL, 0, &made), OK);
    memset(result, 1, sizeof result);
    CHECK_EQ(syclze_queue_copy(w.queues[i], result, memory, SIZE, &made, 1, NULL), OK);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), OK);
    for (int j = 0; j < ITEMS; j++)
      CHECK_EQ(result[j], 0);
    freed(w.queues[i], memory);
    CHECK_EQ(syclze_release(pool, made), OK);
  }
  end(&w);
}

/* AsyncAlloc/device/async_alloc_from_default_pool.cpp, and memory of the other kinds. */
TEST(each_kind_has_a_default_pool) { // shows async_memory 8
  static const ze_memory_type_t types[] = {DEVICE, ZE_MEMORY_TYPE_SHARED, ZE_MEMORY_TYPE_HOST};
  given_needs_execution();
  struct world w = begin();
  for (int i = 0; i < 3; i++) {
    syclze_memory_pool pool, same, other;
    void *memory;
    CHECK_EQ(syclze_memory_pool_get_default(types[i], w.device, w.context, &pool), OK);
    CHECK_EQ(syclze_memory_pool_get_default(types[i], w.device, w.context, &same), OK);
    CHECK_EQ(syclze_memory_pool_get_default(types[(i + 1) % 3], w.device, w.context, &other), OK);
    CHECK_EQ(pool.rep, same.rep);
    CHECK(pool.rep != other.rep);
    CHECK_EQ(syclze_memory_pool_get_kind(pool), types[i]);
    CHECK_EQ(syclze_memory_pool_get_context(pool).rep, w.context.rep);
    CHECK_EQ(syclze_memory_pool_get_device(pool).rep, w.device.rep);
    CHECK_EQ(syclze_malloc_async(w.queues[OTHER], types[i], SIZE, &memory, NULL, 0, NULL), OK);
    fill(w.queues[OTHER], memory, 9);
    CHECK_EQ(syclze_memory_pool_get_used_size(pool), SIZE);
    CHECK_EQ(syclze_queue_wait(w.queues[OTHER]), OK);
    if (types[i] != DEVICE) CHECK_EQ(((uint32_t *)memory)[ITEMS - 1], 9);
    freed(w.queues[OTHER], memory);
    CHECK_EQ(syclze_release(pool, same, other), OK);
  }
  end(&w);
}

/* It outlives its references and the queue that has used it as long as another one has. */
TEST(a_default_pool_ends_with_the_last_of_its_queues) { // shows async_memory 8
  given_needs_execution();
  struct world w = begin();
  syclze_queue first, last;
  void *memory, *again;
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &first), OK);
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &last), OK);
  syclze_memory_pool pool;
  CHECK_EQ(syclze_malloc_async(first, DEVICE, SIZE, &memory, NULL, 0, NULL), OK);
  CHECK_EQ(syclze_memory_pool_get_default(DEVICE, w.device, w.context, &pool), OK);
  CHECK_EQ(syclze_memory_pool_increase_threshold_to(pool, SIZE), OK);
  CHECK_EQ(syclze_release(pool), OK);
  freed(last, memory);
  CHECK_EQ(syclze_queue_wait(last), OK);
  CHECK_EQ(syclze_queue_wait(first), OK);
  CHECK_EQ(syclze_release(first), OK);
  CHECK_EQ(spy_destroys_of(memory), 0);
  CHECK_EQ(syclze_malloc_async(last, DEVICE, SIZE, &again, NULL, 0, NULL), OK);
  CHECK_EQ(again, memory);
  freed(last, again);
  CHECK_EQ(syclze_queue_wait(last), OK);
  CHECK_EQ(syclze_release(last), OK);
  end(&w);
  CHECK_EQ(spy_destroys_of(memory), 1);
}

/* While frees are under way, and while memory is used. */
TEST(a_pool_ends_behind_its_last_free) { // shows async_memory 9
  given_needs_execution();
  struct world w = begin();
  syclze_memory_pool pool = pool_of(&w, DEVICE, NULL);
  syclze_event gate = gate_of(&w);
  void *const pending = taken(w.queues[IN_ORDER], pool, SIZE);
  void *const used = taken(w.queues[OTHER], pool, SIZE);
  CHECK_EQ(syclze_free_async(w.queues[IN_ORDER], pending, &gate, 1, NULL), OK);
  CHECK_EQ(syclze_memory_pool_retain(pool), OK);
  CHECK_EQ(syclze_release(pool), OK);
  CHECK_EQ(syclze_release(pool), OK);
  fill(w.queues[OTHER], used, 1);
  freed(w.queues[OTHER], used);
  CHECK_EQ(syclze_queue_wait(w.queues[OTHER]), OK);
  CHECK_EQ(spy_destroys_of(pending), 0);
  CHECK_EQ(syclze_event_signal(gate), OK);
  CHECK_EQ(syclze_release(gate), OK);
  end(&w);
  CHECK_EQ(spy_destroys_of(pending), 1);
  CHECK_EQ(spy_destroys_of(used), 1);
}

TEST(nothing_is_allocated_for_no_bytes) { // shows async_memory 10
  given_needs_execution();
  struct world w = begin();
  for (int i = 0; i < QUEUES; i++) {
    const unsigned before = spy_creations(SPY_MEMORY);
    syclze_event made, done;
    void *memory = &w;
    CHECK_EQ(syclze_malloc_async(w.queues[i], DEVICE, 0, &memory, NULL, 0, &made), OK);
    CHECK(memory == NULL);
    CHECK_EQ(syclze_free_async(w.queues[i], NULL, &made, 1, &done), OK);
    CHECK_EQ(syclze_event_wait(done), OK);
    CHECK_EQ(syclze_event_wait(made), OK);
    CHECK_EQ(spy_creations(SPY_MEMORY), before);
    CHECK_EQ(syclze_release(made, done), OK);
  }
  end(&w);
}

#define CREATE "syclze_memory_pool_create"

TEST(wrong_pools_are_refused) { // shows async_memory 11
  struct world w = begin();
  const syclze_memory_pool_properties unknown = {.flags = 4};
  const syclze_device no_device = {NULL};
  const syclze_context no_context = made_no_context();
  const syclze_memory_pool no_pool = {NULL};
  syclze_memory_pool pool;
  REFUSED(pool, syclze_memory_pool_create(ZE_MEMORY_TYPE_UNKNOWN, w.device, w.context, NULL, &pool),
      SYCLZE_RESULT_ERROR_INVALID, CREATE, "shared or of the host", NULL);
  REFUSED(pool, syclze_memory_pool_create(DEVICE, no_device, w.context, NULL, &pool),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, CREATE, "the device is null", NULL);
  REFUSED(pool, syclze_memory_pool_create(DEVICE, w.device, no_context, NULL, &pool),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, CREATE, "the context is null", NULL);
  REFUSED(pool, syclze_memory_pool_create(DEVICE, w.device, w.context, &unknown, &pool),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, CREATE, "unknown flags", NULL);
  FAILED(syclze_memory_pool_create(DEVICE, w.device, w.context, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, CREATE, "pointer is null", NULL);
  REFUSED(pool, syclze_memory_pool_get_default((ze_memory_type_t)77, w.device, w.context, &pool),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_memory_pool_get_default", "shared or of the host", NULL);
  FAILED(syclze_memory_pool_get_default(DEVICE, w.device, w.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_memory_pool_get_default", "pointer is null",
      NULL);
  FAILED(syclze_memory_pool_increase_threshold_to(no_pool, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_memory_pool_increase_threshold_to", "the pool is null", NULL);
  CHECK_EQ(syclze_memory_pool_retain(no_pool), OK);
  CHECK_EQ(syclze_memory_pool_release(no_pool), OK);
  CHECK_EQ(syclze_memory_pool_create(ZE_MEMORY_TYPE_HOST, no_device, w.context, NULL, &pool), OK);
  CHECK_EQ(syclze_memory_pool_get_device(pool).rep, w.device.rep);
  CHECK_EQ(syclze_release(pool), OK);
  end(&w);
}

#define MALLOC "syclze_malloc_async"
#define FROM_POOL "syclze_malloc_async_from_pool"
#define FREE "syclze_free_async"

TEST(wrong_allocations_and_frees_are_refused) { // shows async_memory 11
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = w.queues[IN_ORDER];
  const void *native = syclze_get_native(queue).list;
  const syclze_queue no_queue = {NULL};
  const syclze_memory_pool no_pool = {NULL};
  syclze_memory_pool pool = pool_of(&w, DEVICE, NULL), foreign;
  syclze_context other;
  syclze_event event;
  void *memory;
  CHECK_EQ(syclze_context_create(&w.device, 1, &other), OK);
  CHECK_EQ(syclze_memory_pool_create(DEVICE, w.device, other, NULL, &foreign), OK);
  REFUSED(memory, syclze_malloc_async(no_queue, DEVICE, SIZE, &memory, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, MALLOC, "the queue is null", NULL);
  FAILED(syclze_malloc_async(queue, DEVICE, SIZE, NULL, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, MALLOC, "the memory's pointer is null", native);
  REFUSED(memory, syclze_malloc_async(queue, ZE_MEMORY_TYPE_UNKNOWN, SIZE, &memory, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_INVALID, MALLOC, "shared or of the host", native);
  REFUSED(memory, syclze_malloc_async(queue, DEVICE, SIZE, &memory, NULL, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, MALLOC, "the list of events", native);
  REFUSED(memory, syclze_malloc_async_from_pool(no_queue, SIZE, pool, &memory, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FROM_POOL, "the queue is null", NULL);
  REFUSED(memory, syclze_malloc_async_from_pool(queue, SIZE, no_pool, &memory, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FROM_POOL, "the pool is null", native);
  REFUSED(memory, syclze_malloc_async_from_pool(queue, SIZE, foreign, &memory, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_INVALID, FROM_POOL, "the queue's context", native);
  memory = taken(queue, pool, SIZE);
  REFUSED(event, syclze_free_async(queue, &event, NULL, 0, &event), SYCLZE_RESULT_ERROR_INVALID,
      FREE, "not allocated by a command", native);
  REFUSED(event, syclze_free_async(queue, (char *)memory + 1, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, FREE, "not allocated by a command", native);
  REFUSED(event, syclze_free_async(no_queue, memory, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FREE, "the queue is null", NULL);
  REFUSED(event, syclze_free_async(queue, memory, NULL, 1, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FREE, "the list of events", native);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool), SIZE);
  freed(queue, memory);
  REFUSED(event, syclze_free_async(queue, memory, NULL, 0, &event), SYCLZE_RESULT_ERROR_INVALID,
      FREE, "or was freed", native);
  CHECK_EQ(syclze_queue_wait(queue), OK);
  CHECK_EQ(syclze_release(pool, foreign, other), OK);
  end(&w);
}

TEST_MAIN(a_queue_takes_again_what_it_has_freed, other_queues_take_memory_once_the_free_is_done,
    frees_behind_host_tasks_are_done_behind_them, events_order_allocations_and_frees,
    memory_above_the_threshold_goes_back_to_the_driver,
    an_allocation_takes_what_is_at_most_twice_as_large, a_pool_does_not_exceed_its_maximum,
    a_driver_without_memory_gets_what_a_pool_does_not_use, memory_that_is_new_to_a_pool_is_zero,
    each_kind_has_a_default_pool, a_default_pool_ends_with_the_last_of_its_queues,
    a_pool_ends_behind_its_last_free, nothing_is_allocated_for_no_bytes, wrong_pools_are_refused,
    wrong_allocations_and_frees_are_refused)
