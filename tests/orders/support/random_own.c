#include "random_thread.h"

#include "syclze/async_memory.h"
#include "syclze/command/copy_3d.h"
#include "syclze/command/event_sync.h"
#include "syclze/command/queue_order.h"
#include "syclze/queue_commands.h"

/* Memory of a thread, which it allocates and frees in the order of queues, and uses by the
 * functions of queues that take no group. Each command waits for the one before it, so that the
 * contents are known. */

enum { OWN_SIZE = SEGMENTS * sizeof(uint64_t), ROW = OWN_SIZE / 2 };

/* What a kernel or a host task finds, and writes. */
struct own_step {
  uint64_t *memory;
  uint64_t found, written;
};

static void run_step(const struct own_step *step) {
  for (uint32_t i = 0; i < SEGMENTS; i++) {
    if (step->memory[i] != step->found)
      strict_report("a thread finds %llx in its memory, expected %llx",
          (unsigned long long)step->memory[i], (unsigned long long)step->found);
    step->memory[i] = step->written;
  }
}

void random_run_own(void *const *arguments) {
  const struct own_step step = {
      *(uint64_t **)arguments[0], *(const uint64_t *)arguments[1], *(const uint64_t *)arguments[2]};
  run_step(&step);
}

static ze_result_t run_task(syclze_interop_handle handle, void *argument) {
  (void)handle;
  run_step(argument);
  free(argument);
  return ZE_RESULT_SUCCESS;
}

/* A command, and the events that it waits for. */
struct own_command {
  struct thread *thread;
  struct own_memory *own, *from; /* from: null, or also accessed */
  syclze_queue queue;
  syclze_event waits[4], named, done;
  uint32_t wait_count;
  bool is_in_order; /* the queue */
};

static void wait_for(struct own_command *c, syclze_event event) {
  c->waits[c->wait_count++] = event;
}

/* An event of another node, of any context; or null. */
static void wait_for_named(struct own_command *c) {
  struct thread *t = c->thread;
  struct random_world *world = t->world;
  if (!one_in(t, 3)) return;
  pthread_mutex_lock(&world->event_lock);
  c->named = world->events[random_below(&t->random, EVENTS)].event;
  if (c->named.rep != NULL) CHECK_EQ(syclze_event_retain(c->named), ZE_RESULT_SUCCESS);
  pthread_mutex_unlock(&world->event_lock);
  wait_for(c, c->named);
}

static ze_result_t launch(struct own_command *c, const struct own_step *step) {
  struct thread *t = c->thread;
  const syclze_nd_range range = {.global = {1}, .local = {1}, .dimensions = 1};
  const syclze_argument arguments[3] = {
      syclze_arg(step->memory), syclze_arg(step->found), syclze_arg(step->written)};
  syclze_kernel kernel;
  CHECK_EQ(
      syclze_kernel_create(t->world->bundles[c->own->context], "own", &kernel), ZE_RESULT_SUCCESS);
  const ze_result_t result = syclze_queue_launch_arguments(
      c->queue, kernel, &range, arguments, 3, c->waits, c->wait_count, &c->done);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  return result;
}

static ze_result_t submit_task(struct own_command *c, const struct own_step *step) {
  struct own_step *copy = malloc(sizeof *copy);
  CHECK(copy != NULL);
  *copy = *step;
  syclze_group group = syclze_group_begin(c->queue);
  for (uint32_t i = 0; i < c->wait_count; i++)
    syclze_group_depends_on(&group, c->waits[i]);
  return syclze_group_host_task(&group, run_task, copy, &c->done);
}

static ze_result_t fill(struct own_command *c) {
  struct own_memory *own = c->own;
  own->value = random_next(&c->thread->random);
  if (one_in(c->thread, 2))
    return syclze_queue_fill(c->queue, own->memory, &own->value, sizeof own->value, OWN_SIZE,
        c->waits, c->wait_count, &c->done);
  return syclze_queue_fill_2d(c->queue, own->memory, ROW, &own->value, sizeof own->value, ROW, 2,
      c->waits, c->wait_count, &c->done);
}

static ze_result_t copy(struct own_command *c, struct own_memory *from) {
  struct own_memory *own = c->own;
  wait_for(c, from->last);
  c->from = from;
  own->value = from->value;
  const size_t pitches[2] = {ROW / 2, ROW}, extent[3] = {ROW / 2, 2, 2};
  switch (random_below(&c->thread->random, 3)) {
  case 0:
    return syclze_queue_copy(
        c->queue, own->memory, from->memory, OWN_SIZE, c->waits, c->wait_count, &c->done);
  case 1:
    return syclze_queue_copy_2d(
        c->queue, own->memory, ROW, from->memory, ROW, ROW, 2, c->waits, c->wait_count, &c->done);
  default:
    return syclze_queue_copy_3d(c->queue, own->memory, pitches, from->memory, pitches, extent,
        c->waits, c->wait_count, &c->done);
  }
}

