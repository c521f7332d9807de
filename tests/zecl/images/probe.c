#include "images/probe.h"

#include "engine/engine.h"
#include "images/convert.h"
#include "images/copy.h"
#include "images/sampler.h"
#include "modules/program.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The kernels of probe.cl. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        "zecl_image_probe_begin:\n"
        ".incbin \"images/probe.spv\"\n"
        "zecl_image_probe_end:\n"
        ".previous\n");
extern const unsigned char zecl_image_probe_begin[] __attribute__((visibility("hidden")));
extern const unsigned char zecl_image_probe_end[] __attribute__((visibility("hidden")));

enum { TYPES = ZE_IMAGE_TYPE_BUFFER + 1, WIDTH = 4, TEXELS = 24, FORMATS = 512 };

enum support { UNKNOWN, GOOD, BAD };

struct probe {
  struct zecl_program *program;
  struct zecl_engine_queue *queue;
  struct zecl_engine_sampler *edge, *border,
      *normalised; /* nearest; all but the last of plain coordinates */
};

struct known_format {
  struct zecl_image_format asked, found;
  bool is_good;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct probe probe;
static enum support ready, types[TYPES], normalised[TYPES];
static struct known_format formats[FORMATS];
static unsigned format_count;

static const char *const names[TYPES] = {[ZE_IMAGE_TYPE_1D] = "1d",
    [ZE_IMAGE_TYPE_1DARRAY] = "1d_array",
    [ZE_IMAGE_TYPE_2D] = "2d",
    [ZE_IMAGE_TYPE_2DARRAY] = "2d_array",
    [ZE_IMAGE_TYPE_3D] = "3d",
    [ZE_IMAGE_TYPE_BUFFER] = "buffer"};

static const size_t sizes[TYPES][3] = {[ZE_IMAGE_TYPE_1D] = {WIDTH, 1, 1},
    [ZE_IMAGE_TYPE_1DARRAY] = {WIDTH, 3, 1},
    [ZE_IMAGE_TYPE_2D] = {WIDTH, 3, 1},
    [ZE_IMAGE_TYPE_2DARRAY] = {WIDTH, 2, 3}, /* a middle layer */
    [ZE_IMAGE_TYPE_3D] = {WIDTH, 3, 2},
    [ZE_IMAGE_TYPE_BUFFER] = {WIDTH, 1, 1}};

static bool start_locked(void) {
  struct zecl_text log = {0};
  const struct zecl_engine *engine = zecl_engine();
  if (!engine || !engine->properties->has_images) return false;
  const size_t size = (size_t)(zecl_image_probe_end - zecl_image_probe_begin);
  const ze_result_t result =
      zecl_program_get(zecl_image_probe_begin, size, NULL, NULL, NULL, &log, &probe.program);
  zecl_text_free(&log);
  if (result != ZE_RESULT_SUCCESS) return false;
  const ze_sampler_filter_mode_t nearest = ZE_SAMPLER_FILTER_MODE_NEAREST;
  probe.queue = engine->queue_create(0, 0);
  probe.edge = engine->sampler_create(false, ZE_SAMPLER_ADDRESS_MODE_CLAMP, nearest);
  probe.border = engine->sampler_create(false, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, nearest);
  probe.normalised = engine->sampler_create(true, ZE_SAMPLER_ADDRESS_MODE_CLAMP, nearest);
  return probe.queue && probe.edge && probe.border && probe.normalised;
}

static bool start(void) {
  if (ready == UNKNOWN) ready = start_locked() ? GOOD : BAD;
  return ready == GOOD;
}

struct argument { /* of a kernel: one of them */
  struct zecl_engine_image *image;
  struct zecl_engine_sampler *sampler;
  void *pointer;
};

static ze_result_t set(
    struct zecl_engine_kernel *kernel, uint32_t index, const struct argument *argument) {
  const struct zecl_engine *engine = zecl_engine();
  if (argument->image) return engine->set_image(kernel, index, argument->image);
  if (argument->sampler) return engine->set_sampler(kernel, index, argument->sampler);
  return engine->set_pointer(kernel, index, argument->pointer);
}

static bool run(const char *prefix, const char *name, const struct argument *arguments,
    uint32_t argument_count, size_t items) {
  char whole[32];
  struct zecl_function *function = NULL;
  strcat(strcpy(whole, prefix), name);
  for (uint32_t i = 0; i < probe.program->function_count && !function; i++)
    if (strcmp(probe.program->functions[i].name, whole) == 0)
      function = &probe.program->functions[i];
  ze_result_t error;
  struct zecl_engine_kernel *kernel = function ? zecl_function_take(function, &error) : NULL;
  if (!kernel) return false;
  error = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < argument_count && !error; i++)
    error = set(kernel, i, &arguments[i]);
  const size_t global[3] = {items, 1, 1};
  if (!error) error = zecl_engine()->enqueue(probe.queue, kernel, NULL, global, NULL, false);
  if (!error) error = zecl_engine()->queue_finish(probe.queue);
  zecl_function_give(function, kernel);
  return error == ZE_RESULT_SUCCESS;
}

