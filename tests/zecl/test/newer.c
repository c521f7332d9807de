/* Entry points of Level Zero after 1.4, which the driver has whatever headers it was built with.
 * They are taken from the tables, as a newer loader does, so that this runs on any loader. */
#define _GNU_SOURCE
#include "support/slot.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE = 600, UNSUPPORTED = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE };

static ze_driver_handle_t driver(void) {
  ze_driver_handle_t first;
  uint32_t count = 1;
  test_device();
  OK(zeDriverGet(&count, &first));
  return first;
}

static ze_context_handle_t default_context(ze_driver_handle_t of) {
  return ((ze_context_handle_t(*)(ze_driver_handle_t))slot("zeGetDriver", 8))(of);
}

TEST(the_version_is_of_the_driver) {
  ze_api_version_t version = 0;
  OK(zeDriverGetApiVersion(driver(), &version));
  CHECK(version >= newest);
}

TEST(drivers_by_type) {
  struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
  } desc = {.flags = 1};
  uint32_t count = 1;
  ze_driver_handle_t found = NULL;
  OK(SLOT("zeGetGlobal", 1, uint32_t *, ze_driver_handle_t *, void *)(&count, &found, &desc));
  CHECK(count == 1 && found == driver());
  desc.flags = 2; /* NPUs */
  OK(SLOT("zeGetGlobal", 1, uint32_t *, ze_driver_handle_t *, void *)(&count, NULL, &desc));
  CHECK_EQ(count, 0);
}

TEST(the_default_context_is_a_context) {
  ze_context_handle_t context = default_context(driver());
  CHECK(context != NULL && context == default_context(driver()));
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocHost(context, &desc, 64, 0, &memory));
  OK(zeMemFree(context, memory));
  OK(zeContextGetStatus(context));
  RETURNS(ERROR_INVALID_ARGUMENT, zeContextDestroy(context));
  OK(zeContextGetStatus(context));
}

TEST(errors_have_no_further_text) {
  const char *text = NULL;
  OK(SLOT("zeGetDriver", 6, ze_driver_handle_t, const char **)(driver(), &text));
  CHECK_STR_EQ(text, "");
  RETURNS(ERROR_INVALID_NULL_POINTER,
      SLOT("zeGetDriver", 6, ze_driver_handle_t, const char **)(driver(), NULL));
}

