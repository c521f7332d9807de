#include "strict_object.h"

void (*strict_on_free)(void *memory, size_t size);

static struct strict_memory *memories;
static struct strict_object *images;

struct strict_memory *strict_memory_of(const void *pointer) {
  struct strict_memory *memory = memories;
  const uintptr_t address = (uintptr_t)pointer;
  while (memory != NULL &&
         (address < (uintptr_t)memory->bytes || address >= (uintptr_t)memory->bytes + memory->size))
    memory = memory->after;
  return memory;
}

struct strict_memory *strict_memory_new(
    struct strict_object *parent, ze_device_handle_t device, ze_memory_type_t type, size_t size) {
  struct strict_memory *made = strict_object_new(sizeof *made, STRICT_MEMORY, parent);
  made->type = type;
  made->device = device;
  made->size = size;
  made->bytes = strict_allocate(size + 64);
  made->after = memories;
  if (memories != NULL) memories->before = made;
  memories = made;
  return made;
}

static ze_result_t allocate(ze_context_handle_t context, ze_device_handle_t device,
    ze_memory_type_t type, size_t size, void **pointer) {
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, "zeMemAlloc");
  *pointer = strict_memory_new(parent, device, type, size)->bytes;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *desc, size_t size, size_t alignment,
    ze_device_handle_t device, void **pointer) {
  STRICT_ENTER();
  (void)desc;
  (void)alignment;
  return allocate(context, device, ZE_MEMORY_TYPE_DEVICE, size, pointer);
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t context,
    const ze_host_mem_alloc_desc_t *desc, size_t size, size_t alignment, void **pointer) {
  STRICT_ENTER();
  (void)desc;
  (void)alignment;
  return allocate(context, NULL, ZE_MEMORY_TYPE_HOST, size, pointer);
}

ze_result_t ZE_APICALL zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **pointer) {
  STRICT_ENTER();
  (void)device_desc;
  (void)host_desc;
  (void)alignment;
  return allocate(context, device, ZE_MEMORY_TYPE_SHARED, size, pointer);
}

static void memory_free(struct strict_memory *memory) {
  if (memory->before != NULL)
    memory->before->after = memory->after;
  else
    memories = memory->after;
  if (memory->after != NULL) memory->after->before = memory->before;
  strict_free(memory->bytes);
}

void strict_memory_free_all(void) {
  images = NULL;
  while (memories != NULL) {
    struct strict_memory *memory = memories;
    memory_free(memory);
    strict_free(memory);
  }
}

void strict_memory_free_of(struct strict_object *parent, const char *function) {
  struct strict_memory *after, *memory = memories;
  for (; memory != NULL; memory = after) {
    after = memory->after;
    if (memory->object.parent != parent) continue;
    memory_free(memory);
    strict_object_destroy(memory, STRICT_MEMORY, function);
  }
}

const struct strict_object *strict_memory_context(const struct strict_memory *memory) {
  const struct strict_object *parent = memory->object.parent;
  return parent->kind == STRICT_MODULE ? parent->parent : parent;
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *pointer) {
  STRICT_ENTER();
  strict_lock();
  struct strict_memory *memory = strict_memory_of(pointer);
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (memory == NULL || memory->bytes != pointer)
    strict_report("%s: no allocation is there", __func__);
  else {
    if (memory->object.parent != strict_object(context, STRICT_CONTEXT, __func__))
      strict_report("%s: memory of another context", __func__);
    if (strict_on_free != NULL) strict_on_free(memory->bytes, memory->size);
    memory_free(memory);
    result = strict_object_destroy(memory, STRICT_MEMORY, __func__);
  }
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeMemGetAllocProperties(ze_context_handle_t context, const void *pointer,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  STRICT_ENTER();
  strict_lock();
  const struct strict_memory *memory = strict_memory_of(pointer);
  if (memory != NULL && (const void *)strict_memory_context(memory) != (const void *)context)
    memory = NULL;
  properties->type = memory != NULL ? memory->type : ZE_MEMORY_TYPE_UNKNOWN;
  properties->id = memory != NULL ? (uint64_t)(uintptr_t)memory : 0;
  properties->pageSize = 4096;
  if (device != NULL) *device = memory != NULL ? memory->device : NULL;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeMemGetAddressRange(
    ze_context_handle_t context, const void *pointer, void **base, size_t *size) {
  STRICT_ENTER();
  (void)context;
  strict_lock();
  const struct strict_memory *memory = strict_memory_of(pointer);
  if (memory != NULL && base != NULL) *base = memory->bytes;
  if (memory != NULL && size != NULL) *size = memory->size;
  strict_unlock();
  return memory != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t ZE_APICALL zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t *image) {
  STRICT_ENTER();
  (void)device;
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, __func__);
  const size_t height = desc->height != 0 ? desc->height : 1;
  const size_t depth = desc->depth != 0 ? desc->depth : 1;
  /* Only the formats that the tests need: four channels of 32 bits, or else one. */
  const size_t pixel = desc->format.layout == ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32 ? 16
                       : desc->format.layout == ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8   ? 4
                                                                                 : 4;
  const size_t row = desc->width * pixel;
  struct strict_image *made =
      strict_object_new(sizeof *made + row * height * depth, STRICT_IMAGE, parent);
  made->desc = *desc;
  made->pixel = pixel;
  made->row = row;
  made->slice = row * height;
  made->object.next = images;
  images = &made->object;
  *image = (ze_image_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

struct strict_object *strict_image_of(const void *pointer) {
  struct strict_object *image = images;
  while (image != NULL && (const void *)image != pointer)
    image = image->next;
  return image;
}

ze_result_t ZE_APICALL zeImageDestroy(ze_image_handle_t image) {
  STRICT_ENTER();
  strict_lock();
  struct strict_object **link = &images;
  while (*link != NULL && (const void *)*link != (const void *)image)
    link = &(*link)->next;
  if (*link != NULL) *link = (*link)->next;
  ze_result_t result = strict_object_destroy(image, STRICT_IMAGE, __func__);
  strict_unlock();
  return result;
}

void *strict_pixels(ze_image_handle_t image) {
  return ((struct strict_image *)(void *)image)->bytes;
}
