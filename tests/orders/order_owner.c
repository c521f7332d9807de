/* Ownership of memory by in-order queues, which leaves nothing to gather and to record: it is had
   again once the work of others is done. */
#undef SYCLZE_DECLARATIONS
#include "support/scene.h"

#include "syclze/command/detail/order/access.h"

static struct scene_base scene;
static syclze_kernel kernel;

/* A launch that accesses the first elements of a buffer; all of it for no count. */
static void launch(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, size_t count) {
  static const syclze_nd_range one = {.global = {1}, .local = {1}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor accessor = count == 0
                                 ? syclze_require(&group, buffer, mode)
                                 : syclze_group_require_range(&group, buffer, mode, 0, count);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(node), syclze_arg(accessor)), 0);
}

/* What uses a buffer elsewhere. */
enum use { LAUNCH, PART, HOST_TASK, NATIVE, HOST_ACCESSOR, USES };

static ze_result_t do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  return ZE_RESULT_SUCCESS;
}

static void use_buffer(enum use use, syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode) {
  syclze_host_accessor accessor;
  syclze_group group;
  switch (use) {
  case LAUNCH:
    launch(queue, node, buffer, mode, 0);
    return;
  case PART:
    launch(queue, node, buffer, mode, 2);
    return;
  case HOST_TASK:
  case NATIVE:
    group = syclze_group_begin(queue);
    (void)syclze_require(&group, buffer, mode);
    if (use == HOST_TASK)
      CHECK_EQ(syclze_group_host_task(&group, do_nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    else
      CHECK_EQ(syclze_group_native_command(&group, do_nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    return;
  case HOST_ACCESSOR:
    strict_hold(false);
    CHECK_EQ(syclze_host_accessor_create(buffer, mode, &accessor), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    strict_hold(true);
    return;
  case USES:
    return;
  }
}

/* Each read or write of another queue or the host, then reads or writes of this one. */
TEST(a_queue_owns_what_it_uses_once_others_are_done) {
  enum { TIMES = 10 };
  static const uint32_t flags[] = {0, SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  for (uint32_t i = 0; i < USES * 8; i++) {
    const syclze_access_mode mode = i & 1 ? SYCLZE_ACCESS_READ_WRITE : SYCLZE_ACCESS_READ;
    const syclze_access_mode own = i & 2 ? SYCLZE_ACCESS_READ_WRITE : SYCLZE_ACCESS_READ;
    const enum use use = (enum use)(i >> 3);
    struct node *node = use <= PART ? node_after(NULL) : NULL;
    kernel = scene_begin_held(&scene);
    syclze_queue other = scene_queue(&scene, flags[i >> 2 & 1]);
    syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
    syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    use_buffer(use, other, node, buffer, mode);
    scene_run_all();
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
    if (node != NULL) node_end(node);
    for (int j = 0; j < TIMES; j++) {
      struct node *again = node_after(NULL);
      launch(queue, again, buffer, own, 0);
      scene_run_all();
      CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
      node_end(again);
    }
    const struct syclze__accesses *all = syclze__accesses_of(&buffer.rep->memory);
    /* What another in-order queue reads of a part is recorded without an event to ask. */
    if (i != PART * 8 + 4) CHECK(all->owner == syclze__queue_state_get(queue.rep));
    scene_end_queue(other);
    scene_end_queue(queue);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    scene_end_with(&scene, kernel);
  }
}

/* A writer behind the reads of two queues waits for all of them, also when those that were
   submitted last are the last to run. */
TEST(a_read_beside_a_pending_one_is_recorded) {
  enum { READS = 10 };
  struct node *nodes[1 + READS], *writer = node_after(NULL);
  struct node *gate = node_after(NULL), *behind = node_after(gate);
  kernel = scene_begin_held(&scene);
  syclze_queue other = scene_queue(&scene, 0);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  syclze_buffer gated = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  launch(other, gate, gated, SYCLZE_ACCESS_WRITE, 0);
  launch(queue, behind, gated, SYCLZE_ACCESS_READ, 0);
  for (int i = 0; i <= READS; i++) {
    nodes[i] = node_after(NULL);
    launch(i == 0 ? other : queue, nodes[i], buffer, SYCLZE_ACCESS_READ, 0);
    CHECK(syclze__accesses_of(&buffer.rep->memory)->owner == NULL);
    writer->before[writer->before_count++] = nodes[i];
  }
  launch(other, writer, buffer, SYCLZE_ACCESS_WRITE, 0);
  CHECK_EQ(strict_step(1), 1);
  CHECK(node_has_run(nodes[0]));
  scene_run_all();
  scene_end_queue(other);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gated), ZE_RESULT_SUCCESS);
  for (int i = 0; i <= READS; i++)
    node_end(nodes[i]);
  node_end(gate);
  node_end(behind);
  node_end(writer);
  scene_end_with(&scene, kernel);
}

TEST_MAIN(a_queue_owns_what_it_uses_once_others_are_done, a_read_beside_a_pending_one_is_recorded)
