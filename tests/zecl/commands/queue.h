/* Command queues: closed lists go in, and one worker runs them. */
#ifndef ZECL_COMMANDS_QUEUE_H
#define ZECL_COMMANDS_QUEUE_H

#include "commands/worker.h"
#include "core/context.h"

struct zecl_queue {
  struct zecl_object object;
  struct zecl_context *context;
  struct zecl_device *device;
  uint32_t ordinal, index, flags;
  ze_command_queue_mode_t mode;
  ze_command_queue_priority_t priority;
  pthread_mutex_t submitting; /* several threads may execute on one queue */
  struct zecl_worker worker;
};

static inline struct zecl_queue *zecl_queue_of(ze_command_queue_handle_t handle) {
  return (struct zecl_queue *)(void *)handle;
}

#endif
