/* Cleanup guards: an object released when its variable goes out of scope.
 *
 *     syclze_scoped(event) event = {0};
 *     ze_result_t made = syclze_event_create(context, 0, &event);
 *     if (made != ZE_RESULT_SUCCESS) return made;
 *     *result = syclze_event_take(&event);
 *
 * Sugar of GNU C: the guards run in reverse order on return, break, continue and goto. To let the
 * object live on, return what the kind's _take gives, and not the guarded variable. */
#ifndef SYCLZE_SCOPE_H
#define SYCLZE_SCOPE_H

#include "event.h"
#include "kernel.h"
#include "queue.h"

SYCLZE_EXTERN_C_BEGIN

/* Declares a variable of the kind (context, queue, event, kernel_bundle or kernel) that is released
 * at the end of its scope. Initialise it; null is allowed. */
#define syclze_scoped(kind) __attribute__((cleanup(syclze__##kind##_scope_end))) syclze_##kind

/* syclze_context_take and its like: the object, with its reference, out of the variable, which
 * becomes null. */
#define SYCLZE__SCOPE(kind)                                                                        \
  SYCLZE_INLINE syclze_##kind syclze_##kind##_take(syclze_##kind *object) {                        \
    syclze_##kind taken = *object;                                                                 \
    object->rep = NULL;                                                                            \
    return taken;                                                                                  \
  }                                                                                                \
  SYCLZE_INLINE void syclze__##kind##_scope_end(syclze_##kind *object) {                           \
    syclze_##kind##_release(*object);                                                              \
  }

SYCLZE__SCOPE(context)
SYCLZE__SCOPE(queue)
SYCLZE__SCOPE(event)
SYCLZE__SCOPE(kernel_bundle)
SYCLZE__SCOPE(kernel)
#undef SYCLZE__SCOPE

SYCLZE_EXTERN_C_END

#endif