/* A wait for the device waits for a copy, a fill and two launches. */
TEST(appends_with_parameters_and_arguments) {
  enum { ITEMS = 40, GROUP = 8 };
  typedef struct {
    uint32_t sizes[3];
  } group_size;
  typedef ze_result_t with_parameters(ze_command_list_handle_t, ze_kernel_handle_t,
      const ze_group_count_t *, const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  typedef ze_result_t with_arguments(ze_command_list_handle_t, ze_kernel_handle_t, ze_group_count_t,
      group_size, void **, const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  typedef ze_result_t copy_with(ze_command_list_handle_t, void *, const void *, size_t,
      const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  typedef ze_result_t fill_with(ze_command_list_handle_t, void *, const void *, size_t, size_t,
      const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "iota");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  const ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  const group_size group = {{GROUP, 1, 1}}, none = {{0, 1, 1}};
  int *numbers = test_shared(ITEMS * sizeof *numbers),
      *copied = test_shared(ITEMS * sizeof *copied);
  int first = 3;
  void *arguments[] = {&numbers, &first};
  with_arguments *launch = (with_arguments *)slot("zeGetCommandList", 37);
  OK(launch(list, kernel, groups, group, arguments, NULL, NULL, 0, NULL));
  OK(((copy_with *)slot("zeGetCommandList", 38))(
      list, copied, numbers, ITEMS * sizeof *copied, NULL, NULL, 0, NULL));
  OK(((fill_with *)slot("zeGetCommandList", 39))(
      list, numbers, "", 1, ITEMS * sizeof *numbers, NULL, NULL, 0, NULL));
  OK(SLOT("zeGetDevice", 22, ze_device_handle_t)(test_device()));
  CHECK(copied[0] == 3 && copied[ITEMS - 1] == 3 + ITEMS - 1);
  CHECK(numbers[0] == 0 && numbers[ITEMS - 1] == 0);
  /* A refused launch leaves the kernel's arguments. */
  first = 9;
  RETURNS(ERROR_INVALID_NULL_HANDLE,
      launch(NULL, kernel, groups, group, arguments, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_SIZE, launch(list, kernel, groups, group, arguments, NULL, NULL, 1, NULL));
  OK(((with_parameters *)slot("zeGetCommandList", 36))(list, kernel, &groups, NULL, NULL, 0, NULL));
  OK(SLOT("zeGetDevice", 22, ze_device_handle_t)(test_device()));
  CHECK(numbers[0] == 3 && numbers[ITEMS - 1] == 3 + ITEMS - 1);
  CHECK(launch(list, kernel, groups, none, arguments, NULL, NULL, 0, NULL) != ZE_RESULT_SUCCESS);
  RETURNS(
      ERROR_INVALID_NULL_POINTER, launch(list, kernel, groups, group, NULL, NULL, NULL, 0, NULL));
  RETURNS(
      ERROR_INVALID_NULL_HANDLE, launch(list, NULL, groups, group, arguments, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, SLOT("zeGetDevice", 22, ze_device_handle_t)(NULL));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(numbers);
  test_free(copied);
}

TEST(without_a_driver_it_is_null) {
  CHECK(default_context(NULL) == NULL);
  CHECK(default_context((ze_driver_handle_t)(void *)test_context()) == NULL);
}

TEST(queries_of_lists_and_events) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_bool_t is_immediate = 0;
  uint32_t flags = 0;
  ze_context_handle_t context = NULL;
  ze_device_handle_t root = test_device();
  OK(SLOT("zeGetCommandList", 28, ze_command_list_handle_t, uint64_t)(list, UINT64_MAX));
  OK(SLOT("zeGetCommandList", 33, ze_command_list_handle_t, ze_bool_t *)(list, &is_immediate));
  OK(SLOT("zeGetCommandList", 42, ze_command_list_handle_t, uint32_t *)(list, &flags));
  OK(SLOT("zeGetCommandList", 30, ze_command_list_handle_t, ze_context_handle_t *)(list, &context));
  OK(SLOT("zeGetDevice", 18, ze_device_handle_t, ze_device_handle_t *)(test_device(), &root));
  CHECK(is_immediate && flags == TEST_IN_ORDER && context == test_context() && root == NULL);
  OK(zeCommandListDestroy(list));
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1), of = NULL;
  ze_event_handle_t event = test_event(pool, 0);
  OK(SLOT("zeGetEvent", 8, ze_event_handle_t, ze_event_pool_handle_t *)(event, &of));
  CHECK(of == pool);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

typedef ze_result_t append_lists(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t *,
    ze_event_handle_t, uint32_t, ze_event_handle_t *);

static ze_command_list_handle_t filling(int *memory, int value) {
  ze_command_list_handle_t list = test_list();
  OK(zeCommandListAppendMemoryFill(
      list, memory, &value, sizeof value, sizeof value, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  return list;
}

TEST(an_immediate_list_runs_regular_ones) {
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  int *memory = test_shared(sizeof *memory);
  ze_command_list_handle_t both[] = {filling(memory, 1), filling(memory, 2)};
  for (int round = 0; round < 2; round++) {
    *memory = 0;
    OK(append(list, 2, both, done, 1, &gate));
    RETURNS(NOT_READY, zeEventQueryStatus(done));
    CHECK_EQ(*memory, 0);
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
    CHECK_EQ(*memory, 2);
    OK(zeEventHostReset(gate));
    OK(zeEventHostReset(done));
  }
  OK(append(list, 0, NULL, done, 0, NULL));
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  for (int i = 0; i < 2; i++)
    OK(zeCommandListDestroy(both[i]));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  test_free(memory);
}

TEST(host_functions_have_a_slot_and_a_name) {
  void *address = NULL;
  any_function *named;
  OK(zeDriverGetExtensionFunctionAddress(driver(), "zeCommandListAppendHostFunction", &address));
  memcpy(&named, &address, sizeof named);
  CHECK(named == slot("zeGetCommandList", 51));
}

struct desc { /* of a list, an identifier, and the head of a chain */
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

typedef ze_result_t next_command(ze_command_list_handle_t, const struct desc *, uint64_t *);
typedef ze_result_t update_signal(ze_command_list_handle_t, uint64_t, ze_event_handle_t);
typedef ze_result_t update_waits(ze_command_list_handle_t, uint64_t, uint32_t, ze_event_handle_t *);

/* Only launches that were requested can be updated. An updated list is closed again. */
TEST(mutable_lists_check_what_is_updated) {
  typedef ze_result_t update_commands(ze_command_list_handle_t, const struct desc *);
  typedef ze_result_t is_mutable_list(ze_command_list_handle_t, ze_bool_t *);
  next_command *next = (next_command *)slot("zeGetCommandListExp", 2);
  update_commands *update = (update_commands *)slot("zeGetCommandListExp", 3);
  is_mutable_list *is_mutable = (is_mutable_list *)slot("zeGetCommandListExp", 8);
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 1};
  const struct desc graphs = {.stype = (ze_structure_type_t)0x00020017, .flags = 128};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list};
  ze_command_list_handle_t list, plain = test_list();
  ze_command_list_handle_t to = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_bool_t answer = 0;
  uint64_t command = 0;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(is_mutable(list, &answer));
  CHECK(answer);
  OK(is_mutable(plain, &answer));
  CHECK(!answer);
  RETURNS(ERROR_INVALID_ARGUMENT, next(plain, &id, &command));
  RETURNS(ERROR_INVALID_NULL_POINTER, next(list, NULL, &command));
  CHECK_EQ(next(list, &graphs, &command), UNSUPPORTED);
  OK(next(list, &id, &command));
  CHECK_EQ(command, 1);
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, next(list, &id, &command));
  const struct {
    ze_structure_type_t stype;
    const void *next;
    uint64_t command;
    const ze_group_count_t *count;
  } groups = {.stype = (ze_structure_type_t)0x0002001a, .command = 1};
  const struct desc nothing = {.stype = (ze_structure_type_t)0x00020018};
  const struct desc barrier = {.stype = (ze_structure_type_t)0x00020018, .next = &groups};
  RETURNS(ERROR_INVALID_ARGUMENT, update(list, &barrier));
  RETURNS(ERROR_INVALID_ARGUMENT, update(plain, &nothing));
  OK(append(to, 1, &list, NULL, 0, NULL)); /* a refused update leaves it closed */
  OK(update(list, &nothing));
  RETURNS(ERROR_INVALID_ARGUMENT, append(to, 1, &list, NULL, 0, NULL)); /* not closed again */
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(plain));
  OK(zeCommandListDestroy(to));
}

/* The launch has five groups of eight; the new kernel has arguments of its own. */
TEST(a_chain_of_updates_of_which_one_is_refused_changes_nothing) {
  typedef ze_result_t update_commands(ze_command_list_handle_t, const void *);
  next_command *next = (next_command *)slot("zeGetCommandListExp", 2);
  update_commands *update = (update_commands *)slot("zeGetCommandListExp", 3);
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 1 | 2};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list};
  const ze_group_count_t one = {1, 1, 1}, two = {2, 1, 1};
  const int first = 3, second = 5;
  int *numbers = test_shared(4 * sizeof *numbers);
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "iota");
  ze_command_list_handle_t list, to = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  uint64_t command = 0;
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof first, &first));
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(next(list, &id, &command));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  struct {
    ze_structure_type_t stype;
    const void *next;
    uint64_t command;
    uint32_t index;
    size_t size;
    const void *value;
  } wrong = {(ze_structure_type_t)0x00020019, NULL, command, 1, 3, &second},
    right = {(ze_structure_type_t)0x00020019, &wrong, command, 1, sizeof second, &second};
  const struct {
    ze_structure_type_t stype;
    const void *next;
    uint64_t command;
    const ze_group_count_t *count;
  } groups = {(ze_structure_type_t)0x0002001a, &right, command, &two};
  const struct desc chain = {.stype = (ze_structure_type_t)0x00020018, .next = &groups};
  RETURNS(ERROR_INVALID_KERNEL_ARGUMENT_SIZE, update(list, &chain));
  OK(append(to, 1, &list, NULL, 0, NULL)); /* still closed */
  CHECK_EQ(numbers[0], 3);
  CHECK_EQ(numbers[1], 0);
  wrong.size = sizeof second;
  OK(update(list, &chain));
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  CHECK_EQ(numbers[0], 5);
  CHECK_EQ(numbers[1], 6);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(to));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(numbers);
}

