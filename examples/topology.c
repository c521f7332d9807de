/* What devices are there, what are they parts of, and what can each do? */
#include "common.h"
#include "syclze/aspect.h"
#include "syclze/composite_device.h"
#include "syclze/device_query.h"
#include "syclze/syclze.h"

enum { MOST = 64 };

static void print_aspects(syclze_device device) {
  static const char *const names[] = {"gpu", "fp64", "image", "usm_shared_allocations",
      "ext_oneapi_ipc_memory", "ext_oneapi_is_composite", "ext_oneapi_is_component"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    syclze_aspect aspect;
    bool has;
    TRY(syclze_aspect_find(names[i], &aspect));
    TRY(syclze_device_has(device, aspect, &has));
    if (has) printf(" %s", names[i]);
  }
}

static void print_device(syclze_device device, int depth) {
  syclze_device_info info;
  syclze_queue_group groups[MOST];
  syclze_device parts[MOST];
  uint32_t count = MOST, queues = 0;
  uint64_t free_memory;
  TRY(syclze_device_get_info(device, &info));
  TRY(syclze_device_get_queue_groups(device, &count, groups));
  for (uint32_t i = 0; i < count; i++)
    queues += groups[i].queue_count;
  printf("%*s%s: %u units, %llu MiB", 2 * depth, "", info.name, (unsigned)info.compute_units,
      (unsigned long long)(info.memory_size >> 20));
  if (syclze_device_get_free_memory(device, &free_memory) == ZE_RESULT_SUCCESS)
    printf(" (%llu free)", (unsigned long long)(free_memory >> 20));
  printf(", %u queues,", (unsigned)queues);
  print_aspects(device);
  puts("");
  count = MOST;
  TRY(syclze_device_get_sub_devices(device, &count, parts));
  for (uint32_t i = 0; i < count; i++) {
    CLAIM(syclze_device_get_parent(parts[i]).rep == device.rep);
    print_device(parts[i], depth + 1);
  }
}

int main(void) {
  syclze_platform platforms[MOST];
  syclze_device devices[MOST];
  uint32_t platform_count = MOST, count;
  TRY(syclze_platform_get(&platform_count, platforms));
  for (uint32_t i = 0; i < platform_count; i++) {
    count = MOST;
    TRY(syclze_device_get(platforms[i], &count, devices));
    for (uint32_t j = 0; j < count; j++)
      print_device(devices[j], 0);
    for (uint32_t j = 0; j < count; j++)
      for (uint32_t k = 0; k < count; k++) {
        bool can = true;
        if (j != k) TRY(syclze_device_can_access_peer(devices[j], devices[k], &can));
        if (j != k) printf("%u %s memory of %u\n", j, can ? "accesses" : "does not access", k);
      }
    /* With ZE_FLAT_DEVICE_HIERARCHY=COMBINED the tiles are devices, and the cards composites. */
    count = MOST;
    if (syclze_platform_get_composite_devices(platforms[i], &count, devices) != ZE_RESULT_SUCCESS) {
      puts("the loader or the driver has no composite devices");
      continue;
    }
    for (uint32_t j = 0; j < count; j++) {
      uint32_t components = 0;
      TRY(syclze_device_get_components(devices[j], &components, NULL));
      printf("a composite device of %u\n", (unsigned)components);
    }
  }
  CLAIM(platform_count > 0);
  puts("OK");
  return 0;
}
