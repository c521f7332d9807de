/* Two shared libraries that both vendor syclze, and know nothing of each other's objects: only
   native handles cross the border, and whoever gives one says who destroys it. */
#ifndef EXAMPLES_TWO_LIBRARIES_H
#define EXAMPLES_TWO_LIBRARIES_H

#include "syclze/syclze.h"

/* The library that makes things. It destroys what it keeps at its end. */
void maker_begin(void);
void maker_end(void);
ze_device_handle_t maker_device(void);
ze_context_handle_t maker_context(void);    /* stays the maker's */
ze_command_list_handle_t maker_queue(void); /* stays the maker's */
ze_event_handle_t maker_event(void);        /* the caller's to destroy */
const void *maker_state(void);

/* The library that works with what it is given: it keeps the context and the list, and is given the
   event. Returns how many bytes are not what they should be. */
int user_fill(ze_device_handle_t device, ze_context_handle_t context, ze_command_list_handle_t list,
    ze_event_handle_t event);
const void *user_state(void);

#endif
