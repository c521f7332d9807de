/* Queries of devices, kernels and allocations, beside what the driver itself answers. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/device_query.h"
#include "syclze/kernel_query.h"
#include "syclze/usm_query.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_SUBDEVICES", "2");
}

TEST(a_device_has_the_properties_of_the_driver) { // shows queues 18
  struct given g = given();
  syclze_device device = made_device(&g);
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  syclze_device_info info;
  CHECK_EQ(zeDeviceGetProperties(g.device, &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_info(device, &info), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(info.name, properties.name);
  CHECK_EQ(info.type, properties.type);
  CHECK_EQ(memcmp(info.uuid, properties.uuid.id, sizeof info.uuid), 0);
  CHECK(!info.is_sub_device);
  CHECK(info.memory_size > 0);
  CHECK(info.max_allocation_size > 0);
  CHECK(info.max_allocation_size <= info.memory_size);
  given_end(&g);
}

TEST(limits_are_those_that_the_driver_keeps) { // shows queues 24
  struct given g = given();
  syclze_device device = made_device(&g);
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  syclze_device_limits limits;
  CHECK_EQ(zeDeviceGetComputeProperties(g.device, &compute), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGetMemoryAccessProperties(g.device, &access), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_limits(device, &limits), ZE_RESULT_SUCCESS);
  CHECK_EQ(limits.max_work_group_size, compute.maxTotalGroupSize);
  CHECK_EQ(limits.max_work_item_sizes[1], compute.maxGroupSizeY);
  CHECK_EQ(limits.local_mem_size, compute.maxSharedLocalMemory);
  CHECK_EQ(limits.sub_group_size_count, compute.numSubGroupSizes);
  CHECK(limits.sub_group_sizes[0] > 0 && limits.max_num_sub_groups > 0);
  CHECK_EQ(limits.usm_device, access.deviceAllocCapabilities);
  CHECK_EQ(limits.usm_system, access.sharedSystemAllocCapabilities);
  given_end(&g);
}

TEST(queue_groups_make_queues) { // shows queues 18
  struct given g = given();
  syclze_device device = made_device(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_group groups[16];
  uint32_t count = 16;
  bool computes = false;
  CHECK_EQ(syclze_device_get_queue_groups(device, &count, groups), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++) {
    const syclze_property_list last = {
        SYCLZE_QUEUE_PROPERTY_ORDINAL | SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX,
        groups[i].queue_count - 1, i};
    syclze_queue queue;
    CHECK(groups[i].queue_count > 0);
    CHECK_EQ(syclze_queue_create(context, device, &last, &queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
    computes = computes || groups[i].computes;
  }
  CHECK(computes);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(the_parts_of_a_device_have_it_as_root) { // shows queues 18
  struct given g = given();
  syclze_device device = made_device(&g), parts[2];
  uint32_t count = 2;
  bool can;
  CHECK_EQ(syclze_device_get_sub_devices(device, &count, parts), ZE_RESULT_SUCCESS);
  given_needs_two(g.driver, count);
  for (int i = 0; i < 2; i++) {
    syclze_device_info info;
    CHECK_EQ(syclze_device_get_info(parts[i], &info), ZE_RESULT_SUCCESS);
    CHECK(info.is_sub_device);
    CHECK_EQ(info.sub_device_id, (uint32_t)i);
    CHECK_EQ(syclze_device_get_root(parts[i]).rep, device.rep);
  }
  CHECK_EQ(syclze_device_get_root(device).rep, device.rep);
  CHECK_EQ(syclze_device_can_access_peer(parts[0], parts[1], &can), ZE_RESULT_SUCCESS);
  CHECK(can);
  given_end(&g);
}

/* Which needs newer loaders, and drivers that manage systems. */
TEST(what_is_not_there_is_refused) { // shows queues 31
  struct given g = given();
  syclze_device device = made_device(&g);
  uint64_t size;
  refused_begin();
  const ze_result_t free_memory = syclze_device_get_free_memory(device, &size);
  CHECK_EQ(refused_count(), free_memory == ZE_RESULT_SUCCESS ? 0 : 1);
  CHECK(free_memory == ZE_RESULT_SUCCESS || size == 0);
  given_end(&g);
}

