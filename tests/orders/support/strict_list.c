#include "strict_object.h"

/* Flags of immediate lists and queues, and of regular lists, which older headers do not name. */
enum { QUEUE_IN_ORDER = 1 << 1, LIST_IN_ORDER = 1 << 3 };

static struct strict_list *list_new(
    ze_context_handle_t context, ze_device_handle_t device, enum strict_kind kind) {
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, "zeCommandListCreate");
  struct strict_list *made = strict_object_new(sizeof *made, kind, parent);
  made->device = device;
  made->last = &made->first;
  return made;
}

ze_result_t ZE_APICALL zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *made = list_new(context, device, STRICT_QUEUE);
  made->immediate = true;
  made->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  *queue = (ze_command_queue_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueDestroy(ze_command_queue_handle_t queue) {
  STRICT_ENTER();
  strict_lock();
  ze_result_t result = strict_object_destroy(queue, STRICT_QUEUE, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue,
    uint32_t count, ze_command_list_handle_t *lists, ze_fence_handle_t fence) {
  STRICT_ENTER();
  (void)fence;
  strict_lock();
  struct strict_list *stream = strict_object(queue, STRICT_QUEUE, __func__);
  for (uint32_t i = 0; stream != NULL && i < count; i++) {
    struct strict_list *list = strict_object(lists[i], STRICT_LIST, __func__);
    if (list == NULL) continue;
    if (!list->closed) strict_report("%s: the list is not closed", __func__);
    strict_stream_execute(stream, list);
  }
  strict_unlock();
  if (stream != NULL && stream->synchronous) strict_wait_for_list(stream, UINT64_MAX);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueSynchronize(
    ze_command_queue_handle_t queue, uint64_t timeout) {
  STRICT_ENTER();
  return strict_wait_for_list((struct strict_list *)(void *)queue, timeout);
}

ze_result_t ZE_APICALL zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *list) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *made = list_new(context, device, STRICT_LIST);
  made->in_order = (desc->flags & LIST_IN_ORDER) != 0;
  *list = (ze_command_list_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListCreateImmediate(ze_context_handle_t context,
    ze_device_handle_t device, const ze_command_queue_desc_t *desc,
    ze_command_list_handle_t *list) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *made = list_new(context, device, STRICT_LIST);
  made->immediate = true;
  made->in_order = (desc->flags & QUEUE_IN_ORDER) != 0;
  made->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  *list = (ze_command_list_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListDestroy(ze_command_list_handle_t list) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  if (object != NULL && !object->immediate) strict_list_clear(object);
  ze_result_t result = strict_object_destroy(list, STRICT_LIST, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeCommandListClose(ze_command_list_handle_t list) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  for (struct strict_command *command = object != NULL ? object->first : NULL; command != NULL;
       command = command->next)
    if (command->lost != 0) strict_report("%s: a launch lacks what its new kernel needs", __func__);
  if (object != NULL) object->closed = true;
  if (object != NULL) object->updated = false;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListReset(ze_command_list_handle_t list) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  if (object != NULL && object->object.uses != 0)
    strict_report("%s: the list's commands did not run", __func__);
  if (object != NULL && !object->immediate) {
    strict_list_clear(object);
    object->closed = false;
  }
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

/* A function of newer loaders. */
ze_result_t ZE_APICALL zeCommandListImmediateGetFlags(
    ze_command_list_handle_t list, ze_command_queue_flags_t *flags);

ze_result_t ZE_APICALL zeCommandListImmediateGetFlags(
    ze_command_list_handle_t list, ze_command_queue_flags_t *flags) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  *flags = object != NULL && object->in_order ? QUEUE_IN_ORDER : 0;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListImmediateGetMode(
    ze_command_list_handle_t list, ze_command_queue_mode_t *mode);

ze_result_t ZE_APICALL zeCommandListImmediateGetMode(
    ze_command_list_handle_t list, ze_command_queue_mode_t *mode) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  *mode = object != NULL && object->synchronous ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
                                                : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListHostSynchronize(
    ze_command_list_handle_t list, uint64_t timeout) {
  STRICT_ENTER();
  return strict_wait_for_list((struct strict_list *)(void *)list, timeout);
}

/* Begins and ends each append. */
#define APPEND_BEGIN(order, run, signal, count, waits)                                             \
  STRICT_ENTER();                                                                                  \
  strict_alone_begin(list, __func__);                                                              \
  strict_lock();                                                                                   \
  struct strict_list *target = strict_object(list, STRICT_LIST, __func__);                         \
  struct strict_command *command =                                                                 \
      strict_command_new(target, order, run, signal, count, waits, __func__)
#define APPEND_END() return append_end(list, target, command)

static ze_result_t append_end(
    const void *list, struct strict_list *target, struct strict_command *command) {
  strict_command_append(command);
  strict_unlock();
  strict_alone_end(list);
  if (target->synchronous) strict_wait_for_list(target, UINT64_MAX);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListAppendBarrier(ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(count > 0 ? STRICT_BEFORE_ALL : STRICT_BETWEEN_ALL, NULL, signal, count, waits);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_BEFORE_ALL, NULL, NULL, count, waits);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendSignalEvent(
    ze_command_list_handle_t list, ze_event_handle_t signal) {
  APPEND_BEGIN(STRICT_BEHIND_ALL, NULL, signal, 0, NULL);
  APPEND_END();
}

static void run_reset(struct strict_command *command) {
  if (command->reset->waiters != 0) strict_report("an event is reset for which the host waits");
  __atomic_store_n(&command->reset->signalled, 0, __ATOMIC_RELEASE);
}

ze_result_t ZE_APICALL zeCommandListAppendEventReset(
    ze_command_list_handle_t list, ze_event_handle_t event) {
  APPEND_BEGIN(STRICT_PLAIN, run_reset, NULL, 0, NULL);
  command->reset = strict_object(event, STRICT_EVENT, __func__);
  if (command->reset != NULL) strict_command_use(command, &command->reset->object);
  APPEND_END();
}

/* A function of newer loaders. */
ze_result_t ZE_APICALL zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t list,
    uint32_t list_count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits);

ze_result_t ZE_APICALL zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t list,
    uint32_t list_count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, NULL, signal, count, waits);
  for (uint32_t i = 0; i < list_count; i++) {
    struct strict_list *recorded = strict_object(lists[i], STRICT_LIST, __func__);
    if (recorded == NULL) continue;
    if (!recorded->closed) strict_report("%s: the list is not closed", __func__);
    strict_command_execute(command, recorded);
  }
  APPEND_END();
}

static void run_kernel(struct strict_command *command) {
  void *arguments[STRICT_ARGUMENTS];
  for (uint32_t i = 0; i < STRICT_ARGUMENTS; i++)
    arguments[i] = command->values->bytes[i];
  command->function(arguments);
}

void strict_use_argument(struct strict_command *command, const void *value, const char *function) {
  void *pointer;
  memcpy(&pointer, value, sizeof pointer);
  if (pointer == NULL) return;
  struct strict_object *image = strict_image_of(pointer);
  if (image != NULL)
    strict_command_use(command, image);
  else
    strict_command_use_memory(command, pointer, function);
}

static struct strict_shape launched;

struct strict_shape strict_launched(void) {
  strict_lock();
  const struct strict_shape shape = launched;
  strict_unlock();
  return shape;
}

/* Makes a command of the kernel's function and arguments; with the lock. */
static void launch_kernel(struct strict_command *command, struct strict_list *target,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, const char *function) {
  struct strict_program_kernel *object = strict_object(kernel, STRICT_KERNEL, function);
  launched = object->shape;
  launched.groups[0] = groups->groupCountX;
  launched.groups[1] = groups->groupCountY;
  launched.groups[2] = groups->groupCountZ;
  if (object->object.parent->parent != target->object.parent)
    strict_report("%s: a kernel of another context", function);
  command->function = object->entry->function;
  command->values = strict_allocate(sizeof *command->values);
  *command->values = object->values;
  command->identifier = target->next_command;
  target->next_command = 0;
  memcpy(command->kernels, target->next_kernels, sizeof command->kernels);
  memset(target->next_kernels, 0, sizeof target->next_kernels);
  strict_command_use(command, &object->object);
  for (uint32_t i = 0; i < object->values.count; i++)
    strict_use_argument(command, command->values->bytes[i], function);
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_kernel, signal, count, waits);
  launch_kernel(command, target, kernel, groups, __func__);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_kernel, signal, count, waits);
  launch_kernel(command, target, kernel, groups, __func__);
  APPEND_END();
}

static void run_copy(struct strict_command *command) {
  strict_move(command->to, command->from, command->size);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
    const void *from, size_t size, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_copy, signal, count, waits);
  command->to = to;
  command->from = from;
  command->size = size;
  strict_command_use_memory(command, to, __func__);
  strict_command_use_memory(command, from, __func__);
  APPEND_END();
}

