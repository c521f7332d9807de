/* Events of counter-based pools. Such an event stands for the latest append that it was given to,
 * and is never reset: each append makes a plain event of its own, and waits and queries see the one
 * that is the latest at the time of the call. Before the first there is nothing to wait for.
 *
 * In a regular list the plain event belongs to the list: each execution resets it before the
 * command that signals it. */
#ifndef ZECL_EVENTS_EVENT_COUNTED_H
#define ZECL_EVENTS_EVENT_COUNTED_H

#include "events/event.h"

/* The event of a wait or a query, to be released: the event itself, or the latest append's. Null
 * where there is none. */
struct zecl_event *zecl_event_seen(struct zecl_event *event);

/* A plain event for a new append; null when there is no memory. */
struct zecl_event *zecl_event_next(const struct zecl_event *event);

/* From now on the event stands for `next`, whose reference passes on. */
void zecl_event_advance(struct zecl_event *event, struct zecl_event *next);

/* The kinds of lists that may signal an event, of the flags it was requested with. */
uint32_t zecl_event_counting_lists(uint32_t flags);

/* Beside these: lists that are not in-order may wait for it, as for all without a pool. */
#define ZECL_COUNTED_FOR_ALL (1u << 31)

#endif
