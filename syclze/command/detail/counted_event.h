/* Counter-based events: each stands for the last append that it was passed to, and is never reset,
 * which spares a call of the driver for each submission with an event.
 *
 * They are used where the driver has ZEX_counter_based_event, by whose rules a list of any kind may
 * wait for one; SYCLZE_COUNTED_EVENTS decides instead: 0 for none, 1 where only the function is
 * there. A loader that hands out handles of its own has none.
 *
 * Only an in-order list may signal one, and the host cannot. Before its append it is signalled. So
 * these are the events of commands that wait for no other event and are appended at once, to
 * in-order queues whose native list keeps the order; not of accesses, host tasks and deferred
 * submissions, which others find earlier. Events with times or of low power are not counted, nor
 * are those of a context of several devices, or of a queue on a part of its device. */
#ifndef SYCLZE_COMMAND_DETAIL_COUNTED_EVENT_H
#define SYCLZE_COMMAND_DETAIL_COUNTED_EVENT_H

#include "../../detail/driver_function.h"
#include "../../event.h"
#include "../../queue.h"

SYCLZE_EXTERN_C_BEGIN

/* zex_counter_based_event_desc_t. */
struct syclze__counted_event_desc {
  uint32_t stype;
  const void *next;
  uint32_t flags;
  ze_event_scope_flags_t signal, wait;
};

typedef ze_result_t(ZE_APICALL *syclze__counted_event_create)(ze_context_handle_t,
    ze_device_handle_t, const struct syclze__counted_event_desc *, ze_event_handle_t *);

#if SYCLZE__BODIES

enum { SYCLZE__COUNTED_EVENTS_MORE = 15 /* that are created with one */ };

/* True if the driver says that lists of any kind may wait for such events. */
SYCLZE_LOCAL bool syclze__driver_has_counted_events(ze_driver_handle_t driver) {
  ze_driver_extension_properties_t *list;
  uint32_t count = 0;
  bool found = false;
  if (SYCLZE__ZE(zeDriverGetExtensionProperties)(driver, &count, NULL) != ZE_RESULT_SUCCESS)
    return false;
  list = (ze_driver_extension_properties_t *)calloc((size_t)count + 1, sizeof *list);
  if (list == NULL) return false;
  if (count != 0 &&
      SYCLZE__ZE(zeDriverGetExtensionProperties)(driver, &count, list) == ZE_RESULT_SUCCESS)
    for (uint32_t i = 0; i < count && !found; i++)
      found = strcmp(list[i].name, "ZEX_counter_based_event") == 0;
  free(list);
  return found;
}

/* True if the loader's handles are the driver's, as all that the driver creates by its own. */
SYCLZE_LOCAL bool syclze__handles_are_the_driver_s(const struct syclze__context *context) {
  return syclze__driver_handle(SYCLZE__HANDLE_CONTEXT, context->native) == context->native;
}

/* The function of the context's driver; null where such events are not to be used. */
SYCLZE_LOCAL void *syclze__counted_event_function(const struct syclze__context *context) {
  const char *wanted = syclze__environment("SYCLZE_COUNTED_EVENTS");
  const ze_driver_handle_t driver = context->devices[0]->platform->native;
  if (context->device_count != 1 || (wanted != NULL && strcmp(wanted, "0") == 0)) return NULL;
  if ((wanted == NULL || strcmp(wanted, "1") != 0) && !syclze__driver_has_counted_events(driver))
    return NULL;
  if (!syclze__handles_are_the_driver_s(context)) return NULL;
  return syclze__driver_function(driver, "zexCounterBasedEventCreate2");
}

