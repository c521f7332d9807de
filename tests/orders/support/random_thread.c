#include "random_world.h"

#include <sched.h>
#include <time.h>

/* One thread of a graph. */
struct thread {
  struct random_world *world;
  uint32_t index;
  uint64_t random;
  syclze_kernel kernels[CONTEXTS];
  struct node *recent[QUEUES][RECENT]; /* of this thread, the last first */
  struct node *floor[QUEUES][RECENT];  /* what all that follows a barrier comes after */
  struct {
    ze_event_handle_t event;
    struct node *node;
  } closed[NODES]; /* events of the application, not signalled yet */
  uint32_t closed_count, gate_count;
  const struct node *before; /* the node that was submitted last */
  uint32_t next;             /* the number of the next one */
  uint32_t depth;            /* functions of native commands that it is in */
};

/* A node while it is submitted. */
struct submission {
  struct thread *thread;
  struct node *node;
  syclze_group group;
  syclze_accessor accessors[ACCESSES];
  syclze_event held[3];          /* what the node depends on */
  syclze_buffer views[ACCESSES]; /* parts that it requires by buffers of their own */
};

/* What a function of the host needs, until it has run. */
struct host {
  struct node *node;
  syclze_accessor accessors[ACCESSES];
  uint32_t images, context; /* images: by bits */
  ze_event_handle_t gate;   /* named as one that ends the node; null for none */
  /* Of what appends to its native queue: */
  ze_kernel_handle_t kernel;
  ze_event_handle_t signal;      /* null for none */
  ze_command_list_handle_t list; /* to be executed on a command queue; null for a list */
  bool waits;                    /* for the signal, else it is named */
  pthread_mutex_t *alone;        /* functions append to one list one after the other */
  pthread_mutex_t *shared; /* others hold it while they submit to the queue; null for not taken */
  struct thread *thread;   /* that submits */
  pthread_t self;
};

static bool one_in(struct thread *t, uint32_t number) {
  return random_below(&t->random, number) == 0;
}

/* So that whatever blocks next can go on. */
static void open_gates(struct thread *t) {
  for (uint32_t i = 0; i < t->closed_count; i++) {
    __atomic_store_n(&t->closed[i].node->ran, 1, __ATOMIC_RELEASE);
    CHECK_EQ(zeEventHostSignal(t->closed[i].event), ZE_RESULT_SUCCESS);
  }
  t->closed_count = 0;
}

