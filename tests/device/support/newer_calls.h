/* Functions that newer loaders have, behind any loader: the program exports them, and forwards them
   to the embedded device. The spy counts their calls and makes them fail. Included by one file of a
   program. */
#ifndef TESTS_DEVICE_NEWER_CALLS_H
#define TESTS_DEVICE_NEWER_CALLS_H

#include "driver_slot.h"
#include "spy_calls.h"

/* Defines a function of a table of the driver's. */
#define NEWER(name, table, slot, parameters, arguments)                                            \
  ze_result_t ZE_APICALL newer_##name parameters __asm__(#name);                                   \
  ze_result_t ZE_APICALL newer_##name parameters {                                                 \
    ze_result_t(*driver) parameters;                                                               \
    void *address = driver_slot(table, slot);                                                      \
    const ze_result_t failure = spy_call(#name);                                                   \
    if (failure != ZE_RESULT_SUCCESS) return failure;                                              \
    if (address == NULL) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;                               \
    memcpy(&driver, &address, sizeof driver);                                                      \
    return driver arguments;                                                                       \
  }

NEWER(zeMemPutIpcHandle, "zeGetMemProcAddrTable", 10,
    (ze_context_handle_t context, ze_ipc_mem_handle_t handle), (context, handle))
NEWER(zeEventPoolPutIpcHandle, "zeGetEventPoolProcAddrTable", 5,
    (ze_context_handle_t context, ze_ipc_event_pool_handle_t handle), (context, handle))
NEWER(zeMemGetPitchFor2dImage, "zeGetMemProcAddrTable", 11,
    (ze_context_handle_t context, ze_device_handle_t device, size_t width, size_t height,
        unsigned size, size_t *pitch),
    (context, device, width, height, size, pitch))
NEWER(zeDeviceImportExternalSemaphoreExt, "zeGetDeviceProcAddrTable", 19,
    (ze_device_handle_t device, const void *desc, void **semaphore), (device, desc, semaphore))
NEWER(zeDeviceReleaseExternalSemaphoreExt, "zeGetDeviceProcAddrTable", 20, (void *semaphore),
    (semaphore))
NEWER(zeCommandListAppendSignalExternalSemaphoreExt, "zeGetCommandListProcAddrTable", 34,
    (ze_command_list_handle_t list, uint32_t count, void **semaphores, void *values,
        ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits),
    (list, count, semaphores, values, signal, wait_count, waits))
NEWER(zeCommandListAppendWaitExternalSemaphoreExt, "zeGetCommandListProcAddrTable", 35,
    (ze_command_list_handle_t list, uint32_t count, void **semaphores, void *values,
        ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits),
    (list, count, semaphores, values, signal, wait_count, waits))

#undef NEWER

#endif
