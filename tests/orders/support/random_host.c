#include "random_thread.h"

#include <time.h>

ze_event_handle_t own_event(struct thread *t) {
  struct random_world *world = t->world;
  ze_event_pool_handle_t *pool = &world->own[t->index].pool;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = NODES};
  ze_event_handle_t event;
  if (*pool == NULL) {
    CHECK_EQ(zeEventPoolCreate(world->natives[0], &pool_desc, 0, NULL, pool), ZE_RESULT_SUCCESS);
    random_keep(world);
  }
  const ze_event_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = world->own[t->index].event_count};
  CHECK_EQ(zeEventCreate(*pool, &desc, &event), ZE_RESULT_SUCCESS);
  random_keep(world);
  world->own[t->index].events[world->own[t->index].event_count++] = event;
  return event;
}

static ze_kernel_handle_t own_kernel(struct thread *t, uint32_t context, const char *name) {
  struct random_world *world = t->world;
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel;
  CHECK_EQ(zeKernelCreate(world->modules[context], &desc, &kernel), ZE_RESULT_SUCCESS);
  random_keep(world);
  world->own[t->index].kernels[world->own[t->index].kernel_count++] = kernel;
  return kernel;
}

static ze_command_list_handle_t own_list(struct thread *t, uint32_t context) {
  struct random_world *world = t->world;
  const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list;
  CHECK_EQ(zeCommandListCreate(
               world->natives[context], syclze_get_native(world->devices[0]), &desc, &list),
      ZE_RESULT_SUCCESS);
  random_keep(world);
  world->own[t->index].lists[world->own[t->index].list_count++] = list;
  return list;
}

bool has_event(const struct thread *t) {
  return t->world->own[t->index].event_count < NODES - 4;
}

ze_event_handle_t close_gate(struct thread *t, struct node **node) {
  const ze_event_handle_t event = own_event(t);
  *node = &t->world->gates[t->index][t->gate_count++];
  (*node)->number = t->world->threads * NODES + t->index;
  (*node)->runs = 1;
  t->closed[t->closed_count].event = event;
  t->closed[t->closed_count++].node = *node;
  return event;
}

/* Functions of the host. */

ze_result_t run_on_host(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  struct node *node = host->step != NULL ? step_next(host->step) : host->node;
  uint64_t *memory[ACCESSES];
  CHECK_EQ(held_locks, 0);
  if (node == NULL) return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < node->access_count; i++) {
    if ((host->images >> i & 1) != 0) {
      ze_image_handle_t image;
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &image), ZE_RESULT_SUCCESS);
      memory[i] = strict_pixels(image);
    } else {
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &memory[i]), ZE_RESULT_SUCCESS);
      memory[i] += node->accesses[i].first;
    }
  }
  const struct timespec delay = {.tv_nsec = node->delay * 1000L};
  if (node->delay > 0) nanosleep(&delay, NULL);
  node_run(node, memory);
  if (host->gate != NULL)
    CHECK_EQ(syclze_interop_handle_add_event(handle, host->gate), ZE_RESULT_SUCCESS);
  if (host->step == NULL) free(host);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_natively(syclze_interop_handle handle, const struct host *host,
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *waits) {
  const ze_group_count_t groups = {1, 1, 1};
  const ze_kernel_handle_t kernel = host->kernel;
  const void *runs = host->step != NULL ? (const void *)host->step : host->node;
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof runs, &runs), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeKernelSetArgumentValue(kernel, 1, sizeof host->images, &host->images), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < host->access_count; i++) {
    void *memory;
    if ((host->images >> i & 1) != 0) {
      ze_image_handle_t image;
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &image), ZE_RESULT_SUCCESS);
      memory = image;
    } else {
      uint64_t *bytes;
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &bytes), ZE_RESULT_SUCCESS);
      memory = bytes + host->first[i];
    }
    CHECK_EQ(zeKernelSetArgumentValue(kernel, 2 + i, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = host->access_count; i < ACCESSES; i++)
    CHECK_EQ(zeKernelSetArgumentValue(kernel, 2 + i, sizeof(void *), NULL), ZE_RESULT_SUCCESS);
  return zeCommandListAppendLaunchKernel(list, kernel, &groups, host->signal, count, waits);
}