static ze_event_handle_t own_event(struct thread *t) {
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

static ze_kernel_handle_t own_kernel(struct thread *t, uint32_t context) {
  struct random_world *world = t->world;
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "node"};
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

static void come_after(struct node *node, struct node *before) {
  if (before != NULL && before->is_left) return;
  if (before != NULL && before->runs != 0 && node->before_count < BEFORE)
    node->before[node->before_count++] = before;
  if (before != NULL && before->gate != NULL) come_after(node, before->gate);
}

static bool has_event(const struct thread *t) {
  return t->world->own[t->index].event_count < NODES - 4;
}

/* An event that is signalled before the thread blocks, and the node that stands for it. */
static ze_event_handle_t close_gate(struct thread *t, struct node **node) {
  const ze_event_handle_t event = own_event(t);
  *node = &t->world->gates[t->index][t->gate_count++];
  (*node)->number = t->world->threads * NODES + t->index;
  (*node)->runs = 1;
  t->closed[t->closed_count].event = event;
  t->closed[t->closed_count++].node = *node;
  return event;
}

/* Events that the node depends on: of other nodes, or of the application. */
static void depend(struct submission *s) {
  struct thread *t = s->thread;
  struct random_world *world = t->world;
  syclze_event *kept = s->held;
  uint32_t count = 0;
  if (world->single) return;
  if (one_in(t, 10) && has_event(t)) {
    struct node *node;
    syclze_event_input input = {
        .native_handle = close_gate(t, &node), .ownership = SYCLZE_OWNERSHIP_KEEP};
    syclze_event gate;
    CHECK_EQ(syclze_make_event(&input, world->contexts[0], &gate), ZE_RESULT_SUCCESS);
    syclze_group_depends_on(&s->group, gate);
    come_after(s->node, node);
    kept[count++] = gate;
  }
  while (count < 3 && one_in(t, 3)) {
    pthread_mutex_lock(&world->event_lock);
    struct named *named = &world->events[random_below(&t->random, EVENTS)];
    kept[count] = named->event;
    if (named->event.rep != NULL) CHECK_EQ(syclze_event_retain(named->event), ZE_RESULT_SUCCESS);
    struct node *before = named->node;
    pthread_mutex_unlock(&world->event_lock);
    syclze_group_depends_on(&s->group, kept[count]);
    come_after(s->node, before);
    count++;
  }
}

/* In the order of a queue. */
static void come_after_in_queue(
    const struct random_world *world, struct node *node, struct node *before) {
  const bool is_left = before != NULL && before->is_left;
  if (!is_left)
    come_after(node, before);
  else if (world->queues[node->queue].keeps_left && node->before_count < BEFORE)
    node->before[node->before_count++] = before;
}

static void use_queue(struct submission *s) {
  const struct random_world *world = s->thread->world;
  struct node *node = s->node;
  const struct random_queue *queue = &world->queues[node->queue];
  struct node **recent = s->thread->recent[node->queue], **floor = s->thread->floor[node->queue];
  for (uint32_t i = 0; i < RECENT; i++) {
    come_after(node, floor[i]);
    if (!queue->in_order) continue;
    come_after_in_queue(world, node, recent[i]);
    if (world->ordered) come_after_in_queue(world, node, queue->recent[i]);
  }
}

static void push(struct node **recent, struct node *node) {
  memmove(recent + 1, recent, (RECENT - 1) * sizeof *recent);
  recent[0] = node;
}

static syclze_access_mode mode_of(struct thread *t, const struct node_access *access) {
  static const syclze_access_mode mixing[2] = {SYCLZE_ACCESS_READ_WRITE, SYCLZE_ACCESS_WRITE};
  static const syclze_access_mode setting[2] = {
      SYCLZE_ACCESS_DISCARD_WRITE, SYCLZE_ACCESS_DISCARD_READ_WRITE};
  if (access->how == NODE_READS) return SYCLZE_ACCESS_READ;
  return (access->how & NODE_READS) != 0 ? mixing[random_below(&t->random, 2)]
                                         : setting[random_below(&t->random, 2)];
}

static bool is_whole(const struct node_access *access) {
  return access->first == 0 && access->end == SEGMENTS;
}

/* The access's part as a buffer of its own, of numbers or of bytes; or the buffer. */
static syclze_buffer view_of(
    struct thread *t, syclze_buffer buffer, const struct node_access *access, size_t *unit) {
  const size_t offset = access->first, count = access->end - access->first;
  const size_t bytes = count * sizeof(uint64_t);
  syclze_buffer sub, view;
  *unit = 1;
  CHECK_EQ(syclze_buffer_create_sub(buffer, &offset, &count, &sub), ZE_RESULT_SUCCESS);
  if (one_in(t, 2)) return sub;
  *unit = sizeof(uint64_t);
  CHECK_EQ(syclze_buffer_reinterpret(sub, 1, 1, &bytes, &view), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  return view;
}

static void require(struct submission *s, uint32_t i) {
  struct thread *t = s->thread;
  const struct node_access *access = &s->node->accesses[i];
  struct object *object = &t->world->objects[access->object];
  const syclze_access_mode mode = mode_of(t, access);
  if (object->is_image)
    s->accessors[i] = syclze_require(&s->group, object->image, mode);
  else if (one_in(t, 6)) {
    size_t unit;
    const size_t count = access->end - access->first;
    s->views[i] = view_of(t, object->buffer, access, &unit);
    s->accessors[i] =
        one_in(t, 2) ? syclze_require(&s->group, s->views[i], mode)
                     : syclze_group_require_range(&s->group, s->views[i], mode, 0, count * unit);
  } else if (is_whole(access) && !one_in(t, 4))
    s->accessors[i] = syclze_require(&s->group, object->buffer, mode);
  else
    s->accessors[i] = syclze_group_require_range(
        &s->group, object->buffer, mode, access->first, access->end - access->first);
}

/* What an access finds and leaves, by the model. With the object's lock held. */
static void expect(struct submission *s, struct node_access *access) {
  struct random_world *world = s->thread->world;
  struct object *object = &world->objects[access->object];
  const bool here = object->context == world->queues[s->node->queue].context;
  for (uint32_t i = 0; i < access->end - access->first; i++) {
    uint64_t *model = &object->model[access->first + i];
    access->before[i] = *model;
    if ((access->how & NODE_WRITES) != 0)
      *model = node_mix((access->how & NODE_READS) != 0 ? *model : 0, s->node->number);
  }
  if (here)
    object->is_home = true;
  else if ((access->how & NODE_WRITES) != 0)
    object->is_home = false;
}

/* Functions of the host. */

static ze_result_t run_on_host(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  struct node *node = host->node;
  uint64_t *memory[ACCESSES];
  CHECK_EQ(held_locks, 0);
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
  free(host);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_natively(syclze_interop_handle handle, const struct host *host,
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *waits) {
  const ze_group_count_t groups = {1, 1, 1};
  const ze_kernel_handle_t kernel = host->kernel;
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof host->node, &host->node), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeKernelSetArgumentValue(kernel, 1, sizeof host->images, &host->images), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < host->node->access_count; i++) {
    void *memory;
    if ((host->images >> i & 1) != 0) {
      ze_image_handle_t image;
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &image), ZE_RESULT_SUCCESS);
      memory = image;
    } else {
      uint64_t *bytes;
      CHECK_EQ(syclze_get_native_mem(handle, host->accessors[i], &bytes), ZE_RESULT_SUCCESS);
      memory = bytes + host->node->accesses[i].first;
    }
    CHECK_EQ(zeKernelSetArgumentValue(kernel, 2 + i, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = host->node->access_count; i < ACCESSES; i++)
    CHECK_EQ(zeKernelSetArgumentValue(kernel, 2 + i, sizeof(void *), NULL), ZE_RESULT_SUCCESS);
  return zeCommandListAppendLaunchKernel(list, kernel, &groups, host->signal, count, waits);
}

/* To the native queue of the handle. */
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

static void submit(struct thread *t);

/* What a function may do besides, on the submitting thread: submit more, to its own queue too. */
static void submit_within(struct thread *t) {
  t->depth++;
  while (t->next < NODES && one_in(t, 3))
    submit(t);
  t->depth--;
}

/* A native command, on the submitting thread or a worker. */
static ze_result_t run_natively(syclze_interop_handle handle, void *argument) {
  struct host *host = argument;
  const bool submits = pthread_equal(host->self, pthread_self()) && !host->thread->world->ordered;
  uint32_t count;
  const ze_event_handle_t *waits;
  CHECK_EQ(held_locks, 0);
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, &waits), ZE_RESULT_SUCCESS);
  if (host->shared != NULL && (submits || !pthread_equal(host->self, pthread_self()))) {
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
static ze_result_t run_appending(syclze_interop_handle handle, void *argument) {
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

static uint32_t images_of(const struct submission *s) {
  uint32_t images = 0;
  for (uint32_t i = 0; i < s->node->access_count; i++)
    images |= (uint32_t)s->thread->world->objects[s->node->accesses[i].object].is_image << i;
  return images;
}

static syclze_kernel kernel_for(struct thread *t, uint32_t context) {
  syclze_kernel *kernel = &t->kernels[context];
  if (kernel->rep == NULL)
    CHECK_EQ(syclze_kernel_create(t->world->bundles[context], "node", kernel), ZE_RESULT_SUCCESS);
  return *kernel;
}

static ze_result_t launch(struct submission *s, syclze_event *event) {
  struct node *node = s->node;
  const uint32_t images = images_of(s), context = s->thread->world->queues[node->queue].context;
  const syclze_nd_range range = {.global = {1}, .local = {1}, .dimensions = 1};
  syclze_argument arguments[2 + ACCESSES] = {syclze_arg(node), syclze_arg(images)};
  uint64_t none = 0;
  for (uint32_t i = 0; i < ACCESSES; i++)
    arguments[2 + i] = i < node->access_count
                           ? syclze_argument_accessor(&s->accessors[i], sizeof s->accessors[i])
                           : syclze_argument_value(&none, sizeof none);
  syclze_kernel kernel = kernel_for(s->thread, context);
  ze_result_t result =
      syclze_group_launch(&s->group, kernel, &range, arguments, 2 + ACCESSES, event);
  if (one_in(s->thread, 4)) {
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
    s->thread->kernels[context].rep = NULL;
  }
  return result;
}

static ze_result_t copy(struct submission *s, syclze_event *event) {
  const struct node_access *to = &s->node->accesses[0], *from = &s->node->accesses[1];
  const struct object *objects = s->thread->world->objects;
  const size_t size = (to->end - to->first) * sizeof(uint64_t);
  const __typeof__(syclze_mem_arg(s->accessors[0])) out = syclze_mem_arg(s->accessors[0]),
                                                    in = syclze_mem_arg(s->accessors[1]);
  const bool to_image = objects[to->object].is_image, from_image = objects[from->object].is_image;
  if (to_image && from_image)
    return syclze_group_copy_image(&s->group, s->accessors[0], s->accessors[1], event);
  const ze_image_region_t region = {0, 0, 0, SEGMENTS * 2, 1, 1};
  if (to_image) return syclze_group_copy_to_image(&s->group, s->accessors[0], in, &region, event);
  if (from_image)
    return syclze_group_copy_from_image(&s->group, out, s->accessors[1], &region, event);
  if (s->node->action == ACTION_PART) return syclze_group_copy_part(&s->group, out, in, event);
  return syclze_group_copy(&s->group, out, in, size, event);
}

/* What a function of the host is given, which frees it. */
static struct host *host_for(const struct submission *s) {
  struct thread *t = s->thread;
  struct node *node = s->node;
  struct random_queue *queue = &t->world->queues[node->queue];
  struct host *host = calloc(1, sizeof *host);
  CHECK(host != NULL);
  host->node = node;
  host->images = images_of(s);
  host->context = queue->context;
  memcpy(host->accessors, s->accessors, sizeof host->accessors);
  if (node->action == ACTION_HOST) {
    if (host->context == 0 && one_in(t, 4) && has_event(t)) host->gate = close_gate(t, &node->gate);
    return host;
  }
  host->alone = &queue->task_lock;
  host->shared = one_in(t, 2) ? &queue->lock : NULL;
  host->thread = t;
  host->self = pthread_self();
  host->kernel = own_kernel(t, host->context);
  if (syclze_get_native(queue->queue).kind == SYCLZE_NATIVE_QUEUE_QUEUE)
    host->list = own_list(t, host->context);
  if (node->action == ACTION_APPENDS)
    host->signal = node->is_left ? NULL : own_event(t);
  else if (host->context == 0 && one_in(t, 2) && has_event(t))
    host->signal = own_event(t);
  host->waits = node->action == ACTION_APPENDS && !node->is_left && one_in(t, 2);
  return host;
}

static ze_result_t act(struct submission *s, syclze_event *event) {
  struct node *node = s->node;
  const uint64_t pattern = node_mix(0, node->number);
  switch (node->action) {
  case ACTION_HOST:
    return syclze_group_host_task(&s->group, run_on_host, host_for(s), event);
  case ACTION_APPENDS:
    return syclze_group_host_task(&s->group, run_appending, host_for(s), event);
  case ACTION_NATIVE:
    return syclze_group_native_command(&s->group, run_natively, host_for(s), event);
  case ACTION_FILL:
    return syclze_group_fill(&s->group, syclze_mem_arg(s->accessors[0]), &pattern, sizeof pattern,
        (node->accesses[0].end - node->accesses[0].first) * sizeof pattern, event);
  case ACTION_COPY:
  case ACTION_PART:
    return copy(s, event);
  case ACTION_BARRIER:
    return syclze_group_barrier(&s->group, event);
  default:
    return launch(s, event);
  }
}

/* An object that the node does not use yet and the queue can; false if there is none. */
static bool choose_object(struct thread *t, struct node *node, bool images, uint32_t *object) {
  const struct random_world *world = t->world;
  const uint32_t context = world->queues[node->queue].context;
  for (int tries = 0; tries < 8; tries++) {
    *object = random_below(&t->random, world->object_count);
    if (world->hosts && tries == 0 && !one_in(t, 8)) *object = node->queue % world->object_count;
    bool fits = true;
    for (uint32_t i = 0; i < node->access_count; i++)
      fits = fits && node->accesses[i].object != *object;
    if (world->objects[*object].is_image) fits = fits && images && context == 0;
    if (fits) return true;
  }
  return false;
}

static void add_access(struct thread *t, struct node *node, uint32_t object, uint32_t how) {
  struct node_access *access = &node->accesses[node->access_count++];
  access->object = object;
  access->how = how;
  access->end = SEGMENTS;
  if (t->world->objects[object].is_image || t->world->single || one_in(t, 2)) return;
  access->first = random_below(&t->random, SEGMENTS);
  access->end = access->first + 1 + random_below(&t->random, SEGMENTS - access->first);
}

static void choose_accesses(struct thread *t, struct node *node) {
  uint32_t count = random_below(&t->random, ACCESSES + 1), object;
  const bool code = node->runs != 0;
  if (node->action == ACTION_BARRIER || node->is_left) return;
  if (node->action == ACTION_FILL) count = 1;
  if (node->action == ACTION_COPY || node->action == ACTION_PART) count = 2;
  if (t->world->single && code) count = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!choose_object(
            t, node, node->action != ACTION_FILL && node->action != ACTION_PART, &object))
      break;
    uint32_t how = one_in(t, 2) ? NODE_READS : NODE_READS | NODE_WRITES;
    if (code && t->world->ordered && one_in(t, 5)) how = NODE_WRITES;
    if (t->world->hosts && !one_in(t, 8)) how |= NODE_WRITES;
    if (!code) how = i == 0 ? NODE_WRITES : NODE_READS;
    add_access(t, node, object, how);
  }
  if (!code && node->access_count < count) { /* nothing to copy from */
    node->action = ACTION_BARRIER;
    node->access_count = 0;
  }
  if (node->access_count < 2 || code) return;
  /* Of the same length, and an image's is whole. */
  struct node_access *to = &node->accesses[0], *from = &node->accesses[1];
  const struct object *objects = t->world->objects;
  if (objects[to->object].is_image || objects[from->object].is_image) {
    to->first = from->first = 0;
    to->end = from->end = SEGMENTS;
  }
  const uint32_t length = to->end - to->first;
  if (from->first + length > SEGMENTS) from->first = SEGMENTS - length;
  from->end = from->first + length;
}