TEST(a_mutable_launch_gets_another_kernel) {
  enum { ITEMS = 40, GROUP = 8 };
  typedef ze_result_t next_with(
      ze_command_list_handle_t, const struct desc *, uint32_t, ze_kernel_handle_t *, uint64_t *);
  typedef ze_result_t update_kernels(
      ze_command_list_handle_t, uint32_t, uint64_t *, ze_kernel_handle_t *);
  next_with *next = (next_with *)slot("zeGetCommandListExp", 6);
  update_kernels *update = (update_kernels *)slot("zeGetCommandListExp", 7);
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 64 | 1};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list};
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernels[] = {test_kernel(module, "iota"), test_kernel(module, "axpy")};
  ze_command_list_handle_t list, to = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  const ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  int *numbers = test_shared(ITEMS * sizeof *numbers);
  float *floats = test_shared(ITEMS * sizeof *floats);
  const int first = 3;
  const float factor = 2;
  uint64_t command = 0, other = 7;
  for (int i = 0; i < 2; i++)
    OK(zeKernelSetGroupSize(kernels[i], GROUP, 1, 1));
  OK(zeKernelSetArgumentValue(kernels[0], 0, sizeof numbers, &numbers));
  OK(zeKernelSetArgumentValue(kernels[0], 1, sizeof first, &first));
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  RETURNS(ERROR_INVALID_NULL_POINTER, next(list, &id, 2, NULL, &command));
  OK(next(list, &id, 2, kernels, &command));
  OK(zeCommandListAppendLaunchKernel(list, kernels[0], &groups, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  CHECK_EQ(numbers[ITEMS - 1], 3 + ITEMS - 1);
  for (int i = 0; i < ITEMS; i++)
    floats[i] = 1;
  OK(zeKernelSetArgumentValue(kernels[1], 0, sizeof factor, &factor));
  OK(zeKernelSetArgumentValue(kernels[1], 1, sizeof floats, &floats));
  OK(zeKernelSetArgumentValue(kernels[1], 2, sizeof floats, &floats));
  RETURNS(ERROR_INVALID_ARGUMENT, update(list, 1, &other, &kernels[1]));
  RETURNS(ERROR_INVALID_NULL_POINTER, update(list, 1, &command, NULL));
  OK(update(list, 1, &command, &kernels[1]));
  RETURNS(ERROR_INVALID_ARGUMENT, append(to, 1, &list, NULL, 0, NULL)); /* not closed again */
  OK(zeCommandListClose(list));
  OK(zeKernelDestroy(kernels[1]));
  numbers[ITEMS - 1] = 0;
  OK(append(to, 1, &list, NULL, 0, NULL));
  CHECK_EQ(numbers[ITEMS - 1], 0);
  CHECK(floats[0] > 2.9f && floats[ITEMS - 1] > 2.9f);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(to));
  OK(zeKernelDestroy(kernels[0]));
  OK(zeModuleDestroy(module));
  test_free(numbers);
  test_free(floats);
}

