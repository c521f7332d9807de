#include "random_thread.h"

/* Waits for a host accessor, and submits commands while it is open. */
static void enter(
    struct thread *t, struct node *node, syclze_host_accessor accessor, uint32_t first) {
  open_gates(t);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_SUCCESS);
  uint64_t *memory = (uint64_t *)syclze_host_accessor_get_part_pointer(accessor) + first;
  node_run(node, &memory);
  submit_within(t);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
}

bool use_scope(struct thread *t, struct node *node) {
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
    begin_recording(false);
    CHECK_EQ(syclze_host_accessor_create(view, mode, &accessor), ZE_RESULT_SUCCESS);
    end_recording();
    CHECK_EQ(syclze_buffer_release(view), ZE_RESULT_SUCCESS);
    enter(t, node, accessor, 0);
    return true;
  }
  if (!world->ordered && one_in(t, 2)) {
    open_gates(t);
    begin_recording(false);
    CHECK_EQ(syclze_host_accessor_create_range(
                 buffer, mode, access->first, access->end - access->first, &accessor),
        ZE_RESULT_SUCCESS);
    end_recording();
    enter(t, node, accessor, 0);
    return true;
  }
  open_gates(t);
  begin_recording(false);
  if (world->ordered) {
    pthread_mutex_lock(&world->objects[object].lock);
    model(&s);
    world->objects[object].is_home = true;
  }
  CHECK_EQ(syclze_host_accessor_begin(buffer, mode, &accessor, NULL), ZE_RESULT_SUCCESS);
  if (world->ordered) pthread_mutex_unlock(&world->objects[object].lock);
  end_recording();
  enter(t, node, accessor, access->first);
  return true;
}