/* The same accesses of the same queue again, by a kernel or a host task. */
static void repeat(struct thread *t, struct node *node) {
  node->queue = t->before->queue;
  node->action = t->world->hosts && !one_in(t, 4) ? ACTION_HOST : ACTION_KERNEL;
  node->is_left = false;
  node->runs = 1;
  for (uint32_t i = 0; i < t->before->access_count; i++) {
    struct node_access *access = &node->accesses[node->access_count++];
    access->object = t->before->accesses[i].object;
    access->first = t->before->accesses[i].first;
    access->end = t->before->accesses[i].end;
    access->how = t->before->accesses[i].how;
    if (!t->world->ordered) access->how |= NODE_READS;
  }
}

/* In a free graph only the queue, around some submissions that call no function of this file. */
static void lock_all(struct random_world *world, const struct node *node, bool lock) {
  if (!world->ordered && (node->action == ACTION_NATIVE || node->number % 2 != 0)) return;
  for (uint32_t o = 0; world->ordered && o < world->object_count; o++)
    for (uint32_t i = 0; i < node->access_count; i++)
      if (node->accesses[i].object == o) {
        if (lock)
          pthread_mutex_lock(&world->objects[o].lock);
        else
          pthread_mutex_unlock(&world->objects[o].lock);
      }
  struct random_queue *queue = &world->queues[node->queue];
  if (lock)
    pthread_mutex_lock(&queue->lock);
  else
    pthread_mutex_unlock(&queue->lock);
}

