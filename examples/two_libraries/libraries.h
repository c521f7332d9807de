/* Two shared libraries that both vendor syclze and share no objects: only native handles cross the
   border, with an agreement on who destroys each. */
#ifndef EXAMPLES_TWO_LIBRARIES_H
#define EXAMPLES_TWO_LIBRARIES_H

#include "syclze/syclze.h"

/* Creates handles; destroys the ones that it keeps at its end. */
void maker_begin(void);
void maker_end(void);
ze_device_handle_t maker_device(void);
ze_context_handle_t maker_context(void);    /* owned by the maker */
ze_command_list_handle_t maker_queue(void); /* owned by the maker */
ze_event_handle_t maker_event(void);        /* owned by the caller */
const void *maker_state(void);

/* Uses the handles: keeps the context and the list, owns the event. Returns the number of wrong
   bytes. */
int user_fill(ze_device_handle_t device, ze_context_handle_t context, ze_command_list_handle_t list,
    ze_event_handle_t event);
const void *user_state(void);

#endif
