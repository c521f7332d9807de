/* Events of counter-based pools. Such an event stands for the latest append that it was given to,
 * and is never reset: each append makes a plain event of its own, and waits and queries see the one
 * that is the latest at the time of the call. Before the first there is nothing to wait for.
 *
 * In a regular list the plain event belongs to the list: each execution resets it before the
 * command that signals it, and from the submission on the host finds it not ready. */
#ifndef ZECL_EVENTS_EVENT_COUNTED_H
#define ZECL_EVENTS_EVENT_COUNTED_H

#include "core/headers.h"
#include "events/event.h"

/* The event of a wait or a query, to be released: the event itself, or the latest append's. Null
 * where there is none. */
struct zecl_event *zecl_event_seen(struct zecl_event *event);

/* The event of a wait of an immediate list. Where its tape was submitted and has not come to it, it
 * is a follower, which that execution signals. Null also without memory, with `result` set. */
struct zecl_event *zecl_event_followed(struct zecl_event *event, ze_result_t *result);

void zecl_event_complete_tape(struct zecl_event *event, uint64_t start, uint64_t end);

/* Signals an event behind the command of a worker. */
static inline void zecl_event_complete(struct zecl_event *event, uint64_t start, uint64_t end) {
  if (event->is_of_tape)
    zecl_event_complete_tape(event, start, end);
  else
    zecl_event_signal(event, start, end);
}

/* The same of a counter-based event, where one that is set stands for no append. Null when there is
 * no memory. */
struct zecl_event *zecl_event_seen_or_set(struct zecl_event *event);

/* A plain event for a new append; null when there is no memory. */
struct zecl_event *zecl_event_next(const struct zecl_event *event);

/* Makes the event stand for `next` from now on, and takes over its reference. */
void zecl_event_advance(struct zecl_event *event, struct zecl_event *next);

/* An event without a pool of the application: it has one of its own, which is no handle. */
ze_result_t zecl_event_counted_create(ze_context_handle_t context,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *handle);

/* The kinds of lists that may signal an event, of the flags it was requested with. */
uint32_t zecl_event_counting_lists(uint32_t flags);

/* Beside these: lists that are not in-order may wait for it, as for all without a pool. */
#define ZECL_COUNTED_FOR_ALL (1u << 31)

#endif