static void model(struct submission *s) {
  struct node *node = s->node;
  struct random_world *world = s->thread->world;
  if (!world->ordered) return;
  if (node->action != ACTION_COPY && node->action != ACTION_PART) {
    for (uint32_t i = 0; i < node->access_count; i++)
      expect(s, &node->accesses[i]);
    return;
  }
  struct node_access *to = &node->accesses[0], *from = &node->accesses[1];
  expect(s, from);
  expect(s, to);
  memcpy(&world->objects[to->object].model[to->first], from->before,
      (to->end - to->first) * sizeof(uint64_t));
}

static void publish(struct thread *t, struct node *node, syclze_event event) {
  struct random_world *world = t->world;
  if (event.rep == NULL) return;
  pthread_mutex_lock(&world->event_lock);
  struct named *named = &world->events[random_below(&t->random, EVENTS)];
  syclze_event old = named->event;
  named->event = event;
  named->node = node;
  pthread_mutex_unlock(&world->event_lock);
  CHECK_EQ(syclze_event_release(old), ZE_RESULT_SUCCESS);
}

static void note_submitted(struct submission *s, bool depends) {
  struct thread *t = s->thread;
  struct node *node = s->node;
  if (node->action == ACTION_BARRIER) {
    if (depends) return;
    memcpy(t->floor[node->queue], t->recent[node->queue], sizeof t->floor[node->queue]);
    return;
  }
  push(t->recent[node->queue], node);
  if (t->world->ordered) push(t->world->queues[node->queue].recent, node);
}

