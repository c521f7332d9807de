#define _POSIX_C_SOURCE 200809L
#include "random_thread.h"

#include "syclze/command/graph_nodes.h"

static pthread_rwlock_t record_lock = PTHREAD_RWLOCK_INITIALIZER;

void begin_recording(bool records) {
  CHECK_EQ(records ? pthread_rwlock_wrlock(&record_lock) : pthread_rwlock_rdlock(&record_lock), 0);
}

void end_recording(void) {
  CHECK_EQ(pthread_rwlock_unlock(&record_lock), 0);
}

struct step *step_new(struct random_world *world) {
  struct step *step = calloc(1, sizeof *step);
  CHECK(step != NULL);
  pthread_mutex_lock(&world->event_lock);
  step->older = world->steps;
  world->steps = step;
  pthread_mutex_unlock(&world->event_lock);
  return step;
}

/* A graph within the graph stands in the first lane. */
bool is_ordered(const struct random_graph *graph, uint32_t before, uint32_t after) {
  const struct graph_step *step = &graph->steps[after];
  uint32_t lane = step->lane, other = graph->steps[before].lane;
  if ((step->waits >> before & 1) != 0) return true;
  if (lane != other) {
    if (lane == 2) lane = 0;
    if (other == 2) other = 0;
  }
  if (lane != other) return false;
  if (graph->in_order[lane]) return true;
  for (uint32_t i = before + 1; i <= after; i++)
    if (graph->steps[i].node.action == ACTION_BARRIER && graph->steps[i].lane == lane) return true;
  return false;
}

/* Chooses an action that can be recorded: neither a function that uses its own native queue, nor a
 * scope. */
static enum action choose_recorded(struct thread *t) {
  const enum action action = choose_action(t);
  return action == ACTION_APPENDS ? ACTION_HOST : action;
}

/* A graph uses memory of its own context only. */
static bool fits(
    const struct thread *t, const struct random_graph *graph, const struct node *node) {
  bool fits = true;
  for (uint32_t a = 0; a < node->access_count && fits; a++)
    fits = t->world->objects[node->accesses[a].object].context == graph->context;
  return fits;
}

static void choose_step(
    struct thread *t, struct random_graph *graph, uint32_t queue, uint32_t i, uint32_t lane) {
  struct graph_step *step = &graph->steps[i];
  memset(step, 0, sizeof *step);
  struct node *node = &step->node;
  node->queue = queue;
  node->action = choose_recorded(t);
  node->fills = 0x10000u + random_below(&t->random, 0x10000);
  node->runs =
      node->action == ACTION_KERNEL || node->action == ACTION_HOST || node->action == ACTION_NATIVE;
  choose_accesses(t, node);
  if (!fits(t, graph, node)) {
    node->action = ACTION_BARRIER;
    node->runs = node->access_count = 0;
  }
  step->lane = lane;
  if (node->action == ACTION_BARRIER) return;
  for (uint32_t before = 0; before < i; before++)
    if ((graph->steps[before].lane == 2) == (lane == 2) && one_in(t, 4))
      step->waits |= 1u << before;
  step->gathers = step->waits != 0 && lane != 2 && one_in(t, 6);
}

uint32_t queue_for(struct thread *t, const struct random_graph *graph) {
  uint32_t queue = choose_queue(t);
  while (t->world->queues[queue].context != graph->context)
    queue = choose_queue(t);
  return queue;
}

/* Joins the second lane to the recording of the first by its first step, if one of the first is
 * before that. */
static void choose_join(struct thread *t, struct random_graph *graph) {
  uint32_t i = 0, count = 0, before[GRAPH_STEPS];
  graph->joins = graph->joined = UINT32_MAX;
  for (; i < graph->count && graph->steps[i].lane != 1; i++)
    if (graph->steps[i].lane == 0) before[count++] = i;
  if (i == graph->count || count == 0 || one_in(t, 3)) return;
  graph->joins = i;
  graph->joined = before[random_below(&t->random, count)];
  graph->steps[i].waits |= 1u << graph->joined;
  graph->steps[i].gathers = false;
}