TEST(a_mutable_launch_gets_other_events) {
  next_command *next = (next_command *)slot("zeGetCommandListExp", 2);
  update_signal *signal = (update_signal *)slot("zeGetCommandListExp", 4);
  update_waits *waits = (update_waits *)slot("zeGetCommandListExp", 5);
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 16 | 32};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list};
  const ze_group_count_t one = {1, 1, 1};
  ze_event_handle_t gates[] = {test_lone_event(), test_lone_event(), test_lone_event()};
  ze_event_handle_t done[] = {test_lone_event(), test_lone_event()};
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "nothing");
  ze_command_list_handle_t list, to = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  uint64_t command = 0, bare = 0;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(next(list, &id, &command));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, done[0], 2, gates));
  OK(next(list, &id, &bare));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  RETURNS(ERROR_INVALID_ARGUMENT, signal(list, bare, done[1]));
  RETURNS(ERROR_INVALID_NULL_HANDLE, signal(list, command, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, waits(list, command, 1, gates));
  RETURNS(ERROR_INVALID_NULL_POINTER, waits(list, command, 2, NULL));
  OK(signal(list, command, done[1]));
  OK(waits(list, command, 2, &gates[1]));
  OK(waits(list, bare, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, append(to, 1, &list, NULL, 0, NULL)); /* not closed again */
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  OK(zeEventHostSignal(gates[1]));
  RETURNS(NOT_READY, zeEventQueryStatus(done[1]));
  OK(zeEventHostSignal(gates[2]));
  OK(zeEventHostSynchronize(done[1], PATIENCE * (uint64_t)TEST_SECOND));
  RETURNS(NOT_READY, zeEventQueryStatus(done[0]));
  OK(zeCommandListDestroy(to));
  OK(zeCommandListDestroy(list));
  for (int i = 0; i < 3; i++)
    OK(zeEventDestroy(gates[i]));
  for (int i = 0; i < 2; i++)
    OK(zeEventDestroy(done[i]));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

/* Counter-based events: the launch signals the new one from then on, and waits for its latest
 * append. Those of other lists are refused. */
TEST(a_mutable_launch_gets_other_counted_events) {
  next_command *next = (next_command *)slot("zeGetCommandListExp", 2);
  update_signal *signal = (update_signal *)slot("zeGetCommandListExp", 4);
  update_waits *waits = (update_waits *)slot("zeGetCommandListExp", 5);
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  const struct desc mutable_list = {.stype = (ze_structure_type_t)0x00020016};
  const struct desc id = {.stype = (ze_structure_type_t)0x00020017, .flags = 16 | 32};
  const struct desc both = {.stype = (ze_structure_type_t)0x00020014, .flags = 3};
  const struct desc immediate = {.stype = (ze_structure_type_t)0x00020014, .flags = 1};
  const ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .pNext = &mutable_list, .flags = 8};
  ze_event_pool_desc_t pool_desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .pNext = &both, .count = 5};
  const ze_group_count_t one = {1, 1, 1};
  ze_event_pool_handle_t pool, other_pool;
  OK(zeEventPoolCreate(test_context(), &pool_desc, 0, NULL, &pool));
  pool_desc.pNext = &immediate;
  OK(zeEventPoolCreate(test_context(), &pool_desc, 0, NULL, &other_pool));
  ze_event_handle_t done[] = {test_event(pool, 0), test_event(pool, 1)};
  ze_event_handle_t awaited[] = {test_event(pool, 2), test_event(pool, 3)};
  ze_event_handle_t other = test_event(other_pool, 0), gate = test_lone_event();
  ze_event_handle_t plain = test_lone_event();
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "nothing");
  ze_command_list_handle_t list, to, maker;
  to = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  maker = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  uint64_t command = 0, of_plain = 0;
  OK(zeCommandListAppendBarrier(maker, awaited[0], 0, NULL));
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(next(list, &id, &command));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, done[0], 1, &awaited[0]));
  OK(next(list, &id, &of_plain));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, plain, 0, NULL));
  OK(zeCommandListClose(list));
  RETURNS(ERROR_INVALID_ARGUMENT, signal(list, command, other));
  RETURNS(ERROR_INVALID_ARGUMENT, signal(list, of_plain, done[1]));
  OK(append(to, 1, &list, NULL, 0, NULL)); /* refused updates leave it closed */
  OK(zeEventHostSynchronize(done[0], PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventHostSynchronize(plain, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeCommandListAppendBarrier(maker, awaited[1], 1, &gate));
  OK(signal(list, command, done[1]));
  OK(waits(list, command, 1, &awaited[1]));
  OK(zeCommandListClose(list));
  OK(append(to, 1, &list, NULL, 0, NULL));
  RETURNS(NOT_READY, zeEventHostSynchronize(done[1], TEST_SECOND / 50));
  OK(zeEventQueryStatus(done[0]));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done[1], PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeCommandListDestroy(to));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(maker));
  for (int i = 0; i < 2; i++) {
    OK(zeEventDestroy(done[i]));
    OK(zeEventDestroy(awaited[i]));
  }
  OK(zeEventDestroy(other));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(plain));
  OK(zeEventPoolDestroy(pool));
  OK(zeEventPoolDestroy(other_pool));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST(lists_that_cannot_be_appended) {
  append_lists *append = (append_lists *)slot("zeGetCommandListExp", 1);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_command_list_handle_t open = test_list(), none = NULL;
  RETURNS(ERROR_INVALID_ARGUMENT, append(list, 1, &open, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, append(list, 1, &none, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER, append(list, 1, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, append(NULL, 0, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_COMMAND_LIST_TYPE, append(list, 1, &list, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_COMMAND_LIST_TYPE, append(open, 0, NULL, NULL, 0, NULL));
  OK(zeCommandListDestroy(open));
  OK(zeCommandListDestroy(list));
}

struct counter_based_desc {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags, signal, wait;
};

typedef ze_result_t create_event(ze_context_handle_t, ze_device_handle_t,
    const struct counter_based_desc *, ze_event_handle_t *);

static void check_events_without_a_pool(create_event *create) {
  const struct counter_based_desc host_visible = {.flags = 7}, timestamps = {.flags = 1 | 16};
  ze_event_handle_t event = NULL, timed = NULL;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  OK(create(test_context(), test_device(), &host_visible, &event));
  OK(create(test_context(), test_device(), &timestamps, &timed));
  OK(zeEventQueryStatus(event));
  for (int i = 0; i < 3; i++) {
    ze_event_handle_t gate = test_lone_event();
    OK(zeCommandListAppendBarrier(list, event, 1, &gate));
    RETURNS(NOT_READY, zeEventQueryStatus(event));
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(event, PATIENCE * (uint64_t)TEST_SECOND));
    OK(zeEventDestroy(gate));
  }
  ze_kernel_timestamp_result_t stamps;
  OK(zeCommandListAppendSignalEvent(list, timed));
  OK(zeEventHostSynchronize(timed, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeEventQueryKernelTimestamp(timed, &stamps));
  ze_event_pool_handle_t pool = NULL;
  RETURNS(ERROR_INVALID_ARGUMENT,
      SLOT("zeGetEvent", 8, ze_event_handle_t, ze_event_pool_handle_t *)(event, &pool));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(timed));
  OK(zeCommandListDestroy(list));
}

static void check_refused_events(create_event *create) {
  struct counter_based_desc desc = {.flags = 1 | 0x40};
  ze_event_handle_t event;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, create(test_context(), test_device(), &desc, &event));
  desc.flags = 16 | 32;
  RETURNS(ERROR_INVALID_ARGUMENT, create(test_context(), test_device(), &desc, &event));
  desc.flags = 0x80;
  RETURNS(ERROR_INVALID_ENUMERATION, create(test_context(), test_device(), &desc, &event));
  RETURNS(ERROR_INVALID_NULL_POINTER, create(test_context(), test_device(), NULL, &event));
  RETURNS(ERROR_INVALID_NULL_HANDLE, create(NULL, test_device(), &desc, &event));
}

/* Checks a list that keeps no order, and one that a queue executes. */
static void check_waits_for_events_without_a_pool(create_event *create) {
  const struct counter_based_desc desc = {.flags = 1 | 4};
  ze_event_handle_t event, gate = test_lone_event(), done = test_lone_event();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER),
                           unordered = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0),
                           regular = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  OK(create(test_context(), test_device(), &desc, &event));
  OK(zeCommandListAppendBarrier(list, event, 1, &gate));
  OK(zeCommandListAppendBarrier(unordered, done, 1, &event));
  OK(zeCommandListAppendBarrier(regular, NULL, 1, &event));
  OK(zeCommandListClose(regular));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &regular, NULL));
  RETURNS(NOT_READY, zeEventQueryStatus(done));
  RETURNS(NOT_READY, zeCommandQueueSynchronize(queue, 0));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendSignalEvent(unordered, event));
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, PATIENCE * (uint64_t)TEST_SECOND));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(unordered));
  OK(zeCommandListDestroy(regular));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(event));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
}

