#include "commands/capture.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/event_counted.h"

#include <stdlib.h>

/* The flags of the newest headers, in numbers since older ones lack some. */
enum { KNOWN_LIST_FLAGS = 0x3f, KNOWN_IMMEDIATE_FLAGS = 0x7, CLONEABLE = 0x10 };

static void finish(void *object) {
  struct zecl_list *list = object;
  if (list->immediate) zecl_worker_finish(&list->worker);
  if (list->graph) zecl_capture_leave(list);
  if (list->tape) zecl_tape_release(list->tape);
  zecl_mutable_free(list->updates);
  zecl_context_release(list->context);
}

static ze_result_t create(ze_context_handle_t context, ze_device_handle_t device, uint32_t ordinal,
    struct zecl_list **created) {
  ZECL_REQUIRE(ordinal < ZECL_GROUP_COUNT, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(zecl_context_of(context)->driver == zecl_device_of(device)->driver,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_list *list = zecl_object_create(ZECL_LIST, sizeof *list);
  if (!list) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(context);
  list->context = zecl_context_of(context);
  list->device = zecl_device_of(device);
  list->ordinal = ordinal;
  *created = list;
  return ZE_RESULT_SUCCESS;
}

static bool extends_to_mutable(const void *next) {
  for (const ze_base_desc_t *extension = next; extension; extension = extension->pNext)
    if ((int)extension->stype == ZECL_STYPE_MUTABLE_LIST) return true;
  return false;
}

ze_result_t zecl_zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *handle) {
  ZECL_ENTER(zeCommandListCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= KNOWN_LIST_FLAGS, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  struct zecl_tape *tape = zecl_tape_create();
  if (!tape) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  tape->is_unordered = !(desc->flags & ZECL_LIST_IN_ORDER);
  const bool is_mutable = extends_to_mutable(desc->pNext);
  struct zecl_mutable *updates = is_mutable ? calloc(1, sizeof *updates) : NULL;
  struct zecl_list *list;
  ze_result_t result =
      is_mutable && !updates ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS;
  if (result == ZE_RESULT_SUCCESS)
    result = create(context, device, desc->commandQueueGroupOrdinal, &list);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_tape_release(tape);
    free(updates);
    return result;
  }
  list->updates = updates;
  list->flags = desc->flags;
  list->tape = tape;
  *handle = (ze_command_list_handle_t)(void *)list;
  return ZE_RESULT_SUCCESS;
}

/* Both lists run one tape, which neither changes: a reset makes a new one. */
ze_result_t zecl_zeCommandListCreateCloneExp(
    ze_command_list_handle_t handle, ze_command_list_handle_t *clone) {
  ZECL_ENTER(zeCommandListCreateCloneExp);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_CHECK_POINTER(clone);
  struct zecl_list *list = zecl_list_of(handle);
  ZECL_REQUIRE(!list->immediate && list->closed && (list->flags & CLONEABLE),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(!list->updates, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_list *made;
  ZECL_TRY(create((ze_context_handle_t)(void *)list->context, zecl_device_handle(list->device),
      list->ordinal, &made));
  zecl_tape_retain(list->tape);
  made->tape = list->tape;
  made->flags = list->flags;
  made->closed = true;
  *clone = (ze_command_list_handle_t)(void *)made;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListCreateImmediate(ze_context_handle_t context,
    ze_device_handle_t device, const ze_command_queue_desc_t *desc,
    ze_command_list_handle_t *handle) {
  ZECL_ENTER(zeCommandListCreateImmediate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= KNOWN_IMMEDIATE_FLAGS &&
                   desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS &&
                   desc->priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(desc->index < ZECL_QUEUES_PER_GROUP, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_list *list;
  ZECL_TRY(create(context, device, desc->ordinal, &list));
  list->immediate = true;
  list->flags = desc->flags;
  list->index = desc->index;
  list->mode = desc->mode;
  list->priority = desc->priority;
  zecl_worker_init(&list->worker, list->device->engine_index, zecl_priority_of(desc->priority));
  list->worker.is_unordered =
      !(desc->flags & ZECL_QUEUE_IN_ORDER) && desc->mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  *handle = (ze_command_list_handle_t)(void *)list;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListDestroy(ze_command_list_handle_t handle) {
  ZECL_ENTER(zeCommandListDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_LIST), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_release(handle, sizeof(struct zecl_list), finish);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListClose(ze_command_list_handle_t handle) {
  ZECL_ENTER(zeCommandListClose);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  struct zecl_list *list = zecl_list_of(handle);
  if (list->immediate || list->closed) return ZE_RESULT_SUCCESS; /* nothing to close */
  list->closed = true;
  zecl_tape_close(list->tape);
  return ZE_RESULT_SUCCESS;
}

/* A list that a queue still runs gets a new tape, and the queue keeps the old one. */
ze_result_t zecl_zeCommandListReset(ze_command_list_handle_t handle) {
  ZECL_ENTER(zeCommandListReset);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  struct zecl_list *list = zecl_list_of(handle);
  if (list->immediate) return ZE_RESULT_SUCCESS; /* nothing is recorded */
  if (zecl_tape_is_alone(list->tape)) {
    zecl_tape_clear(list->tape);
  } else {
    struct zecl_tape *tape = zecl_tape_create();
    if (!tape) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    tape->is_unordered = list->tape->is_unordered;
    zecl_tape_release(list->tape);
    list->tape = tape;
  }
  list->closed = false;
  if (list->updates) zecl_mutable_clear(list->updates);
  return ZE_RESULT_SUCCESS;
}

/* Counter-based events are for in-order lists, and signalled by those of the requested kinds.
 * Without a pool they may be waited for by all, as by ZEX_counter_based_event. */
static bool takes(const struct zecl_list *list, ze_event_handle_t handle, bool signals) {
  const struct zecl_event *event = zecl_event_of(handle);
  if (!event->is_counted) return true;
  const uint32_t kind =
      list->immediate ? ZECL_COUNTER_BASED_IMMEDIATE : ZECL_COUNTER_BASED_NON_IMMEDIATE;
  if (signals && !(event->counting_lists & kind)) return false;
  if (!signals && (event->counting_lists & ZECL_COUNTED_FOR_ALL)) return true;
  return (list->flags & (list->immediate ? ZECL_QUEUE_IN_ORDER : ZECL_LIST_IN_ORDER)) != 0;
}

ze_result_t zecl_append_check(ze_command_list_handle_t handle, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits) {
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_REQUIRE(!zecl_list_of(handle)->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return zecl_list_check_events(zecl_list_of(handle), signal, wait_count, waits);
}

ze_result_t zecl_list_check_events(const struct zecl_list *list, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits) {
  if (signal) {
    ZECL_CHECK_HANDLE(signal, ZECL_EVENT);
    ZECL_REQUIRE(takes(list, signal, true), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  ZECL_REQUIRE(waits || wait_count == 0, ZE_RESULT_ERROR_INVALID_SIZE);
  for (uint32_t i = 0; i < wait_count; i++) {
    ZECL_CHECK_HANDLE(waits[i], ZECL_EVENT);
    ZECL_REQUIRE(takes(list, waits[i], false), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_list_check_executable(
    ze_command_list_handle_t handle, const struct zecl_device *device, uint32_t ordinal) {
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  const struct zecl_list *list = zecl_list_of(handle);
  ZECL_REQUIRE(
      !list->immediate && list->ordinal == ordinal, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  ZECL_REQUIRE(list->closed && list->device == device, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

static bool would_wait(const struct zecl_command *draft) {
  for (uint32_t i = 0; i < draft->wait_count; i++)
    if (!zecl_flag_is_set(&draft->waits[i]->state->flag)) return true;
  return false;
}

static struct zecl_tape *tape_of(const struct zecl_list *list) {
  return list->graph ? list->graph->tape : list->tape;
}

/* Appends a draft whose events are those of the commands. */
static ze_result_t append(struct zecl_list *list, struct zecl_command *draft) {
  if (list->immediate && !list->graph) {
    if (list->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
      return zecl_worker_run_to_end(&list->worker, draft);
    if (zecl_is_instant(draft) && zecl_worker_may_run_here(&list->worker) && !would_wait(draft)) {
      zecl_worker_run_here(&list->worker, draft);
      return ZE_RESULT_SUCCESS;
    }
  }
  struct zecl_tape *tape = tape_of(list);
  const ze_result_t result =
      tape ? zecl_tape_append(tape, draft) : zecl_worker_submit(&list->worker, draft);
  if (result != ZE_RESULT_SUCCESS)
    zecl_command_discard(draft);
  else if (list->updates && draft->kind != ZECL_COMMAND_RESET)
    zecl_mutable_note(list->updates, list->tape->last);
  return result;
}

static bool has_counted(ze_event_handle_t signal, uint32_t count, const ze_event_handle_t *waits) {
  bool found = signal && zecl_event_of(signal)->is_counted;
  for (uint32_t i = 0; i < count && !found; i++)
    found = zecl_event_of(waits[i])->is_counted;
  return found;
}

/* Each execution of the tape begins without the event. */
static ze_result_t append_reset(struct zecl_list *list, struct zecl_event *event) {
  struct zecl_command draft = {.kind = ZECL_COMMAND_RESET, .reset = event};
  event->is_of_tape = true;
  zecl_object_retain(event);
  ZECL_TRY(append(list, &draft));
  tape_of(list)->has_counted = true;
  return ZE_RESULT_SUCCESS;
}

/* Appends with counter-based events, each of which represents the event of one append. */
static ze_result_t append_counted(
    struct zecl_list *list, struct zecl_command *draft, const ze_event_handle_t *waits) {
  struct zecl_event *event = draft->signal, *next = NULL;
  const uint32_t asked = draft->wait_count;
  struct zecl_event **seen = malloc((asked + 1) * sizeof *seen);
  if (event && event->is_counted) {
    next = zecl_event_next(event);
    draft->signal = next;
  }
  if (!seen || (event && !draft->signal)) {
    free(seen);
    if (next) zecl_event_release(next);
    zecl_command_discard(draft);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  const bool follows = list->immediate && !list->graph;
  ze_result_t result = ZE_RESULT_SUCCESS;
  uint32_t count = 0;
  for (uint32_t i = 0; i < asked; i++) {
    struct zecl_event *wait = zecl_event_of(waits[i]);
    seen[count] = follows ? zecl_event_followed(wait, &result) : zecl_event_seen(wait);
    if (seen[count]) count++;
  }
  draft->wait_count = count;
  draft->waits = seen;
  if (result == ZE_RESULT_SUCCESS && next && (!list->immediate || list->graph))
    result = append_reset(list, next);
  if (result == ZE_RESULT_SUCCESS)
    result = append(list, draft);
  else
    zecl_command_discard(draft);
  const bool is_lost =
      result != ZE_RESULT_SUCCESS && list->mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  if (next && !is_lost) zecl_event_advance(event, next);
  if (next && is_lost) zecl_event_release(next);
  for (uint32_t i = 0; i < count; i++)
    zecl_event_release(seen[i]);
  free(seen);
  return result;
}

ze_result_t zecl_append(ze_command_list_handle_t handle, struct zecl_command *draft,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  draft->signal = zecl_event_of(signal);
  draft->wait_count = wait_count;
  draft->waits = (struct zecl_event *const *)(const void *)waits;
  if (atomic_load_explicit(&zecl_captures, memory_order_relaxed)) {
    const ze_result_t result =
        zecl_capture_follow(zecl_list_of(handle), draft, signal, wait_count, waits);
    if (result != ZE_RESULT_SUCCESS) {
      draft->signal = NULL;
      draft->wait_count = 0;
      zecl_command_discard(draft);
      return result;
    }
  }
  return has_counted(signal, wait_count, waits) ? append_counted(zecl_list_of(handle), draft, waits)
                                                : append(zecl_list_of(handle), draft);
}