/* Some graphs hold another one, which is recorded in the last lane. */
void choose_steps(struct thread *t, struct random_graph *graph) {
  const uint32_t queue = graph->context == 0 ? 0 : 6;
  graph->count = 1 + random_below(&t->random, GRAPH_STEPS);
  const uint32_t first = random_below(&t->random, graph->count);
  const uint32_t end =
      one_in(t, 3) ? first + 1 + random_below(&t->random, graph->count - first) : first;
  for (uint32_t i = 0; i < LANES; i++)
    graph->in_order[i] = one_in(t, 2);
  graph->recorder = t->world->threads == 1 && one_in(t, 2) ? queue_for(t, graph) : UINT32_MAX;
  graph->recorder_lane = random_below(&t->random, 2);
  if (graph->recorder != UINT32_MAX)
    graph->in_order[graph->recorder_lane] = t->world->queues[graph->recorder].in_order;
  const bool two = one_in(t, 3);
  for (uint32_t i = 0; i < graph->count; i++)
    choose_step(t, graph, queue, i, i >= first && i < end ? 2 : two && one_in(t, 2));
  choose_join(t, graph);
}

/* The queues that record, which belong to the thread. One of the first two may be one that commands
 * of the only thread were submitted to, some of which are pending. */
struct recorder {
  struct thread *thread;
  struct random_graph *graph;
  syclze_graph outer, inner;
  syclze_queue queues[LANES];
  syclze_event events[GRAPH_STEPS];
};

/* True for a lane whose steps depend on each other by events alone. */
static bool is_free(const struct random_graph *graph, uint32_t lane) {
  bool is_free = !graph->in_order[lane];
  for (uint32_t i = 0; i < graph->count; i++)
    if (graph->steps[i].lane == lane && graph->steps[i].node.action == ACTION_BARRIER)
      is_free = false;
  return is_free;
}

struct step_action {
  struct recorder *recorder;
  struct submission *submission;
  uint32_t step;
};

/* A command group function. */
static ze_result_t submit_step(syclze_group *group, void *argument) {
  const struct step_action *action = argument;
  struct recorder *r = action->recorder;
  struct submission *s = action->submission;
  const struct graph_step *step = &r->graph->steps[action->step];
  s->group = *group;
  for (uint32_t before = 0; before < action->step; before++)
    if (!step->gathers && (step->waits >> before & 1) != 0)
      syclze_group_depends_on(&s->group, r->events[before]);
  for (uint32_t a = 0; a < step->node.access_count; a++)
    require(s, a);
  const ze_result_t result = act(s, &r->events[action->step]);
  *group = s->group;
  return result;
}

/* An empty node behind what the step waits for. */
static uint32_t add_empty(const struct recorder *r, uint32_t i) {
  uint32_t after[GRAPH_STEPS], count = 0, node;
  for (uint32_t before = 0; before < i; before++)
    if ((r->graph->steps[i].waits >> before & 1) != 0)
      after[count++] = r->graph->steps[before].index;
  CHECK_EQ(syclze_graph_add_empty_node(r->outer, after, count, &node), ZE_RESULT_SUCCESS);
  return node;
}

