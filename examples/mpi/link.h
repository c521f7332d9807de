/* Device memory between MPI ranks. A channel passes arrays from rank to rank: to a rank on the same
   node by a copy on the device into its memory, which IPC opens, to any other through host memory.
   Which of both is chosen at run time, by what MPI says of the topology and the driver of IPC.

   All of it is command groups: those that send and receive are host tasks, in which MPI gets the
   native memory of an accessor, and the next command group waits for it. Nothing blocks the rank's
   own thread. MPI must allow calls from any thread. */
#ifndef EXAMPLES_MPI_LINK_H
#define EXAMPLES_MPI_LINK_H

#include "../command.h"
#include "syclze/ipc.h"

#include <mpi.h>
#include <stdbool.h>
#include <string.h>

#define TRY_MPI(call) CLAIM((call) == MPI_SUCCESS)

struct world {
  int rank, ranks;
  MPI_Comm node; /* the ranks on this node */
  bool shares;   /* the drivers of all ranks share memory */
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
};

/* The array that arrives, `in`, is the rank's own device memory. */
struct channel {
  const struct world *world;
  int to, from; /* MPI_PROC_NULL for none */
  bool to_is_near, from_is_near;
  int tag; /* and the next two */
  size_t bytes;
  syclze_buffer in;
  syclze_buffer theirs;            /* the memory of a near `to` */
  syclze_buffer out_host, in_host; /* of far ones */
  syclze_ipc_memory exported;      /* `in`, for a near `from` */
};

enum { ARRIVED = 1, FREE = 2 }; /* added to the tag: messages without data */

static inline struct world world_begin(int *argc, char ***argv) {
  struct world world;
  int provided, local;
  ze_ipc_property_flags_t support;
  TRY_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided));
  CLAIM(provided == MPI_THREAD_MULTIPLE);
  TRY_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &world.rank));
  TRY_MPI(MPI_Comm_size(MPI_COMM_WORLD, &world.ranks));
  TRY_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &world.node));
  TRY_MPI(MPI_Comm_rank(world.node, &local));

  /* The ranks of a node take its devices in turn. */
  syclze_device devices[64];
  uint32_t count = 64;
  TRY(syclze_device_get_selected(&count, devices));
  CLAIM(count > 0);
  world.device = devices[(uint32_t)local % (count < 64 ? count : 64)];
  world.context = context_of(world.device);
  world.queue = queue_of(world.context, world.device);

  TRY(syclze_ipc_get_support(syclze_device_get_platform(world.device), &support));
  int shares = (support & ZE_IPC_PROPERTY_FLAG_MEMORY) != 0;
  TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &shares, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  world.shares = shares != 0;
  return world;
}

static inline void world_end(struct world *world) {
  TRY(syclze_release(world->queue));
  TRY(syclze_release(world->context));
  TRY_MPI(MPI_Comm_free(&world->node));
  TRY_MPI(MPI_Finalize());
}

/* Whether a rank's device memory can be opened here. */
static inline bool is_near(const struct world *world, int rank) {
  MPI_Group all, node;
  int there;
  if (rank == MPI_PROC_NULL || !world->shares) return false;
  TRY_MPI(MPI_Comm_group(MPI_COMM_WORLD, &all));
  TRY_MPI(MPI_Comm_group(world->node, &node));
  TRY_MPI(MPI_Group_translate_ranks(all, 1, &rank, node, &there));
  TRY_MPI(MPI_Group_free(&all));
  TRY_MPI(MPI_Group_free(&node));
  return there != MPI_UNDEFINED;
}

static inline syclze_buffer floats_of(const struct world *world, size_t bytes, bool on_host) {
  syclze_buffer_input input = {.element_size = sizeof(float)};
  syclze_buffer buffer;
  if (on_host)
    TRY(syclze_malloc_host(bytes, world->context, &input.native_handle));
  else
    TRY(syclze_malloc_device(bytes, world->device, world->context, &input.native_handle));
  TRY(syclze_make_native(&input, world->context, &buffer));
  return buffer;
}

