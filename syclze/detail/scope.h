/* Implementation of scope.h. */
#ifndef SYCLZE_DETAIL_SCOPE_H
#define SYCLZE_DETAIL_SCOPE_H

#include "../scope.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__SCOPE_END(kind, ...)                                                               \
  SYCLZE_INLINE void syclze__##kind##_scope_end(syclze_##kind *object) {                           \
    syclze_##kind##_release(*object);                                                              \
  }
SYCLZE__COUNTED_KINDS(SYCLZE__SCOPE_END, 0)
#undef SYCLZE__SCOPE_END

/* Returns the object of a variable, and sets the variable to null. */
#define SYCLZE__TAKE(kind, object)                                                                 \
  do {                                                                                             \
    const syclze_##kind taken = *(object);                                                         \
    (object)->rep = NULL;                                                                          \
    return taken;                                                                                  \
  } while (0)
SYCLZE_INLINE syclze_context syclze_context_take(syclze_context *object) {
  SYCLZE__TAKE(context, object);
}
SYCLZE_INLINE syclze_queue syclze_queue_take(syclze_queue *object) {
  SYCLZE__TAKE(queue, object);
}
SYCLZE_INLINE syclze_event syclze_event_take(syclze_event *object) {
  SYCLZE__TAKE(event, object);
}
SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_bundle_take(syclze_kernel_bundle *object) {
  SYCLZE__TAKE(kernel_bundle, object);
}
SYCLZE_INLINE syclze_kernel syclze_kernel_take(syclze_kernel *object) {
  SYCLZE__TAKE(kernel, object);
}
SYCLZE_INLINE syclze_buffer syclze_buffer_take(syclze_buffer *object) {
  SYCLZE__TAKE(buffer, object);
}
SYCLZE_INLINE syclze_image syclze_image_take(syclze_image *object) {
  SYCLZE__TAKE(image, object);
}
SYCLZE_INLINE syclze_sampler syclze_sampler_take(syclze_sampler *object) {
  SYCLZE__TAKE(sampler, object);
}
#undef SYCLZE__TAKE

SYCLZE_EXTERN_C_END

#endif
