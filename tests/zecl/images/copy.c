/* Texels pass through a buffer of one slice, since the engine may keep more channels than the user
 * has, and engines disagree about the pitches of arrays. */
#include "images/copy.h"

#include "core/check.h"
#include "images/convert.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void zecl_image_lock(void) {
  pthread_mutex_lock(&lock);
}

void zecl_image_unlock(void) {
  pthread_mutex_unlock(&lock);
}

struct staging {
  char *engine, *user; /* a slice of texels each */
  size_t texels;       /* in it */
};

static bool begin(struct staging *staging, const struct zecl_image_format *format,
    const struct zecl_image_region *region) {
  staging->texels = region->size[0] * region->size[1];
  staging->engine = malloc(staging->texels * zecl_engine_texel_size(format));
  staging->user = malloc(staging->texels * zecl_texel_size(format));
  return staging->engine && staging->user;
}

static void end(struct staging *staging) {
  free(staging->engine);
  free(staging->user);
}

static ze_result_t read_engine(const struct zecl_image *image,
    const struct zecl_image_region *region, size_t slice, struct staging *staging,
    struct zecl_engine_queue *queue) {
  const size_t origin[3] = {region->origin[0], region->origin[1], region->origin[2] + slice};
  const size_t size[3] = {region->size[0], region->size[1], 1};
  return zecl_engine()->image_read(queue, image->engine, origin, size, staging->engine);
}

static ze_result_t write_engine(const struct zecl_image *image,
    const struct zecl_image_region *region, size_t slice, struct staging *staging,
    struct zecl_engine_queue *queue) {
  const size_t origin[3] = {region->origin[0], region->origin[1], region->origin[2] + slice};
  const size_t size[3] = {region->size[0], region->size[1], 1};
  return zecl_engine()->image_write(queue, image->engine, origin, size, staging->engine);
}

/* The texels that a converted image keeps, of a row of a slice of the region. */
static char *row_of(const struct zecl_image *image, const struct zecl_image_region *region,
    size_t slice, size_t y) {
  const size_t row = (region->origin[2] + slice) * image->size[1] + region->origin[1] + y;
  const size_t texel = row * image->size[0] + region->origin[0];
  return image->texels + texel * zecl_texel_size(&image->format);
}

static ze_result_t read_slice(const struct zecl_image *image,
    const struct zecl_image_region *region, size_t slice, struct staging *staging,
    struct zecl_engine_queue *queue) {
  const size_t row = region->size[0] * zecl_texel_size(&image->format);
  if (image->texels) {
    for (size_t y = 0; y < region->size[1]; y++)
      memcpy(staging->user + y * row, row_of(image, region, slice, y), row);
    return ZE_RESULT_SUCCESS;
  }
  const ze_result_t error = read_engine(image, region, slice, staging, queue);
  zecl_texels_extract(&image->format, staging->user, staging->engine, staging->texels);
  return error;
}

static ze_result_t write_slice(const struct zecl_image *image,
    const struct zecl_image_region *region, size_t slice, struct staging *staging,
    struct zecl_engine_queue *queue) {
  const size_t row = region->size[0] * zecl_texel_size(&image->format);
  for (size_t y = 0; image->texels && y < region->size[1]; y++)
    memcpy(row_of(image, region, slice, y), staging->user + y * row, row);
  zecl_texels_expand(&image->format, staging->engine, staging->user, staging->texels);
  return write_engine(image, region, slice, staging, queue);
}

static void to_memory(const struct zecl_image_copy *copy, size_t slice, const char *user) {
  const size_t row = copy->from.size[0] * zecl_texel_size(&copy->from_image->format);
  for (size_t y = 0; y < copy->from.size[1]; y++)
    memcpy(copy->to_memory + slice * copy->slice_pitch + y * copy->row_pitch, user + y * row, row);
}

static void from_memory(const struct zecl_image_copy *copy, size_t slice, char *user) {
  const size_t row = copy->to.size[0] * zecl_texel_size(&copy->to_image->format);
  for (size_t y = 0; y < copy->to.size[1]; y++)
    memcpy(
        user + y * row, copy->from_memory + slice * copy->slice_pitch + y * copy->row_pitch, row);
}

/* Between two images the user's texels are the same bytes, whatever the engine keeps. */
static ze_result_t copy_slice(const struct zecl_image_copy *copy, size_t slice,
    struct staging *from, struct staging *to, struct zecl_engine_queue *queue) {
  ze_result_t error = ZE_RESULT_SUCCESS;
  if (copy->from_image) error = read_slice(copy->from_image, &copy->from, slice, from, queue);
  if (error == ZE_RESULT_SUCCESS && !copy->to_image) to_memory(copy, slice, from->user);
  if (error != ZE_RESULT_SUCCESS || !copy->to_image) return error;
  if (copy->from_image)
    memcpy(to->user, from->user, to->texels * zecl_texel_size(&copy->to_image->format));
  else
    from_memory(copy, slice, to->user);
  return write_slice(copy->to_image, &copy->to, slice, to, queue);
}

