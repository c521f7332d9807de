/* Declarations that the parts of the tester's threads share. */
#ifndef TESTS_ORDERS_RANDOM_THREAD_H
#define TESTS_ORDERS_RANDOM_THREAD_H

#include "random_world.h"

#include "syclze/async_memory.h"

/* Memory of a thread (random_own.c). */
struct own_memory {
  uint64_t *memory; /* null for none */
  uint64_t value;   /* of each segment, behind the last command */
  uint32_t context;
  syclze_event last;
};

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
  uint32_t build_count;      /* graphs that it has recorded */
  const struct node *before; /* the node that was submitted last */
  uint32_t next;             /* the number of the next one */
  uint32_t depth;            /* functions of native commands that it is in */
  struct own_memory owns[OWNS];
  syclze_memory_pool pool; /* of some of their memory; null for none */
};

/* A node while it is submitted. */
struct submission {
  struct thread *thread;
  struct node *node;
  struct graph_step *step;    /* of a graph that is recorded; null for a command */
  struct random_graph *graph; /* that graph */
  syclze_queue queue;
  syclze_group group;
  syclze_accessor accessors[ACCESSES];
  syclze_event held[3];          /* what the node depends on */
  syclze_buffer views[ACCESSES]; /* parts that it requires by buffers of their own */
};

/* The data of a host function, until it has run. */
struct host {
  struct node *node; /* null of a step, which outlives its runs */
  struct step *step;
  uint32_t access_count, first[ACCESSES]; /* segments */
  syclze_accessor accessors[ACCESSES];
  uint32_t images, context; /* images: by bits */
  ze_event_handle_t gate;   /* named as one that ends the node; null for none */
  /* For actions that append to the native queue: */
  ze_kernel_handle_t kernel;
  ze_event_handle_t signal;      /* null for none */
  ze_command_list_handle_t list; /* to be executed on a command queue; null for a list */
  bool waits;                    /* for the signal, else it is named */
  pthread_mutex_t *alone;        /* functions append to one list one after the other */
  pthread_mutex_t *shared; /* others hold it while they submit to the queue; null for not taken */
  struct thread *thread;   /* that submits */
  uint32_t index;          /* of the thread, which may have ended when the function runs */
};

/* The index of a thread that submits; UINT32_MAX of others. */
extern _Thread_local uint32_t random_index;

static inline bool one_in(struct thread *t, uint32_t number) {
  return random_below(&t->random, number) == 0;
}

/* random_thread.c */

/* Lets the next blocked thread continue. */
void open_gates(struct thread *t);
void come_after(struct node *node, struct node *before);
void use_queue(struct submission *s);
void depend(struct submission *s);
/* Locks what is locked while nodes of these objects are submitted to the queue, or unlocks. In a
 * free graph only the queue, around some submissions that call no function of the tester. */
void lock_for(struct random_world *world, const struct node *node, uint32_t objects, bool is_native,
    bool lock);
void model(struct submission *s);
void note_submitted(struct submission *s, bool depends);
/* Waits, and lets other nodes depend on the event, by chance. */
void end_submission(struct submission *s, syclze_event event);
void submit_within(struct thread *t);

/* random_choose.c */
bool choose_object(struct thread *t, struct node *node, bool images, uint32_t *object);
void add_access(struct thread *t, struct node *node, uint32_t object, uint32_t how);
void choose_accesses(struct thread *t, struct node *node);
enum action choose_action(struct thread *t);
/* Makes the node one that the queue can run. */
void settle_action(struct thread *t, struct node *node);
uint32_t choose_queue(struct thread *t);

/* random_command.c */

/* The access's part as a buffer of its own, of numbers or of bytes; or the buffer. */
syclze_buffer view_of(
    struct thread *t, syclze_buffer buffer, const struct node_access *access, size_t *unit);
void require(struct submission *s, uint32_t access);
uint32_t images_of(const struct submission *s);
ze_result_t act(struct submission *s, syclze_event *event);

/* random_host.c */
bool has_event(const struct thread *t);
/* An event of the application, of the first context. Needs has_event. */
ze_event_handle_t own_event(struct thread *t);
/* An event that is signalled before the thread blocks, and the node that stands for it. */
ze_event_handle_t close_gate(struct thread *t, struct node **node);
/* The argument of a function of the host, which frees it; that of a step is freed with it. */
struct host *host_for(const struct submission *s);
ze_result_t run_on_host(syclze_interop_handle handle, void *argument);
ze_result_t run_natively(syclze_interop_handle handle, void *argument);
ze_result_t run_appending(syclze_interop_handle handle, void *argument);
/* Appends the launch of a step to the list that is recorded. */
ze_result_t run_recorded(syclze_interop_handle handle, void *argument);

/* random_scope.c */

/* A scope of the host on one buffer, whose place in an ordered graph is that of its beginning;
 * false where there is none. */
bool use_scope(struct thread *t, struct node *node);

/* random_own.c */

/* Submits a command on memory of the thread. */
void use_own(struct thread *t);
void end_owns(struct thread *t);

/* random_record.c */

/* While a graph is recorded no host accessor begins, and no other graph is recorded. */
void begin_recording(bool records);
void end_recording(void);
struct step *step_new(struct random_world *world);
/* True if the step comes after an earlier one by events, barriers or the order of its queue. */
bool is_ordered(const struct random_graph *graph, uint32_t before, uint32_t after);
void choose_steps(struct thread *t, struct random_graph *graph);
/* A queue of the graph's context. */
uint32_t queue_for(struct thread *t, const struct random_graph *graph);
/* The graph of the steps. Between begin_recording and end_recording. */
syclze_graph record(struct thread *t, struct random_graph *graph);

/* random_graph.c */

/* Records, updates or submits a graph; false where none of that can be done. */
bool use_graph(struct thread *t);

#endif
