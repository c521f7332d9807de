/* Devices in each mode of ZE_FLAT_DEVICE_HIERARCHY: two tiles of a card. A driver reads the
   variable when it is loaded, so each mode has a process of its own. */
#undef SYCLZE_DECLARATIONS
#include "support/child.h"
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#include "syclze/aspect.h"
#include "syclze/composite_device.h"
#include "syclze/device_query.h"

#include <stdlib.h>

enum { MOST = 4, FINE = 0, TOO_FEW = 77 };

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_SUBDEVICES", "2");
}

struct tiles {
  struct given g;
  syclze_platform platform;
  syclze_device devices[MOST]; /* of the enumeration */
  uint32_t count;
};

static struct tiles begin(const char *mode) {
  given_environment("ZE_FLAT_DEVICE_HIERARCHY", mode);
  struct tiles t = {.g = given(), .count = MOST};
  t.platform = syclze_device_get_platform(made_device(&t.g));
  CHECK_EQ(syclze_device_get(t.platform, &t.count, t.devices), ZE_RESULT_SUCCESS);
  return t;
}

static bool has(syclze_device device, syclze_aspect aspect) {
  bool answer;
  CHECK_EQ(syclze_device_has(device, aspect, &answer), ZE_RESULT_SUCCESS);
  return answer;
}

static uint32_t sub_devices(syclze_device device, syclze_device *parts) {
  uint32_t count = MOST;
  CHECK_EQ(syclze_device_get_sub_devices(device, &count, parts), ZE_RESULT_SUCCESS);
  return count;
}

