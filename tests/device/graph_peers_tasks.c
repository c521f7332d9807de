/* What DPC++'s own tests of graphs check of host tasks and native commands, and the other programs
   do not (tests/conformance/graph_peers.txt). The kernels are those of tests/kernels/graph.spv. */
#include "support/recorded.h"
#include "syclze/queue_commands.h"
#include "syclze/usm.h"

enum { BYTES = ITEMS * sizeof(uint32_t), RUNS = 3 };

/* A list of its own, on which a host task of Level Zero's calls alone launches a kernel: out = out
 * 2 + in. It is synchronous. */
static ze_result_t launch_by_hand(syclze_interop_handle handle, void *argument) {
  const struct world *w = (const struct world *)argument;
  const uint32_t two = 2, zero = 0;
  const ze_group_count_t groups = {ITEMS / 8, 1, 1};
  struct given_file file = given_file("tests/kernels/graph.spv");
  const ze_module_desc_t of_module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = file.size,
      .pInputModule = file.bytes};
  const ze_kernel_desc_t of_kernel = {
      .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "graph_mix"};
  const ze_command_queue_desc_t of_queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = w->g.ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_module_handle_t module;
  ze_kernel_handle_t kernel;
  ze_command_list_handle_t list;
  CHECK_EQ(syclze_interop_handle_get_native_context(handle, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_interop_handle_get_native_device(handle, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleCreate(context, device, &of_module, &module, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelCreate(module, &of_kernel, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof(void *), &w->memory[0]), 0);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof(void *), &w->memory[1]), 0);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 2, sizeof two, &two), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 3, sizeof zero, &zero), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 8, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListCreateImmediate(context, device, &of_queue, &list), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  free(file.bytes);
  return ZE_RESULT_SUCCESS;
}

/* Copies from memory of the host before the task, and to it behind the task, by events. */
static void launch_in_task(struct world *w, bool appends) {
  static uint32_t in[2][ITEMS], out[2][ITEMS];
  syclze_queue queue = w->all.queues[OUT_OF_ORDER];
  syclze_graph graph = graph_of(w);
  syclze_event copied[2], done;
  (void)appends; /* there is a host task */
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_copy(queue, w->memory[i], in[i], BYTES, NULL, 0, &copied[i]), 0);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, copied[0]);
  syclze_group_depends_on(&group, copied[1]);
  CHECK_EQ(syclze_group_host_task(&group, launch_by_hand, w, &done), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_copy(queue, out[i], w->memory[i], BYTES, &done, 1, NULL), 0);
  CHECK_EQ(syclze_release(copied[0], copied[1], done), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, false);
  for (uint32_t value = 1; value <= RUNS; value++) {
    for (uint32_t i = 0; i < ITEMS; i++)
      in[0][i] = i * value, in[1][i] = 1000 * value + i;
    memset(out, 0, sizeof out);
    CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < ITEMS; i++) {
      CHECK_EQ(out[0][i], i * value * 2 + 1000 * value + i);
      CHECK_EQ(out[1][i], in[1][i]);
    }
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_host_task_launches_a_kernel_of_its_own) { // shows graph_peers 12
  in_each_way(launch_in_task);
}

struct transfers {
  void *from, *to, *filled;
};

static ze_result_t append_transfers(syclze_interop_handle handle, void *argument) {
  const struct transfers *t = (const struct transfers *)argument;
  const uint32_t value = 42;
  syclze_native_queue native;
  CHECK_EQ(syclze_interop_handle_get_native_queue(handle, &native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendMemoryCopy(native.list, t->to, t->from, BYTES, NULL, 0, NULL), 0);
  return zeCommandListAppendMemoryFill(
      native.list, t->filled, &value, sizeof value, BYTES, NULL, 0, NULL);
}

/* A native command copies from the device to the host and fills, behind a launch and fills of the
   same memory, and before a copy of it. */
static void append_between(struct world *w, bool appends) {
  const uint32_t one = 1, zero = 0;
  void *device[2], *host[2];
  syclze_queue queue = w->all.queues[IN_ORDER];
  syclze_graph graph = graph_of(w);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_malloc_device(BYTES, w->all.device, w->all.context, &device[i]), 0);
    CHECK_EQ(syclze_malloc_host(BYTES, w->all.context, &host[i]), ZE_RESULT_SUCCESS);
  }
  struct transfers transfers = {device[0], host[0], device[1]};
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, w->all.set, &items, NULL, syclze_arg(device[0]), syclze_arg(one),
               syclze_arg(one)),
      ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_queue_fill(
                 queue, i < 2 ? host[i] : device[1], &zero, sizeof zero, BYTES, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_native_command(&group, append_transfers, &transfers, NULL), 0);
  CHECK_EQ(syclze_queue_copy(queue, host[1], device[1], BYTES, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  syclze_executable_graph executable = finalized(graph, appends);
  for (int i = 0; i < GRAPH_QUEUES; i++) {
    memset(host[0], 0x11, BYTES);
    memset(host[1], 0x11, BYTES);
    CHECK_EQ(syclze_queue_submit_graph(w->all.queues[i], executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w->all.queues[i]), ZE_RESULT_SUCCESS);
    for (uint32_t j = 0; j < ITEMS; j++)
      CHECK_EQ(((const uint32_t *)host[0])[j], j + 1);
    check_all((const uint32_t *)host[1], 42);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_free(device[i], w->all.context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(host[i], w->all.context), ZE_RESULT_SUCCESS);
  }
}

TEST(a_native_command_copies_to_the_host_between_other_transfers) { // shows graph_peers 12
  in_each_way(append_between);
}

TEST_MAIN(a_host_task_launches_a_kernel_of_its_own,
    a_native_command_copies_to_the_host_between_other_transfers)
