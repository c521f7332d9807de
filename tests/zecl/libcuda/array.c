/* Arrays, and the textures and surfaces of them. */
#include "libcuda.h"

#include <stdlib.h>
#include <string.h>

struct CUarray_st {
  struct CUarray_st *older;
  CUcontext context;
  size_t size[3], element; /* elements, at least one; bytes of each */
  bool is_destroyed;
  unsigned flags;
  long users; /* textures and surfaces */
  char *bytes;
};

/* A texture or a surface: its number is its address. */
struct object {
  struct object *older;
  enum libcuda_kind kind;
  struct CUarray_st *array;
  bool is_destroyed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUarray_st *newest; /* destroyed ones too */
static struct object *newest_object;

static size_t bytes_of(CUarray_format format) {
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8:
    return 1;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF:
    return 2;
  case CU_AD_FORMAT_UNSIGNED_INT32:
  case CU_AD_FORMAT_SIGNED_INT32:
  case CU_AD_FORMAT_FLOAT:
    return 4;
  }
  libcuda_broken("cuArray3DCreate: no format");
}

static struct CUarray_st *live(const char *call, CUarray array) {
  pthread_mutex_lock(&lock);
  struct CUarray_st *known = newest;
  while (known && known != array)
    known = known->older;
  pthread_mutex_unlock(&lock);
  if (!known) libcuda_broken("%s of what is no array", call);
  if (known->is_destroyed) libcuda_broken("%s of a destroyed array", call);
  return known;
}

static size_t at_least_one(size_t size) {
  return size ? size : 1;
}

CUresult cuArray3DCreate_v2(CUarray *created, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  const CUcontext context = libcuda_context("cuArray3DCreate");
  const bool is_layered = desc->Flags & CUDA_ARRAY3D_LAYERED;
  if (desc->Flags & ~(unsigned)(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST))
    libcuda_broken("cuArray3DCreate with other flags");
  if (desc->NumChannels != 1 && desc->NumChannels != 2 && desc->NumChannels != 4)
    libcuda_broken("cuArray3DCreate of %u channels", desc->NumChannels);
  if (!desc->Width || (is_layered && !desc->Depth) || (!is_layered && desc->Depth && !desc->Height))
    libcuda_broken("cuArray3DCreate: sizes of no kind of array");
  struct CUarray_st *array = calloc(1, sizeof *array);
  if (!array) return CUDA_ERROR_OUT_OF_MEMORY;
  array->context = context;
  array->size[0] = desc->Width;
  array->size[1] = at_least_one(desc->Height);
  array->size[2] = at_least_one(desc->Depth);
  array->element = desc->NumChannels * bytes_of(desc->Format);
  array->flags = desc->Flags;
  array->bytes = calloc(array->size[0] * array->size[1] * array->size[2], array->element);
  if (!array->bytes) {
    free(array);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  pthread_mutex_lock(&lock);
  array->older = newest;
  newest = array;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_ARRAYS], 1, __ATOMIC_SEQ_CST);
  *created = array;
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray handle) {
  libcuda_context("cuArrayDestroy");
  struct CUarray_st *array = live("cuArrayDestroy", handle);
  if (array->users) libcuda_broken("cuArrayDestroy of an array that has textures or surfaces");
  libcuda_wait_for_all("cuArrayDestroy");
  array->is_destroyed = true;
  free(array->bytes);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_ARRAYS], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

char *libcuda_array_row(
    const char *call, CUarray handle, size_t x, size_t y, size_t z, size_t width) {
  const struct CUarray_st *array = live(call, handle);
  const size_t row = array->size[0] * array->element;
  if (x % array->element || width % array->element)
    libcuda_broken("%s of parts of an element", call);
  if (x > row || width > row - x || y >= array->size[1] || z >= array->size[2])
    libcuda_broken("%s goes beyond the edge of an array", call);
  return array->bytes + (z * array->size[1] + y) * row + x;
}

static unsigned long long make_object(
    const char *call, enum libcuda_kind kind, const CUDA_RESOURCE_DESC *resource) {
  const CUcontext context = libcuda_context(call);
  if (resource->resType != CU_RESOURCE_TYPE_ARRAY || resource->flags)
    libcuda_broken("%s of another resource", call);
  struct CUarray_st *array = live(call, resource->res.array.hArray);
  if (array->context != context) libcuda_broken("%s of an array of another context", call);
  if (kind == LIBCUDA_SURFACES && !(array->flags & CUDA_ARRAY3D_SURFACE_LDST))
    libcuda_broken("%s of an array that was not made for surfaces", call);
  struct object *object = calloc(1, sizeof *object);
  if (!object) libcuda_broken("no more memory");
  object->kind = kind;
  object->array = array;
  pthread_mutex_lock(&lock);
  array->users++;
  object->older = newest_object;
  newest_object = object;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[kind], 1, __ATOMIC_SEQ_CST);
  return (unsigned long long)(uintptr_t)object;
}

static void destroy_object(const char *call, enum libcuda_kind kind, unsigned long long number) {
  libcuda_context(call);
  pthread_mutex_lock(&lock);
  struct object *object = newest_object;
  while (object && (uintptr_t)object != number)
    object = object->older;
  if (!object || object->kind != kind) libcuda_broken("%s of what is none", call);
  if (object->is_destroyed) libcuda_broken("%s of what was destroyed", call);
  object->is_destroyed = true;
  object->array->users--;
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&libcuda_counts[kind], 1, __ATOMIC_SEQ_CST);
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
    const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view) {
  if (view) libcuda_broken("cuTexObjectCreate with a view");
  if (desc->filterMode == CU_TR_FILTER_MODE_LINEAR && (desc->flags & CU_TRSF_READ_AS_INTEGER))
    libcuda_broken("cuTexObjectCreate: integers are not filtered");
  for (int i = 0; i < 3; i++)
    if ((desc->addressMode[i] == CU_TR_ADDRESS_MODE_WRAP ||
            desc->addressMode[i] == CU_TR_ADDRESS_MODE_MIRROR) &&
        !(desc->flags & CU_TRSF_NORMALIZED_COORDINATES))
      libcuda_broken("cuTexObjectCreate: only normalised coordinates repeat");
  *texture = make_object("cuTexObjectCreate", LIBCUDA_TEXTURES, resource);
  return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  destroy_object("cuTexObjectDestroy", LIBCUDA_TEXTURES, texture);
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
  *surface = make_object("cuSurfObjectCreate", LIBCUDA_SURFACES, resource);
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  destroy_object("cuSurfObjectDestroy", LIBCUDA_SURFACES, surface);
  return CUDA_SUCCESS;
}
