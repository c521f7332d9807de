#include "commands/capture.h"

#include "core/check.h"
#include "core/entries.h"

#include <pthread.h>
#include <stdlib.h>

struct zecl_fork {
  struct zecl_list *list;
  const struct zecl_event *last; /* that it signals; to compare only */
  bool is_joined;                /* another list waits for `last`, and no work follows it */
};

atomic_uint zecl_captures;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zecl_graph *first; /* of the graphs that are captured */
static uint64_t last_number;

/* Under the lock, as all below. A number is that of one capture. */
static struct zecl_graph *capture_of(const struct zecl_event *event) {
  struct zecl_graph *graph = event->capture ? first : NULL;
  while (graph && graph->capture != event->capture)
    graph = graph->next;
  return graph;
}

static struct zecl_fork *fork_of(const struct zecl_graph *graph, const struct zecl_list *list) {
  for (uint32_t i = 0; i < graph->fork_count; i++)
    if (graph->forks[i].list == list) return &graph->forks[i];
  return NULL;
}

void zecl_capture_begin(struct zecl_list *list, struct zecl_graph *graph) {
  pthread_mutex_lock(&lock);
  graph->is_captured = true;
  graph->capture = ++last_number;
  graph->next = first;
  first = graph;
  list->graph = graph;
  atomic_fetch_add(&zecl_captures, 1);
  pthread_mutex_unlock(&lock);
}

bool zecl_capture_end(struct zecl_graph *graph) {
  bool is_joined = true;
  pthread_mutex_lock(&lock);
  struct zecl_graph **place = &first;
  while (*place != graph)
    place = &(*place)->next;
  *place = graph->next;
  struct zecl_fork *forks = graph->forks;
  const uint32_t count = graph->fork_count;
  for (uint32_t i = 0; i < count; i++) {
    is_joined = is_joined && forks[i].is_joined;
    if (forks[i].list) forks[i].list->graph = NULL;
  }
  graph->forks = NULL;
  graph->fork_count = 0;
  graph->is_captured = false;
  atomic_fetch_sub(&zecl_captures, 1);
  pthread_mutex_unlock(&lock);
  for (uint32_t i = 0; i < count; i++)
    zecl_graph_release(graph);
  free(forks);
  return is_joined;
}

void zecl_capture_leave(struct zecl_list *list) {
  pthread_mutex_lock(&lock);
  struct zecl_graph *graph = list->graph;
  struct zecl_fork *fork = graph ? fork_of(graph, list) : NULL;
  if (fork) fork->list = NULL;
  pthread_mutex_unlock(&lock);
  if (!graph || fork) return;
  (void)zecl_capture_end(graph);
  zecl_graph_discard(graph);
}

static ze_result_t add_fork(struct zecl_graph *graph, struct zecl_list *list) {
  ZECL_REQUIRE(list->immediate && list->mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS &&
                   list->context == graph->context && list->device == graph->device,
      (ze_result_t)ZECL_CAPTURE_UNSUPPORTED);
  struct zecl_fork *forks = realloc(graph->forks, (graph->fork_count + 1) * sizeof *forks);
  if (!forks) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  graph->forks = forks;
  forks[graph->fork_count++] = (struct zecl_fork){.list = list};
  zecl_object_retain(graph);
  list->graph = graph;
  if (list->flags & ZECL_QUEUE_IN_ORDER) graph->tape->is_unordered = false;
  return ZE_RESULT_SUCCESS;
}

/* The one capture that the list and the events are of; null for none. */
static ze_result_t find(const struct zecl_list *list, uint32_t wait_count,
    const ze_event_handle_t *waits, struct zecl_graph **found) {
  *found = list->graph;
  for (uint32_t i = 0; i < wait_count; i++) {
    struct zecl_graph *graph = capture_of(zecl_event_of(waits[i]));
    ZECL_REQUIRE(!graph || !*found || graph == *found, (ze_result_t)ZECL_CAPTURE_MERGE);
    if (graph) *found = graph;
  }
  return ZE_RESULT_SUCCESS;
}

static void join(
    struct zecl_graph *graph, const struct zecl_list *list, const struct zecl_event *event) {
  for (uint32_t i = 0; i < graph->fork_count; i++)
    if (graph->forks[i].last == event && graph->forks[i].list != list)
      graph->forks[i].is_joined = true;
}

static ze_result_t follow(struct zecl_list *list, const struct zecl_command *draft,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  struct zecl_graph *graph;
  ZECL_TRY(find(list, wait_count, waits, &graph));
  if (graph != list->graph) ZECL_TRY(add_fork(graph, list));
  for (uint32_t i = 0; graph && i < wait_count; i++)
    join(graph, list, zecl_event_of(waits[i]));
  struct zecl_fork *fork = graph ? fork_of(graph, list) : NULL;
  if (fork && draft->kind != ZECL_COMMAND_NOTHING) fork->is_joined = false;
  if (fork && signal) fork->last = zecl_event_of(signal);
  if (signal) zecl_event_of(signal)->capture = graph ? graph->capture : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_capture_follow(struct zecl_list *list, const struct zecl_command *draft,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits) {
  pthread_mutex_lock(&lock);
  const ze_result_t result = follow(list, draft, signal, wait_count, waits);
  pthread_mutex_unlock(&lock);
  return result;
}

bool zecl_capture_has(const struct zecl_event *event) {
  if (!atomic_load(&zecl_captures)) return false;
  pthread_mutex_lock(&lock);
  const bool found = capture_of(event);
  pthread_mutex_unlock(&lock);
  return found;
}
