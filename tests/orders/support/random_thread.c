#include "random_thread.h"

void open_gates(struct thread *t) {
  for (uint32_t i = 0; i < t->closed_count; i++) {
    __atomic_store_n(&t->closed[i].node->ran, 1, __ATOMIC_RELEASE);
    CHECK_EQ(zeEventHostSignal(t->closed[i].event), ZE_RESULT_SUCCESS);
  }
  t->closed_count = 0;
}

static void add_before(struct node *node, struct node *before) {
  for (uint32_t i = 0; i < node->before_count; i++)
    if (node->before[i] == before) return;
  if (node->before_count < BEFORE) node->before[node->before_count++] = before;
}

void come_after(struct node *node, struct node *before) {
  for (; before != NULL && !before->is_left; before = before->gate)
    if (before->runs != 0) add_before(node, before);
}

/* Events that the node depends on: of other nodes, or of the application. */
void depend(struct submission *s) {
  struct thread *t = s->thread;
  struct random_world *world = t->world;
  syclze_event *kept = s->held;
  uint32_t count = 0;
  if (world->single) return;
  if (!world->blocks && one_in(t, 10) && has_event(t)) {
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
  else if (world->queues[node->queue].keeps_left)
    add_before(node, before);
}

void use_queue(struct submission *s) {
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

/* Applies an access to the model: the contents before and after it. Needs the object's lock. */
static void expect(struct submission *s, struct node_access *access) {
  struct random_world *world = s->thread->world;
  struct object *object = &world->objects[access->object];
  const bool here = object->context == world->queues[s->node->queue].context;
  for (uint32_t i = 0; i < access->end - access->first; i++) {
    uint64_t *model = &object->model[access->first + i];
    access->before[i] = *model;
    if ((access->how & NODE_WRITES) != 0)
      *model = node_mix((access->how & NODE_READS) != 0 ? *model : 0,
          s->node->action == ACTION_FILL ? s->node->fills : s->node->number);
  }
  if (here)
    object->is_home = true;
  else if ((access->how & NODE_WRITES) != 0)
    object->is_home = false;
}

/* Repeats the accesses on the same queue, by a kernel or a host task. */
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

void lock_for(struct random_world *world, const struct node *node, uint32_t objects, bool is_native,
    bool lock) {
  struct random_queue *queue = &world->queues[node->queue];
  if (!world->ordered && (is_native || node->number % 2 != 0)) return;
  for (uint32_t o = 0; world->ordered && o < world->object_count; o++) {
    if ((objects >> o & 1) == 0) continue;
    if (lock)
      pthread_mutex_lock(&world->objects[o].lock);
    else
      pthread_mutex_unlock(&world->objects[o].lock);
  }
  if (lock)
    pthread_mutex_lock(&queue->lock);
  else
    pthread_mutex_unlock(&queue->lock);
}

void model(struct submission *s) {
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

void note_submitted(struct submission *s, bool depends) {
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

/* Checks what was waited for. */
static void check_has_run(const struct random_world *world, const struct node *node) {
  if (node->is_left && !world->queues[node->queue].keeps_left) return;
  for (; node != NULL; node = node->gate)
    if (node->runs != 0) CHECK(node_has_run(node));
}

void end_submission(struct submission *s, syclze_event event) {
  struct thread *t = s->thread;
  struct random_world *world = t->world;
  struct node *node = s->node;
  for (uint32_t e = 0; e < 3; e++)
    CHECK_EQ(syclze_event_release(s->held[e]), ZE_RESULT_SUCCESS);
  for (uint32_t a = 0; a < ACCESSES; a++)
    CHECK_EQ(syclze_buffer_release(s->views[a]), ZE_RESULT_SUCCESS);
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

static void submit(struct thread *t);

/* Submits more, within a function or a scope of the thread, to its own queue too. */
void submit_within(struct thread *t) {
  t->depth++;
  while (t->next < NODES && one_in(t, 3))
    submit(t);
  t->depth--;
}

static uint32_t objects_of(const struct node *node) {
  uint32_t objects = 0;
  for (uint32_t i = 0; i < node->access_count; i++)
    objects |= 1u << node->accesses[i].object;
  return objects;
}

static void submit(struct thread *t) {
  struct random_world *world = t->world;
  if (one_in(t, 6) && use_graph(t)) return;
  if (one_in(t, 4)) use_own(t);
  const uint32_t i = t->next++;
  struct node *node = &world->nodes[t->index][i];
  node->number = node->fills = t->index * NODES + i;
  node->thread = t->index;
  node->queue = choose_queue(t);
  node->notes = !world->ordered;
  if (t->depth == 0 && one_in(t, 8) && use_scope(t, node)) return;
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
  struct submission s = {.thread = t, .node = node, .queue = world->queues[node->queue].queue};
  const bool is_native = node->action == ACTION_NATIVE;
  lock_for(world, node, objects_of(node), is_native, true);
  model(&s);
  s.group = syclze_group_begin(s.queue);
  use_queue(&s);
  depend(&s);
  const bool depends = s.group.event_count != 0;
  for (uint32_t a = 0; a < node->access_count; a++)
    require(&s, a);
  note_submitted(&s, depends);
  syclze_event event = {NULL};
  CHECK_EQ(act(&s, one_in(t, 2) ? &event : NULL), ZE_RESULT_SUCCESS);
  lock_for(world, node, objects_of(node), is_native, false);
  end_submission(&s, event);
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

_Thread_local uint32_t random_index = UINT32_MAX;

void random_thread(struct random_world *world, uint32_t index) {
  enum { ALL = OBJECTS + QUEUES + 2 * CONTEXTS };
  struct thread *t = calloc(1, sizeof *t);
  t->world = world;
  t->index = random_index = index;
  t->random = world->seed * 1000003 + index;
  while (t->next < NODES)
    submit(t);
  open_gates(t);
  end_owns(t);
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
  random_index = UINT32_MAX;
  free(t);
}