struct place {
  _Alignas(16) float f[ZECL_CHANNELS];
  _Alignas(16) int32_t i[ZECL_CHANNELS];
};

/* The place of texel `index` of an image: in whole numbers, and as coordinates of its centre. */
static struct place place_of(const struct zecl_image *image, size_t index, bool is_normalised) {
  struct place place = {.f = {0}, .i = {0}};
  const size_t at[3] = {index % image->size[0], index / image->size[0] % image->size[1],
      index / image->size[0] / image->size[1]};
  unsigned layers = 3;
  if (image->type == ZE_IMAGE_TYPE_1DARRAY) layers = 1;
  if (image->type == ZE_IMAGE_TYPE_2DARRAY) layers = 2;
  for (unsigned i = 0; i < 3; i++) {
    place.i[i] = (int32_t)at[i];
    place.f[i] = i == layers ? (float)at[i] : (float)at[i] + 0.5f;
    if (is_normalised && i != layers) place.f[i] /= (float)image->size[i];
  }
  return place;
}

static bool read_by_kernel(const struct zecl_image *image, const char *name,
    struct zecl_engine_sampler *sampler, union zecl_texel *texels, size_t count) {
  _Alignas(16) float places[TEXELS + 1][ZECL_CHANNELS];
  const struct argument arguments[] = {
      {.image = image->engine}, {.sampler = sampler}, {.pointer = texels}, {.pointer = places}};
  for (size_t i = 0; i < count; i++)
    memcpy(places[i], place_of(image, i, sampler == probe.normalised).f, sizeof *places);
  /* The last texel of a format's probe lies beyond the edge. */
  if (sampler == probe.border) places[count - 1][0] = places[count - 1][1] = -1;
  const struct argument plain[] = {arguments[0], arguments[2]};
  return image->type == ZE_IMAGE_TYPE_BUFFER ? run("read_", name, plain, 2, count)
                                             : run("read_", name, arguments, 4, count);
}

static bool write_by_kernel(const struct zecl_image *image, const char *name,
    const union zecl_texel *texels, size_t count) {
  _Alignas(16) int32_t places[TEXELS][ZECL_CHANNELS];
  const struct argument arguments[] = {
      {.image = image->engine}, {.pointer = (void *)(uintptr_t)texels}, {.pointer = places}};
  for (size_t i = 0; i < count; i++)
    memcpy(places[i], place_of(image, i, false).i, sizeof *places);
  return run("write_", name, arguments, image->type == ZE_IMAGE_TYPE_BUFFER ? 2 : 3, count);
}

static bool copy(struct zecl_image *image, void *to_memory, const void *from_memory) {
  const struct zecl_image_region all = zecl_image_whole(image);
  const size_t row = image->size[0] * zecl_texel_size(&image->format);
  const struct zecl_image_copy copy = {.to_image = from_memory ? image : NULL,
      .from_image = to_memory ? image : NULL,
      .to = all,
      .from = all,
      .to_memory = to_memory,
      .from_memory = from_memory,
      .row_pitch = row,
      .slice_pitch = row * image->size[1]};
  return zecl_run_image_copy(&copy, probe.queue) == ZE_RESULT_SUCCESS;
}

static size_t texels_of(const struct zecl_image *image) {
  return image->size[0] * image->size[1] * image->size[2];
}

static struct zecl_image image_of(ze_image_type_t type, const struct zecl_image_format *format) {
  struct zecl_image image = {.type = type, .format = *format};
  memcpy(image.size, sizes[type], sizeof image.size);
  return image;
}

static const struct zecl_image_format four_floats = {.channels = ZECL_CHANNELS,
    .texel_size = ZECL_CHANNELS * sizeof(float),
    .channel_size = sizeof(float),
    .source = {0, 1, 2, 3},
    .type = ZECL_CHANNEL_FLOAT,
    .kind = ZECL_TEXEL_FLOAT,
    .order = ZECL_ORDER_RGBA};