TEST(counter_based_events_without_a_pool) {
  create_event *create = (create_event *)slot("zeGetEvent", 11);
  check_events_without_a_pool(create);
  check_waits_for_events_without_a_pool(create);
  check_refused_events(create);
}

TEST(the_same_by_the_name_of_an_extension) {
  void *address = NULL;
  create_event *create;
  OK(zeDriverGetExtensionFunctionAddress(driver(), "zexCounterBasedEventCreate2", &address));
  memcpy(&create, &address, sizeof create);
  check_events_without_a_pool(create);
  check_refused_events(create);
}

TEST(sysman_finds_devices) {
  uint32_t count = 0, index = 9;
  ze_driver_handle_t found = NULL;
  ze_device_handle_t device = NULL;
  ze_bool_t is_part = 1;
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(test_device(), &properties));
  OK(SLOT("zesGetGlobal", 0, uint32_t)(0));
  OK(SLOT("zesGetDriver", 2, uint32_t *, ze_driver_handle_t *)(&count, NULL));
  CHECK_EQ(count, 1);
  OK(SLOT("zesGetDriver", 2, uint32_t *, ze_driver_handle_t *)(&count, &found));
  CHECK(found == driver());
#define BY_UUID                                                                                    \
  SLOT("zesGetDriverExp", 0, ze_driver_handle_t, ze_device_uuid_t, ze_device_handle_t *,           \
      ze_bool_t *, uint32_t *)
  OK(BY_UUID(found, properties.uuid, &device, &is_part, &index));
  CHECK(device == test_device() && !is_part && index == 0);
  properties.uuid.id[0] ^= 1;
  RETURNS(ERROR_INVALID_ARGUMENT, BY_UUID(found, properties.uuid, &device, &is_part, &index));
  RETURNS(ERROR_INVALID_NULL_HANDLE, BY_UUID(NULL, properties.uuid, &device, &is_part, &index));
}