TEST(a_kernel_has_the_properties_of_the_driver) { // shows queues 32
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  given_kernel(&g, "tests/kernels/basic.spv", "axpy");
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel kernel = made_kernel(bundle, g.kernel, context, SYCLZE_OWNERSHIP_KEEP);
  ze_kernel_properties_t native = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  const uint32_t global[3] = {64, 1, 1}, group[3] = {8, 1, 1};
  syclze_kernel_properties properties;
  uint32_t local[3], count = 0;
  const char *attributes;
  CHECK_EQ(zeKernelGetProperties(g.kernel, &native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_get_properties(kernel, &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(properties.argument_count, 3);
  CHECK_EQ(properties.max_sub_group_size, native.maxSubgroupSize);
  CHECK_EQ(properties.private_memory_size, native.privateMemSize);
  CHECK_EQ(properties.local_memory_size, native.localMemSize);
  CHECK_EQ(syclze_kernel_get_attributes(kernel, &attributes), ZE_RESULT_SUCCESS);
  CHECK(attributes != NULL);
  CHECK_EQ(syclze_kernel_suggest_group_size(kernel, global, local), ZE_RESULT_SUCCESS);
  CHECK(local[0] > 0 && 64 % local[0] == 0);
  CHECK_EQ(local[1], 1);
  const unsigned kernels = spy_alive(SPY_KERNEL);
  CHECK_EQ(syclze_kernel_get_max_group_count(kernel, group, &count), ZE_RESULT_SUCCESS);
  CHECK(count > 0);
  CHECK_EQ(spy_alive(SPY_KERNEL), kernels);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_allocation_is_found_by_any_pointer_into_it) { // shows queues 33
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  void *memory[3];
  uint64_t ids[3];
  static const ze_memory_type_t types[] = {
      ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED, ZE_MEMORY_TYPE_HOST};
  CHECK_EQ(syclze_malloc_device(1000, device, context, &memory[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(1000, device, context, &memory[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_host(1000, context, &memory[2]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++) {
    syclze_usm_info info;
    CHECK_EQ(syclze_usm_get_info((char *)memory[i] + 999, context, &info), ZE_RESULT_SUCCESS);
    CHECK_EQ(info.type, types[i]);
    CHECK_EQ(info.base, memory[i]);
    CHECK(info.size >= 1000);
    if (i < 2) CHECK_EQ(info.device.rep, device.rep);
    ids[i] = info.id;
  }
  CHECK(ids[0] != ids[1] && ids[1] != ids[2]);
  syclze_usm_info info;
  CHECK_EQ(syclze_usm_get_info(&info, context, &info), ZE_RESULT_SUCCESS);
  CHECK_EQ(info.type, ZE_MEMORY_TYPE_UNKNOWN);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_free(memory[i], context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_is_refused) { // shows queues 34
  struct given g = given();
  const syclze_device no_device = {0};
  const syclze_kernel no_kernel = {0};
  const syclze_context no_context = {0};
  syclze_device_info info;
  syclze_kernel_properties properties;
  syclze_usm_info usm;
  memset(&info, 1, sizeof info);
  FAILED(syclze_device_get_info(no_device, &info), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_device_get_info", "null", NULL);
  CHECK_EQ(info.name[0], 0);
  CHECK_EQ(info.max_allocation_size, 0);
  REFUSED(properties, syclze_kernel_get_properties(no_kernel, &properties),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_kernel_get_properties", "kernel", NULL);
  REFUSED(usm, syclze_usm_get_info(&g, no_context, &usm), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_usm_get_info", "context", &g);
  given_end(&g);
}

TEST_MAIN(a_device_has_the_properties_of_the_driver, limits_are_those_that_the_driver_keeps,
    queue_groups_make_queues, the_parts_of_a_device_have_it_as_root, what_is_not_there_is_refused,
    a_kernel_has_the_properties_of_the_driver, an_allocation_is_found_by_any_pointer_into_it,
    null_is_refused)
