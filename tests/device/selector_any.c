/* Selection of every device and sub-device of this system, by index and by type. */
#include "support/given.h"
#include "syclze/syclze.h"
#include "tests/check.h"

enum { MOST = 64 };

struct devices {
  uint32_t count;
  ze_device_handle_t handles[MOST];
};

static struct devices all_roots(void) {
  ze_driver_handle_t drivers[MOST];
  struct devices roots = {0};
  uint32_t driver_count = given_drivers(drivers, MOST);
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  given_environment("SYCL_DEVICE_FILTER", NULL);
  for (uint32_t i = 0; i < driver_count; i++)
    roots.count += given_devices(drivers[i], roots.handles + roots.count, MOST - roots.count);
  CHECK(roots.count <= MOST);
  return roots;
}

static struct devices parts_of(ze_device_handle_t device) {
  struct devices parts = {0};
  parts.count = given_sub_devices(device, parts.handles, MOST);
  CHECK(parts.count <= MOST);
  return parts;
}

static void check_same(
    const struct devices *expected, const syclze_device *found, uint32_t count, const char *text) {
  if (count != expected->count)
    check_fail(__FILE__, __LINE__, "%s: %u devices and not %u", text, count, expected->count);
  for (uint32_t i = 0; i < count; i++)
    if (syclze_device_get_native(found[i]) != expected->handles[i])
      check_fail(__FILE__, __LINE__, "%s: another device in place %u", text, i);
}

static void check_selects(const char *text, const struct devices *expected) {
  syclze_device found[MOST];
  uint32_t count = MOST;
  CHECK_EQ(syclze_device_select(text, &count, found), ZE_RESULT_SUCCESS);
  check_same(expected, found, count, text);
  given_environment("ONEAPI_DEVICE_SELECTOR", text);
  count = MOST;
  CHECK_EQ(syclze_device_get_selected(&count, found), ZE_RESULT_SUCCESS);
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  check_same(expected, found, count, text);
}

TEST(each_root_device_is_selectable_by_index) { // shows backend 4
  struct devices roots = all_roots();
  check_selects("level_zero:*", &roots);
  check_selects("*:*", &roots);
  for (uint32_t i = 0; i < roots.count; i++) {
    char text[64];
    struct devices one = {1, {roots.handles[i]}}, others = {0};
    snprintf(text, sizeof text, "level_zero:%u", i);
    check_selects(text, &one);
    for (uint32_t j = 0; j < roots.count; j++)
      if (j != i) others.handles[others.count++] = roots.handles[j];
    snprintf(text, sizeof text, "!level_zero:%u", i);
    check_selects(text, &others);
  }
}

TEST(each_sub_device_is_selectable_by_indices) { // shows backend 4
  struct devices roots = all_roots(), parts = {0};
  char text[64];
  for (uint32_t i = 0; i < roots.count; i++) {
    struct devices own = parts_of(roots.handles[i]);
    for (uint32_t j = 0; j < own.count; j++) {
      struct devices one = {1, {own.handles[j]}};
      snprintf(text, sizeof text, "level_zero:%u.%u", i, j);
      check_selects(text, &one);
      parts.handles[parts.count++] = own.handles[j];
    }
    snprintf(text, sizeof text, "level_zero:%u.*", i);
    check_selects(text, &own);
  }
  check_selects("level_zero:*.*", &parts);
}

TEST(devices_are_selected_by_their_reported_type) { // shows backend 4
  static const struct {
    const char *selector, *filter;
    ze_device_type_t type;
  } types[] = {{"level_zero:gpu", "level_zero:gpu", ZE_DEVICE_TYPE_GPU},
      {"level_zero:cpu", "level_zero:cpu", ZE_DEVICE_TYPE_CPU},
      {"level_zero:fpga", "level_zero:acc", ZE_DEVICE_TYPE_FPGA}};
  struct devices roots = all_roots();
  for (int t = 0; t < 3; t++) {
    struct devices of_type = {0};
    for (uint32_t i = 0; i < roots.count; i++) {
      ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
      CHECK_EQ(zeDeviceGetProperties(roots.handles[i], &properties), ZE_RESULT_SUCCESS);
      if (properties.type == types[t].type) of_type.handles[of_type.count++] = roots.handles[i];
    }
    check_selects(types[t].selector, &of_type);
    syclze_device found[MOST], first;
    uint32_t count = MOST;
    CHECK_EQ(syclze_device_filter(types[t].filter, &count, found), ZE_RESULT_SUCCESS);
    check_same(&of_type, found, count, types[t].filter);
    ze_result_t result = syclze_device_find(types[t].filter, &first);
    CHECK_EQ(result, of_type.count > 0 ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_RUNTIME);
    if (of_type.count > 0) CHECK_EQ(syclze_device_get_native(first), of_type.handles[0]);
  }
}

TEST_MAIN(each_root_device_is_selectable_by_index, each_sub_device_is_selectable_by_indices,
    devices_are_selected_by_their_reported_type)
