/* Lists that are captured to a graph. A list that waits for an event of a captured command is
 * captured too from then on, a fork, until the list that was captured first ends the capture. The
 * commands of all are on one tape, in the order of their appends. */
#ifndef ZECL_COMMANDS_CAPTURE_H
#define ZECL_COMMANDS_CAPTURE_H

#include "commands/graph.h"

/* Starts one; the list takes over a reference to the graph. */
void zecl_capture_begin(struct zecl_list *list, struct zecl_graph *graph);

/* Ends it, on all its lists. False: the last command of a fork is not awaited by another list. */
bool zecl_capture_end(struct zecl_graph *graph);

/* The list, which is destroyed, takes no part in a capture any more, or ends its own. */
void zecl_capture_leave(struct zecl_list *list);

/* Makes the list a fork if it waits for an event of a capture, and records the capture of the
 * events. To be called before each append while there are captures. */
ze_result_t zecl_capture_follow(struct zecl_list *list, const struct zecl_command *draft,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits);

/* The number of captures. */
extern atomic_uint zecl_captures;

/* True for an event that a captured command signals, while the capture lasts. */
bool zecl_capture_has(const struct zecl_event *event);

#endif