static void run_fill(struct strict_command *command) {
  for (size_t i = 0; i < command->size; i += command->pattern_size)
    strict_move(command->to + i, command->pattern, command->pattern_size);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *to,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_fill, signal, count, waits);
  command->to = to;
  command->size = size;
  command->pattern_size = pattern_size;
  memcpy(command->pattern, pattern, pattern_size);
  strict_command_use_memory(command, to, __func__);
  APPEND_END();
}

static void run_rows(struct strict_command *command) {
  for (size_t z = 0; z < command->slices; z++)
    for (size_t y = 0; y < command->rows; y++)
      strict_move(command->to + z * command->to_slice + y * command->to_row,
          command->from + z * command->from_slice + y * command->from_row, command->size);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to,
    const ze_copy_region_t *to_region, uint32_t to_pitch, uint32_t to_slice, const void *from,
    const ze_copy_region_t *from_region, uint32_t from_pitch, uint32_t from_slice,
    ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_rows, signal, count, waits);
  command->to = (unsigned char *)to + to_region->originX + (size_t)to_region->originY * to_pitch +
                (size_t)to_region->originZ * to_slice;
  command->from = (const unsigned char *)from + from_region->originX +
                  (size_t)from_region->originY * from_pitch +
                  (size_t)from_region->originZ * from_slice;
  command->size = to_region->width;
  command->rows = to_region->height != 0 ? to_region->height : 1;
  command->slices = to_region->depth != 0 ? to_region->depth : 1;
  command->to_row = to_pitch;
  command->to_slice = to_slice;
  command->from_row = from_pitch;
  command->from_slice = from_slice;
  strict_command_use_memory(command, to, __func__);
  strict_command_use_memory(command, from, __func__);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t list, const void *memory, size_t size) {
  APPEND_BEGIN(STRICT_PLAIN, NULL, NULL, 0, NULL);
  (void)size;
  strict_command_use_memory(command, memory, __func__);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendMemAdvise(ze_command_list_handle_t list,
    ze_device_handle_t device, const void *memory, size_t size, ze_memory_advice_t advice) {
  APPEND_BEGIN(STRICT_PLAIN, NULL, NULL, 0, NULL);
  (void)device;
  (void)size;
  (void)advice;
  strict_command_use_memory(command, memory, __func__);
  APPEND_END();
}

/* The bytes of a region of an image, and its extent; null for all of it. */
static unsigned char *region_of(struct strict_command *command, struct strict_image *image,
    const ze_image_region_t *region, size_t *row, size_t *slice) {
  strict_command_use(command, &image->object);
  command->size = region != NULL ? region->width * image->pixel : image->row;
  command->rows = region != NULL && region->height != 0 ? region->height
                  : image->desc.height != 0             ? image->desc.height
                                                        : 1;
  command->slices = region != NULL && region->depth != 0 ? region->depth
                    : image->desc.depth != 0             ? image->desc.depth
                                                         : 1;
  *row = image->row;
  *slice = image->slice;
  if (region == NULL) return image->bytes;
  return image->bytes + region->originX * image->pixel + region->originY * image->row +
         region->originZ * image->slice;
}

ze_result_t ZE_APICALL zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region,
    ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_rows, signal, count, waits);
  command->to = region_of(command, strict_object(to, STRICT_IMAGE, __func__), region,
      &command->to_row, &command->to_slice);
  command->from = from;
  command->from_row = command->size;
  command->from_slice = command->size * command->rows;
  strict_command_use_memory(command, from, __func__);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, ze_event_handle_t signal,
    uint32_t count, ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_rows, signal, count, waits);
  command->from = region_of(command, strict_object(from, STRICT_IMAGE, __func__), region,
      &command->from_row, &command->from_slice);
  command->to = to;
  command->to_row = command->size;
  command->to_slice = command->size * command->rows;
  strict_command_use_memory(command, to, __func__);
  APPEND_END();
}

ze_result_t ZE_APICALL zeCommandListAppendImageCopy(ze_command_list_handle_t list,
    ze_image_handle_t to, ze_image_handle_t from, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  APPEND_BEGIN(STRICT_PLAIN, run_rows, signal, count, waits);
  command->to = region_of(command, strict_object(to, STRICT_IMAGE, __func__), NULL,
      &command->to_row, &command->to_slice);
  command->from = region_of(command, strict_object(from, STRICT_IMAGE, __func__), NULL,
      &command->from_row, &command->from_slice);
  APPEND_END();
}
