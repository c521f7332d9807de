#include "native_task.h"

#include <time.h>

syclze_queue scene_queue_of(const struct scene_base *scene, int kind) {
  if (kind != COMMAND_QUEUE)
    return scene_queue(scene, kind == IN_ORDER ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_queue_handle_t native;
  syclze_queue queue;
  CHECK_EQ(zeCommandQueueCreate(scene->native, scene->handle, &desc, &native), ZE_RESULT_SUCCESS);
  syclze_queue_input input = {
      .native_handle = syclze_native_queue_of(native), .device = scene->device};
  CHECK_EQ(syclze_make_queue(&input, scene->context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

void wait_for(const uint32_t *word) {
  const struct timespec pause = {.tv_nsec = 100000};
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
    nanosleep(&pause, NULL);
}

struct task task_begin(
    const struct scene_base *scene, struct node *node, enum way way, bool of_list) {
  struct task task = {.node = node, .way = way};
  const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "node"};
  const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  CHECK_EQ(zeEventPoolCreate(scene->native, &pool, 0, NULL, &task.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventCreate(task.pool, &event, &task.done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelCreate(syclze_get_native(scene->bundle).modules[0], &desc, &task.kernel),
      ZE_RESULT_SUCCESS);
  if (!of_list)
    CHECK_EQ(
        zeCommandListCreate(scene->native, scene->handle, &list, &task.list), ZE_RESULT_SUCCESS);
  return task;
}

void task_end(struct task *task) {
  if (task->list != NULL) CHECK_EQ(zeCommandListDestroy(task->list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelDestroy(task->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(task->done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(task->pool), ZE_RESULT_SUCCESS);
}

ze_result_t task_run(syclze_interop_handle handle, void *argument) {
  struct task *task = argument;
  const ze_group_count_t groups = {1, 1, 1};
  syclze_native_queue queue;
  uint32_t count;
  const ze_event_handle_t *waits;
  CHECK_EQ(held_locks, 0);
  __atomic_store_n(&task->runs, 1, __ATOMIC_RELEASE);
  wait_for(&task->goes);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, &waits), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(task->kernel, 0, sizeof task->node, &task->node), 0);
  CHECK_EQ(zeKernelSetArgumentValue(task->kernel, 1, sizeof(void *), NULL), 0);
  const bool of_list = queue.kind == SYCLZE_NATIVE_QUEUE_LIST;
  CHECK_EQ(zeCommandListAppendLaunchKernel(of_list ? queue.list : task->list, task->kernel, &groups,
               task->done, of_list ? count : 0, (ze_event_handle_t *)(uintptr_t)waits),
      ZE_RESULT_SUCCESS);
  if (!of_list) {
    CHECK_EQ(zeCommandListClose(task->list), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeCommandQueueExecuteCommandLists(queue.queue, 1, &task->list, NULL), 0);
  }
  if (task->way == WAITS)
    CHECK_EQ(zeEventHostSynchronize(task->done, UINT64_MAX), ZE_RESULT_SUCCESS);
  if (task->way == NAMES)
    CHECK_EQ(syclze_interop_handle_add_event(handle, task->done), ZE_RESULT_SUCCESS);
  return task->result;
}

void scene_launch(syclze_queue queue, syclze_kernel kernel, struct node *node, syclze_event before,
    syclze_event *event) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_launch(&group, kernel, &range, event, syclze_arg(node), syclze_arg(none)),
      ZE_RESULT_SUCCESS);
}
