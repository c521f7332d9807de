/* The part of a driver that graphs need, on the fake: command lists that execute at once, mutable
   ones, and the driver's own graphs. What is done to lists and graphs is noted in words. */
#ifndef TESTS_UNIT_GRAPH_DRIVER_H
#define TESTS_UNIT_GRAPH_DRIVER_H

#include "support/fake_object.h"

#include <string.h>

static struct {
  char text[1024];         /* what was done, separated by spaces */
  uint32_t updates;        /* what the device updates in mutable lists; 0 for none */
  int graphs;              /* it has graphs */
  int has_lost;            /* a command was updated to a kernel, without arguments or a shape */
  uint32_t waits, signals; /* events of the last append of lists */
} driver;

static void note(const char *word) {
  const size_t length = strlen(driver.text);
  if (length + strlen(word) + 2 > sizeof driver.text) abort();
  if (length != 0) strcat(driver.text, " ");
  strcat(driver.text, word);
}

/* Calls since the last query. */
static const char *noted(void) {
  static char last[sizeof driver.text];
  memcpy(last, driver.text, sizeof last);
  driver.text[0] = 0;
  return last;
}

struct extension {
  uint32_t stype;
  struct extension *next;
  uint32_t flags[2];
};

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetProperties);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  (void)object;
  for (struct extension *e = (struct extension *)properties->pNext; e != NULL; e = e->next)
    if (e->stype == 0x00020015)
      e->flags[1] = driver.updates;
    else if (e->stype == 0x00020047)
      e->flags[0] = driver.graphs ? 1 : 0;
    else
      fake_misuse("zeDeviceGetProperties: an unknown pNext");
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *list) {
  FAKE_ENTER(zeCommandListCreate);
  const struct extension *next = (const struct extension *)desc->pNext;
  if (desc->commandQueueGroupOrdinal != 1) fake_misuse("zeCommandListCreate: no group computes");
  *list = fake_regular_list(context, device);
  if (next != NULL && next->stype == 0x00020016) ((struct fake_object *)(void *)*list)->updates = 1;
  if (desc->flags == 8) note("in order");
  note(next != NULL ? "mutable" : "list");
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListClose(ze_command_list_handle_t list) {
  FAKE_ENTER(zeCommandListClose);
  FAKE_OBJECT(object, list, FAKE_LIST);
  object->closed = 1;
  note("close");
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListReset(ze_command_list_handle_t list) {
  FAKE_ENTER(zeCommandListReset);
  FAKE_OBJECT(object, list, FAKE_LIST);
  object->closed = 0;
  note("reset");
  return ZE_RESULT_SUCCESS;
}

/* Appends to a list, which executes at once where it is immediate and not captured. */
static ze_result_t append(ze_command_list_handle_t list, const char *word, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_OBJECT(object, list, FAKE_LIST);
  if (object->closed) fake_misuse("%s: the list is closed", word);
  for (uint32_t i = 0; i < wait_count; i++)
    if (!fake_is_signalled(waits[i])) fake_misuse("%s: waits for an event", word);
  if (signal != NULL && !object->regular) fake_signal(signal);
  note(word);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListAppendBarrier(ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendBarrier);
  return append(list, "barrier", signal, wait_count, waits);
}

ze_result_t ZE_APICALL zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t list, uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendWaitOnEvents);
  return append(list, "wait", NULL, wait_count, waits);
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendLaunchKernel);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  (void)object, (void)groups;
  return append(list, "launch", signal, wait_count, waits);
}

