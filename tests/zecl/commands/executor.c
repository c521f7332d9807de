#include "commands/executor.h"

#include "commands/copy.h"
#include "commands/order.h"
#include "commands/tape.h"
#include "core/clock.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "events/event_counted.h"
#include "events/fence.h"
#include "events/semaphore.h"
#include "images/copy.h"
#include "memory/discrete.h"

#include <string.h>

enum { INSTANT_BYTES = 16384 };

static void fail(struct zecl_executor *executor, ze_result_t error) {
  ze_result_t none = ZE_RESULT_SUCCESS;
  if (error != ZE_RESULT_SUCCESS) atomic_compare_exchange_strong(&executor->error, &none, error);
}

void zecl_executor_flush(struct zecl_executor *executor) {
  if (executor->kernels) {
    fail(executor, zecl_engine()->queue_finish(executor->queue));
    executor->kernels = 0;
  }
  for (unsigned i = 0; i < executor->signal_count; i++) {
    zecl_event_complete(executor->signals[i], 0, 0);
    zecl_event_release(executor->signals[i]);
  }
  executor->signal_count = 0;
}

/* True when the command may follow the batch's kernels without waiting for them. */
static bool joins_batch(const struct zecl_command *command) {
  return command->kind == ZECL_COMMAND_NOTHING || command->kind == ZECL_COMMAND_EXECUTE ||
         (command->kind == ZECL_COMMAND_LAUNCH && !zecl_launch_is_native(command->launch.launch));
}

static bool signals_after_batch(
    const struct zecl_executor *executor, const struct zecl_event *event) {
  for (unsigned i = executor->signal_count; i-- > 0;)
    if (executor->signals[i] == event) return true;
  return false;
}

static bool await(struct zecl_executor *executor, struct zecl_event *event) {
  atomic_store(&executor->waiting_for, &event->state->flag);
  zecl_discrete_close(); /* nothing is in flight */
  const bool set = zecl_flag_wait(&event->state->flag, ZECL_FOREVER, &executor->cancel);
  zecl_discrete_open();
  atomic_store(&executor->waiting_for, NULL);
  return set;
}

static bool await_all(struct zecl_executor *executor, const struct zecl_command *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct zecl_event *event = command->waits[i];
    if (zecl_flag_is_set(&event->state->flag)) continue;
    if (joins_batch(command) && signals_after_batch(executor, event)) continue;
    zecl_executor_flush(executor);
    if (!zecl_flag_is_set(&event->state->flag) && !await(executor, event)) return false;
  }
  return true;
}