static enum action choose_action(struct thread *t) {
  if (t->world->hosts && !one_in(t, 8)) return one_in(t, 4) ? ACTION_APPENDS : ACTION_HOST;
  if (t->world->single) return t->world->ordered && one_in(t, 3) ? ACTION_FILL : ACTION_KERNEL;
  if (!t->world->ordered) { /* what can be noted */
    const uint32_t choice = random_below(&t->random, 9);
    return choice < 4   ? ACTION_KERNEL
           : choice < 6 ? ACTION_HOST
           : choice < 7 ? ACTION_NATIVE
           : choice < 8 ? ACTION_APPENDS
                        : ACTION_BARRIER;
  }
  return one_in(t, 3) ? ACTION_KERNEL : (enum action)random_below(&t->random, ACTIONS);
}

/* Has the node be one that the queue can run. */
static void settle_action(struct thread *t, struct node *node) {
  const struct random_queue *queue = &t->world->queues[node->queue];
  const bool appends = node->action == ACTION_APPENDS;
  if ((node->action == ACTION_NATIVE || appends) && queue->context == 2)
    node->action = ACTION_KERNEL;
  if (node->action != ACTION_APPENDS) return;
  /* A list of the library's own is destroyed once it is empty. */
  node->is_left = queue->native_list == NULL &&
                  syclze_get_native(queue->queue).kind == SYCLZE_NATIVE_QUEUE_LIST && one_in(t, 3);
  if (!node->is_left && (queue->context != 0 || !has_event(t))) node->action = ACTION_HOST;
}