SYCLZE_LOCAL ze_result_t syclze__counted_event_new(
    const struct syclze__context *context, struct syclze__native_event **event) {
  enum { DESC = 0x0003001C, IMMEDIATE = 1, HOST_VISIBLE = 4 };
  const struct syclze__counted_event_desc desc = {
      DESC, NULL, IMMEDIATE | HOST_VISIBLE, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
  syclze__counted_event_create create;
  struct syclze__native_event *created = (struct syclze__native_event *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT], sizeof *created);
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  memcpy(&create, &syclze__event_pools_there(context)->counted, sizeof create);
  const ze_result_t result =
      create(context->native, context->devices[0]->native, &desc, &created->native);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__pool_release(&created->slot);
    return result;
  }
  created->kind = SYCLZE__EVENT_COUNTED;
  created->object = NULL;
  created->used = false;
  *event = created;
  return result;
}

/* An idle native event, or a new one; fewer others than were to be idle are no failure. */
SYCLZE_LOCAL ze_result_t syclze__counted_event_get(
    const struct syclze__context *context, struct syclze__native_event **event) {
  struct syclze__native_event *other;
  *event = syclze__idle_event(context, SYCLZE__EVENT_COUNTED);
  if (*event != NULL) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze__counted_event_new(context, event);
  for (uint32_t i = 0; i < SYCLZE__COUNTED_EVENTS_MORE && result == ZE_RESULT_SUCCESS; i++) {
    if (syclze__counted_event_new(context, &other) != ZE_RESULT_SUCCESS) break;
    syclze__event_pools_push(syclze__event_pools_there(context), other);
  }
  return result;
}

#if SYCLZE__HAS_IDLE_OBJECTS
/* As syclze__idle_object, without a reset. */
SYCLZE_LOCAL struct syclze__event *syclze__counted_event_idle(
    const struct syclze__context *context) {
  struct syclze__entry *entry = syclze__entry_of(&context->parent);
  struct syclze__native_event *event = entry->idle[SYCLZE__EVENT_COUNTED];
  struct syclze__slot *object = event != NULL ? event->object : NULL;
  if (object == NULL) return NULL;
  entry->idle[SYCLZE__EVENT_COUNTED] = syclze__native_event_next(event);
  entry->idle_room[SYCLZE__EVENT_COUNTED]++;
  entry->base++;
  return (struct syclze__event *)(void *)object;
}
#endif

/* As syclze__event_acquire. */
SYCLZE_LOCAL_WARM ze_result_t syclze__counted_event_acquire(
    struct syclze__context *context, struct syclze__event **event) {
  struct syclze__native_event *pooled;
#if SYCLZE__HAS_IDLE_OBJECTS
  *event = syclze__counted_event_idle(context);
  if (SYCLZE__LIKELY(*event != NULL)) return ZE_RESULT_SUCCESS;
#endif
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  const ze_result_t result = syclze__counted_event_get(context, &pooled);
  if (result != ZE_RESULT_SUCCESS) return result;
  *event = syclze__event_new(pooled->native, context, pooled, SYCLZE__TRANSFERRED);
  if (*event == NULL) {
    syclze__native_event_release(context, pooled);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  SYCLZE__CHECK_WRAPPED(&(*event)->ref, pooled->native, SYCLZE__TRANSFERRED);
  (*event)->submitted = (*event)->host_end = 0;
  (*event)->device = NULL;
  return result;
}

/* True if the in-order list of the queue is to signal counter-based events. */
SYCLZE_LOCAL bool syclze__queue_counts_events(const struct syclze__queue *queue) {
  struct syclze__event_pools *pools = syclze__event_pools_get(queue->context);
  if (pools == NULL || queue->device != queue->context->devices[0]) return false;
  void *counted = __atomic_load_n(&pools->counted, __ATOMIC_ACQUIRE);
  if (counted == NULL) {
    counted = syclze__counted_event_function(queue->context);
    /* The pools' own address: there is none. Two threads that come here at once store the same. */
    if (counted == NULL) counted = (void *)pools;
    __atomic_store_n(&pools->counted, counted, __ATOMIC_RELEASE);
  }
  return counted != (void *)pools;
}

#endif

SYCLZE_EXTERN_C_END

#endif