/* No device is composite, or the loader cannot know. */
static void check_no_composite(const struct tiles *t, syclze_device device) {
  syclze_device composite;
  uint32_t count = 0;
  refused_begin();
  const ze_result_t listed = syclze_platform_get_composite_devices(t->platform, &count, NULL);
  CHECK_EQ(refused_count(), listed == ZE_RESULT_SUCCESS ? 0 : 1);
  CHECK_EQ(count, 0);
  CHECK_EQ(syclze_device_get_composite(device, &composite), listed);
  CHECK_EQ(composite.rep, NULL);
  CHECK(!has(device, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE));
  CHECK(!has(device, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
}

/* A context of the device takes queues of the others, and memory for them. */
static void check_works(const struct tiles *t, syclze_device whole, const syclze_device *parts) {
  syclze_context context;
  CHECK_EQ(syclze_context_create(&whole, 1, &context), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_queue queue;
    void *memory;
    int value = 0;
    const int seven = 7;
    CHECK_EQ(syclze_queue_create(context, parts[i], NULL, &queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_malloc_device(64, parts[i], context, &memory), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(memory), syclze_mem_arg((const void *)&seven),
                 sizeof seven, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((void *)&value), syclze_mem_arg(memory),
                 sizeof value, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    if (given_executes()) CHECK_EQ(value, 7);
    CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  (void)t;
}

static int composite_mode(int argument) {
  struct tiles t = begin("COMPOSITE");
  syclze_device parts[MOST];
  (void)argument;
  if (sub_devices(t.devices[0], parts) != 2) return TOO_FEW;
  for (int i = 0; i < 2; i++) {
    syclze_device_info info;
    CHECK_EQ(syclze_device_get_info(parts[i], &info), ZE_RESULT_SUCCESS);
    CHECK(info.is_sub_device);
    CHECK_EQ(syclze_device_get_root(parts[i]).rep, t.devices[0].rep);
    CHECK_EQ(syclze_device_get_parent(parts[i]).rep, t.devices[0].rep);
    check_no_composite(&t, parts[i]);
  }
  check_no_composite(&t, t.devices[0]);
  check_works(&t, t.devices[0], parts);
  given_end(&t.g);
  return FINE;
}

static int flat_mode(int argument) {
  struct tiles t = begin("FLAT");
  syclze_device parts[MOST];
  (void)argument;
  if (t.count < 2) return TOO_FEW;
  for (int i = 0; i < 2; i++) {
    syclze_device_info info;
    CHECK_EQ(syclze_device_get_info(t.devices[i], &info), ZE_RESULT_SUCCESS);
    CHECK(!info.is_sub_device);
    CHECK_EQ(syclze_device_get_root(t.devices[i]).rep, t.devices[i].rep);
    CHECK_EQ(syclze_device_get_parent(t.devices[i]).rep, NULL);
    CHECK_EQ(sub_devices(t.devices[i], parts), 0);
    check_no_composite(&t, t.devices[i]);
  }
  given_end(&t.g);
  return FINE;
}

/* With a newer loader the card is an object, and its tiles are its components. */
static void check_composite(const struct tiles *t) {
  syclze_device composite = {0}, again, parts[MOST];
  uint32_t count = 1;
  CHECK_EQ(
      syclze_platform_get_composite_devices(t->platform, &count, &composite), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK(has(composite, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE));
  CHECK(!has(composite, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  CHECK_EQ(syclze_make_device(syclze_device_get_native(composite), &again), ZE_RESULT_SUCCESS);
  CHECK_EQ(again.rep, composite.rep);
  count = MOST;
  CHECK_EQ(syclze_device_get_components(composite, &count, parts), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 2);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(parts[i].rep, t->devices[i].rep);
    CHECK_EQ(syclze_device_get_composite(parts[i], &again), ZE_RESULT_SUCCESS);
    CHECK_EQ(again.rep, composite.rep);
    CHECK(has(parts[i], SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  }
  check_works(t, composite, parts);
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(syclze_context_create(parts, 2, &context), ZE_RESULT_SUCCESS);
  REFUSED(queue, syclze_queue_create(context, composite, NULL, &queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_create", "device must be in the context", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
}

static int combined_mode(int argument) {
  struct tiles t = begin("COMBINED");
  syclze_device composite, parts[MOST];
  syclze_device_info info;
  (void)argument;
  CHECK_EQ(syclze_device_get_info(t.devices[0], &info), ZE_RESULT_SUCCESS);
  if (!info.is_sub_device || t.count < 2) return TOO_FEW; /* or two cards */
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_device_get_root(t.devices[i]).rep, t.devices[i].rep);
    CHECK_EQ(sub_devices(t.devices[i], parts), 0);
  }
  refused_begin();
  const ze_result_t found = syclze_device_get_composite(t.devices[0], &composite);
  if (found == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) {
    CHECK_EQ(refused_count(), 1);
    FAILED(syclze_device_get_composite(t.devices[0], &composite),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_composite", "Level Zero 1.7",
        syclze_device_get_native(t.devices[0]));
    check_no_composite(&t, t.devices[0]);
  } else
    check_composite(&t);
  given_end(&t.g);
  return FINE;
}

static void check_mode(int (*mode)(int argument)) {
  if (in_child(mode, 0) == TOO_FEW) SKIP("the driver describes no card of two tiles");
}

TEST(tiles_are_sub_devices_of_the_card_in_composite_mode) { // shows queues 28
  check_mode(composite_mode);
}

TEST(tiles_are_devices_in_flat_mode) { // shows queues 28
  check_mode(flat_mode);
}

TEST(tiles_are_components_of_a_composite_device_in_combined_mode) { // shows queues 28
  check_mode(combined_mode);
}

/* Each aspect, beside the properties of the driver. */
static bool has_bindless_images(const struct given *g) {
  ze_driver_extension_properties_t list[128];
  uint32_t count = 128;
  CHECK_EQ(zeDriverGetExtensionProperties(g->driver, &count, list), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(list[i].name, "ZE_experimental_bindless_image") == 0)
      return syclze__loader_symbol("zeMemGetPitchFor2dImage") != NULL;
  return false;
}

TEST(aspects_are_those_of_the_driver) { // shows queues 30
  struct given g = given();
  syclze_device device = made_device(&g);
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  ze_pci_ext_properties_t address = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  CHECK_EQ(zeDeviceGetProperties(g.device, &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGetModuleProperties(g.device, &module), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGetMemoryAccessProperties(g.device, &access), ZE_RESULT_SUCCESS);
  if (zeDeviceGetImageProperties(g.device, &image) != ZE_RESULT_SUCCESS) image.maxImageDims2D = 0;
  CHECK_EQ(has(device, SYCLZE_ASPECT_GPU), properties.type == ZE_DEVICE_TYPE_GPU);
  CHECK_EQ(has(device, SYCLZE_ASPECT_CPU), properties.type == ZE_DEVICE_TYPE_CPU);
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU),
      (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_FP16), (module.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_FP64), (module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_ATOMIC64),
      (module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_IMAGE), image.maxImageDims2D != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_USM_SYSTEM_ALLOCATIONS),
      (access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_INTEL_PCI_ADDRESS),
      zeDevicePciGetPropertiesExt(g.device, &address) == ZE_RESULT_SUCCESS);
  CHECK(has(device, SYCLZE_ASPECT_QUEUE_PROFILING));
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_INTEL_LEGACY_IMAGE), image.maxImageDims2D != 0);
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES), has_bindless_images(&g));
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM), has_bindless_images(&g));
  CHECK_EQ(has(device, SYCLZE_ASPECT_EXT_INTEL_ESIMD),
      properties.type == ZE_DEVICE_TYPE_GPU && properties.vendorId == 0x8086);
  CHECK(!has(device, SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP));
  CHECK(has(device, SYCLZE_ASPECT_EXT_ONEAPI_LIMITED_GRAPH));
  bool answer = true;
  FAILED(syclze_device_has(device, (syclze_aspect)8, &answer), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_device_has", "aspect is unknown", g.device);
  CHECK(!answer);
  given_end(&g);
}

TEST_MAIN(tiles_are_sub_devices_of_the_card_in_composite_mode, tiles_are_devices_in_flat_mode,
    tiles_are_components_of_a_composite_device_in_combined_mode, aspects_are_those_of_the_driver)
