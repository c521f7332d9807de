/* The engine's interface to the plain way.
 *
 * A context gets an engine with the first command group that accesses memory objects, runs on the
 * host, is recorded or deferred. The engine submits commands that wait for such groups on the host,
 * that are traced, or whose queue records or lends its list to a host task; any linked image may
 * submit them. Its functions belong to the linked image that entered it, which stays loaded
 * (image.h).
 */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_ENGINE_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_ENGINE_H

#include "../../../event.h"
#include "../../../queue.h"
#include "open_event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__command;

struct syclze__engine {
  /* Submits a command of a queue, not null, behind the events. `status` is the result of checking
   * its arguments. `event` may be null. */
  ze_result_t (*submit)(syclze_queue queue, const struct syclze__command *command,
      struct syclze__status status, const syclze_event *waits, uint32_t wait_count,
      syclze_event *event);
};

#if SYCLZE__BODIES

/* The context's engine, or null. */
SYCLZE_INLINE const struct syclze__engine *syclze__context_engine(
    const struct syclze__context *context) {
  return __atomic_load_n(&context->engine, __ATOMIC_ACQUIRE);
}

/* The engine of the linked image; null if none was entered. */
SYCLZE_INLINE const struct syclze__engine *syclze__image_engine(void) {
  return __atomic_load_n(&SYCLZE__STATE.engine, __ATOMIC_ACQUIRE);
}

/* The engine for a submission to the queue behind the events; null if none of their contexts has
 * one and the linked image entered none. */
SYCLZE_LOCAL const struct syclze__engine *syclze__engine_find(
    const struct syclze__queue *queue, const syclze_event *waits, uint32_t wait_count) {
  const struct syclze__engine *engine = syclze__context_engine(queue->context);
  for (uint32_t i = 0; engine == NULL && i < wait_count; i++)
    if (waits[i].rep != NULL) engine = syclze__context_engine(waits[i].rep->context);
  return engine != NULL ? engine : syclze__image_engine();
}

#endif

SYCLZE_EXTERN_C_END

#endif
