#include "random_thread.h"

/* An object that the node does not use yet and the queue can; false if there is none. */
bool choose_object(struct thread *t, struct node *node, bool images, uint32_t *object) {
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

void add_access(struct thread *t, struct node *node, uint32_t object, uint32_t how) {
  struct node_access *access = &node->accesses[node->access_count++];
  access->object = object;
  access->how = how;
  access->end = SEGMENTS;
  if (t->world->objects[object].is_image || t->world->single || one_in(t, 2)) return;
  access->first = random_below(&t->random, SEGMENTS);
  access->end = access->first + 1 + random_below(&t->random, SEGMENTS - access->first);
}

void choose_accesses(struct thread *t, struct node *node) {
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
  /* The accesses have the same length; that of an image is whole. */
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

enum action choose_action(struct thread *t) {
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

void settle_action(struct thread *t, struct node *node) {
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

/* The queue of the next node. */
uint32_t choose_queue(struct thread *t) {
  static const uint32_t lists[] = {0, 1, 2, 9}; /* of the first context */
  const uint32_t queue = random_below(&t->random, QUEUES);
  return t->world->single ? lists[queue % 4] : queue;
}
