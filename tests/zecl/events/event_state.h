/* The states of events where streams write them: in host memory of the engine, which stays until
 * the process ends. */
#ifndef ZECL_EVENTS_EVENT_STATE_H
#define ZECL_EVENTS_EVENT_STATE_H

#include "events/event.h"

/* A state that is all zero but for its polling; null when there is no memory. */
struct zecl_event_state *zecl_event_state_take(void);

/* No stream may use it any more. */
void zecl_event_state_give(struct zecl_event_state *state);

#endif
