/* Uses native handles, so that a test sees that they are alive and do what they did before. Each
   leaves the handle as it was. */
#ifndef TESTS_DEVICE_WORKS_H
#define TESTS_DEVICE_WORKS_H

#include "given.h"

/* Allocates from the context. */
void works_context(ze_context_handle_t context);

/* Signals an event of `g` through the list, and by a regular list through the queue. */
void works_list(struct given *g, ze_command_list_handle_t list);
void works_queue(struct given *g, ze_command_queue_handle_t queue);

/* Signals from the host, looks, resets. */
void works_event(ze_event_handle_t event);

/* Creates the kernel of that name. */
void works_module(ze_module_handle_t module, const char *name);

/* Runs a kernel `iota` through the list and looks at every number. */
void works_iota(struct given *g, ze_command_list_handle_t list, ze_kernel_handle_t kernel);

/* Waits for all that was appended to the immediate list. */
void works_wait(struct given *g, ze_command_list_handle_t list);

#endif
