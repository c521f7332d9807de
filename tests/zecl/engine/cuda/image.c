/* Images: an array of CUDA's, a surface that kernels write, and a texture for each sampler, since
 * textures hold the sampler's state. The parts that kernels need are in device memory
 * (ptx/image.h). */
#include "engine/cuda/image.h"

#include "engine/cuda/ptx/image.h"
#include "engine/cuda/stage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)ZECL_PTX_UINT8 == (int)ZECL_CHANNEL_UINT8 &&
                   (int)ZECL_PTX_SNORM16 == (int)ZECL_CHANNEL_SNORM16 &&
                   (int)ZECL_PTX_FLOAT == (int)ZECL_CHANNEL_FLOAT &&
                   (int)ZECL_PTX_SOURCE_ONE == (int)ZECL_SOURCE_ONE,
    "kernels have the driver's numbers");

enum { CHUNK = 1 << 16, SLOT = 256, PAGE = 4096 };
_Static_assert(sizeof(struct zecl_ptx_image) <= SLOT, "a slot has room for an image");

struct zecl_engine_sampler {
  uint64_t number;
};

/* Slots of device memory for what kernels read of images; they stay until the process ends. */
struct slot {
  struct slot *next;
  void *address;
  void *origin; /* of the chunk, by which it would be freed: in its first slot */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *spare[ZECL_CUDA_DEVICES];

static const struct type {
  CUarray_format format;
  uint32_t size, opencl; /* OpenCL's number of the type */
  bool is_integer;
} types[ZECL_CHANNEL_TYPES] = {[ZECL_CHANNEL_UINT8] = {CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x10da, true},
    [ZECL_CHANNEL_UINT16] = {CU_AD_FORMAT_UNSIGNED_INT16, 2, 0x10db, true},
    [ZECL_CHANNEL_UINT32] = {CU_AD_FORMAT_UNSIGNED_INT32, 4, 0x10dc, true},
    [ZECL_CHANNEL_SINT8] = {CU_AD_FORMAT_SIGNED_INT8, 1, 0x10d7, true},
    [ZECL_CHANNEL_SINT16] = {CU_AD_FORMAT_SIGNED_INT16, 2, 0x10d8, true},
    [ZECL_CHANNEL_SINT32] = {CU_AD_FORMAT_SIGNED_INT32, 4, 0x10d9, true},
    [ZECL_CHANNEL_UNORM8] = {CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x10d2, false},
    [ZECL_CHANNEL_UNORM16] = {CU_AD_FORMAT_UNSIGNED_INT16, 2, 0x10d3, false},
    [ZECL_CHANNEL_SNORM8] = {CU_AD_FORMAT_SIGNED_INT8, 1, 0x10d0, false},
    [ZECL_CHANNEL_SNORM16] = {CU_AD_FORMAT_SIGNED_INT16, 2, 0x10d1, false},
    [ZECL_CHANNEL_HALF] = {CU_AD_FORMAT_HALF, 2, 0x10dd, false},
    [ZECL_CHANNEL_FLOAT] = {CU_AD_FORMAT_FLOAT, 4, 0x10de, false}};

static struct slot *take_slot(uint32_t device) {
  pthread_mutex_lock(&lock);
  if (!spare[device]) {
    ze_result_t error;
    struct slot *slots = calloc(CHUNK / SLOT, sizeof *slots);
    char *chunk = slots ? zecl_cuda_memory.allocate(
                              device, ZE_MEMORY_TYPE_DEVICE, CHUNK, PAGE, &slots->origin, &error)
                        : NULL;
    for (size_t i = 0; chunk && i < CHUNK / SLOT; i++) {
      slots[i].next = spare[device];
      slots[i].address = chunk + i * SLOT;
      spare[device] = &slots[i];
    }
    if (!chunk) free(slots);
  }
  struct slot *slot = spare[device];
  if (slot) spare[device] = slot->next;
  pthread_mutex_unlock(&lock);
  return slot;
}

static void give_slot(uint32_t device, struct slot *slot) {
  pthread_mutex_lock(&lock);
  slot->next = spare[device];
  spare[device] = slot;
  pthread_mutex_unlock(&lock);
}

/* Writes what kernels read, beside all streams. */
static ze_result_t upload(uint32_t device, void *to, const struct zecl_ptx_image *words) {
  static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
  static struct zecl_engine_queue *queues[ZECL_CUDA_DEVICES];
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&busy);
  if (!queues[device]) queues[device] = zecl_cuda_queue_create(device, 0);
  struct zecl_engine_queue *queue = queues[device];
  char *stage = queue ? zecl_cuda_stage(queue) : NULL;
  if (stage) {
    memcpy(stage, words, sizeof *words);
    result = zecl_cuda_streams.copy(queue, to, stage, sizeof *words);
  }
  if (result == ZE_RESULT_SUCCESS) result = zecl_cuda_queue_finish(queue);
  pthread_mutex_unlock(&busy);
  return result;
}

