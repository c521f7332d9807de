/* Uses native handles, to prove that they are alive and work. Each function leaves the handle
   unchanged. */
#ifndef TESTS_DEVICE_WORKS_H
#define TESTS_DEVICE_WORKS_H

#include "given.h"

/* Allocates from the context. */
void works_context(ze_context_handle_t context);

/* Signals an event of `g` through the list, and by a regular list through the queue. */
void works_list(struct given *g, ze_command_list_handle_t list);
void works_queue(struct given *g, ze_command_queue_handle_t queue);

/* Signals, queries and resets from the host. */
void works_event(ze_event_handle_t event);

/* Creates and destroys a kernel of the name. */
void works_module(ze_module_handle_t module, const char *name);

/* Runs the kernel `iota` through the list and checks its output. */
void works_iota(struct given *g, ze_command_list_handle_t list, ze_kernel_handle_t kernel);

/* Waits until the immediate list is idle. */
void works_wait(struct given *g, ze_command_list_handle_t list);

#endif
