/**
 * @file
 * Cleanup guards: an object that is released when its variable goes out of scope.
 *
 *     syclze_scoped(event) event = {0};
 *     ze_result_t made = syclze_event_create(context, 0, &event);
 *     if (made != ZE_RESULT_SUCCESS) return made;
 *     *result = syclze_event_take(&event);
 *
 * Guards are an extension of GNU C. They run in reverse order on return, break, continue and goto.
 * To keep the object, return the result of the kind's _take function instead of the variable.
 *
 * Threads: a guarded variable is for one thread.
 */
#ifndef SYCLZE_SCOPE_H
#define SYCLZE_SCOPE_H

#include "buffer.h"
#include "event.h"
#include "image.h"
#include "kernel.h"
#include "kinds.h"
#include "queue.h"
#include "sampler.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Declares a variable of a kind (context, queue, event, kernel_bundle, kernel, buffer, image or
 * sampler) that is released at the end of its scope. Initialise it; null is allowed.
 */
#define syclze_scoped(kind) __attribute__((cleanup(syclze__##kind##_scope_end))) syclze_##kind

/**
 * Moves an object out of a variable.
 *
 * @param[in,out] object  Not null; the variable becomes null.
 * Ownership afterwards: the reference is the caller's.
 * @return The object; null if the variable was null.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE syclze_context syclze_context_take(syclze_context *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_queue syclze_queue_take(syclze_queue *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_event syclze_event_take(syclze_event *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_bundle_take(syclze_kernel_bundle *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_kernel syclze_kernel_take(syclze_kernel *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_buffer syclze_buffer_take(syclze_buffer *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_image syclze_image_take(syclze_image *object);
/** @copydoc syclze_context_take */
SYCLZE_INLINE syclze_sampler syclze_sampler_take(syclze_sampler *object);

SYCLZE_EXTERN_C_END

#include "detail/scope.h"

#endif
