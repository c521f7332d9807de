/* Bodies of external_semaphore.h. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_EXTERNAL_SEMAPHORE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_EXTERNAL_SEMAPHORE_H

#include "../../external_semaphore.h"
#include "../submit/submit.h"

SYCLZE_EXTERN_C_BEGIN

/* Objects come from the pool of buffers, so that a release without a reference is detected. */
struct syclze__semaphore {
  struct syclze__ref ref;
  struct syclze__context *context;
  const struct syclze__device *device;
  void *native;
};

/* Level Zero's structures, which older headers lack: parameters of signals and waits; the start of
 * an import, whose last member is the descriptor or the flags; and a handle of Windows. */
struct syclze__semaphore_params {
  uint32_t stype;
  const void *next;
  uint64_t value;
};

struct syclze__semaphore_desc {
  uint32_t stype;
  const void *next;
  uint32_t last;
};

struct syclze__semaphore_win32 {
  uint32_t stype;
  const void *next;
  void *handle;
  const char *name;
};

struct syclze__semaphore_command {
  struct syclze__command command;
  const struct syclze__semaphore *semaphore;
  uint64_t value;
  bool signals;
};

#if SYCLZE__BODIES

typedef ze_result_t(ZE_APICALL *syclze__semaphore_append_function)(ze_command_list_handle_t,
    uint32_t, void **, struct syclze__semaphore_params *, ze_event_handle_t, uint32_t,
    ze_event_handle_t *);

/* A function of the loader, or null. */
SYCLZE_LOCAL void *syclze__semaphore_function(const char *name) {
#if SYCLZE_HAS_DLSYM
  return syclze__loader_symbol(name);
#else
  (void)name;
  return NULL;
#endif
}

SYCLZE_LOCAL struct syclze__status syclze__semaphore_import(
    const void *source, uint32_t type, const struct syclze__device *device, void **native) {
  const struct syclze__semaphore_desc desc = {
      0x00020022 /* ze_external_semaphore_ext_desc_t */, source, type};
  ze_result_t(ZE_APICALL * import)(
      ze_device_handle_t, const struct syclze__semaphore_desc *, void **);
  void *address = syclze__semaphore_function("zeDeviceImportExternalSemaphoreExt");
  if (address == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "the loader has no zeDeviceImportExternalSemaphoreExt, which is of Level Zero 1.12");
  memcpy(&import, &address, sizeof import);
  return syclze__status_of(import(device->native, &desc, native),
      "zeDeviceImportExternalSemaphoreExt refuses the descriptor");
}

SYCLZE_LOCAL ze_result_t syclze__semaphore_free(struct syclze__semaphore *semaphore) {
  return syclze__child_release(
      &semaphore->context->parent, SYCLZE__POOL_BUFFER, &semaphore->ref.slot);
}

