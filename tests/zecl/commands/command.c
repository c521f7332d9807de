#include "commands/command.h"

#include "commands/tape.h"
#include "events/fence.h"
#include "events/semaphore.h"
#include "images/copy.h"

#include <stdlib.h>
#include <string.h>

ze_result_t zecl_command_record(struct zecl_command *command, const struct zecl_command *draft) {
  command->kind = draft->kind;
  command->signal = draft->signal;
  command->wait_count = draft->wait_count;
  struct zecl_event **waits = command->some_waits;
  if (draft->wait_count > ZECL_COMMAND_WAITS) {
    waits = malloc(draft->wait_count * sizeof *waits);
    if (!waits) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  for (uint32_t i = 0; i < draft->wait_count; i++) {
    waits[i] = draft->waits[i];
    zecl_object_retain(waits[i]);
  }
  command->waits = waits;
  if (command->signal) zecl_object_retain(command->signal);
  memcpy(&command->region, &draft->region, sizeof command->region); /* the widest of the union */
  return ZE_RESULT_SUCCESS;
}

_Static_assert(sizeof(struct zecl_copy_region) + offsetof(struct zecl_command, region) ==
                   sizeof(struct zecl_command),
    "the region is the widest member of the union");

void zecl_command_set_signal(struct zecl_command *command, struct zecl_event *signal) {
  zecl_object_retain(signal);
  zecl_event_release(command->signal);
  command->signal = signal;
}

void zecl_command_set_wait(struct zecl_command *command, uint32_t at, struct zecl_event *wait) {
  struct zecl_event **waits = (struct zecl_event **)(uintptr_t)command->waits;
  zecl_object_retain(wait);
  zecl_event_release(waits[at]);
  waits[at] = wait;
}

void zecl_command_discard(struct zecl_command *draft) {
  switch (draft->kind) {
  case ZECL_COMMAND_FILL:
    free(draft->fill.long_pattern);
    break;
  case ZECL_COMMAND_IMAGE_COPY:
    zecl_image_copy_free(draft->image_copy);
    break;
  case ZECL_COMMAND_RESET:
    zecl_event_release(draft->reset);
    break;
  case ZECL_COMMAND_QUERY_TIMESTAMPS:
    for (uint32_t i = 0; i < draft->query.count; i++)
      zecl_event_release(draft->query.events[i]);
    free(draft->query.events);
    free(draft->query.offsets);
    break;
  case ZECL_COMMAND_LAUNCH:
  case ZECL_COMMAND_LAUNCH_INDIRECT:
    zecl_launch_destroy(draft->launch.launch);
    break;
  case ZECL_COMMAND_LAUNCH_MULTIPLE:
    for (uint32_t i = 0; i < draft->launches.count; i++)
      zecl_launch_destroy(draft->launches.launches[i]);
    free(draft->launches.launches);
    break;
  case ZECL_COMMAND_SEMAPHORES:
    zecl_semaphore_uses_free(draft->semaphores);
    break;
  case ZECL_COMMAND_EXECUTE:
    zecl_tape_release(draft->execute.tape);
    if (draft->execute.fence) zecl_fence_release(draft->execute.fence);
    break;
  default:
    break;
  }
}

void zecl_command_forget(struct zecl_command *command) {
  zecl_command_discard(command);
  if (command->signal) zecl_event_release(command->signal);
  for (uint32_t i = 0; i < command->wait_count; i++)
    zecl_event_release(command->waits[i]);
  if (command->waits != command->some_waits) free((void *)(uintptr_t)command->waits);
}
