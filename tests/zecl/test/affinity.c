/* ZE_AFFINITY_MASK and ZE_FLAT_DEVICE_HIERARCHY. The driver reads them when it is loaded, so each
 * case has a process of its own. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8 };

/* The device that one is a part of, as a newer loader returns it, from the driver's table. */
static ze_device_handle_t root_of(ze_device_handle_t device) {
  ze_result_t (*table)(ze_api_version_t, void *);
  ze_result_t (*get_root)(ze_device_handle_t, ze_device_handle_t *);
  void *slots[64] = {0}, *driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_LOCAL);
  void *symbol = dlsym(driver, "zeGetDeviceProcAddrTable");
  memcpy(&table, &symbol, sizeof table);
  OK(table((ze_api_version_t)ZE_MAKE_VERSION(1, 17), slots));
  memcpy(&get_root, &slots[18], sizeof get_root);
  ze_device_handle_t root;
  OK(get_root(device, &root));
  return root;
}

/* Its sub-devices in brackets. */
static char *describe_parts(char *text, ze_device_handle_t device, uint8_t number) {
  ze_device_handle_t parts[MOST];
  uint32_t count = MOST;
  OK(zeDeviceGetSubDevices(device, &count, parts));
  if (count) text += sprintf(text, "(");
  for (uint32_t k = 0; k < count; k++) {
    ze_device_properties_t part = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(parts[k], &part));
    CHECK(part.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
    CHECK_EQ(part.subdeviceId, k);
    CHECK_EQ(part.uuid.id[13], number);
    CHECK(root_of(parts[k]) == device);
    text += sprintf(text, "%u", part.uuid.id[15]);
  }
  return text + (count ? sprintf(text, ")") : 0);
}

/* Two drivers with three devices each, of two parts each. A device is written with its number and
 * its part as in a mask, and its sub-devices in brackets; behind that its root device. */
static void describe(char *text) {
  uint32_t driver_count = 2, count = MOST;
  ze_driver_handle_t drivers[2];
  ze_device_handle_t devices[MOST];
  OK(zeInit(0));
  OK(zeDriverGet(&driver_count, drivers));
  CHECK_EQ(driver_count, 2);
  OK(zeDeviceGet(drivers[1], &count, devices));
  for (uint32_t i = 0; i < count; i++) {
    ze_device_properties_t one = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(devices[i], &one));
    CHECK_EQ(one.uuid.id[12], 1);
    const ze_device_handle_t root = root_of(devices[i]);
    CHECK_EQ((one.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE) != 0, root != NULL);
    text += sprintf(text, "%s%u", i ? " " : "", one.uuid.id[13]);
    if (one.uuid.id[14]) text += sprintf(text, ".%u", one.uuid.id[15]);
    text = describe_parts(text, devices[i], one.uuid.id[13]);
    if (root) text = describe_parts(text + sprintf(text, "<"), root, one.uuid.id[13]);
  }
}

static bool sees_in(const char *hierarchy, const char *mask, const char *wanted) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    char text[256] = "";
    setenv("ZECL_DRIVERS", "2", 1);
    setenv("ZECL_DEVICES", "3", 1);
    setenv("ZECL_SUBDEVICES", "2", 1);
    if (hierarchy) setenv("ZE_FLAT_DEVICE_HIERARCHY", hierarchy, 1);
    if (mask) setenv("ZE_AFFINITY_MASK", mask, 1);
    describe(text);
    if (strcmp(text, wanted) != 0) fprintf(stderr, "%s: %s\n", mask ? mask : "no mask", text);
    _exit(strcmp(text, wanted) != 0);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status == 0;
}

static bool sees(const char *mask, const char *wanted) {
  return sees_in(NULL, mask, wanted);
}

TEST(no_mask_hides_nothing) {
  CHECK(sees(NULL, "0(01) 1(01) 2(01)"));
  CHECK(sees("", "0(01) 1(01) 2(01)"));
}

TEST(whole_devices) {
  CHECK(sees("1", "1(01)"));
  CHECK(sees("2,0", "0(01) 2(01)"));
  CHECK(sees(" 0 , 9 , x , 1.", "0(01)"));
}

TEST(parts) {
  CHECK(sees("1.1", "1.1"));
  CHECK(sees("0.1,0.0", "0(01)"));
  CHECK(sees("2.0,1,0.1,0.7", "0.1 1(01) 2.0"));
}

TEST(a_mask_may_leave_nothing) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    setenv("ZE_AFFINITY_MASK", "5", 1);
    _exit(zeInit(0) != ZE_RESULT_ERROR_UNINITIALIZED);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

TEST(parts_are_devices_where_the_hierarchy_is_flat) {
  CHECK(sees_in("FLAT", NULL, "0.0 0.1 1.0 1.1 2.0 2.1"));
  CHECK(sees_in("FLAT", "1,4", "0.1 2.0"));
  CHECK(sees_in("COMPOSITE", NULL, "0(01) 1(01) 2(01)"));
  CHECK(sees_in("flat", NULL, "0(01) 1(01) 2(01)"));
}

TEST(parts_have_a_root_device_where_both_are_wanted) {
  CHECK(sees_in("COMBINED", "0,1,5", "0.0<(01) 0.1<(01) 2.1<(1)"));
}

TEST_MAIN(no_mask_hides_nothing, whole_devices, parts, a_mask_may_leave_nothing,
    parts_are_devices_where_the_hierarchy_is_flat, parts_have_a_root_device_where_both_are_wanted)
