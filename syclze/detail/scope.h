/* Implementation of scope.h. */
#ifndef SYCLZE_DETAIL_SCOPE_H
#define SYCLZE_DETAIL_SCOPE_H

#include "../scope.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_context syclze_context_take(syclze_context *object) {
  syclze_context taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__context_scope_end(syclze_context *object) {
  syclze_context_release(*object);
}

SYCLZE_INLINE syclze_queue syclze_queue_take(syclze_queue *object) {
  syclze_queue taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__queue_scope_end(syclze_queue *object) {
  syclze_queue_release(*object);
}

SYCLZE_INLINE syclze_event syclze_event_take(syclze_event *object) {
  syclze_event taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__event_scope_end(syclze_event *object) {
  syclze_event_release(*object);
}

SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_bundle_take(syclze_kernel_bundle *object) {
  syclze_kernel_bundle taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__kernel_bundle_scope_end(syclze_kernel_bundle *object) {
  syclze_kernel_bundle_release(*object);
}

SYCLZE_INLINE syclze_kernel syclze_kernel_take(syclze_kernel *object) {
  syclze_kernel taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__kernel_scope_end(syclze_kernel *object) {
  syclze_kernel_release(*object);
}

SYCLZE_INLINE syclze_buffer syclze_buffer_take(syclze_buffer *object) {
  syclze_buffer taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__buffer_scope_end(syclze_buffer *object) {
  syclze_buffer_release(*object);
}

SYCLZE_INLINE syclze_image syclze_image_take(syclze_image *object) {
  syclze_image taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__image_scope_end(syclze_image *object) {
  syclze_image_release(*object);
}

SYCLZE_INLINE syclze_sampler syclze_sampler_take(syclze_sampler *object) {
  syclze_sampler taken = *object;
  object->rep = NULL;
  return taken;
}

SYCLZE_INLINE void syclze__sampler_scope_end(syclze_sampler *object) {
  syclze_sampler_release(*object);
}

SYCLZE_EXTERN_C_END

#endif
