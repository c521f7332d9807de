/* Asynchronous errors: of work that fails after its submission succeeded.
 *
 *     syclze_queue_set_asynchronous_handler(queue, &asynchronous_handler);
 *
 * The queue's handler receives each of them at once, on the thread that met it. The first since the
 * last wait is what the next syclze_queue_wait returns. Any thread. */
#ifndef SYCLZE_COMMAND_ASYNCHRONOUS_H
#define SYCLZE_COMMAND_ASYNCHRONOUS_H

#include "../queue.h"

SYCLZE_EXTERN_C_BEGIN

/* Receives a queue's asynchronous errors, from any thread. The queue's reference is the caller's.
 */
typedef struct syclze_asynchronous_handler {
  void (*notify)(void *user, syclze_queue queue, ze_result_t error);
  void *user;
} syclze_asynchronous_handler;

/* Installs a handler, which must live until another takes its place or the queue's last work is
 * done; null for none. Returns the one before, or null. `queue` is not null. */
SYCLZE_INLINE const syclze_asynchronous_handler *syclze_queue_set_asynchronous_handler(
    syclze_queue queue, const syclze_asynchronous_handler *handler) {
  return __atomic_exchange_n(&queue.rep->asynchronous_handler, handler, __ATOMIC_ACQ_REL);
}

/* The first error since the last call, or success; forgotten by the call. `queue` is not null. */
SYCLZE_INLINE ze_result_t syclze_queue_take_asynchronous_error(syclze_queue queue) {
  if (SYCLZE__LIKELY(
          __atomic_load_n(&queue.rep->asynchronous_error, __ATOMIC_ACQUIRE) == ZE_RESULT_SUCCESS))
    return ZE_RESULT_SUCCESS;
  return __atomic_exchange_n(&queue.rep->asynchronous_error, ZE_RESULT_SUCCESS, __ATOMIC_ACQ_REL);
}

/* Notes an error of the queue's work, and tells the handler. */
SYCLZE_LOCAL void syclze__queue_failed(struct syclze__queue *rep, ze_result_t error) {
  ze_result_t none = ZE_RESULT_SUCCESS;
  __atomic_compare_exchange_n(
      &rep->asynchronous_error, &none, error, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  const syclze_asynchronous_handler *handler =
      __atomic_load_n(&rep->asynchronous_handler, __ATOMIC_ACQUIRE);
  syclze_queue queue = {rep};
  if (handler != NULL) handler->notify(handler->user, queue, error);
}

SYCLZE_EXTERN_C_END

#endif