bool zecl_cuda_image_has_format(enum zecl_channel_type channel, uint32_t channels) {
  return channel != 0 && (channels == 1 || channels == 2 || channels == 4);
}

static CUresult make_array(struct zecl_engine_image *image) {
  const bool is_3d = image->type == ZE_IMAGE_TYPE_3D, has_rows = zecl_cuda_image_has_rows(image);
  const bool is_array =
      image->type == ZE_IMAGE_TYPE_1DARRAY || image->type == ZE_IMAGE_TYPE_2DARRAY;
  const size_t *size = image->size;
  const CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = size[0],
      .Height = has_rows ? size[1] : 0,
      .Depth = is_3d || image->type == ZE_IMAGE_TYPE_2DARRAY ? size[2]
               : is_array                                    ? size[1]
                                                             : 0,
      .Format = types[image->channel].format,
      .NumChannels = image->channels,
      .Flags = CUDA_ARRAY3D_SURFACE_LDST | (is_array ? CUDA_ARRAY3D_LAYERED : 0u)};
  return zecl_cuda.array_create(&image->array, &desc);
}

/* CUDA repeats and mirrors by normalised coordinates only, as OpenCL does. */
static CUresult make_texture(
    struct zecl_engine_image *image, const CUDA_RESOURCE_DESC *resource, unsigned index) {
  static const CUaddress_mode modes[] = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_BORDER,
      CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_MIRROR};
  const bool is_normalised = index & 1, is_linear = index & 2, wraps = index >> 2 > 1;
  const struct type *type = &types[image->channel];
  if ((is_linear && type->is_integer) || (wraps && !is_normalised)) return CUDA_SUCCESS;
  /* Beside an image of one dimension there is no border, but a filter would read it. */
  const CUaddress_mode mode = modes[index >> 2], edge = CU_TR_ADDRESS_MODE_CLAMP;
  const bool has_rows = zecl_cuda_image_has_rows(image);
  const CUDA_TEXTURE_DESC desc = {
      .addressMode = {mode, has_rows ? mode : edge, image->type == ZE_IMAGE_TYPE_3D ? mode : edge},
      .filterMode = is_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .flags = (is_normalised ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
               (type->is_integer ? CU_TRSF_READ_AS_INTEGER : 0u)};
  return zecl_cuda.texture_create(&image->textures[index], resource, &desc, NULL);
}

/* The texture of a sampler. One that has none of its own uses the texture without a filter, or the
 * one that ends at the edge. */
static CUtexObject texture_for(const struct zecl_engine_image *image, unsigned index) {
  if (!image->textures[index]) index &= ~2u;
  return image->textures[index] ? image->textures[index] : image->textures[index & 3];
}

static uint32_t opencl_order(const struct zecl_engine_image_desc *desc) {
  static const uint32_t by_channels[] = {0, 0x10b0, 0x10b2, 0, 0x10b5}; /* R, RG, RGBA */
  static const uint32_t orders[ZECL_ORDERS] = {[ZECL_ORDER_A] = 0x10b1,
      [ZECL_ORDER_RA] = 0x10b3,
      [ZECL_ORDER_BGRA] = 0x10b6,
      [ZECL_ORDER_ARGB] = 0x10b7,
      [ZECL_ORDER_INTENSITY] = 0x10b8,
      [ZECL_ORDER_LUMINANCE] = 0x10b9,
      [ZECL_ORDER_ABGR] = 0x10c3};
  return orders[desc->order] ? orders[desc->order] : by_channels[desc->channels];
}