/* What was waited for. */
static void check_has_run(const struct random_world *world, const struct node *node) {
  if (node->is_left && !world->queues[node->queue].keeps_left) return;
  if (node->runs != 0) CHECK(node_has_run(node));
  if (node->gate != NULL) CHECK(node_has_run(node->gate));
}

/* The queue of the next node. */
static uint32_t choose_queue(struct thread *t) {
  static const uint32_t lists[] = {0, 1, 2, 9}; /* of the first context */
  const uint32_t queue = random_below(&t->random, QUEUES);
  return t->world->single ? lists[queue % 4] : queue;
}

/* What a host accessor waits for and what its thread submits while it is open. */
static void use_scope(
    struct thread *t, struct node *node, syclze_host_accessor accessor, uint32_t first) {
  open_gates(t);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_SUCCESS);
  uint64_t *memory = (uint64_t *)syclze_host_accessor_get_part_pointer(accessor) + first;
  node_run(node, &memory);
  submit_within(t);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
}

/* A scope of the host on one buffer, whose place in an ordered graph is that of its beginning. */
static bool scope(struct thread *t, struct node *node) {
  struct random_world *world = t->world;
  struct submission s = {.thread = t, .node = node};
  uint32_t object;
  if (!choose_object(t, node, false, &object)) return false;
  const uint32_t how = one_in(t, 2) ? NODE_READS : NODE_READS | NODE_WRITES;
  node->action = ACTION_SCOPE;
  node->runs = 1;
  add_access(t, node, object, world->ordered && one_in(t, 5) ? NODE_WRITES : how);
  const struct node_access *access = &node->accesses[0];
  const syclze_buffer buffer = world->objects[object].buffer;
  const syclze_access_mode mode =
      access->how == NODE_READS ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_READ_WRITE;
  syclze_host_accessor accessor;
  if (!world->ordered && one_in(t, 3)) {
    size_t unit;
    const syclze_buffer view = view_of(t, buffer, access, &unit);
    open_gates(t);
    CHECK_EQ(syclze_host_accessor_create(view, mode, &accessor), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_release(view), ZE_RESULT_SUCCESS);
    use_scope(t, node, accessor, 0);
    return true;
  }
  if (!world->ordered && one_in(t, 2)) {
    open_gates(t);
    CHECK_EQ(syclze_host_accessor_create_range(
                 buffer, mode, access->first, access->end - access->first, &accessor),
        ZE_RESULT_SUCCESS);
    use_scope(t, node, accessor, 0);
    return true;
  }
  if (world->ordered) {
    pthread_mutex_lock(&world->objects[object].lock);
    model(&s);
    world->objects[object].is_home = true;
  }
  CHECK_EQ(syclze_host_accessor_begin(buffer, mode, &accessor, NULL), ZE_RESULT_SUCCESS);
  if (world->ordered) pthread_mutex_unlock(&world->objects[object].lock);
  use_scope(t, node, accessor, access->first);
  return true;
}