static bool reads_right(struct zecl_image *image, struct zecl_engine_sampler *sampler) {
  union zecl_texel texels[TEXELS], seen[TEXELS];
  const size_t count = texels_of(image);
  for (size_t i = 0; i < count * ZECL_CHANNELS; i++)
    texels[i / ZECL_CHANNELS].f[i % ZECL_CHANNELS] = (float)i + 0.5f;
  memset(seen, 0, sizeof seen);
  return copy(image, NULL, texels) &&
         read_by_kernel(image, names[image->type], sampler, seen, count) &&
         memcmp(seen, texels, count * sizeof *texels) == 0;
}

static bool writes_right(struct zecl_image *image) {
  union zecl_texel texels[TEXELS], seen[TEXELS];
  const size_t count = texels_of(image);
  for (size_t i = 0; i < count * ZECL_CHANNELS; i++)
    texels[i / ZECL_CHANNELS].f[i % ZECL_CHANNELS] = -(float)i;
  memset(seen, 0, sizeof seen);
  return write_by_kernel(image, names[image->type], texels, count) && copy(image, seen, NULL) &&
         memcmp(seen, texels, count * sizeof *texels) == 0;
}

static void try_type(ze_image_type_t type) {
  struct zecl_image image = image_of(type, &four_floats);
  types[type] = normalised[type] = BAD;
  if (!start() || zecl_image_make(&image) != ZE_RESULT_SUCCESS) return;
  if (reads_right(&image, probe.edge) && writes_right(&image)) types[type] = GOOD;
  if (type != ZE_IMAGE_TYPE_BUFFER && reads_right(&image, probe.normalised))
    normalised[type] = GOOD;
  zecl_image_unmake(&image);
}

static uint32_t next_random(uint32_t *state) {
  return *state = *state * 1664525 + 1013904223;
}

/* Fills the bytes with conversions of random numbers. */
static void fill_converted(
    const struct zecl_image_format *format, unsigned char *bytes, size_t size) {
  uint32_t state = 1;
  for (size_t i = 0; i < size; i += format->texel_size) {
    unsigned char random[sizeof(union zecl_texel)];
    for (size_t k = 0; k < sizeof random; k++)
      random[k] = (unsigned char)(next_random(&state) >> 24);
    union zecl_texel texel = zecl_convert_decode(format, random);
    for (unsigned k = 0; k < ZECL_CHANNELS; k++)
      if (format->kind == ZECL_TEXEL_FLOAT && !isfinite(texel.f[k])) texel.f[k] = 0.5f;
    memset(bytes + i, 0, format->texel_size);
    zecl_convert_encode(format, bytes + i, &texel);
  }
}

/* Bytes that every bit of a channel takes part in, and that are numbers. */
static void fill_bytes(const struct zecl_image_format *format, unsigned char *bytes, size_t size) {
  uint32_t state = 1;
  if (format->is_converted) {
    fill_converted(format, bytes, size);
    return;
  }
  for (size_t i = 0; i < size; i += format->channel_size) {
    uint32_t bits = next_random(&state) >> (32 - 8 * format->channel_size);
    if (format->type == ZECL_CHANNEL_HALF || format->type == ZECL_CHANNEL_FLOAT)
      bits &= format->type == ZECL_CHANNEL_FLOAT ? 0xbfffffff : 0xbfff;
    /* The least of SNORM is -1 like its neighbour. */
    if (format->type == ZECL_CHANNEL_SNORM8 && bits == 0x80) bits = 0x81;
    if (format->type == ZECL_CHANNEL_SNORM16 && bits == 0x8000) bits = 0x8001;
    const unsigned channel = (unsigned)(i / format->channel_size) % format->channels;
    if (zecl_format_component(format, channel) == ZECL_CHANNELS) bits = 0; /* padding */
    memcpy(bytes + i, &bits, format->channel_size);
  }
}

static bool same_texel(const struct zecl_image_format *format, const union zecl_texel *wanted,
    const union zecl_texel *seen) {
  static const float tolerance = 2e-6f;
  if (format->kind != ZECL_TEXEL_FLOAT) return memcmp(wanted, seen, sizeof *seen) == 0;
  for (unsigned i = 0; i < ZECL_CHANNELS; i++)
    if (!(fabsf(wanted->f[i] - seen->f[i]) <= tolerance * fmaxf(1, fabsf(wanted->f[i]))))
      return false;
  return true;
}