static ze_result_t run(struct own_command *c) {
  struct own_memory *own = c->own;
  const struct own_step step = {own->memory, own->value, random_next(&c->thread->random)};
  own->value = step.written;
  return one_in(c->thread, 2) ? launch(c, &step) : submit_task(c, &step);
}

/* Signals an event of the application, and waits for it: commands that wait for one might stand
 * before what its signal waits for (event_sync.h). */
static ze_result_t signal(struct own_command *c) {
  struct thread *t = c->thread;
  const syclze_event_input input = {
      .native_handle = own_event(t), .ownership = SYCLZE_OWNERSHIP_KEEP};
  open_gates(t);
  CHECK_EQ(syclze_make_event(&input, t->world->contexts[0], &c->done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_signal_event(c->queue, c->done, c->waits, c->wait_count, NULL),
      ZE_RESULT_SUCCESS);
  return syclze_event_wait_for(c->done, UINT64_MAX);
}

/* Commands that leave the contents. */
static ze_result_t pass(struct own_command *c) {
  struct thread *t = c->thread;
  if (t->depth == 0 && c->own->context == 0 && has_event(t) && one_in(t, 3)) return signal(c);
  switch (random_below(&t->random, 3)) {
  case 0:
    return syclze_queue_prefetch(
        c->queue, c->own->memory, OWN_SIZE, c->waits, c->wait_count, &c->done);
  case 1:
    return syclze_queue_advise(c->queue, c->own->memory, OWN_SIZE, ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
        c->waits, c->wait_count, &c->done);
  default:
    return syclze_queue_submit_barrier_after(c->queue, c->waits, c->wait_count, &c->done);
  }
}

/* The thread's other memory of the same context; null for none. */
static struct own_memory *other_of(struct thread *t, const struct own_memory *own) {
  struct own_memory *other = &t->owns[random_below(&t->random, OWNS)];
  const bool fits = other != own && other->memory != NULL && other->context == own->context;
  return fits ? other : NULL;
}

static ze_result_t use(struct own_command *c) {
  struct own_memory *other = other_of(c->thread, c->own);
  if (other != NULL && one_in(c->thread, 2)) return copy(c, other);
  const uint32_t choice = random_below(&c->thread->random, 4);
  return choice == 0 ? fill(c) : choice == 1 ? pass(c) : run(c);
}

/* The thread's pool of the queue's context and device, which it replaces while memory of it is in
 * use; null for a default one. */
static syclze_memory_pool pool_for(struct own_command *c, ze_memory_type_t kind) {
  struct thread *t = c->thread;
  const syclze_memory_pool none = {NULL};
  const syclze_memory_pool_properties properties = {
      .flags = one_in(t, 2) ? SYCLZE_MEMORY_POOL_ZERO_INIT : 0,
      .initial_threshold = one_in(t, 2) ? 2 * OWN_SIZE : 0};
  const syclze_device device = syclze_queue_get_device(c->queue);
  if (one_in(t, 3)) return none;
  if (t->pool.rep != NULL && !one_in(t, 6) &&
      syclze_memory_pool_get_context(t->pool).rep == t->world->contexts[c->own->context].rep &&
      syclze_memory_pool_get_device(t->pool).rep == device.rep)
    return t->pool;
  CHECK_EQ(syclze_memory_pool_release(t->pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_memory_pool_create(
               kind, device, t->world->contexts[c->own->context], &properties, &t->pool),
      ZE_RESULT_SUCCESS);
  return t->pool;
}

static ze_result_t allocate(struct own_command *c) {
  const ze_memory_type_t kind =
      (ze_memory_type_t)(ZE_MEMORY_TYPE_HOST + random_below(&c->thread->random, 3));
  const syclze_memory_pool pool = pool_for(c, kind);
  void *memory;
  const ze_result_t result =
      pool.rep != NULL
          ? syclze_malloc_async_from_pool(
                c->queue, OWN_SIZE, pool, &memory, c->waits, c->wait_count, &c->done)
          : syclze_malloc_async(
                c->queue, kind, OWN_SIZE, &memory, c->waits, c->wait_count, &c->done);
  c->own->memory = memory;
  return result;
}

/* A function that is called behind an event, and submits more to the queue. */
static void submit_more(void *argument, ze_result_t result) {
  syclze_queue queue = {argument};
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier_after(queue, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
}

static void set_last(struct own_memory *own, syclze_event event) {
  CHECK_EQ(syclze_event_release(own->last), ZE_RESULT_SUCCESS);
  own->last = event;
}

/* What any thread may call at any time, behind a command of the queue. */
static void ask(struct own_command *c) {
  struct thread *t = c->thread;
  syclze_event events[4] = {{NULL}};
  uint32_t count = 4;
  size_t reserved;
  bool is_empty;
  switch (random_below(&t->random, 6)) {
  case 0:
    CHECK_EQ(syclze_queue_is_empty(c->queue, &is_empty), ZE_RESULT_SUCCESS);
    break;
  case 1:
    CHECK_EQ(syclze_queue_submit_profiling_tag(c->queue, &events[0]), ZE_RESULT_SUCCESS);
    break;
  case 2:
    CHECK_EQ(syclze_queue_get_wait_list(c->queue, c->own->last, &count, events), ZE_RESULT_SUCCESS);
    break;
  case 3:
    if (t->pool.rep == NULL) break;
    reserved = syclze_memory_pool_get_reserved_size(t->pool); /* first: both only fall meanwhile */
    CHECK(syclze_memory_pool_get_used_size(t->pool) <= reserved);
    break;
  case 4:
    CHECK_EQ(syclze_queue_retain(c->queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_event_on_complete(c->own->last, submit_more, c->queue.rep), ZE_RESULT_SUCCESS);
    break;
  default: /* stands for the command's own, as the queue is in order */
    if (!c->is_in_order) break;
    CHECK_EQ(syclze_queue_get_last_event(c->queue, &events[0]), ZE_RESULT_SUCCESS);
    set_last(c->own, events[0]);
    return;
  }
  for (uint32_t i = 0; i < 4; i++)
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
}

static void end(struct own_command *c) {
  CHECK_EQ(syclze_event_release(c->named), ZE_RESULT_SUCCESS);
  set_last(c->own, c->done);
  if (c->from == NULL) return;
  CHECK_EQ(syclze_event_retain(c->done), ZE_RESULT_SUCCESS);
  set_last(c->from, c->done);
}

static struct own_command command_of(struct thread *t, struct own_memory *own) {
  uint32_t queue = random_below(&t->random, QUEUES);
  while (own->memory != NULL && t->world->queues[queue].context != own->context)
    queue = random_below(&t->random, QUEUES);
  own->context = t->world->queues[queue].context;
  struct own_command c = {.thread = t, .own = own, .queue = t->world->queues[queue].queue};
  c.is_in_order = t->world->queues[queue].in_order;
  if (c.is_in_order && one_in(t, 5))
    CHECK_EQ(syclze_queue_set_external_event(c.queue, own->last), ZE_RESULT_SUCCESS);
  else if (own->last.rep != NULL || one_in(t, 2))
    wait_for(&c, own->last);
  return c;
}

static void free_own(struct thread *t, struct own_memory *own) {
  struct own_command c = command_of(t, own);
  CHECK_EQ(
      syclze_free_async(c.queue, own->memory, c.waits, c.wait_count, &c.done), ZE_RESULT_SUCCESS);
  own->memory = NULL;
  end(&c);
}

void use_own(struct thread *t) {
  struct own_memory *own = &t->owns[random_below(&t->random, OWNS)];
  if (own->memory != NULL && one_in(t, 5)) {
    free_own(t, own);
    return;
  }
  const bool is_new = own->memory == NULL;
  struct own_command c = command_of(t, own);
  wait_for_named(&c);
  CHECK_EQ(is_new ? allocate(&c) : use(&c), ZE_RESULT_SUCCESS);
  end(&c);
  if (is_new) {
    c = command_of(t, own);
    CHECK_EQ(fill(&c), ZE_RESULT_SUCCESS);
    end(&c);
  }
  if (one_in(t, 3)) ask(&c);
  if (t->depth != 0 || !one_in(t, 8)) return;
  open_gates(t);
  if (!one_in(t, 3) || syclze_queue_wait_for(c.queue, 1000) != ZE_RESULT_SUCCESS)
    CHECK_EQ(syclze_event_wait_for(own->last, UINT64_MAX), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < SEGMENTS; i++)
    CHECK_EQ(own->memory[i], own->value);
}

void end_owns(struct thread *t) {
  for (uint32_t i = 0; i < OWNS; i++) {
    if (t->owns[i].memory != NULL) free_own(t, &t->owns[i]);
    CHECK_EQ(syclze_event_release(t->owns[i].last), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_memory_pool_release(t->pool), ZE_RESULT_SUCCESS);
}