static void submit(struct thread *t) {
  struct random_world *world = t->world;
  const uint32_t i = t->next++;
  struct node *node = &world->nodes[t->index][i];
  struct submission s = {.thread = t, .node = node};
  node->number = t->index * NODES + i;
  node->thread = t->index;
  node->queue = choose_queue(t);
  node->notes = !world->ordered;
  if (t->depth == 0 && one_in(t, 8) && scope(t, node)) return;
  node->action = choose_action(t);
  settle_action(t, node);
  node->runs = node->action == ACTION_KERNEL || node->action == ACTION_HOST ||
               node->action == ACTION_NATIVE || node->action == ACTION_APPENDS;
  node->delay = one_in(t, 4) ? random_below(&t->random, 100) : 0;
  if (t->before != NULL && one_in(t, 3))
    repeat(t, node);
  else
    choose_accesses(t, node);
  t->before = node;
  lock_all(world, node, true);
  model(&s);
  s.group = syclze_group_begin(world->queues[node->queue].queue);
  use_queue(&s);
  depend(&s);
  const bool depends = s.group.event_count != 0;
  for (uint32_t a = 0; a < node->access_count; a++)
    require(&s, a);
  note_submitted(&s, depends);
  syclze_event event = {NULL};
  CHECK_EQ(act(&s, one_in(t, 2) ? &event : NULL), ZE_RESULT_SUCCESS);
  lock_all(world, node, false);
  for (uint32_t e = 0; e < 3; e++)
    CHECK_EQ(syclze_event_release(s.held[e]), ZE_RESULT_SUCCESS);
  for (uint32_t a = 0; a < ACCESSES; a++)
    CHECK_EQ(syclze_buffer_release(s.views[a]), ZE_RESULT_SUCCESS);
  /* Within a function what it has submitted may wait for the function's group. */
  if (event.rep != NULL && t->depth == 0 && one_in(t, 8)) {
    open_gates(t);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    if (!node->is_left) check_has_run(world, node);
  }
  publish(t, node, event);
  if (t->depth == 0 && one_in(t, 12)) {
    open_gates(t);
    CHECK_EQ(syclze_queue_wait(world->queues[node->queue].queue), ZE_RESULT_SUCCESS);
    for (uint32_t r = 0; r < RECENT; r++)
      if (t->recent[node->queue][r] != NULL) check_has_run(world, t->recent[node->queue][r]);
  }
  if (one_in(t, 6)) open_gates(t);
}

static ze_result_t release(struct random_world *world, uint32_t index) {
  if (index < OBJECTS) {
    ze_result_t result = syclze_buffer_release(world->objects[index].buffer);
    return result != ZE_RESULT_SUCCESS ? result : syclze_image_release(world->objects[index].image);
  }
  index -= OBJECTS;
  if (index < QUEUES) return syclze_queue_release(world->queues[index].queue);
  index -= QUEUES;
  if (index < CONTEXTS) return syclze_context_release(world->contexts[index]);
  return syclze_kernel_bundle_release(world->bundles[index - CONTEXTS]);
}

void random_thread(struct random_world *world, uint32_t index) {
  enum { ALL = OBJECTS + QUEUES + 2 * CONTEXTS };
  struct thread *t = calloc(1, sizeof *t);
  t->world = world;
  t->index = index;
  t->random = world->seed * 1000003 + index;
  while (t->next < NODES)
    submit(t);
  open_gates(t);
  for (uint32_t i = 0; i < CONTEXTS; i++)
    CHECK_EQ(syclze_kernel_release(t->kernels[i]), ZE_RESULT_SUCCESS);
  uint32_t order[ALL];
  for (uint32_t i = 0; i < ALL; i++) {
    const uint32_t at = random_below(&t->random, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (uint32_t i = 0; i < ALL; i++)
    CHECK_EQ(release(world, order[i]), ZE_RESULT_SUCCESS);
  free(t);
}
