/* ZE_AFFINITY_MASK. The driver reads it when it is loaded, so each mask has a process of its own.
 */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8 };

/* Two drivers with three devices each, of two parts each. A device is written with its number and
 * its part as in a mask, and its sub-devices in brackets. */
static void describe(char *text) {
  uint32_t driver_count = 2, count = MOST;
  ze_driver_handle_t drivers[2];
  ze_device_handle_t devices[MOST], parts[MOST];
  OK(zeInit(0));
  OK(zeDriverGet(&driver_count, drivers));
  CHECK_EQ(driver_count, 2);
  OK(zeDeviceGet(drivers[1], &count, devices));
  for (uint32_t i = 0; i < count; i++) {
    ze_device_properties_t one = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(devices[i], &one));
    CHECK_EQ(one.uuid.id[12], 1);
    CHECK(!(one.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE));
    text += sprintf(text, "%s%u", i ? " " : "", one.uuid.id[13]);
    if (one.uuid.id[14]) text += sprintf(text, ".%u", one.uuid.id[15]);
    uint32_t part_count = MOST;
    OK(zeDeviceGetSubDevices(devices[i], &part_count, parts));
    if (part_count) text += sprintf(text, "(");
    for (uint32_t k = 0; k < part_count; k++) {
      ze_device_properties_t part = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
      OK(zeDeviceGetProperties(parts[k], &part));
      CHECK(part.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
      CHECK_EQ(part.subdeviceId, k);
      CHECK_EQ(part.uuid.id[13], one.uuid.id[13]);
      text += sprintf(text, "%u", part.uuid.id[15]);
    }
    if (part_count) text += sprintf(text, ")");
  }
}

static bool sees(const char *mask, const char *wanted) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    char text[256] = "";
    setenv("ZECL_DRIVERS", "2", 1);
    setenv("ZECL_DEVICES", "3", 1);
    setenv("ZECL_SUBDEVICES", "2", 1);
    if (mask) setenv("ZE_AFFINITY_MASK", mask, 1);
    describe(text);
    if (strcmp(text, wanted) != 0) fprintf(stderr, "%s: %s\n", mask, text);
    _exit(strcmp(text, wanted) != 0);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status == 0;
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

TEST_MAIN(no_mask_hides_nothing, whole_devices, parts, a_mask_may_leave_nothing)
