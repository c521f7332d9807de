/* Events of counter-based pools. Such an event stands for the latest append that it was given to,
 * and is never reset: each append makes a plain event of its own, and waits and queries see the one
 * that is the latest at the time of the call. Before the first there is nothing to wait for. */
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

/* SUCCESS for flags of events that immediate lists may signal, whether or not regular ones may too;
 * UNSUPPORTED_FEATURE for those that only regular lists signal. */
ze_result_t zecl_event_check_counter_based(uint32_t flags);

#endif
