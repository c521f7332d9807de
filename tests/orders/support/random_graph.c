#include "random_thread.h"
#include "tests/finalize.h"

/* Graphs that are recorded by one thread, and submitted by any: each step of each submission is a
 * node of the submitting thread. */

static void drop_both(struct random_graph *graph) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_graph_release(graph->both[i]), ZE_RESULT_SUCCESS);
    graph->both[i].rep = NULL;
  }
}

static void drop(struct random_graph *graph) {
  CHECK_EQ(syclze_executable_graph_release(graph->executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(graph->kernel), ZE_RESULT_SUCCESS);
  drop_both(graph);
  graph->executable.rep = NULL;
  graph->kernel.rep = NULL;
}

/* Records the graph with another kernel too, for updates of nodes. */
static void record_other(struct thread *t, struct random_graph *graph) {
  const syclze_kernel kernel = graph->kernel;
  uint32_t plain[GRAPH_STEPS];
  for (uint32_t i = 0; i < graph->count; i++)
    plain[i] = graph->steps[i].plain;
  CHECK_EQ(syclze_kernel_create(t->world->bundles[graph->context], "step", &graph->kernel),
      ZE_RESULT_SUCCESS);
  graph->both[1] = record(t, graph);
  CHECK_EQ(syclze_kernel_release(graph->kernel), ZE_RESULT_SUCCESS);
  graph->kernel = kernel;
  for (uint32_t i = 0; i < graph->count; i++) {
    struct graph_step *step = &graph->steps[i];
    step->other = step->step;
    step->step = step->recorded;
    step->plain &= plain[i];
  }
}

/* Another graph in its place. With its lock, and that of recordings. */
static void build(struct thread *t, struct random_graph *graph) {
  static const uint32_t flags[] = {
      0, SYCLZE_GRAPH_UPDATABLE, SYCLZE_GRAPH_UPDATABLE, FINALIZE_CAPTURED};
  const uint32_t flag = flags[random_below(&t->random, 4)];
  drop(graph);
  graph->context = t->world->single || !one_in(t, 4) ? 0 : 1;
  graph->updatable = flag == SYCLZE_GRAPH_UPDATABLE;
  graph->is_moved = graph->is_mixed = false;
  CHECK_EQ(syclze_kernel_create(t->world->bundles[graph->context], "step", &graph->kernel),
      ZE_RESULT_SUCCESS);
  choose_steps(t, graph);
  const syclze_graph recorded = record(t, graph);
  const uint32_t times = one_in(t, 2) ? SYCLZE_GRAPH_PROFILING : 0;
  CHECK_EQ(finalize_as(flag | times, recorded, &graph->executable), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < graph->count; i++) {
    graph->steps[i].kernel = 0;
    graph->steps[i].recorded = graph->steps[i].step;
  }
  if (graph->updatable && t->build_count < BUILDS && one_in(t, 2)) {
    t->build_count++;
    graph->both[0] = recorded;
    record_other(t, graph);
  } else
    CHECK_EQ(syclze_graph_release(recorded), ZE_RESULT_SUCCESS);
}

/* All steps, by a graph that is recorded in the same way: at once, or node by node. */
static void update_all(struct thread *t, struct random_graph *graph) {
  drop_both(graph);
  const syclze_graph recorded = record(t, graph);
  const uint32_t nodes = one_in(t, 2) ? syclze_graph_get_node_count(recorded) : 0;
  for (uint32_t i = 0; i < nodes; i++)
    CHECK_EQ(
        syclze_executable_graph_update_node(graph->executable, i, recorded, i), ZE_RESULT_SUCCESS);
  if (nodes == 0)
    CHECK_EQ(syclze_executable_graph_update(graph->executable, recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(recorded), ZE_RESULT_SUCCESS);
}

/* True if the step may access the object in place of another: others that do are ordered. */
static bool may_use(const struct random_world *world, const struct random_graph *graph, uint32_t i,
    uint32_t object) {
  if (world->objects[object].is_image || world->objects[object].context != graph->context)
    return false;
  for (uint32_t other = 0; other < graph->count; other++)
    for (uint32_t a = 0; a < graph->steps[other].node.access_count; a++) {
      if (graph->steps[other].node.accesses[a].object != object) continue;
      if (other == i || !is_ordered(graph, other < i ? other : i, other < i ? i : other))
        return false;
    }
  return true;
}

/* True if the access is an argument that may be one of another object. */
static bool is_movable(const struct random_world *world, const struct random_graph *graph,
    uint32_t i, uint32_t access, uint32_t object) {
  const struct graph_step *step = &graph->steps[i];
  return step->node.action == ACTION_KERNEL && step->index != UINT32_MAX &&
         (step->plain >> access & 1) != 0 && may_use(world, graph, i, object);
}

/* Another object for an access of one, and for some of the others of that. */
static void update_buffer(
    struct thread *t, struct random_graph *graph, uint32_t first, uint32_t access) {
  const uint32_t before = graph->steps[first].node.accesses[access].object;
  uint32_t object = random_below(&t->random, t->world->object_count);
  syclze_graph_argument places[GRAPH_STEPS * ACCESSES];
  uint32_t *moved[GRAPH_STEPS * ACCESSES], count = 0;
  for (uint32_t tries = 0; !is_movable(t->world, graph, first, access, object); tries++) {
    if (tries == t->world->object_count) return;
    object = (object + 1) % t->world->object_count;
  }
  const syclze_buffer buffer = t->world->objects[object].buffer;
  const bool all = one_in(t, 2);
  for (uint32_t i = 0; i < graph->count; i++)
    for (uint32_t a = 0; a < graph->steps[i].node.access_count; a++) {
      uint32_t *is = &graph->steps[i].node.accesses[a].object;
      if (*is != before || !is_movable(t->world, graph, i, a, object)) continue;
      if ((i != first || a != access) && !all && one_in(t, 2)) continue;
      moved[count] = is;
      places[count++] = (syclze_graph_argument){graph->steps[i].index, 2 + a};
    }
  CHECK_EQ(count == 1 && one_in(t, 2) ? syclze_executable_graph_update_buffer(
                                            graph->executable, places->node, places->index, buffer)
                                      : syclze_executable_graph_update_parameter_buffer(
                                            graph->executable, places, count, buffer),
      ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    *moved[i] = object;
  graph->is_moved = true;
}

/* Another kernel for a step, which has the memory that was recorded. */
static void update_kernel(struct random_graph *graph, struct graph_step *step) {
  struct step *other = step->other;
  if (graph->both[1].rep == NULL || graph->is_moved) return;
  step->kernel = 1 - step->kernel;
  CHECK_EQ(syclze_executable_graph_update_node(
               graph->executable, step->index, graph->both[step->kernel], step->index),
      ZE_RESULT_SUCCESS);
  step->other = step->recorded;
  step->recorded = step->step = other;
  graph->is_mixed = true;
}

/* Changes the kernel, the accesses or the range of later submissions of one step. */
static void update(struct thread *t, struct random_graph *graph) {
  const uint32_t i = random_below(&t->random, graph->count);
  struct graph_step *step = &graph->steps[i];
  if (step->node.action != ACTION_KERNEL || step->index == UINT32_MAX) return;
  if (one_in(t, 2)) {
    update_kernel(graph, step);
    return;
  }
  const uint32_t choice = random_below(&t->random, 2 + ACCESSES);
  if (choice < ACCESSES) {
    update_buffer(t, graph, i, choice);
    return;
  }
  if (choice == ACCESSES) {
    step->step = step_new(t->world);
    const syclze_argument argument = syclze_arg(step->step);
    CHECK_EQ(syclze_executable_graph_update_argument(graph->executable, step->index, 0, &argument),
        ZE_RESULT_SUCCESS);
    return;
  }
  const syclze_nd_range range = {
      .global = {1 + random_below(&t->random, 3)}, .local = {1}, .dimensions = 1};
  CHECK_EQ(syclze_executable_graph_update_range(graph->executable, step->index, &range),
      ZE_RESULT_SUCCESS);
}

/* The nodes of a submission, each behind the one before in `gate`. */
static void begin_nodes(struct thread *t, struct random_graph *graph, uint32_t queue,
    struct node **nodes, uint32_t *objects) {
  for (uint32_t i = 0; i < graph->count; i++) {
    const uint32_t at = t->next++;
    struct node *node = &t->world->nodes[t->index][at];
    struct step *step = graph->steps[i].step;
    *node = graph->steps[i].node;
    node->number = t->index * NODES + at;
    node->thread = t->index;
    node->queue = queue;
    node->notes = !t->world->ordered;
    node->gate = i > 0 ? nodes[i - 1] : NULL;
    for (uint32_t before = 0; before < i; before++)
      if (nodes[before]->runs != 0 && is_ordered(graph, before, i))
        node->before[node->before_count++] = nodes[before];
    for (uint32_t a = 0; a < node->access_count; a++)
      *objects |= 1u << node->accesses[a].object;
    nodes[i] = node;
    step->nodes[step->given] = node;
    __atomic_store_n(&step->given, step->given + 1, __ATOMIC_RELEASE);
  }
}

/* Needs the graph's lock. */
static syclze_event submit(struct submission *s, const struct random_graph *graph) {
  struct thread *t = s->thread;
  syclze_event event = {NULL}, *wanted = one_in(t, 2) ? &event : NULL;
  const uint32_t count = s->group.event_count;
  if (count <= SYCLZE__GROUP_FEW && one_in(t, 2)) {
    syclze_event waits[SYCLZE__GROUP_FEW];
    for (uint32_t i = 0; i < count; i++)
      waits[i].rep = s->group.events[i];
    syclze_group_end(&s->group);
    CHECK_EQ(
        count == 0 && one_in(t, 2)
            ? syclze_queue_submit_graph(s->queue, graph->executable, wanted)
            : syclze_queue_submit_graph_after(s->queue, graph->executable, waits, count, wanted),
        ZE_RESULT_SUCCESS);
  } else
    CHECK_EQ(syclze_group_execute_graph(&s->group, graph->executable, wanted), ZE_RESULT_SUCCESS);
  return event;
}

static bool has_room(const struct thread *t, const struct random_graph *graph) {
  bool room = graph->executable.rep != NULL && t->next + graph->count <= NODES;
  for (uint32_t i = 0; i < graph->count && room; i++)
    room = graph->steps[i].step->given < RUNS;
  return room;
}

/* Submits the graph to the queue, or to another where that is not of its context, and unlocks it.
 */
static bool submit_locked(struct thread *t, struct random_graph *graph, uint32_t *queue) {
  struct random_world *world = t->world;
  struct node *nodes[GRAPH_STEPS], head = {.queue = 0};
  uint32_t objects = 0;
  if (!has_room(t, graph)) {
    pthread_mutex_unlock(&graph->lock);
    return false;
  }
  if (*queue == QUEUES || world->queues[*queue].context != graph->context)
    *queue = queue_for(t, graph);
  head.queue = *queue;
  begin_nodes(t, graph, head.queue, nodes, &objects);
  head.number = nodes[0]->number;
  struct submission s = {.thread = t, .node = &head, .queue = world->queues[head.queue].queue};
  lock_for(world, &head, objects, false, true);
  s.group = syclze_group_begin(s.queue);
  use_queue(&s);
  depend(&s);
  for (uint32_t i = 0; i < graph->count; i++) {
    s.node = nodes[i];
    model(&s);
    for (uint32_t before = 0; before < head.before_count; before++)
      come_after(nodes[i], head.before[before]);
  }
  for (uint32_t i = 0; i < graph->count; i++) {
    s.node = nodes[i];
    if (nodes[i]->action != ACTION_BARRIER) note_submitted(&s, true);
  }
  s.node = nodes[graph->count - 1];
  const syclze_event event = submit(&s, graph);
  lock_for(world, &head, objects, false, false);
  pthread_mutex_unlock(&graph->lock);
  end_submission(&s, event);
  return true;
}

bool use_graph(struct thread *t) {
  struct random_world *world = t->world;
  struct random_graph *graph = &world->graphs[random_below(&t->random, GRAPHS)];
  const bool builds = t->depth == 0 && t->build_count < BUILDS && one_in(t, 3);
  if (builds) {
    t->build_count++;
    open_gates(t);
    begin_recording(true);
  }
  pthread_mutex_lock(&graph->lock);
  if (builds) {
    if (graph->executable.rep != NULL && graph->updatable && !graph->is_moved && !graph->is_mixed &&
        one_in(t, 2))
      update_all(t, graph);
    else
      build(t, graph);
    end_recording();
  }
  while (graph->executable.rep != NULL && graph->updatable && one_in(t, 2))
    update(t, graph);
  if (one_in(t, 16)) drop(graph);
  uint32_t queue = QUEUES;
  const bool is_submitted = submit_locked(t, graph, &queue);
  bool goes_on = is_submitted;
  /* A queue records the third of several runs in a row by less than the first. */
  while (goes_on && !one_in(t, 3)) {
    pthread_mutex_lock(&graph->lock);
    goes_on = submit_locked(t, graph, &queue);
  }
  return is_submitted;
}
