/* Random graphs of command groups, which several threads submit to shared queues.
 *
 * A graph is one of two kinds. In an ordered one a thread submits with the locks of the queue and
 * of all objects that its node uses held, so that the order of the submissions is known: a
 * sequential model says what each node finds in each segment. In a free one threads submit at will,
 * nodes only mix and read, and note what they find: afterwards the notes must be those of some
 * sequential order, in which each thread's nodes stand as they were submitted. */
#ifndef TESTS_ORDERS_RANDOM_WORLD_H
#define TESTS_ORDERS_RANDOM_WORLD_H

#include "held_locks.h"
#include "plain_node.h"
#include "strict.h"

#include "syclze/command.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/syclze.h"
#include "tests/check.h"

#include <pthread.h>

enum {
  THREADS = 16, /* at most */
  NODES = 24,   /* of a thread */
  OBJECTS = 8,
  QUEUES = 10,
  CONTEXTS = 3,
  GRAPHS = 3,
  GRAPH_STEPS = 6, /* of a graph */
  BUILDS = 6,      /* graphs that a thread records, at most */
  LANES = 3,       /* queues that record one graph: two, and one that records a graph within it */
  EVENTS = 8,      /* that others may depend on */
  RECENT = 4,      /* nodes of a queue */
  OWNS = 3         /* allocations of a thread */
};

enum action {
  ACTION_KERNEL,
  ACTION_HOST,
  ACTION_NATIVE,
  ACTION_FILL,
  ACTION_COPY,
  ACTION_PART,
  ACTION_BARRIER,
  ACTION_APPENDS, /* a host task that uses its native queue */
  ACTIONS,
  ACTION_SCOPE /* of a host accessor, in no queue */
};

struct object {
  bool is_image, is_kept, is_home; /* is_home: its own memory is current */
  uint32_t context;
  void *native;
  syclze_buffer buffer;
  syclze_image image;
  uint64_t model[SEGMENTS];
  bool freed;
  uint64_t last[SEGMENTS]; /* when it was freed */
  pthread_mutex_t lock;
};

struct random_queue {
  syclze_queue queue;
  uint32_t context;
  bool in_order;
  bool keeps_left; /* what a function leaves in its native list stands in its order */
  ze_command_queue_handle_t native_queue; /* kept; null for none */
  ze_command_list_handle_t native_list;
  struct node *recent[RECENT]; /* in an ordered graph, of all threads */
  pthread_mutex_t lock, task_lock;
};

/* A step as it is recorded. */
struct graph_step {
  struct node node; /* what each run of it is like */
  struct step *step;
  uint32_t lane;
  uint32_t waits;                /* steps before it that it names as events, by bits */
  bool gathers;                  /* it follows them by an empty node instead */
  uint32_t index;                /* in the graph; UINT32_MAX within another */
  uint32_t plain;                /* accesses of whole buffers, by bits: they may be updated */
  uint32_t kernel;               /* of which recording of the graph the step is */
  struct step *recorded, *other; /* of that recording, and of the other one */
};

/* An executable graph, which any thread may submit. Each step of each submission is a node. */
struct random_graph {
  syclze_executable_graph executable; /* null for none */
  syclze_kernel kernel;
  uint32_t context, count;
  uint32_t recorder; /* a queue of the world; UINT32_MAX for none */
  uint32_t recorder_lane;
  uint32_t joins, joined; /* the step with which the second lane begins to record, as it follows
                             that one; both UINT32_MAX for a lane that begins by a call */
  bool in_order[LANES];
  bool updatable;
  bool is_moved;        /* a buffer was updated */
  bool is_mixed;        /* steps have other kernels than recorded */
  syclze_graph both[2]; /* recorded alike with one kernel and another; null for none */
  struct graph_step steps[GRAPH_STEPS];
  pthread_mutex_t lock;
};

struct named {
  syclze_event event;
  struct node *node; /* null for an event of which nothing is to be seen */
};

struct random_world {
  uint64_t seed;
  bool ordered;
  bool single; /* each node is a command that accesses all of one object, on lists of one context */
  bool hosts;  /* and most are host tasks */
  bool blocks; /* some queues are synchronous: no thread waits for what it has yet to signal */
  uint32_t missing; /* functions that the driver lacks */
  uint32_t threads, object_count;
  syclze_device devices[2];
  syclze_context contexts[CONTEXTS];
  ze_context_handle_t natives[CONTEXTS];
  syclze_kernel_bundle bundles[CONTEXTS];
  struct random_queue queues[QUEUES];
  struct object objects[OBJECTS];
  struct named events[EVENTS];
  struct random_graph graphs[GRAPHS];
  struct step *steps;         /* of all graphs */
  pthread_mutex_t event_lock; /* of `events` and `steps` */
  struct node nodes[THREADS][NODES];
  struct node gates[THREADS][NODES]; /* events that the application signals: they run then */
  /* Destroyed by the application, after all else: */
  unsigned kept;                 /* handles, in all */
  ze_module_handle_t modules[2]; /* of the first two contexts */
  struct {
    ze_event_pool_handle_t pool; /* of the first context */
    ze_event_handle_t events[NODES];
    ze_command_list_handle_t lists[NODES];
    ze_kernel_handle_t kernels[NODES + BUILDS * GRAPH_STEPS];
    uint32_t event_count, list_count, kernel_count;
  } own[THREADS];
};

/* Counts a handle that the application destroys. */
void random_keep(struct random_world *world);

/* splitmix64. */
uint64_t random_next(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t limit);

void random_world_begin(struct random_world *world, uint64_t seed, uint32_t threads);

/* The kernel of a thread's own memory. */
void random_run_own(void *const *arguments);

/* The nodes of one thread, from the first submission to its last release. */
void random_thread(struct random_world *world, uint32_t thread);

/* After all threads: waits, compares, destroys. Returns whether all was right. */
bool random_world_end(struct random_world *world);

/* True if the notes of a free graph fit a sequential order. */
bool random_is_sequential(struct random_world *world);

#endif