/* Makes the object of a source; `status` is the result of earlier checks. */
SYCLZE_LOCAL ze_result_t syclze__semaphore_make(const void *source, struct syclze__status status,
    syclze_external_semaphore_type type, syclze_device device, syclze_context context,
    const char *function, syclze_external_semaphore *semaphore) {
  struct syclze__semaphore *made;
  const struct syclze__status in_context = syclze__check_device_in(context.rep, device.rep);
  if (semaphore == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  semaphore->rep = NULL;
  if (in_context.result != ZE_RESULT_SUCCESS) status = in_context;
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  made = (struct syclze__semaphore *)syclze__child_acquire(
      &context.rep->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (made == NULL) return syclze__fail_memory(function, context.rep->native);
  syclze__ref_init(&made->ref, SYCLZE__TRANSFERRED);
  made->context = context.rep;
  made->device = device.rep;
  made->native = NULL;
  status = syclze__semaphore_import(source, (uint32_t)type, device.rep, &made->native);
  if (status.result != ZE_RESULT_SUCCESS) {
    made->ref.others = -1;
    syclze__semaphore_free(made);
    return syclze__fail(status.result, function, status.rule, device.rep->native);
  }
  SYCLZE__CHECK_MADE(&made->ref, "external semaphore");
  semaphore->rep = made;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL struct syclze__status syclze__semaphore_check_type(
    syclze_external_semaphore_type type, bool of_windows) {
  switch (type) {
  case SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD:
  case SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_FD:
    if (!of_windows) return syclze__allowed();
    break;
  case SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32:
  case SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32_KMT:
  case SYCLZE_EXTERNAL_SEMAPHORE_D3D12_FENCE:
  case SYCLZE_EXTERNAL_SEMAPHORE_D3D11_FENCE:
  case SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX:
  case SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX_KMT:
  case SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_WIN32:
    if (of_windows) return syclze__allowed();
    break;
  }
  return syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, of_windows ? "the type is not one of handles of Windows"
                                                      : "the type is not one of file descriptors");
}

SYCLZE_COLD ze_result_t syclze_external_semaphore_import(int fd,
    syclze_external_semaphore_type type, syclze_device device, syclze_context context,
    syclze_external_semaphore *semaphore) {
  const struct syclze__semaphore_desc source = {
      0x00020024 /* ze_external_semaphore_fd_ext_desc_t */, NULL, (uint32_t)fd};
  return syclze__semaphore_make(&source,
      fd < 0
          ? syclze__status_of(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the file descriptor is negative")
          : syclze__semaphore_check_type(type, false),
      type, device, context, "syclze_external_semaphore_import", semaphore);
}

SYCLZE_COLD ze_result_t syclze_external_semaphore_import_win32(void *handle,
    syclze_external_semaphore_type type, syclze_device device, syclze_context context,
    syclze_external_semaphore *semaphore) {
  const struct syclze__semaphore_win32 source = {
      0x00020023 /* ze_external_semaphore_win32_ext_desc_t */, NULL, handle, NULL};
  return syclze__semaphore_make(&source,
      handle == NULL ? syclze__null_pointer("the handle is null")
                     : syclze__semaphore_check_type(type, true),
      type, device, context, "syclze_external_semaphore_import_win32", semaphore);
}

SYCLZE_COLD void *syclze_external_semaphore_get_native(syclze_external_semaphore semaphore) {
  return semaphore.rep->native;
}

SYCLZE_COLD ze_result_t syclze_external_semaphore_retain(syclze_external_semaphore semaphore) {
  if (semaphore.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(semaphore, "syclze_external_semaphore_retain", SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&semaphore.rep->ref);
  return ZE_RESULT_SUCCESS;
}

/* Does nothing in the child of a fork. The loader that imported the semaphore has the function. */
SYCLZE_LOCAL ze_result_t syclze__semaphore_end(const struct syclze__semaphore *semaphore) {
  ze_result_t(ZE_APICALL * release)(void *);
  void *address = syclze__semaphore_function("zeDeviceReleaseExternalSemaphoreExt");
  if (syclze__is_forked()) return ZE_RESULT_SUCCESS;
  memcpy(&release, &address, sizeof release);
  const ze_result_t result =
      address != NULL ? release(semaphore->native) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_external_semaphore_release",
      "zeDeviceReleaseExternalSemaphoreExt failed", semaphore->native);
}

SYCLZE_COLD ze_result_t syclze_external_semaphore_release(syclze_external_semaphore semaphore) {
  struct syclze__semaphore *rep = semaphore.rep;
  ze_result_t result, released;
  if (rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(semaphore, "syclze_external_semaphore_release", SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&rep->ref)) return ZE_RESULT_SUCCESS;
  if (syclze__ref_is_missing(&rep->ref))
    return syclze__ref_underflow(&rep->ref, "syclze_external_semaphore_release");
  result = syclze__semaphore_end(rep);
  released = syclze__semaphore_free(rep);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_LOCAL ze_result_t syclze__semaphore_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__semaphore_command *use =
      (const struct syclze__semaphore_command *)(const void *)command;
  /* ze_external_semaphore_signal_params_ext_t, or ze_external_semaphore_wait_params_ext_t. */
  struct syclze__semaphore_params params = {
      use->signals ? 0x00020025u : 0x00020026u, NULL, use->value};
  void *native = use->semaphore->native;
  void *address =
      syclze__semaphore_function(use->signals ? "zeCommandListAppendSignalExternalSemaphoreExt"
                                              : "zeCommandListAppendWaitExternalSemaphoreExt");
  syclze__semaphore_append_function append;
  if (address == NULL) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  memcpy(&append, &address, sizeof append);
  return append(at->list, 1, &native, &params, at->signal, at->wait_count, at->waits);
}

SYCLZE_LOCAL struct syclze__status syclze__semaphore_check(
    const syclze_group *group, const struct syclze__semaphore *semaphore) {
  if (semaphore == NULL) return syclze__null_handle("the external semaphore is null");
  if (group->queue == NULL) return syclze__allowed();
  if (group->queue->device->native != semaphore->device->native)
    return syclze__invalid("the external semaphore is of another device than the queue");
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__semaphore_submit(syclze_group *group,
    syclze_external_semaphore semaphore, uint64_t value, bool signals, const char *function,
    syclze_event *event) {
  const struct syclze__status status = syclze__semaphore_check(group, semaphore.rep);
  static const struct syclze__command_table table =
      SYCLZE__COMMAND_TABLE(struct syclze__semaphore_command, SYCLZE__SUBMISSION_COMMAND,
          "the wait for or the signal of the external semaphore failed",
          "sycl_ext_oneapi_graph: commands with external semaphores are not recorded", NULL, NULL,
          syclze__semaphore_append, NULL, NULL, NULL);
  struct syclze__semaphore_command use;
  use.command.table = &table;
  use.command.function = function;
  use.command.kernel = NULL;
  use.semaphore = semaphore.rep;
  use.value = value;
  use.signals = signals;
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  return syclze__command_submit(group, &use.command, event);
}

SYCLZE_COLD ze_result_t syclze_group_wait_external_semaphore(
    syclze_group *group, syclze_external_semaphore semaphore, uint64_t value, syclze_event *event) {
  return syclze__semaphore_submit(
      group, semaphore, value, false, "syclze_group_wait_external_semaphore", event);
}

SYCLZE_COLD ze_result_t syclze_group_signal_external_semaphore(
    syclze_group *group, syclze_external_semaphore semaphore, uint64_t value, syclze_event *event) {
  return syclze__semaphore_submit(
      group, semaphore, value, true, "syclze_group_signal_external_semaphore", event);
}

SYCLZE_COLD ze_result_t syclze_queue_wait_external_semaphore(syclze_queue queue,
    syclze_external_semaphore semaphore, uint64_t value, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze_group_wait_external_semaphore(&group, semaphore, value, event);
}

SYCLZE_COLD ze_result_t syclze_queue_signal_external_semaphore(syclze_queue queue,
    syclze_external_semaphore semaphore, uint64_t value, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze_group_signal_external_semaphore(&group, semaphore, value, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