/* What a host task does with its accessor's memory. */
enum verb { SEND_MEMORY, RECEIVE_MEMORY, SEND_WORD, RECEIVE_WORD };
struct message {
  const struct channel *channel;
  syclze_accessor accessor;
  enum verb verb;
  int rank, tag;
};

static ze_result_t pass_message(syclze_interop_handle handle, void *argument) {
  struct message message = *(struct message *)argument;
  void *memory;
  free(argument);
  TRY(syclze_get_native_mem(handle, message.accessor, &memory));
  const int bytes = message.verb <= RECEIVE_MEMORY ? (int)message.channel->bytes : 0;
  if (message.verb == SEND_MEMORY || message.verb == SEND_WORD)
    TRY_MPI(MPI_Send(memory, bytes, MPI_BYTE, message.rank, message.tag, MPI_COMM_WORLD));
  else
    TRY_MPI(MPI_Recv(
        memory, bytes, MPI_BYTE, message.rank, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  return ZE_RESULT_SUCCESS;
}

/* Submits a host task: command groups before it that use the buffer are complete when it runs, and
   those after it wait for it. */
static inline void submit_message(const struct channel *channel, syclze_buffer buffer,
    syclze_access_mode mode, enum verb verb, int rank, int tag) {
  struct message *message = malloc(sizeof *message);
  CLAIM(message != NULL);
  *message = (struct message){.channel = channel, .verb = verb, .rank = rank, .tag = tag};
  syclze_group group = syclze_group_begin(channel->world->queue);
  message->accessor = syclze_require(&group, buffer, mode);
  TRY(syclze_group_host_task(&group, pass_message, message, NULL));
}

static inline void copy_floats(syclze_queue queue, syclze_buffer to, size_t to_offset,
    syclze_buffer from, size_t from_offset, size_t bytes) {
  const size_t count = bytes / sizeof(float);
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor target =
      syclze_group_require_range(&group, to, SYCLZE_ACCESS_WRITE, to_offset, count);
  const syclze_accessor source =
      syclze_group_require_range(&group, from, SYCLZE_ACCESS_READ, from_offset, count);
  TRY(syclze_group_copy(&group, syclze_mem_arg(target), syclze_mem_arg(source), bytes, NULL));
}

/* The array may be written by `from` again: after all command groups that were submitted so far. */
static inline void channel_free(const struct channel *channel) {
  if (channel->from_is_near)
    submit_message(channel, channel->in, SYCLZE_ACCESS_READ_WRITE, SEND_WORD, channel->from,
        channel->tag + FREE);
}

/* Opens a channel of `count` floats; `to` and `from` do so with the same tag. */
static inline void channel_open(
    struct channel *channel, const struct world *world, int to, int from, int tag, size_t count) {
  syclze_ipc_handle own = {.kind = 0}, other = {.kind = 0};
  memset(channel, 0, sizeof *channel);
  channel->world = world;
  channel->to = to, channel->from = from, channel->tag = tag;
  channel->bytes = count * sizeof(float);
  channel->to_is_near = is_near(world, to), channel->from_is_near = is_near(world, from);
  void *memory;
  TRY(syclze_malloc_device(channel->bytes, world->device, world->context, &memory));
  const syclze_buffer_input input = {.native_handle = memory, .element_size = sizeof(float)};
  TRY(syclze_make_native(&input, world->context, &channel->in));
  if (channel->from_is_near) {
    TRY(syclze_ipc_memory_export(memory, 0, world->context, &channel->exported));
    own = syclze_ipc_memory_get_handle(channel->exported);
  } else if (from != MPI_PROC_NULL)
    channel->in_host = floats_of(world, channel->bytes, true);

  /* Each sends the name of its memory to the rank that writes there. */
  TRY_MPI(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, from, tag, &other, sizeof other, MPI_BYTE, to,
      tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  if (channel->to_is_near) {
    syclze_ipc_memory opened;
    TRY(syclze_ipc_memory_open(&other, 0, world->device, world->context, &opened));
    const syclze_buffer_input theirs = {.native_handle = syclze_ipc_memory_get_pointer(opened),
        .ownership = SYCLZE_OWNERSHIP_KEEP,
        .element_size = sizeof(float)};
    TRY(syclze_make_native(&theirs, world->context, &channel->theirs));
    TRY(syclze_set_owner(channel->theirs, syclze_ipc_memory_as_owner(opened)));
  } else if (to != MPI_PROC_NULL)
    channel->out_host = floats_of(world, channel->bytes, true);
  channel_free(channel);
}

/* Submits what sends a part of a buffer, from the element `offset` on. */
static inline void channel_send(
    const struct channel *channel, syclze_buffer source, size_t offset) {
  syclze_queue queue = channel->world->queue;
  if (channel->to == MPI_PROC_NULL) return;
  if (channel->to_is_near) {
    submit_message(channel, channel->theirs, SYCLZE_ACCESS_READ_WRITE, RECEIVE_WORD, channel->to,
        channel->tag + FREE);
    copy_floats(queue, channel->theirs, 0, source, offset, channel->bytes);
    submit_message(channel, channel->theirs, SYCLZE_ACCESS_READ_WRITE, SEND_WORD, channel->to,
        channel->tag + ARRIVED);
  } else {
    copy_floats(queue, channel->out_host, 0, source, offset, channel->bytes);
    submit_message(
        channel, channel->out_host, SYCLZE_ACCESS_READ, SEND_MEMORY, channel->to, channel->tag);
  }
}

/* Submits what receives into `in`. Command groups that use it come between this and channel_free.
 */
static inline void channel_receive(const struct channel *channel) {
  if (channel->from == MPI_PROC_NULL) return;
  if (channel->from_is_near)
    submit_message(channel, channel->in, SYCLZE_ACCESS_READ_WRITE, RECEIVE_WORD, channel->from,
        channel->tag + ARRIVED);
  else {
    submit_message(channel, channel->in_host, SYCLZE_ACCESS_WRITE, RECEIVE_MEMORY, channel->from,
        channel->tag);
    copy_floats(channel->world->queue, channel->in, 0, channel->in_host, 0, channel->bytes);
  }
}

/* Closes what is open. The word that the array is free, of which there is one more than arrays, is
   received first. */
static inline void channel_close(struct channel *channel) {
  if (channel->to_is_near)
    submit_message(channel, channel->theirs, SYCLZE_ACCESS_READ_WRITE, RECEIVE_WORD, channel->to,
        channel->tag + FREE);
  TRY(syclze_queue_wait(channel->world->queue));
  TRY(syclze_release(channel->theirs));
  /* The neighbour has closed this rank's memory too before it is freed. */
  TRY_MPI(MPI_Barrier(MPI_COMM_WORLD));
  TRY(syclze_ipc_memory_release(channel->exported));
  TRY(syclze_release(channel->in));
  TRY(syclze_release(channel->in_host));
  TRY(syclze_release(channel->out_host));
}

static inline const char *way_of(const struct channel *channel) {
  if (channel->to == MPI_PROC_NULL) return "no one";
  return channel->to_is_near ? "device memory" : "host memory";
}

static inline syclze_kernel kernel_of(
    const struct world *world, const char *path, const char *name, syclze_kernel_bundle *bundle) {
  static unsigned char words[1 << 16];
  FILE *file = fopen(path, "rb");
  CLAIM(file != NULL);
  const syclze_kernel_bundle_desc desc = {
      .spirv = words, .size = fread(words, 1, sizeof words, file)};
  fclose(file);
  syclze_kernel kernel;
  TRY(syclze_kernel_bundle_create(world->context, world->device, &desc, bundle));
  TRY(syclze_kernel_create(*bundle, name, &kernel));
  return kernel;
}

#endif
