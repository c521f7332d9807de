/* Bodies of image_host_accessor.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_IMAGE_ACCESSOR_H
#define SYCLZE_COMMAND_DETAIL_HOST_IMAGE_ACCESSOR_H

#include "../../image_host_accessor.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__host_accessor_of_image(syclze_image image, syclze_access_mode mode,
    const ze_image_region_t *region, const char *function, syclze_host_accessor *accessor,
    syclze_event *ready, bool waits) {
  struct syclze__host_access part;
  const struct syclze__status status = syclze__host_access_init_image(&part, image, mode, region);
  return syclze__host_accessor_make(&part, status,
      image.rep != NULL ? image.rep->memory.native : NULL, function, accessor, ready, waits);
}

SYCLZE_COLD ze_result_t syclze_image_host_accessor_create(syclze_image image,
    syclze_access_mode mode, const ze_image_region_t *region, syclze_host_accessor *accessor) {
  return syclze__host_accessor_of_image(
      image, mode, region, "syclze_image_host_accessor_create", accessor, NULL, true);
}

SYCLZE_COLD ze_result_t syclze_image_host_accessor_begin(syclze_image image,
    syclze_access_mode mode, const ze_image_region_t *region, syclze_host_accessor *accessor,
    syclze_event *ready) {
  return syclze__host_accessor_of_image(
      image, mode, region, "syclze_image_host_accessor_begin", accessor, ready, false);
}

SYCLZE_COLD size_t syclze_host_accessor_get_row_pitch(syclze_host_accessor accessor) {
  return accessor.rep->scope->access.row_pitch;
}

SYCLZE_COLD size_t syclze_host_accessor_get_slice_pitch(syclze_host_accessor accessor) {
  return accessor.rep->scope->access.slice_pitch;
}

/* Sets pitches other than 0. A single row or slice needs none. */
SYCLZE_LOCAL struct syclze__status syclze__host_access_set_pitches(
    struct syclze__host_access *access, size_t row_pitch, size_t slice_pitch) {
  const size_t rows = access->part.end[1] - access->part.first[1];
  if (row_pitch != 0 && row_pitch < access->row_pitch)
    return syclze__invalid("the row pitch is smaller than a row");
  if (row_pitch != 0) access->row_pitch = row_pitch;
  if (access->row_pitch > SIZE_MAX / rows) return syclze__invalid("the row pitch is too large");
  if (slice_pitch != 0 && slice_pitch < access->row_pitch * rows)
    return syclze__invalid("the slice pitch is smaller than the rows of a slice");
  access->slice_pitch = slice_pitch != 0 ? slice_pitch : access->row_pitch * rows;
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__image_copy_region(syclze_image image,
    const ze_image_region_t *region, void *data, size_t row_pitch, size_t slice_pitch,
    bool to_host) {
  struct syclze__host_access access;
  struct syclze__status status = syclze__host_access_init_image(
      &access, image, to_host ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_DISCARD_WRITE, region);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__host_access_set_pitches(&access, row_pitch, slice_pitch);
  return syclze__host_access_run(&access, status,
      image.rep != NULL ? image.rep->memory.native : NULL,
      to_host ? "syclze_image_read" : "syclze_image_write", data, to_host);
}

SYCLZE_COLD ze_result_t syclze_image_read(syclze_image image, const ze_image_region_t *region,
    void *data, size_t row_pitch, size_t slice_pitch) {
  return syclze__image_copy_region(image, region, data, row_pitch, slice_pitch, true);
}

SYCLZE_COLD ze_result_t syclze_image_write(syclze_image image, const ze_image_region_t *region,
    const void *data, size_t row_pitch, size_t slice_pitch) {
  return syclze__image_copy_region(
      image, region, (void *)(uintptr_t)data, row_pitch, slice_pitch, false);
}

#endif

SYCLZE_EXTERN_C_END

#endif
