/* Bindless images of the fake: the driver's extension, pitches, numbers of images, and what an
   image's descriptor is extended by. Newer headers declare the functions and structs, older ones do
   not: other names here. */
#include "fake_object.h"

#include <string.h>

enum { ALIGNMENT = 64 };

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(
    ze_driver_handle_t driver, uint32_t *count, ze_driver_extension_properties_t *properties) {
  const char *names[3];
  uint32_t there = 0;
  if (!fake.no_other) names[there++] = "ZE_extension_other";
  if (!fake.no_bindless) names[there++] = "ZE_experimental_bindless_image";
  if (fake.has_luid) names[there++] = "ZE_extension_device_luid";
  FAKE_ENTER(zeDriverGetExtensionProperties);
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  (void)object;
  if (*count == 0 || *count > there) *count = there;
  for (uint32_t i = 0; properties != NULL && i < *count; i++)
    strcpy(properties[i].name, names[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_get_pitch(ze_context_handle_t context, ze_device_handle_t device,
    size_t width, size_t height, unsigned int size,
    size_t *pitch) __asm__("zeMemGetPitchFor2dImage");
ze_result_t ZE_APICALL fake_get_offset(ze_image_handle_t image, uint64_t *offset) __asm__(
    "zeImageGetDeviceOffsetExp");

ze_result_t ZE_APICALL fake_get_pitch(ze_context_handle_t context, ze_device_handle_t device,
    size_t width, size_t height, unsigned int size, size_t *pitch) {
  *pitch = 77; /* where the query fails, too */
  FAKE_ENTER(zeMemGetPitchFor2dImage);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)parent, (void)on, (void)height;
  *pitch = (width * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL fake_get_offset(ze_image_handle_t image, uint64_t *offset) {
  *offset = 77;
  FAKE_ENTER(zeImageGetDeviceOffsetExp);
  FAKE_OBJECT(object, image, FAKE_IMAGE);
  if (!object->imports) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *offset = (uint64_t)(uintptr_t)object;
  return ZE_RESULT_SUCCESS;
}

/* The common beginning of the structs of the extension, and what follows. */
struct extension {
  uint32_t stype;
  const struct extension *next;
  union {
    uint32_t flags;     /* 0x2001e */
    const void *memory; /* 0x2001f */
    size_t pitch;       /* 0x20042 */
    ze_sampler_address_mode_t address;
  } first;
};

void fake_bindless_desc(const void *next) {
  fake_seen.bindless_flags = 0;
  fake_seen.pitched_memory = NULL;
  fake_seen.custom_pitch = 0;
  memset(&fake_seen.sampler_desc, 0, sizeof fake_seen.sampler_desc);
  for (const struct extension *e = (const struct extension *)next; e != NULL; e = e->next)
    if (e->stype == 0x2001e)
      fake_seen.bindless_flags = e->first.flags;
    else if (e->stype == 0x2001f)
      fake_seen.pitched_memory = e->first.memory;
    else if (e->stype == 0x20042)
      fake_seen.custom_pitch = e->first.pitch;
    else if (e->stype == ZE_STRUCTURE_TYPE_SAMPLER_DESC)
      fake_seen.sampler_desc = *(const ze_sampler_desc_t *)(const void *)e;
    else
      fake_misuse("zeImageCreate: an unknown pNext");
}