/* Appends to the native queue of the handle. */
static void append_to_queue(syclze_interop_handle handle, const struct host *host, uint32_t count,
    ze_event_handle_t *waits) {
  syclze_native_queue queue;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  if (queue.kind == SYCLZE_NATIVE_QUEUE_LIST) {
    CHECK_EQ(append_natively(handle, host, queue.list, count, waits), ZE_RESULT_SUCCESS);
    return;
  }
  ze_command_list_handle_t list = host->list;
  CHECK_EQ(append_natively(handle, host, list, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueExecuteCommandLists(queue.queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
}

/* A native command, on the submitting thread or a worker. */
ze_result_t run_natively(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  const bool is_own = random_index == host->index;
  const bool submits = is_own && !host->thread->world->ordered;
  uint32_t count;
  const ze_event_handle_t *waits;
  CHECK_EQ(held_locks, 0);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, &waits), ZE_RESULT_SUCCESS);
  if (host->shared != NULL && (submits || !is_own)) {
    pthread_mutex_lock(host->shared);
    pthread_mutex_unlock(host->shared);
  }
  if (submits) submit_within(host->thread);
  if (host->signal != NULL)
    CHECK_EQ(syclze_interop_handle_add_event(handle, host->signal), ZE_RESULT_SUCCESS);
  pthread_mutex_lock(host->alone);
  append_to_queue(handle, host, count, (ze_event_handle_t *)(uintptr_t)waits);
  pthread_mutex_unlock(host->alone);
  if (submits) submit_within(host->thread);
  free(host);
  return ZE_RESULT_SUCCESS;
}

/* A host task whose work is done by a kernel in its own native queue: it waits for that, names it,
   or leaves it. */
ze_result_t run_appending(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  CHECK_EQ(held_locks, 0);
  pthread_mutex_lock(host->alone);
  append_to_queue(handle, host, 0, NULL);
  pthread_mutex_unlock(host->alone);
  if (host->waits)
    CHECK_EQ(zeEventHostSynchronize(host->signal, UINT64_MAX), ZE_RESULT_SUCCESS);
  else if (host->signal != NULL)
    CHECK_EQ(syclze_interop_handle_add_event(handle, host->signal), ZE_RESULT_SUCCESS);
  free(host);
  return ZE_RESULT_SUCCESS;
}

ze_result_t run_recorded(syclze_interop_handle handle, void *argument) {
  const struct host *host = argument;
  syclze_native_queue queue;
  CHECK(held_locks <= 1); /* an update calls it with the lock of its graph */
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(queue.kind, SYCLZE_NATIVE_QUEUE_LIST);
  return append_natively(handle, host, queue.list, 0, NULL);
}

struct host *host_for(const struct submission *s) {
  struct thread *t = s->thread;
  struct node *node = s->node;
  struct random_queue *queue = &t->world->queues[node->queue];
  struct host *host = calloc(1, sizeof *host);
  CHECK(host != NULL);
  host->node = node;
  host->access_count = node->access_count;
  for (uint32_t i = 0; i < node->access_count; i++)
    host->first[i] = node->accesses[i].first;
  host->images = images_of(s);
  host->context = queue->context;
  memcpy(host->accessors, s->accessors, sizeof host->accessors);
  if (s->step != NULL) {
    host->step = s->step->step;
    host->step->argument = host;
    if (node->action == ACTION_NATIVE) host->kernel = own_kernel(t, host->context, "step");
    return host;
  }
  if (node->action == ACTION_HOST) {
    if (host->context == 0 && !t->world->blocks && one_in(t, 4) && has_event(t))
      host->gate = close_gate(t, &node->gate);
    return host;
  }
  host->alone = &queue->task_lock;
  host->shared = one_in(t, 2) && !t->world->blocks ? &queue->lock : NULL;
  host->thread = t;
  host->index = t->index;
  host->kernel = own_kernel(t, host->context, "node");
  if (syclze_get_native(queue->queue).kind == SYCLZE_NATIVE_QUEUE_QUEUE)
    host->list = own_list(t, host->context);
  if (node->action == ACTION_APPENDS)
    host->signal = node->is_left ? NULL : own_event(t);
  else if (host->context == 0 && one_in(t, 2) && has_event(t))
    host->signal = own_event(t);
  host->waits = node->action == ACTION_APPENDS && !node->is_left && one_in(t, 2);
  return host;
}