ze_result_t ZE_APICALL zeKernelGetProperties(
    ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  FAKE_ENTER(zeKernelGetProperties);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  (void)object;
  properties->numKernelArgs = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetArgumentValue(
    ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  FAKE_ENTER(zeKernelSetArgumentValue);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  (void)object, (void)index, (void)value;
  return size <= 8 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(
    ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  FAKE_ENTER(zeKernelSetGroupSize);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  (void)object, (void)x, (void)y, (void)z;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue) {
  FAKE_ENTER(zeCommandQueueCreate);
  (void)desc;
  *queue = fake_queue(context, device);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue,
    uint32_t count, ze_command_list_handle_t *lists, ze_fence_handle_t fence) {
  FAKE_ENTER(zeCommandQueueExecuteCommandLists);
  FAKE_OBJECT(object, queue, FAKE_QUEUE);
  (void)object, (void)fence;
  for (uint32_t i = 0; i < count; i++) {
    FAKE_OBJECT(list, lists[i], FAKE_LIST);
    if (!list->regular || !list->closed) fake_misuse("a list that is not closed is executed");
  }
  note("execute");
  return ZE_RESULT_SUCCESS;
}

/* Entry points of newer loaders, under names that no header declares. */
#define NEWER(name, ...)                                                                           \
  ze_result_t ZE_APICALL newer_##name(__VA_ARGS__) __asm__(#name);                                 \
  ze_result_t ZE_APICALL newer_##name(__VA_ARGS__)

NEWER(zeCommandListHostSynchronize, ze_command_list_handle_t list, uint64_t timeout) {
  FAKE_ENTER(zeCommandListHostSynchronize);
  FAKE_OBJECT(object, list, FAKE_LIST);
  (void)object, (void)timeout;
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListImmediateAppendCommandListsExp, ze_command_list_handle_t to, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListImmediateAppendCommandListsExp);
  for (uint32_t i = 0; i < count; i++) {
    FAKE_OBJECT(list, lists[i], FAKE_LIST);
    if (!list->regular || !list->closed) fake_misuse("a list that is not closed is appended");
  }
  driver.waits = wait_count;
  driver.signals = signal != NULL;
  return append(to, "lists", signal, wait_count, waits);
}

NEWER(zeCommandListGetNextCommandIdExp, ze_command_list_handle_t list, const struct extension *desc,
    uint64_t *id) {
  FAKE_ENTER(zeCommandListGetNextCommandIdExp);
  FAKE_OBJECT(object, list, FAKE_LIST);
  if (!object->updates || object->closed || desc->stype != 0x00020017)
    fake_misuse("zeCommandListGetNextCommandIdExp: of another list");
  *id = (uint64_t)++object->size;
  note("next");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListUpdateMutableCommandsExp, ze_command_list_handle_t list,
    const struct extension *desc) {
  FAKE_ENTER(zeCommandListUpdateMutableCommandsExp);
  FAKE_OBJECT(object, list, FAKE_LIST);
  if (!object->updates || desc->stype != 0x00020018 || desc->next == NULL)
    fake_misuse("zeCommandListUpdateMutableCommandsExp: of another list, or of nothing");
  uint32_t values = 0; /* an argument, a group count, a group size and an offset */
  for (const struct extension *value = desc->next; value != NULL; value = value->next)
    values |= 1u << (value->stype - 0x00020019);
  if (driver.has_lost && values != 15)
    fake_misuse("zeCommandListUpdateMutableCommandsExp: less than a kernel needs");
  driver.has_lost = 0;
  object->closed = 0;
  note("update");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListGetNextCommandIdWithKernelsExp, ze_command_list_handle_t list,
    const struct extension *desc, uint32_t count, ze_kernel_handle_t *kernels, uint64_t *id) {
  FAKE_ENTER(zeCommandListGetNextCommandIdWithKernelsExp);
  FAKE_OBJECT(object, list, FAKE_LIST);
  if (!object->updates || object->closed || desc->flags[0] != (15 | 64) || count < 2)
    fake_misuse("zeCommandListGetNextCommandIdWithKernelsExp: of another list, or of one kernel");
  for (uint32_t i = 0; i < count; i++) {
    FAKE_OBJECT(kernel, kernels[i], FAKE_KERNEL);
    (void)kernel;
  }
  *id = (uint64_t)++object->size;
  note(count == 2 ? "next of two" : "next of more");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListUpdateMutableCommandKernelsExp, ze_command_list_handle_t list, uint32_t count,
    uint64_t *ids, ze_kernel_handle_t *kernels) {
  FAKE_ENTER(zeCommandListUpdateMutableCommandKernelsExp);
  FAKE_OBJECT(object, list, FAKE_LIST);
  FAKE_OBJECT(kernel, *kernels, FAKE_KERNEL);
  (void)kernel;
  if (!object->updates || count != 1 || *ids == 0 || *ids > object->size)
    fake_misuse("zeCommandListUpdateMutableCommandKernelsExp: of no command");
  object->closed = 0;
  driver.has_lost = 1;
  note("kernel");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeGraphCreateExt, ze_context_handle_t context, const void *next, void **graph) {
  FAKE_ENTER(zeGraphCreateExt);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)next;
  *graph = fake_new(FAKE_GRAPH, parent);
  note("graph");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListBeginCaptureIntoGraphExt, ze_command_list_handle_t list, void *graph,
    const void *next) {
  FAKE_ENTER(zeCommandListBeginCaptureIntoGraphExt);
  FAKE_OBJECT(object, list, FAKE_LIST);
  FAKE_OBJECT(into, graph, FAKE_GRAPH);
  (void)next;
  if (object->regular || object->captured != NULL || into->size != 0)
    fake_misuse("the capture of a list that is none, or of one more");
  object->captured = into;
  into->size = 1;
  note("begin");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListEndGraphCaptureExt, ze_command_list_handle_t list, const void *next,
    void **graph) {
  FAKE_ENTER(zeCommandListEndGraphCaptureExt);
  FAKE_OBJECT(object, list, FAKE_LIST);
  (void)next;
  if (object->captured == NULL) fake_misuse("the end of a capture that did not begin");
  *graph = object->captured;
  object->captured = NULL;
  note("end");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeGraphInstantiateExt, void *graph, const void *next, void **executable) {
  FAKE_ENTER(zeGraphInstantiateExt);
  FAKE_OBJECT(parent, graph, FAKE_GRAPH);
  (void)next;
  *executable = fake_new(FAKE_EXECUTABLE_GRAPH, parent);
  note("instantiate");
  return ZE_RESULT_SUCCESS;
}

NEWER(zeCommandListAppendGraphExt, ze_command_list_handle_t list, void *executable,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendGraphExt);
  FAKE_OBJECT(graph, executable, FAKE_EXECUTABLE_GRAPH);
  (void)graph, (void)next;
  return append(list, "run", signal, wait_count, waits);
}

NEWER(zeExecutableGraphDestroyExt, void *executable) {
  FAKE_ENTER(zeExecutableGraphDestroyExt);
  return fake_end_object(executable, FAKE_EXECUTABLE_GRAPH, __func__);
}

NEWER(zeGraphDestroyExt, void *graph) {
  FAKE_ENTER(zeGraphDestroyExt);
  return fake_end_object(graph, FAKE_GRAPH, __func__);
}

#endif