static struct zecl_ptx_image describe(
    const struct zecl_engine_image *image, const struct zecl_engine_image_desc *desc) {
  static const uint8_t plain[] = {0, 1, 2, 3};
  struct zecl_ptx_image words = {.surface = image->surface,
      .size = {(uint32_t)image->size[0], (uint32_t)image->size[1], (uint32_t)image->size[2]},
      .channel = desc->channel,
      .texel_size = (uint32_t)image->texel_size,
      .opencl_type = types[desc->channel].opencl,
      .opencl_order = opencl_order(desc),
      .is_plain = desc->channels == 4 && memcmp(desc->source, plain, sizeof plain) == 0};
  for (unsigned i = 0; i < ZECL_PTX_TEXTURES; i++)
    words.textures[i] = texture_for(image, i);
  memcpy(words.source, desc->source, sizeof words.source);
  for (unsigned channel = 0; channel < 4; channel++) {
    words.component[channel] = ZECL_PTX_SOURCE_ZERO;
    for (unsigned i = 4; i-- > 0;)
      if (desc->source[i] == channel) words.component[channel] = (uint8_t)i;
  }
  return words;
}

static ze_result_t make(
    struct zecl_engine_image *image, const struct zecl_engine_image_desc *desc) {
  CUresult error = zecl_cuda_use(&zecl_cuda_devices[image->device]);
  if (error == CUDA_SUCCESS) error = make_array(image);
  const CUDA_RESOURCE_DESC resource = {
      .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = image->array};
  if (error == CUDA_SUCCESS) error = zecl_cuda.surface_create(&image->surface, &resource);
  for (unsigned i = 0; i < ZECL_PTX_TEXTURES && error == CUDA_SUCCESS; i++)
    error = make_texture(image, &resource, i);
  if (error != CUDA_SUCCESS) return zecl_cuda_result(error);
  image->slot = take_slot(image->device);
  if (!image->slot) return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  const struct zecl_ptx_image words = describe(image, desc);
  return upload(image->device, image->slot->address, &words);
}

ze_result_t zecl_cuda_image_create(
    const struct zecl_engine_image_desc *desc, struct zecl_engine_image **made) {
  struct zecl_engine_image *image = calloc(1, sizeof *image);
  *made = NULL;
  if (!image) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  image->device = desc->device;
  image->type = desc->type;
  memcpy(image->size, desc->size, sizeof image->size);
  image->channel = desc->channel;
  image->channels = desc->channels;
  image->texel_size = (size_t)desc->channels * types[desc->channel].size;
  const ze_result_t result = make(image, desc);
  if (result == ZE_RESULT_SUCCESS)
    *made = image;
  else
    zecl_cuda_image_release(image);
  return result;
}

void zecl_cuda_image_release(struct zecl_engine_image *image) {
  zecl_cuda_use(&zecl_cuda_devices[image->device]);
  for (unsigned i = 0; i < ZECL_PTX_TEXTURES; i++)
    if (image->textures[i]) zecl_cuda.texture_destroy(image->textures[i]);
  if (image->surface) zecl_cuda.surface_destroy(image->surface);
  if (image->array) zecl_cuda.array_destroy(image->array);
  if (image->slot) give_slot(image->device, image->slot);
  free(image);
}

struct zecl_engine_sampler *zecl_cuda_sampler_create(
    bool is_normalised, ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter) {
  static const uint64_t modes[] = {[ZE_SAMPLER_ADDRESS_MODE_NONE] = ZECL_PTX_ADDRESS_NONE,
      [ZE_SAMPLER_ADDRESS_MODE_REPEAT] = ZECL_PTX_ADDRESS_REPEAT,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP] = ZECL_PTX_ADDRESS_EDGE,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER] = ZECL_PTX_ADDRESS_BORDER,
      [ZE_SAMPLER_ADDRESS_MODE_MIRROR] = ZECL_PTX_ADDRESS_MIRROR};
  struct zecl_engine_sampler *sampler = malloc(sizeof *sampler);
  if (!sampler) return NULL;
  sampler->number = modes[mode] | (is_normalised ? ZECL_PTX_NORMALISED : 0) |
                    (filter == ZE_SAMPLER_FILTER_MODE_LINEAR ? ZECL_PTX_LINEAR : ZECL_PTX_NEAREST);
  return sampler;
}

void zecl_cuda_sampler_release(struct zecl_engine_sampler *sampler) {
  free(sampler);
}

ze_result_t zecl_cuda_set_image(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_image *image) {
  return zecl_cuda_set_pointer(kernel, index, image->slot->address);
}

ze_result_t zecl_cuda_set_sampler(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_sampler *sampler) {
  return zecl_cuda_set_pointer(kernel, index, (void *)(uintptr_t)sampler->number);
}
