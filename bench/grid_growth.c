/* `grid -g`, for callgrind: counts an operation among ever more of something, by dumps that
   growth.awk reads. A series ends where it takes long. */
#include "grid.h"

#include "syclze/async_memory.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#include <stdio.h>
#include <time.h>

enum { MOST = 100000, OPERATIONS = 16, ELEMENTS = 16, SECONDS = 2 /* of a processor */ };

static struct {
  const struct bench_world *bench;
  syclze_queue in_order, out_of_order, regular, many[MOST + 1];
  syclze_buffer buffers[MOST], large; /* of MOST elements */
  syclze_event events[MOST];
  uint32_t buffer_count, event_count, queue_count;
  syclze_executable_graph graph;
  syclze_graph_argument places[MOST];
} made;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t make_buffer(size_t elements, syclze_buffer *buffer) {
  const struct bench_world *world = made.bench;
  void *memory;
  BENCH_TRY(
      syclze_malloc_device(4 * elements, world->wrapped.device, world->wrapped.context, &memory));
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {elements, 0, 0}};
  return syclze_make_buffer(&input, world->wrapped.context, buffer);
}

static ze_result_t make_queue(bool in_order, syclze_queue *queue) {
  const syclze_property_list properties = {.flags = in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  return syclze_queue_create(
      made.bench->wrapped.context, made.bench->wrapped.device, &properties, queue);
}

static ze_result_t open_world(const struct bench_world *world) {
  syclze_queue_input input = {syclze_native_queue_of_queue(world->queue), world->wrapped.device,
      SYCLZE_OWNERSHIP_KEEP, {0}};
  made.bench = world;
  BENCH_TRY(make_queue(true, &made.in_order));
  BENCH_TRY(make_queue(false, &made.out_of_order));
  BENCH_TRY(syclze_make_queue(&input, world->wrapped.context, &made.regular));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t have_buffers(uint32_t count) {
  for (; made.buffer_count < count; made.buffer_count++)
    BENCH_TRY(make_buffer(ELEMENTS, &made.buffers[made.buffer_count]));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t have_queues(uint32_t count) {
  for (; made.queue_count < count; made.queue_count++)
    BENCH_TRY(make_queue(true, &made.many[made.queue_count]));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t have_events(uint32_t count) {
  for (; made.event_count < count; made.event_count++)
    BENCH_TRY(syclze_event_create(made.bench->wrapped.context, 0, &made.events[made.event_count]));
  return ZE_RESULT_SUCCESS;
}

/* From here on the loader has all commands be pending. */
static ze_result_t have_pending(void) {
  zeEventHostSynchronize(made.bench->signalled, 1);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t access(syclze_queue queue, syclze_buffer buffer, syclze_access_mode mode) {
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, mode);
  return syclze_group_launch(&group, made.bench->wrapped.no_work, &one, NULL, 0, NULL);
}

static ze_result_t access_range(syclze_queue queue, uint32_t i) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_require_range(&group, made.large, SYCLZE_ACCESS_READ_WRITE, i, 1);
  return syclze_group_launch(&group, made.bench->wrapped.no_work, &one, NULL, 0, NULL);
}

static ze_result_t launch_with_event(syclze_queue queue) {
  syclze_event event;
  BENCH_TRY(syclze_queue_launch_arguments(
      queue, made.bench->wrapped.no_work, &one, NULL, 0, NULL, 0, &event));
  return syclze_event_release(event);
}

/* Each pair: what there are `count` of, and the operation number `i` of OPERATIONS. */

static ze_result_t one_of_buffers(uint32_t count, uint32_t i) {
  return access(made.in_order, made.buffers[count * i / OPERATIONS], SYCLZE_ACCESS_READ_WRITE);
}

static ze_result_t one_of_queues(uint32_t count, uint32_t i) {
  return syclze_queue_launch_arguments(
      made.many[count * i / OPERATIONS], made.bench->wrapped.no_work, &one, NULL, 0, NULL, 0, NULL);
}

static ze_result_t one_of_events(uint32_t count, uint32_t i) {
  syclze_group group = syclze_group_begin(made.in_order);
  syclze_group_depends_on(&group, made.events[count * i / OPERATIONS]);
  return syclze_group_barrier(&group, NULL);
}

static ze_result_t prepare_pending(syclze_queue queue, uint32_t count) {
  BENCH_TRY(have_pending());
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(launch_with_event(queue));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t prepare_pending_in_order(uint32_t count) {
  return prepare_pending(made.in_order, count);
}

static ze_result_t prepare_pending_any(uint32_t count) {
  return prepare_pending(made.out_of_order, count);
}

static ze_result_t prepare_pending_regular(uint32_t count) {
  return prepare_pending(made.regular, count);
}

static ze_result_t behind_pending_in_order(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return launch_with_event(made.in_order);
}

static ze_result_t behind_pending_any(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return launch_with_event(made.out_of_order);
}

static ze_result_t barrier_behind_pending(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return syclze_queue_submit_barrier(made.regular, NULL);
}

static ze_result_t prepare_readers(uint32_t count) {
  BENCH_TRY(have_buffers(1));
  BENCH_TRY(have_pending());
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(access(made.out_of_order, made.buffers[0], SYCLZE_ACCESS_READ));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t one_more_reader(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return access(made.out_of_order, made.buffers[0], SYCLZE_ACCESS_READ);
}

/* The first of the operations waits for the readers. */
static ze_result_t writer_behind_readers(uint32_t count, uint32_t i) {
  (void)count;
  return i == 0 ? access(made.out_of_order, made.buffers[0], SYCLZE_ACCESS_WRITE)
                : ZE_RESULT_SUCCESS;
}

static ze_result_t prepare_ranges(syclze_queue queue, uint32_t count) {
  if (made.large.rep != NULL) BENCH_TRY(syclze_buffer_release(made.large));
  BENCH_TRY(make_buffer(MOST, &made.large));
  BENCH_TRY(have_pending());
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(access_range(queue, i));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t prepare_ranges_in_order(uint32_t count) {
  return prepare_ranges(made.in_order, count);
}

static ze_result_t prepare_ranges_any(uint32_t count) {
  return prepare_ranges(made.out_of_order, count);
}

static ze_result_t one_of_ranges_in_order(uint32_t count, uint32_t i) {
  return access_range(made.in_order, count * i / OPERATIONS);
}

static ze_result_t one_of_ranges_any(uint32_t count, uint32_t i) {
  return access_range(made.out_of_order, count * i / OPERATIONS);
}

/* In the first of the operations. */
static ze_result_t all_required(uint32_t count, uint32_t i) {
  if (i != 0) return ZE_RESULT_SUCCESS;
  syclze_group group = syclze_group_begin(made.in_order);
  for (uint32_t j = 0; j < count; j++)
    syclze_require(&group, made.buffers[j], SYCLZE_ACCESS_READ_WRITE);
  return syclze_group_launch(&group, made.bench->wrapped.no_work, &one, NULL, 0, NULL);
}

static ze_result_t all_waited_for(uint32_t count, uint32_t i) {
  if (i != 0) return ZE_RESULT_SUCCESS;
  syclze_group group = syclze_group_begin(made.in_order);
  for (uint32_t j = 0; j < count; j++)
    syclze_group_depends_on(&group, made.events[j]);
  return syclze_group_launch(&group, made.bench->wrapped.no_work, &one, NULL, 0, NULL);
}

static ze_result_t create_graph(syclze_graph *graph) {
  return syclze_graph_create(made.bench->wrapped.context, made.bench->wrapped.device, graph);
}

static ze_result_t record(uint32_t count) {
  syclze_graph graph;
  BENCH_TRY(create_graph(&graph));
  BENCH_TRY(syclze_graph_begin_recording(graph, made.in_order));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(access(made.in_order, made.buffers[i], SYCLZE_ACCESS_READ_WRITE));
  BENCH_TRY(syclze_graph_end_recording(graph, made.in_order));
  BENCH_TRY(syclze_graph_finalize(graph, 0, &made.graph));
  return syclze_graph_release(graph);
}

static ze_result_t all_recorded(uint32_t count, uint32_t i) {
  if (i != 0) return ZE_RESULT_SUCCESS;
  if (made.graph.rep != NULL) BENCH_TRY(syclze_executable_graph_release(made.graph));
  return record(count);
}

static ze_result_t prepare_graph(uint32_t count) {
  BENCH_TRY(have_buffers(count));
  return all_recorded(count, 0);
}

static ze_result_t replay(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return syclze_queue_submit_graph(made.in_order, made.graph, NULL);
}

/* Without the positions of a native order; each run but the first follows another. */
static ze_result_t replay_any(uint32_t count, uint32_t i) {
  (void)count, (void)i;
  return syclze_queue_submit_graph(made.out_of_order, made.graph, NULL);
}

static ze_result_t prepare_parameter(uint32_t count) {
  const float factor = 0;
  const void *none = NULL;
  const syclze_argument arguments[] = {syclze_arg(factor), syclze_arg(none), syclze_arg(none)};
  syclze_graph graph;
  BENCH_TRY(create_graph(&graph));
  BENCH_TRY(syclze_graph_begin_recording(graph, made.in_order));
  for (uint32_t i = 0; i < count; i++) {
    made.places[i].node = i;
    BENCH_TRY(syclze_queue_launch_arguments(
        made.in_order, made.bench->wrapped.kernel, &one, arguments, 3, NULL, 0, NULL));
  }
  if (made.graph.rep != NULL) BENCH_TRY(syclze_executable_graph_release(made.graph));
  BENCH_TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &made.graph));
  return syclze_graph_release(graph);
}

static ze_result_t all_updated(uint32_t count, uint32_t i) {
  const float factor = 1;
  const syclze_argument value = syclze_argument_value(&factor, sizeof factor);
  if (i != 0) return ZE_RESULT_SUCCESS;
  return syclze_executable_graph_update_parameter(made.graph, made.places, count, &value);
}

static ze_result_t have_nothing(uint32_t count) {
  (void)count;
  return ZE_RESULT_SUCCESS;
}

/* Each frees its memory, which the next one takes. */
static ze_result_t all_allocated(uint32_t count, uint32_t i) {
  syclze_graph graph;
  void *memory;
  if (i != 0) return ZE_RESULT_SUCCESS;
  BENCH_TRY(create_graph(&graph));
  BENCH_TRY(syclze_graph_begin_recording(graph, made.in_order));
  for (uint32_t j = 0; j < count; j++) {
    BENCH_TRY(syclze_malloc_async(
        made.in_order, ZE_MEMORY_TYPE_DEVICE, ELEMENTS, &memory, NULL, 0, NULL));
    BENCH_TRY(syclze_free_async(made.in_order, memory, NULL, 0, NULL));
  }
  return syclze_graph_release(graph);
}

/* A chain, from its end on, and edges from all nodes to the last one. */
static ze_result_t all_connected(uint32_t count, uint32_t i) {
  syclze_graph graph;
  uint32_t node;
  if (i != 0) return ZE_RESULT_SUCCESS;
  BENCH_TRY(create_graph(&graph));
  for (uint32_t j = 0; j < count; j++)
    BENCH_TRY(syclze_graph_add_empty_node(graph, NULL, 0, &node));
  for (uint32_t j = count - 1; j > 0; j--)
    BENCH_TRY(syclze_graph_add_edge(graph, j - 1, j));
  for (uint32_t j = 0; j < count - 1; j++)
    BENCH_TRY(syclze_graph_add_edge(graph, j, count - 1));
  return syclze_graph_release(graph);
}

static ze_result_t prepare_turns(uint32_t count) {
  BENCH_TRY(have_queues(count + 1));
  BENCH_TRY(have_buffers(1));
  BENCH_TRY(have_pending());
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(access(made.many[i], made.buffers[0], SYCLZE_ACCESS_READ_WRITE));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t next_turn(uint32_t count, uint32_t i) {
  return access(made.many[count * i / OPERATIONS], made.buffers[0], SYCLZE_ACCESS_READ_WRITE);
}

static const struct series {
  const char *name;
  ze_result_t (*prepare)(uint32_t count);
  ze_result_t (*run)(uint32_t count, uint32_t i);
  bool all; /* the operations are of all of them: the count is of each */
} all_series[] = {
    {"buffers alive, an access of one", have_buffers, one_of_buffers, false},
    {"queues alive, a launch on one", have_queues, one_of_queues, false},
    {"events alive, a barrier for one", have_events, one_of_events, false},
    {"pending commands in order, one more", prepare_pending_in_order, behind_pending_in_order,
        false},
    {"pending commands out of order, one more", prepare_pending_any, behind_pending_any, false},
    {"pending commands on a command queue, a barrier", prepare_pending_regular,
        barrier_behind_pending, false},
    {"pending readers, one more", prepare_readers, one_more_reader, false},
    {"pending readers, a writer, for each reader", prepare_readers, writer_behind_readers, true},
    {"ranges of a buffer in order, an access of one", prepare_ranges_in_order,
        one_of_ranges_in_order, false},
    {"ranges of a buffer out of order, an access of one", prepare_ranges_any, one_of_ranges_any,
        false},
    {"requirements of a group, each", have_buffers, all_required, true},
    {"events of a group, each", have_events, all_waited_for, true},
    {"nodes of a graph with a buffer each, recorded and finalized, each", have_buffers,
        all_recorded, true},
    {"nodes of a graph with a buffer each, a replay", prepare_graph, replay, false},
    {"nodes of a graph with a buffer each, a replay out of order", prepare_graph, replay_any,
        false},
    {"launches of a graph with one parameter, updated, each", prepare_parameter, all_updated, true},
    {"allocations of a graph in order, each freed", have_nothing, all_allocated, true},
    {"edges of a graph, added from its end on, each", have_nothing, all_connected, true},
    {"queues in turn on one buffer, one more turn", prepare_turns, next_turn, false},
};

static ze_result_t finish(void) {
  BENCH_TRY(zeEventHostSynchronize(made.bench->signalled, UINT64_MAX));
  BENCH_TRY(syclze_queue_wait(made.in_order));
  BENCH_TRY(syclze_queue_wait(made.out_of_order));
  return syclze_queue_wait(made.regular);
}

/* First uses cost more, and now and then one pays for many, as by a new pool of events, or a thread
   of the library runs beside it: what is not of all is run once before, and counted three times,
   what is of all is prepared and counted twice, and the smallest count is taken. */
static ze_result_t count_at(const struct series *series, uint32_t count) {
  char name[128];
  snprintf(name, sizeof name, "%s|%u|%u", series->name, count,
      series->all ? count : (uint32_t)OPERATIONS);
  BENCH_TRY(series->prepare(count));
  for (int round = series->all ? 2 : 0; round < 4; round++) {
    if (series->all && round == 3) BENCH_TRY(series->prepare(count));
    CALLGRIND_ZERO_STATS;
    for (uint32_t i = 0; i < OPERATIONS; i++)
      BENCH_TRY(series->run(count, i));
    if (round > 0) CALLGRIND_DUMP_STATS_AT(name);
  }
  return finish();
}

ze_result_t grid_growth(const struct bench_world *world) {
  BENCH_TRY(open_world(world));
  for (uint32_t i = 0; i < sizeof all_series / sizeof *all_series; i++) {
    const clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;
    for (uint32_t count = 10; count <= MOST && clock() < end; count *= 10) {
      const ze_result_t result = count_at(&all_series[i], count);
      if (result == ZE_RESULT_SUCCESS) continue;
      fprintf(stderr, "grid: %s, %u\n", all_series[i].name, count);
      return result;
    }
  }
  return ZE_RESULT_SUCCESS;
}
