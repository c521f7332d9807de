/* Keys of the caches of a program: whatever a bundle or a binary depends on is a part of them, and
   neighbours that are texts do not run into each other. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/program.h"
#include "tests/check.h"

#include <stdlib.h>

enum { MOST = 32 };

/* Keys that must all differ. */
static struct {
  struct syclze__key keys[MOST];
  int count;
} seen;

static void keys_begin(void) {
  seen.count = 0;
}

/* A key that is none of those before, and the same whenever it is made. */
static void check_new(struct syclze__key key, struct syclze__key again) {
  CHECK(!key.failed);
  CHECK_EQ(key.size, again.size);
  CHECK_EQ(memcmp(key.data, again.data, key.size), 0);
  free(again.data);
  for (int i = 0; i < seen.count; i++)
    CHECK(seen.keys[i].size != key.size || memcmp(seen.keys[i].data, key.data, key.size) != 0);
  CHECK(seen.count < MOST);
  seen.keys[seen.count++] = key;
}

static void keys_end(void) {
  while (seen.count > 0)
    free(seen.keys[--seen.count].data);
}

static uint64_t slots[2] = {7, 9};
static uint32_t identifiers[2] = {1, 2};
static const void *values[2] = {&slots[0], &slots[1]};

#define CHECK_DISK()                                                                               \
  check_new(syclze__disk_key(&work, &candidate, &constants),                                       \
      syclze__disk_key(&work, &candidate, &constants))

TEST(a_binary_on_disk_is_of_everything_it_was_built_with) { // shows promises 30
  struct syclze__program_work work;
  syclze_candidate candidate;
  ze_module_constants_t constants = {2, identifiers, values};
  char flags[] = "-opt", more_flags[] = "-optd", name[] = "device";
  memset(&work, 0, sizeof work);
  memset(&candidate, 0, sizeof candidate);
  candidate.module = syclze_bytes_of("module", 6);
  work.flags = flags;
  snprintf(work.traits.name, sizeof work.traits.name, "%s", name);
  keys_begin();
  CHECK_DISK();
  candidate.module = syclze_bytes_of("modulo", 6);
  CHECK_DISK();
  candidate.module = syclze_bytes_of("module", 5);
  CHECK_DISK();
  constants.numConstants = 1;
  CHECK_DISK();
  constants.numConstants = 0;
  CHECK_DISK();
  constants.numConstants = 2;
  identifiers[1] = 3;
  CHECK_DISK();
  slots[1] = 10;
  CHECK_DISK();
  work.flags = more_flags;
  CHECK_DISK();
  /* The flags' last letter is the name's first one. */
  work.flags = flags;
  snprintf(work.traits.name, sizeof work.traits.name, "d%s", name);
  CHECK_DISK();
  work.traits.vendor_id = 1;
  CHECK_DISK();
  work.traits.ip_version = 1;
  CHECK_DISK();
  work.traits.vendor_id = 0;
  CHECK_DISK();
  work.traits.driver_version = 1;
  CHECK_DISK();
  keys_end();
}

#define CHECK_REQUEST()                                                                            \
  check_new(syclze__request_key(device, &request), syclze__request_key(device, &request))

// shows promises 30
TEST(a_request_is_of_its_device_kernel_and_values) {
  static char first, second; /* addresses of devices */
  const uint32_t one = 1, two = 2;
  syclze_spec_value value[2] = {{"a", 0, &one, sizeof one}, {"a", 1, &one, sizeof one}};
  syclze_program_request request = {.kernel = "kernel", .values = value};
  syclze_device device = {(struct syclze__device *)(void *)&first};
  keys_begin();
  CHECK_REQUEST();
  device.rep = (struct syclze__device *)(void *)&second;
  CHECK_REQUEST();
  request.kernel = "kernel2";
  CHECK_REQUEST();
  request.value_count = 1;
  CHECK_REQUEST();
  request.value_count = 2;
  CHECK_REQUEST();
  value[1].name = "b";
  CHECK_REQUEST();
  value[1].name = "";
  CHECK_REQUEST();
  value[1].name = NULL;
  CHECK_REQUEST();
  value[1].id = 2;
  CHECK_REQUEST();
  value[1].data = &two;
  CHECK_REQUEST();
  value[1].size = 2;
  CHECK_REQUEST();
  value[1].data = NULL;
  CHECK_REQUEST();
  keys_end();
}

#define CHECK_MODULE()                                                                             \
  check_new(syclze__module_key(&work, &order, &constants),                                         \
      syclze__module_key(&work, &order, &constants))

TEST(a_module_is_of_its_device_images_and_values) { // shows promises 30
  static char first, second;
  struct syclze__program_work work;
  syclze_candidate candidate, others[2];
  syclze_module_order order;
  ze_module_constants_t constants = {1, identifiers, values};
  memset(&work, 0, sizeof work);
  memset(&candidate, 0, sizeof candidate);
  memset(others, 0, sizeof others);
  memset(&order, 0, sizeof order);
  work.device.rep = (struct syclze__device *)(void *)&first;
  order.candidate = &candidate;
  order.others = others;
  keys_begin();
  CHECK_MODULE();
  work.device.rep = (struct syclze__device *)(void *)&second;
  CHECK_MODULE();
  candidate.serial = 1;
  CHECK_MODULE();
  candidate.format = ZE_MODULE_FORMAT_NATIVE;
  CHECK_MODULE();
  candidate.part = 1;
  CHECK_MODULE();
  order.other_count = 1;
  CHECK_MODULE();
  others[0].serial = 5;
  CHECK_MODULE();
  order.other_count = 2;
  CHECK_MODULE();
  constants.numConstants = 0;
  CHECK_MODULE();
  /* No key of a module is that of a request. */
  const syclze_program_request request = {.kernel = ""};
  check_new(syclze__request_key(work.device, &request), syclze__request_key(work.device, &request));
  CHECK(seen.keys[0].data[0] != seen.keys[seen.count - 1].data[0]);
  keys_end();
}

TEST_MAIN(a_binary_on_disk_is_of_everything_it_was_built_with,
    a_request_is_of_its_device_kernel_and_values, a_module_is_of_its_device_images_and_values)