static void record_step(struct recorder *r, uint32_t i) {
  struct thread *t = r->thread;
  struct graph_step *step = &r->graph->steps[i];
  const syclze_graph to = step->lane == 2 ? r->inner : r->outer;
  struct submission s = {.thread = t,
      .node = &step->node,
      .step = step,
      .graph = r->graph,
      .queue = r->queues[step->lane]};
  step->step = step_new(t->world);
  step->plain = 0;
  const uint32_t empty = step->gathers ? add_empty(r, i) : UINT32_MAX;
  step->index = step->lane == 2 ? UINT32_MAX : syclze_graph_get_node_count(to);
  struct step_action action = {r, &s, i};
  const bool joins = i == r->graph->joins, is_joined = i == r->graph->joined;
  CHECK_EQ(syclze_queue_is_recording(s.queue), !joins);
  if (is_free(r->graph, step->lane) && !joins && !is_joined && one_in(t, 2))
    CHECK_EQ(syclze_graph_add_node(to, submit_step, &action, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  else {
    syclze_group group = syclze_group_begin(s.queue);
    CHECK_EQ(submit_step(&group, &action), ZE_RESULT_SUCCESS);
  }
  CHECK(syclze_queue_is_recording(s.queue));
  if (step->gathers)
    CHECK_EQ(syclze_graph_add_edge(r->outer, empty, step->index), ZE_RESULT_SUCCESS);
  for (uint32_t a = 0; a < ACCESSES; a++)
    CHECK_EQ(syclze_buffer_release(s.views[a]), ZE_RESULT_SUCCESS);
}

/* A graph that another one is to hold. */
struct inner_action {
  syclze_graph graph;
  syclze_executable_graph executable; /* instead, unless null */
};

/* A command group function. */
static ze_result_t submit_inner(syclze_group *group, void *argument) {
  const struct inner_action *inner = argument;
  return inner->executable.rep != NULL ? syclze_group_execute_graph(group, inner->executable, NULL)
                                       : syclze_group_record_graph(group, inner->graph, NULL);
}

/* Records the inner graph to the outer one, as it is or as an executable graph. */
static void record_inner(struct recorder *r) {
  struct thread *t = r->thread;
  struct inner_action inner = {r->inner, {NULL}};
  CHECK_EQ(syclze_graph_end_recording(r->inner, r->queues[2]), ZE_RESULT_SUCCESS);
  if (one_in(t, 2)) {
    const uint32_t flags = one_in(t, 2) ? SYCLZE_GRAPH_UPDATABLE : 0;
    CHECK_EQ(syclze_graph_finalize(r->inner, flags, &inner.executable), ZE_RESULT_SUCCESS);
  }
  if (is_free(r->graph, 0) && one_in(t, 2))
    CHECK_EQ(
        syclze_graph_add_node(r->outer, submit_inner, &inner, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  else {
    syclze_group group = syclze_group_begin(r->queues[0]);
    CHECK_EQ(submit_inner(&group, &inner), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_executable_graph_release(inner.executable), ZE_RESULT_SUCCESS);
}

static void begin_recorder(struct recorder *r) {
  struct thread *t = r->thread;
  const syclze_context context = t->world->contexts[r->graph->context];
  const syclze_device device = t->world->devices[0];
  CHECK_EQ(syclze_graph_create(context, device, &r->outer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &r->inner), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < LANES; i++) {
    const syclze_property_list properties = {
        .flags = r->graph->in_order[i] ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0u};
    if (i == r->graph->recorder_lane && r->graph->recorder != UINT32_MAX) {
      r->queues[i] = t->world->queues[r->graph->recorder].queue;
      CHECK_EQ(syclze_queue_retain(r->queues[i]), ZE_RESULT_SUCCESS);
    } else
      CHECK_EQ(syclze_queue_create(context, device, &properties, &r->queues[i]), ZE_RESULT_SUCCESS);
    if (i != 1 || r->graph->joins == UINT32_MAX)
      CHECK_EQ(syclze_graph_begin_recording(i == 2 ? r->inner : r->outer, r->queues[i]),
          ZE_RESULT_SUCCESS);
  }
}

syclze_graph record(struct thread *t, struct random_graph *graph) {
  struct recorder r = {.thread = t, .graph = graph};
  begin_recorder(&r);
  for (uint32_t i = 0; i < graph->count; i++) {
    record_step(&r, i);
    if (graph->steps[i].lane == 2 && (i + 1 == graph->count || graph->steps[i + 1].lane != 2))
      record_inner(&r);
  }
  CHECK_EQ(syclze_graph_end_recording(r.outer, (syclze_queue){NULL}), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < LANES; i++)
    CHECK_EQ(syclze_queue_release(r.queues[i]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < graph->count; i++)
    CHECK_EQ(syclze_event_release(r.events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(r.inner), ZE_RESULT_SUCCESS);
  return r.outer;
}
