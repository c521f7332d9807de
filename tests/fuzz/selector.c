/* Fuzz target: selector and filter strings, on two drivers with devices, sub-devices and
 * sub-sub-devices. What is counted is what is written; what finds a device is a filter; an error
 * shows a column of the text. */
#include "syclze/selector.h"

enum { ROOTS = 3, CHILDREN = 2, ROOM = 64 };

/* Driver handles are the numbers 1 and 2. A device's number encodes its driver, root and
   parents. */
static ze_driver_handle_t driver_of(uintptr_t number) {
  return (ze_driver_handle_t)number;
}

static uint32_t listed(
    uint32_t *count, uint32_t room, ze_device_handle_t *devices, uintptr_t parent, uint32_t all) {
  *count = room != 0 && room < all ? room : all;
  for (uint32_t i = 0; room != 0 && devices != NULL && i < *count; i++)
    devices[i] = (ze_device_handle_t)(parent * 16 + i + 1);
  return *count;
}

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  (void)flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  uint32_t room = *count;
  *count = room == 1 ? 1 : 2;
  for (uint32_t i = 0; room != 0 && drivers != NULL && i < *count; i++)
    drivers[i] = driver_of(i + 1);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGet(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
  listed(count, *count, devices, (uintptr_t)driver, ROOTS);
  return ZE_RESULT_SUCCESS;
}

/* Two levels below a root. */
ze_result_t ZE_APICALL zeDeviceGetSubDevices(
    ze_device_handle_t device, uint32_t *count, ze_device_handle_t *devices) {
  listed(count, *count, devices, (uintptr_t)device, (uintptr_t)device < 0x1000 ? CHILDREN : 0);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  static const ze_device_type_t types[] = {
      ZE_DEVICE_TYPE_GPU, ZE_DEVICE_TYPE_CPU, ZE_DEVICE_TYPE_FPGA};
  properties->type = types[(uintptr_t)device % ROOTS];
  return ZE_RESULT_SUCCESS;
}

/* The detail is terminated, with the caret in its last line. */
static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  if (diagnostic->result != SYCLZE_RESULT_ERROR_INVALID || diagnostic->detail == NULL) return;
  size_t length = strlen(diagnostic->detail);
  if (length == 0 || length >= 512 || diagnostic->detail[length - 1] != '^') abort();
}

typedef ze_result_t (*selects)(const char *text, uint32_t *count, syclze_device *devices);

/* True if the text follows the grammar. */
static bool check_selection(selects select, const char *text) {
  syclze_device devices[ROOM], first;
  uint32_t count = 0, room = ROOM, one = 1;
  ze_result_t result = select(text, &count, NULL);
  if (select(text, &room, devices) != result || select(text, &one, &first) != result) abort();
  if (result == SYCLZE_RESULT_ERROR_INVALID) {
    if (count != 0 || room != 0 || one != 0) abort();
    return false;
  }
  if (result != ZE_RESULT_SUCCESS || count > ROOM || room != count) abort();
  if (one != (count != 0 ? 1 : 0) || (one != 0 && first.rep != devices[0].rep)) abort();
  for (uint32_t i = 0; i < count; i++) {
    if (devices[i].rep == NULL) abort();
    for (uint32_t j = 0; j < i; j++)
      if (devices[i].rep == devices[j].rep) abort();
  }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const syclze_diagnostic_handler handler = {note, NULL};
  syclze_diagnostic_set_handler(&handler);
  char *text = (char *)malloc(size + 1);
  if (text == NULL) return 0;
  if (size != 0) memcpy(text, data, size);
  text[size] = '\0';
  check_selection(syclze_device_select, text);
  bool is_filter = check_selection(syclze_device_filter, text);
  syclze_device found;
  ze_result_t result = syclze_device_find(text, &found);
  if (result != ZE_RESULT_SUCCESS && result != SYCLZE_RESULT_ERROR_RUNTIME) abort();
  if ((result == ZE_RESULT_SUCCESS) != (found.rep != NULL)) abort();
  if (result == ZE_RESULT_SUCCESS && !is_filter) abort();
  free(text);
  return 0;
}
