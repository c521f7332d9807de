/* Graphs that immediate lists record (ZE_extension_record_replay_graph). While a list is captured,
 * its commands go to the tape of a graph; an executable graph is that tape, and an append of it
 * executes the tape as that of a regular list.
 *
 * Runs of one executable graph on several lists are not ordered by it. */
#ifndef ZECL_COMMANDS_GRAPH_H
#define ZECL_COMMANDS_GRAPH_H

#include "commands/list.h"

/* Results that older headers lack. */
enum {
  ZECL_QUERY_TRUE = 0x78000022,
  ZECL_QUERY_FALSE = 0x78000023,
  ZECL_CAPTURE_UNSUPPORTED = 0x78000025,
  ZECL_CAPTURE_MERGE = 0x78000027,
  ZECL_NOT_CAPTURING = 0x78000028,
  ZECL_UNJOINED_FORKS = 0x78000029
};

struct zecl_graph_callback {
  struct zecl_graph_callback *next;
  void (*call)(void *data);
  void *data;
};

struct zecl_graph {
  struct zecl_object object;
  struct zecl_context *context;
  struct zecl_tape *tape;
  ze_command_list_handle_t primary; /* the list that was captured; null before */
  struct zecl_device *device;       /* of that, and what follows */
  uint32_t ordinal, flags;
  ze_command_queue_mode_t mode;
  bool is_captured;        /* now */
  bool is_of_its_capture;  /* no program has its handle before the capture ends */
  struct zecl_graph *next; /* this and what follows: of capture.c, while it is captured */
  uint64_t capture;
  struct zecl_fork *forks;
  uint32_t fork_count;
  struct zecl_graph_callback *callbacks;
};

struct zecl_executable_graph {
  struct zecl_object object;
  struct zecl_graph *graph; /* a reference */
};

/* Drops a reference. */
void zecl_graph_release(struct zecl_graph *graph);

/* Drops the reference of the list whose capture failed, and the handle that the capture made. */
void zecl_graph_discard(struct zecl_graph *graph);

#endif
