#include "strict_object.h"

ze_result_t ZE_APICALL zeEventPoolCreate(ze_context_handle_t context,
    const ze_event_pool_desc_t *desc, uint32_t count, ze_device_handle_t *devices,
    ze_event_pool_handle_t *pool) {
  STRICT_ENTER();
  (void)count;
  (void)devices;
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, __func__);
  struct strict_list *made = strict_object_new(sizeof *made, STRICT_POOL, parent);
  made->count = desc->flags;
  *pool = (ze_event_pool_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolDestroy(ze_event_pool_handle_t pool) {
  STRICT_ENTER();
  strict_lock();
  ze_result_t result = strict_object_destroy(pool, STRICT_POOL, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeEventCreate(
    ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event) {
  STRICT_ENTER();
  (void)desc;
  strict_lock();
  struct strict_list *parent = strict_object(pool, STRICT_POOL, __func__);
  struct strict_event *made = strict_object_new(sizeof *made, STRICT_EVENT, &parent->object);
  made->timestamps = (parent->count & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP) != 0;
  *event = (ze_event_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL create_counted(ze_context_handle_t context, ze_device_handle_t device,
    const void *desc, ze_event_handle_t *event) {
  STRICT_ENTER();
  (void)device;
  (void)desc;
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, __func__);
  struct strict_event *made = strict_object_new(sizeof *made, STRICT_EVENT, parent);
  made->counts = true;
  made->signalled = 1;
  *event = (ze_event_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

/* The extension has no name in zeDriverGetExtensionProperties: SYCLZE_COUNTED_EVENTS decides. */
ze_result_t ZE_APICALL zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t driver, const char *name, void **address) {
  ze_result_t(ZE_APICALL *const create)(
      ze_context_handle_t, ze_device_handle_t, const void *, ze_event_handle_t *) = create_counted;
  STRICT_ENTER();
  (void)driver;
  if (strcmp(name, "zexCounterBasedEventCreate2") != 0) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  memcpy(address, &create, sizeof create);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventDestroy(ze_event_handle_t event) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  if (object != NULL && object->waiters != 0)
    strict_report("%s: the host waits for the event", __func__);
  ze_result_t result = strict_object_destroy(event, STRICT_EVENT, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeEventHostSignal(ze_event_handle_t event) {
  STRICT_ENTER();
  strict_lock();
  struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  if (object != NULL && object->counts) strict_report("%s: the event counts", __func__);
  if (object != NULL) strict_signal(object, true);
  strict_unlock();
  return object != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t ZE_APICALL zeEventHostReset(ze_event_handle_t event) {
  STRICT_ENTER();
  strict_lock();
  struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  if (object != NULL) {
    if (object->counts) strict_report("%s: the event counts", __func__);
    if (object->object.uses != 0 || object->waiters != 0)
      strict_report("%s: something signals or waits for the event", __func__);
    __atomic_store_n(&object->signalled, 0, __ATOMIC_RELEASE);
  }
  strict_unlock();
  return object != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t ZE_APICALL zeEventQueryStatus(ze_event_handle_t event) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  const bool done = object != NULL && object->signalled;
  strict_poll();
  if (done) strict_acquire(object);
  strict_unlock();
  if (object == NULL) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t ZE_APICALL zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  STRICT_ENTER();
  strict_lock();
  struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  if (object == NULL || object->signalled || timeout == 0) {
    const bool done = object != NULL && object->signalled;
    if (done) strict_acquire(object);
    strict_poll();
    strict_unlock();
    if (object == NULL) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  }
  object->waiters++;
  strict_unlock();
  ze_result_t result = strict_wait(&object->signalled, timeout);
  strict_lock();
  object->waiters--;
  if (result == ZE_RESULT_SUCCESS) strict_acquire(object);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeEventQueryKernelTimestamp(
    ze_event_handle_t event, ze_kernel_timestamp_result_t *times) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_event *object = strict_object(event, STRICT_EVENT, __func__);
  const bool done = object != NULL && object->signalled;
  if (done) {
    /* Bits above those that are valid mean nothing. */
    const uint64_t above = (uint64_t)0xabcd << 32;
    times->global.kernelStart = times->context.kernelStart = (uint32_t)object->begin | above;
    times->global.kernelEnd = times->context.kernelEnd = (uint32_t)object->end | above << 1;
  }
  strict_unlock();
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}