/* Makes the queue, at its first use. */
static bool has_queue(struct zecl_executor *executor) {
  if (executor->queue) return true;
  executor->queue = zecl_engine()->queue_create(0, 0);
  if (executor->queue) return true;
  fail(executor, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  return false;
}

/* Lets queues of higher priority go first. */
static void give_way(struct zecl_executor *executor, const struct zecl_command *command) {
  if (command->kind == ZECL_COMMAND_NOTHING || command->kind == ZECL_COMMAND_EXECUTE ||
      !zecl_contender_must_wait(&executor->contender))
    return;
  zecl_executor_flush(executor);
  zecl_contender_wait(&executor->contender, &executor->cancel);
}

static void launch(
    struct zecl_executor *executor, struct zecl_launch *launch, const ze_group_count_t *groups) {
  const ze_result_t chosen = zecl_fail_armed ? zecl_fail_count("zecl.run") : ZE_RESULT_SUCCESS;
  if (chosen != ZE_RESULT_SUCCESS) {
    fail(executor, chosen);
    return;
  }
  const bool native = zecl_launch_is_native(launch);
  if (!native && !has_queue(executor)) return;
  const bool settles = !native && zecl_launch_must_settle(launch);
  if (settles) zecl_image_lock();
  fail(executor, zecl_launch_run(launch, groups, executor->queue));
  if (native) return;
  if (++executor->kernels >= ZECL_BATCH_KERNELS || settles) zecl_executor_flush(executor);
  if (!settles) return;
  fail(executor, zecl_launch_settle(launch, executor->queue));
  zecl_image_unlock();
}

static void query_timestamps(const struct zecl_timestamp_query *query) {
  for (uint32_t i = 0; i < query->count; i++) {
    const ze_kernel_timestamp_result_t stamps = zecl_event_timestamps(query->events[i]);
    const size_t offset = query->offsets ? query->offsets[i] : i * sizeof stamps;
    memcpy(query->to + offset, &stamps, sizeof stamps);
  }
}

/* False once waits are given up. Device memory is closed meanwhile, as for events. */
static bool use_semaphores(
    struct zecl_executor *executor, const struct zecl_semaphore_uses *semaphores) {
  zecl_discrete_close();
  const ze_result_t result = zecl_semaphore_uses_run(semaphores, &executor->cancel);
  zecl_discrete_open();
  if (result == ZE_RESULT_NOT_READY) return false;
  fail(executor, result);
  return true;
}

/* Device memory is closed meanwhile: a host function has no access to it. */
static void call_host(const struct zecl_host_call *host) {
  zecl_discrete_close();
  host->function(host->user);
  zecl_discrete_open();
}

static void launch_multiple(struct zecl_executor *executor, const struct zecl_launches *launches) {
  uint32_t count = *launches->how_many;
  if (count > launches->count) count = launches->count;
  for (uint32_t i = 0; i < count; i++)
    launch(executor, launches->launches[i], &launches->groups[i]);
}

static void execute_unordered(struct zecl_executor *executor, const struct zecl_tape *tape) {
  struct zecl_window window = {.count = 0};
  struct zecl_command *next = tape->first;
  while (next || window.count) {
    for (; next && zecl_window_has_room(&window); next = zecl_command_next(next))
      zecl_window_add(&window, next);
    struct zecl_command *command = zecl_window_draw(&window);
    if (!command) {
      zecl_executor_flush(executor);
      command = zecl_window_draw(&window);
    }
    zecl_execute(executor, command ? command : zecl_window_take_oldest(&window));
  }
}

static void execute_tape(
    struct zecl_executor *executor, const struct zecl_tape *tape, struct zecl_fence *fence) {
  const bool is_reordered = tape->is_unordered && zecl_order_is_random();
  if (is_reordered) execute_unordered(executor, tape);
  for (const struct zecl_command *command = is_reordered ? NULL : tape->first; command;
       command = zecl_command_next(command))
    zecl_execute(executor, command);
  if (!fence) return;
  zecl_executor_flush(executor);
  zecl_flag_set(&fence->state->flag);
}

static void run(struct zecl_executor *executor, const struct zecl_command *command) {
  switch (command->kind) {
  case ZECL_COMMAND_NOTHING:
  case ZECL_COMMAND_SEMAPHORES: /* used by now */
    break;
  case ZECL_COMMAND_COPY:
    memmove(command->copy.to, command->copy.from, command->copy.size);
    break;
  case ZECL_COMMAND_FILL:
    zecl_run_fill(&command->fill);
    break;
  case ZECL_COMMAND_COPY_REGION:
    zecl_run_copy_region(&command->region);
    break;
  case ZECL_COMMAND_IMAGE_COPY:
    if (has_queue(executor))
      fail(executor, zecl_run_image_copy(command->image_copy, executor->queue));
    break;
  case ZECL_COMMAND_RESET:
    zecl_flag_reset(&command->reset->state->flag);
    zecl_event_begin(command->reset);
    break;
  case ZECL_COMMAND_HOST_FUNCTION:
    call_host(&command->host);
    break;
  case ZECL_COMMAND_WRITE_TIMESTAMP:
    *command->timestamp = zecl_stamp();
    break;
  case ZECL_COMMAND_QUERY_TIMESTAMPS:
    query_timestamps(&command->query);
    break;
  case ZECL_COMMAND_LAUNCH:
  case ZECL_COMMAND_LAUNCH_INDIRECT:
    launch(executor, command->launch.launch, command->launch.groups);
    break;
  case ZECL_COMMAND_LAUNCH_MULTIPLE:
    launch_multiple(executor, &command->launches);
    break;
  case ZECL_COMMAND_EXECUTE:
    execute_tape(executor, command->execute.tape, command->execute.fence);
    break;
  }
}

static bool has_waiters(const struct zecl_executor *executor) {
  for (unsigned i = 0; i < executor->signal_count; i++)
    if (zecl_flag_is_awaited(&executor->signals[i]->state->flag)) return true;
  return false;
}

static void signal_after(
    struct zecl_executor *executor, struct zecl_event *event, uint64_t start, uint64_t end) {
  if (executor->kernels == 0) {
    zecl_event_complete(event, start, end);
    return;
  }
  zecl_object_retain(event);
  executor->signals[executor->signal_count++] = event;
  if (executor->signal_count == ZECL_BATCH_SIGNALS || has_waiters(executor))
    zecl_executor_flush(executor);
}

void zecl_execute(struct zecl_executor *executor, const struct zecl_command *command) {
  if (!await_all(executor, command)) return;
  if (zecl_contender_has_rivals(&executor->contender)) give_way(executor, command);
  const bool stamped = command->signal && command->signal->has_timestamps;
  if (stamped || !joins_batch(command)) zecl_executor_flush(executor);
  const uint64_t start = stamped ? zecl_stamp() : 0;
  if (command->kind == ZECL_COMMAND_SEMAPHORES && !use_semaphores(executor, command->semaphores))
    return;
  run(executor, command);
  if (!command->signal) return;
  if (stamped) zecl_executor_flush(executor);
  signal_after(executor, command->signal, start, stamped ? zecl_stamp() : 0);
}

bool zecl_is_instant(const struct zecl_command *command) {
  switch (command->kind) {
  case ZECL_COMMAND_NOTHING:
  case ZECL_COMMAND_RESET:
  case ZECL_COMMAND_WRITE_TIMESTAMP:
    return true;
  case ZECL_COMMAND_COPY:
    return command->copy.size <= INSTANT_BYTES;
  case ZECL_COMMAND_FILL:
    return command->fill.size <= INSTANT_BYTES;
  case ZECL_COMMAND_LAUNCH:
    return zecl_launch_is_native(command->launch.launch);
  default:
    return false;
  }
}

void zecl_executor_free(struct zecl_executor *executor) {
  if (executor->queue) zecl_engine()->queue_release(executor->queue);
  executor->queue = NULL;
}