TEST(nothing_else_of_sysman_is_there) {
  const uint64_t there = 1ull << 0 | 1ull << 4 | 1ull << 9 | 1ull << 12 | 1ull << 14 | 1ull << 16 |
                         1ull << 18 | 1ull << 24 | 1ull << 29; /* sysman.c */
  for (unsigned i = 0; i < 38; i++)
    if (!(there >> i & 1)) CHECK_EQ(SLOT("zesGetDevice", i, void *)(test_device()), UNSUPPORTED);
  for (unsigned i = 0; i < 5; i++)
    if (i != 2) CHECK_EQ(SLOT("zesGetDriver", i, void *)(driver()), UNSUPPORTED);
}

TEST(host_memory_is_registered_once) {
  char memory[64];
  void *function = NULL;
  ze_result_t (*begin)(ze_driver_handle_t, void *, size_t), (*end)(ze_driver_handle_t, void *);
  OK(zeDriverGetExtensionFunctionAddress(driver(), "zexDriverImportExternalPointer", &function));
  memcpy(&begin, &function, sizeof begin);
  OK(zeDriverGetExtensionFunctionAddress(driver(), "zexDriverReleaseImportedPointer", &function));
  memcpy(&end, &function, sizeof end);
  OK(begin(driver(), memory, 32));
  OK(begin(driver(), memory + 32, 32));
  RETURNS(ERROR_INVALID_ARGUMENT, begin(driver(), memory + 31, 2));
  RETURNS(ERROR_INVALID_ARGUMENT, end(driver(), memory + 1));
  RETURNS(ERROR_INVALID_SIZE, begin(driver(), memory, SIZE_MAX)); /* beyond the last address */
  OK(end(driver(), memory));
  RETURNS(ERROR_INVALID_ARGUMENT, end(driver(), memory));
  OK(end(driver(), memory + 32));
}

TEST_MAIN(host_functions_have_a_slot_and_a_name, host_memory_is_registered_once,
    the_version_is_of_the_driver, drivers_by_type, the_default_context_is_a_context,
    without_a_driver_it_is_null, errors_have_no_further_text, appends_with_parameters_and_arguments,
    queries_of_lists_and_events, an_immediate_list_runs_regular_ones, lists_that_cannot_be_appended,
    mutable_lists_check_what_is_updated, a_chain_of_updates_of_which_one_is_refused_changes_nothing,
    a_mutable_launch_gets_another_kernel, a_mutable_launch_gets_other_events,
    a_mutable_launch_gets_other_counted_events, counter_based_events_without_a_pool,
    the_same_by_the_name_of_an_extension, sysman_finds_devices, nothing_else_of_sysman_is_there)
