/* Objects of SYCL as this library's. Each function takes a pointer to SYCL's object, and makes what
 * the caller owns a reference to. */
#ifndef SYCLZE_DETAIL_SYCL_FROM_H
#define SYCLZE_DETAIL_SYCL_FROM_H

#include "order.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__status syclze__sycl_check_backend(char of_object) {
  if (of_object == SYCLZE__SYCL_LEVEL_ZERO) return syclze__allowed();
  return syclze__status_of(
      SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "the object is of another backend");
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_unsupported(const char *rule) {
  return syclze__unsupported(rule);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_platform_from(
    const struct syclze__sycl *sycl, const void *object, syclze_platform *made) {
  const struct syclze__status status = syclze__sycl_check_backend(sycl->platform_backend(object));
  if (status.result != ZE_RESULT_SUCCESS) return status;
  return syclze__status_of(
      syclze_make_platform((ze_driver_handle_t)sycl->platform_native(object), made),
      "syclze_make_platform failed");
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_device_from(
    const struct syclze__sycl *sycl, const void *object, syclze_device *made) {
  const struct syclze__status status = syclze__sycl_check_backend(sycl->device_backend(object));
  if (status.result != ZE_RESULT_SUCCESS) return status;
  return syclze__status_of(
      syclze_make_device((ze_device_handle_t)sycl->device_native(object), made),
      "syclze_make_device failed");
}

/* The devices of SYCL's context, in allocated memory; null without memory. */
SYCLZE_LOCAL syclze_device *syclze__sycl_devices_from(const struct syclze__sycl *sycl,
    const void *context, uint32_t *count, struct syclze__status *status) {
  const struct syclze__sycl_result found = sycl->context_devices(context);
  void **const begin = (void **)found.words[0], **const end = (void **)found.words[1];
  *count = (uint32_t)(end - begin);
  syclze_device *devices = (syclze_device *)calloc(*count + 1, sizeof *devices);
  *status = devices != NULL ? syclze__allowed() : syclze__out_of_memory();
  for (uint32_t i = 0; i < *count && status->result == ZE_RESULT_SUCCESS; i++)
    *status = syclze__sycl_device_from(sycl, &begin[i], &devices[i]);
  sycl->operator_delete((void *)begin);
  return devices;
}

/* The reference of the caller's to the context or the queue that is known already; null for none.
 */
SYCLZE_INLINE void *syclze__sycl_known_rep(const void *object) {
  const struct syclze__sycl_entry *entry = syclze__sycl_known_find(
      SYCLZE__SYCL_BY_OBJECT, ((const struct syclze__sycl_object *)object)->impl);
  return entry != NULL ? entry->rep : NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_context_make_from(
    const struct syclze__sycl *sycl, const void *object, syclze_context *made) {
  struct syclze__status status = syclze__sycl_check_backend(sycl->context_backend(object));
  struct syclze__sycl_shared *shared;
  syclze_context_input input;
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze_device *devices = syclze__sycl_devices_from(sycl, object, &input.device_count, &status);
  input.native_handle = (ze_context_handle_t)sycl->context_native(object);
  input.device_list = devices;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  if (status.result == ZE_RESULT_SUCCESS) {
    const ze_result_t result = syclze_make_context(&input, made);
    status = syclze__sycl_own(
        sycl, result, syclze__sycl_any(SYCLZE_OBJECT_CONTEXT, made->rep), object, &shared);
  }
  free(devices);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  /* That of another thread which was faster. */
  const syclze_context known = {
      (struct syclze__context *)syclze__sycl_known_add(&shared->entry, made->rep, NULL)};
  if (known.rep != made->rep) (void)syclze_context_release(*made);
  *made = known;
  return known.rep != NULL ? status : syclze__out_of_memory();
}

SYCLZE_INLINE struct syclze__status syclze__sycl_context_from(
    const struct syclze__sycl *sycl, const void *object, syclze_context *made) {
  made->rep = (struct syclze__context *)syclze__sycl_known_rep(object);
  return SYCLZE__LIKELY(made->rep != NULL) ? syclze__allowed()
                                           : syclze__sycl_context_make_from(sycl, object, made);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_kernel_bundle_from(
    const struct syclze__sycl *sycl, const void *object, syclze_kernel_bundle *made) {
  struct syclze__status status = syclze__sycl_check_backend(sycl->bundle_backend(object));
  struct syclze__sycl_shared *shared;
  syclze_kernel_bundle_input input;
  syclze_context context;
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const struct syclze__sycl_object *image = sycl->bundle_begin(object);
  if (sycl->bundle_end(object) - image != 1)
    return syclze__invalid("the bundle must have one module");
  input.native_handle = (ze_module_handle_t)sycl->image_native(image);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  const struct syclze__sycl_result found = sycl->bundle_context(object);
  struct syclze__sycl_object its_context = syclze__sycl_object_of(&found);
  status = syclze__sycl_context_from(sycl, &its_context, &context);
  syclze__sycl_release(&its_context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const ze_result_t result = syclze_make_kernel_bundle(&input, context, made);
  (void)syclze_context_release(context);
  return syclze__sycl_own(
      sycl, result, syclze__sycl_any(SYCLZE_OBJECT_KERNEL_BUNDLE, made->rep), object, &shared);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_kernel_from(
    const struct syclze__sycl *sycl, const void *object, syclze_kernel *made) {
  struct syclze__status status = syclze__sycl_check_backend(sycl->kernel_backend(object));
  struct syclze__sycl_shared *shared;
  syclze_kernel_input input;
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const struct syclze__sycl_result found = sycl->kernel_bundle(object);
  struct syclze__sycl_object bundle = syclze__sycl_object_of(&found);
  status = syclze__sycl_kernel_bundle_from(sycl, &bundle, &input.kernel_bundle);
  syclze__sycl_release(&bundle);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  input.native_handle = (ze_kernel_handle_t)sycl->kernel_native(object);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  const ze_result_t result =
      syclze_make_kernel(&input, syclze_kernel_bundle_get_context(input.kernel_bundle), made);
  (void)syclze_kernel_bundle_release(input.kernel_bundle);
  return syclze__sycl_own(
      sycl, result, syclze__sycl_any(SYCLZE_OBJECT_KERNEL, made->rep), object, &shared);
}

/* True if the list runs its commands in order; `assumed` on loaders that lack the query. */
SYCLZE_LOCAL bool syclze__sycl_list_is_in_order(ze_command_list_handle_t list, bool assumed) {
  ze_command_queue_flags_t flags = 0;
  ze_result_t(ZE_APICALL * get_flags)(ze_command_list_handle_t, ze_command_queue_flags_t *) =
      SYCLZE__ENTRY(command_list_get_flags);
  if (get_flags == NULL || get_flags(list, &flags) != ZE_RESULT_SUCCESS) return assumed;
  return (flags & (1u << 1)) != 0; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack */
}

/* Adapter v1 orders the commands of an in-order queue by events of its own, among lists of several
 * engines. */
SYCLZE_LOCAL bool syclze__sycl_is_of_v1(const struct syclze__sycl *sycl, const void *device) {
  const struct syclze__sycl_result found = sycl->device_platform(device);
  struct syclze__sycl_object platform = syclze__sycl_object_of(&found);
  const struct syclze__sycl_result name = sycl->platform_name(&platform);
  const bool is_of_v1 = name.words[0] == NULL || strstr((const char *)name.words[0], "V2") == NULL;
  sycl->operator_delete_array(name.words[0]);
  syclze__sycl_release(&platform);
  return is_of_v1;
}

/* Adds the only queue of its list to the table. Replaces it by that of another thread which was
 * faster. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_register(
    struct syclze__sycl_shared *shared, syclze_queue *queue) {
  const syclze_queue known = {(struct syclze__queue *)syclze__sycl_known_add(
      &shared->entry, queue->rep, queue->rep->native.list)};
  if (known.rep != queue->rep) (void)syclze_queue_release(*queue);
  *queue = known;
  return known.rep != NULL ? syclze__allowed() : syclze__out_of_memory();
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_queue_properties(const struct syclze__sycl *sycl,
    const void *object, const void *device, ze_command_list_handle_t list, uint32_t *flags) {
  *flags = 0;
  if (sycl->queue_is_in_order(object)) {
    if (syclze__sycl_is_of_v1(sycl, device) || !syclze__sycl_list_is_in_order(list, true))
      return syclze__sycl_unsupported(
          "the in-order queue is not one in-order list: order commands by events, or choose "
          "adapter v2, UR_LOADER_USE_LEVEL_ZERO_V2=1");
    *flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  }
  if ((*sycl->queue_properties(object) >> SYCLZE__SYCL_PROFILING & 1) != 0)
    *flags |= SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_queue_wrap(const struct syclze__sycl *sycl,
    const void *object, ze_command_list_handle_t list, syclze_queue *made) {
  const struct syclze__sycl_result its_device = sycl->queue_device(object),
                                   its_context = sycl->queue_context(object);
  void *const device = its_device.words[0];
  struct syclze__sycl_object sycl_context = syclze__sycl_object_of(&its_context);
  struct syclze__sycl_shared *shared;
  syclze_context context = {NULL};
  SYCLZE__ZEROED(syclze_queue_input, input);
  input.native_handle = syclze_native_queue_of_list(list);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  struct syclze__status status =
      syclze__sycl_queue_properties(sycl, object, &device, list, &input.properties.flags);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__sycl_device_from(sycl, &device, &input.device);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__sycl_context_from(sycl, &sycl_context, &context);
  syclze__sycl_release(&sycl_context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const ze_result_t result = syclze_make_queue(&input, context, made);
  (void)syclze_context_release(context);
  status = syclze__sycl_own(
      sycl, result, syclze__sycl_any(SYCLZE_OBJECT_QUEUE, made->rep), object, &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    shared->entry.has_markers = (input.properties.flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
    return syclze__sycl_register(shared, made);
  }
  made->rep = NULL;
  return status;
}

/* The queue of SYCL's queue that is not known. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_queue_make_from(
    struct syclze__sycl *sycl, const void *object, syclze_queue *made) {
  int32_t is_list = 0;
  struct syclze__status status = syclze__sycl_check_backend(sycl->queue_backend(object));
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__sycl_check_executing(sycl, object);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const ze_command_list_handle_t list =
      (ze_command_list_handle_t)sycl->queue_native(object, &is_list);
  if (!is_list)
    return syclze__sycl_unsupported(
        "the queue batches commands in command queues, where its own would be overtaken: set "
        "UR_L0_USE_IMMEDIATE_COMMANDLISTS=1, or order commands by events");
  const struct syclze__sycl_entry *entry = syclze__sycl_known_find(SYCLZE__SYCL_BY_LIST, list);
  made->rep = entry != NULL ? (struct syclze__queue *)entry->rep : NULL;
  return made->rep != NULL ? status : syclze__sycl_queue_wrap(sycl, object, list, made);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_queue_from(
    struct syclze__sycl *sycl, const void *object, syclze_queue *made) {
  made->rep = (struct syclze__queue *)syclze__sycl_known_rep(object);
  struct syclze__status status = made->rep != NULL
                                     ? syclze__sycl_check_executing(sycl, object)
                                     : syclze__sycl_queue_make_from(sycl, object, made);
  if (status.result == ZE_RESULT_SUCCESS &&
      (syclze_queue_get_properties(*made).flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0 &&
      !sycl->queue_is_empty(object))
    status = syclze__sycl_await(sycl, object, *made);
  if (status.result == ZE_RESULT_SUCCESS) return status;
  (void)syclze_queue_release(*made);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