static bool try_texels(struct zecl_image *image) {
  struct zecl_image_format *format = &image->format;
  union zecl_texel wanted[TEXELS + 1], seen[TEXELS + 1];
  unsigned char bytes[sizeof wanted], seen_bytes[sizeof wanted];
  const size_t count = texels_of(image), size = count * zecl_texel_size(format);
  const char *name = format->kind == ZECL_TEXEL_FLOAT ? names[ZE_IMAGE_TYPE_2D] : "integer";
  fill_bytes(format, bytes, size);
  for (size_t i = 0; i < count; i++)
    wanted[i] = zecl_texel_value(format, bytes + i * zecl_texel_size(format));
  memset(&wanted[count], 0, sizeof *wanted);
  if (zecl_format_is_opaque(format)) {
    if (format->kind == ZECL_TEXEL_FLOAT)
      wanted[count].f[3] = 1;
    else
      wanted[count].u[3] = 1;
  }
  if (!copy(image, NULL, bytes) || !read_by_kernel(image, name, probe.border, seen, count + 1))
    return false;
  for (size_t i = 0; i < count; i++)
    if (!same_texel(format, &wanted[i], &seen[i])) return false;
  format->border_is_right = same_texel(format, &wanted[count], &seen[count]);
  seen[count].u[3] = wanted[count].u[3];
  format->border_is_black = same_texel(format, &wanted[count], &seen[count]);
  memset(bytes, 0, size);
  if (!copy(image, NULL, bytes) || !write_by_kernel(image, name, wanted, count)) return false;
  if (format->is_widened && zecl_image_settle(image, NULL, 0, probe.queue) != ZE_RESULT_SUCCESS)
    return false;
  if (!copy(image, seen_bytes, NULL)) return false;
  fill_bytes(format, bytes, size);
  return memcmp(bytes, seen_bytes, size) == 0;
}

static bool try_as_it_is(struct zecl_image_format *format) {
  struct zecl_image image = image_of(ZE_IMAGE_TYPE_2D, format);
  if (format->order == 0 || zecl_image_make(&image) != ZE_RESULT_SUCCESS) return false;
  const bool good = try_texels(&image);
  zecl_image_unmake(&image);
  *format = image.format;
  return good;
}

static bool try_format(struct zecl_image_format *format) {
  struct zecl_image_format widened = zecl_image_format_widened(format);
  if (try_as_it_is(format)) return true;
  *format = widened;
  return try_as_it_is(format);
}

/* An engine that has its own word is not probed. */
static bool is_probed(void) {
  return !zecl_engine() || !zecl_engine()->image_has_format;
}

static bool probe_type(ze_image_type_t type) {
  if (types[type] == UNKNOWN) try_type(type);
  return types[type] == GOOD;
}

bool zecl_image_probe_type(ze_image_type_t type) {
  if (!is_probed()) return zecl_engine()->properties->has_images;
  pthread_mutex_lock(&lock);
  const bool good = probe_type(type);
  pthread_mutex_unlock(&lock);
  return good;
}

bool zecl_image_probe_normalised(ze_image_type_t type) {
  if (!is_probed()) return zecl_engine()->properties->has_images;
  pthread_mutex_lock(&lock);
  if (types[type] == UNKNOWN) try_type(type);
  const bool good = normalised[type] == GOOD;
  pthread_mutex_unlock(&lock);
  return good;
}

static bool same_format(const struct zecl_image_format *a, const struct zecl_image_format *b) {
  return a->type == b->type && a->channels == b->channels && a->texel_size == b->texel_size &&
         memcmp(a->channel, b->channel, sizeof a->channel) == 0 &&
         memcmp(a->source, b->source, sizeof a->source) == 0;
}

static bool probe_format(struct zecl_image_format *format) {
  for (unsigned i = 0; i < format_count; i++)
    if (same_format(&formats[i].asked, format)) {
      *format = formats[i].found;
      return formats[i].is_good;
    }
  const struct zecl_image_format asked = *format;
  const bool good = probe_type(ZE_IMAGE_TYPE_2D) && try_format(format);
  if (format_count < FORMATS)
    formats[format_count++] =
        (struct known_format){.asked = asked, .found = *format, .is_good = good};
  return good;
}

bool zecl_image_probe_format(struct zecl_image_format *format) {
  if (!is_probed()) {
    format->border_is_right = format->border_is_black = true;
    return !format->is_converted && zecl_engine()->image_has_format(format->type, format->channels);
  }
  pthread_mutex_lock(&lock);
  const bool good = probe_format(format);
  pthread_mutex_unlock(&lock);
  return good;
}