ze_result_t zecl_run_image_copy(
    const struct zecl_image_copy *copy, struct zecl_engine_queue *queue) {
  struct staging from = {0}, to = {0};
  const size_t depth = copy->from_image ? copy->from.size[2] : copy->to.size[2];
  const bool is_widened = (copy->from_image && copy->from_image->format.is_widened) ||
                          (copy->to_image && copy->to_image->format.is_widened);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (is_widened) zecl_image_lock();
  if ((copy->from_image && !begin(&from, &copy->from_image->format, &copy->from)) ||
      (copy->to_image && !begin(&to, &copy->to_image->format, &copy->to)))
    result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (size_t slice = 0; slice < depth && result == ZE_RESULT_SUCCESS; slice++)
    result = copy_slice(copy, slice, &from, &to, queue);
  if (is_widened) zecl_image_unlock();
  end(&from);
  end(&to);
  return result;
}

ze_result_t zecl_queue_image_copy(
    const struct zecl_image_copy *copy, struct zecl_engine_queue *queue) {
  const struct zecl_image_region *region = copy->to_image ? &copy->to : &copy->from;
  struct zecl_texel_copy texels = {.to_image = copy->to_image ? copy->to_image->engine : NULL,
      .from_image = copy->from_image ? copy->from_image->engine : NULL,
      .to = copy->to_memory,
      .from = copy->from_memory,
      .row_pitch = copy->row_pitch,
      .slice_pitch = copy->slice_pitch};
  memcpy(texels.size, region->size, sizeof texels.size);
  memcpy(texels.to_origin, copy->to.origin, sizeof texels.to_origin);
  memcpy(texels.from_origin, copy->from.origin, sizeof texels.from_origin);
  return zecl_engine()->streams->copy_texels(queue, &texels);
}

void zecl_image_copy_free(struct zecl_image_copy *copy) {
  if (copy->to_image) zecl_image_release(copy->to_image);
  if (copy->from_image) zecl_image_release(copy->from_image);
  free(copy);
}

static void adopt(const struct zecl_image *image, const struct zecl_image *source, size_t slice,
    const struct staging *staging) {
  if (memcmp(image->size, source->size, sizeof image->size) != 0 ||
      !zecl_convert_same_channels(&image->format, &source->format))
    return;
  const size_t size = zecl_texel_size(&image->format);
  const size_t first = slice * staging->texels * size;
  for (size_t i = 0; i < staging->texels; i++) {
    union zecl_texel texel;
    memcpy(&texel, staging->engine + i * sizeof texel, sizeof texel);
    zecl_convert_adopt(&image->format, image->texels + first + i * size,
        source->texels + first + i * size, &texel);
  }
}

struct settling {
  struct zecl_image *image;
  struct zecl_image *const *sources;
  uint32_t source_count;
  struct zecl_image_region all;
  struct staging staging;
};

static ze_result_t settle_slice(
    struct settling *settling, size_t slice, struct zecl_engine_queue *queue) {
  const struct zecl_image *image = settling->image;
  struct staging *staging = &settling->staging;
  char *user = image->texels ? row_of(image, &settling->all, slice, 0) : staging->user;
  const ze_result_t error = read_engine(image, &settling->all, slice, staging, queue);
  if (error != ZE_RESULT_SUCCESS) return error;
  for (uint32_t i = 0; i < settling->source_count; i++)
    adopt(image, settling->sources[i], slice, staging);
  zecl_texels_extract(&image->format, user, staging->engine, staging->texels);
  zecl_texels_expand(&image->format, staging->engine, user, staging->texels);
  return write_engine(image, &settling->all, slice, staging, queue);
}

ze_result_t zecl_image_settle(struct zecl_image *image, struct zecl_image *const *sources,
    uint32_t source_count, struct zecl_engine_queue *queue) {
  struct settling settling = {image, sources, source_count, zecl_image_whole(image), {0}};
  ze_result_t error = ZE_RESULT_SUCCESS;
  const bool begun = begin(&settling.staging, &image->format, &settling.all);
  for (size_t slice = 0; begun && slice < settling.all.size[2] && error == ZE_RESULT_SUCCESS;
       slice++)
    error = settle_slice(&settling, slice, queue);
  end(&settling.staging);
  if (!begun) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return error;
}

struct zecl_image_region zecl_image_whole(const struct zecl_image *image) {
  struct zecl_image_region whole = {.origin = {0, 0, 0}};
  memcpy(whole.size, image->size, sizeof whole.size);
  return whole;
}
