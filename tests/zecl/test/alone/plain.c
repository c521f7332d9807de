/* A Level Zero program that uses no other library: adds on the first device and checks the sums. */
#include <stdio.h>
#include <stdlib.h>
#include <level_zero/ze_api.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ze_result_t result = (call);                                                             \
    if (result != ZE_RESULT_SUCCESS) {                                                             \
      fprintf(stderr, "%s: 0x%x\n", #call, (unsigned)result);                                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

enum { COUNT = 256 };

static ze_module_handle_t load(
    ze_context_handle_t context, ze_device_handle_t device, const char *path) {
  static uint8_t words[1 << 16];
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(words, 1, sizeof words, file) : 0;
  if (file) fclose(file);
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = size,
      .pInputModule = words};
  ze_module_handle_t module;
  TRY(zeModuleCreate(context, device, &desc, &module, NULL));
  return module;
}

int main(int argc, char **argv) {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  uint32_t one = 1;
  TRY(zeInit(0));
  TRY(zeDriverGet(&one, &driver));
  TRY(zeDeviceGet(driver, &one, &device));
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  TRY(zeDeviceGetProperties(device, &properties));

  ze_context_handle_t context;
  TRY(zeContextCreate(
      driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC}, &context));
  ze_module_handle_t module = load(context, device, argc > 1 ? argv[1] : "test/kernels/saxpy.spv");
  ze_kernel_handle_t kernel;
  TRY(zeKernelCreate(module,
      &(ze_kernel_desc_t){.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "saxpy"},
      &kernel));
  ze_command_list_handle_t list;
  TRY(zeCommandListCreateImmediate(context, device,
      &(ze_command_queue_desc_t){
          .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS},
      &list));

  const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  float *x, *y, a = 2;
  TRY(zeMemAllocShared(context, &on_device, &on_host, COUNT * sizeof *x, 0, device, (void **)&x));
  TRY(zeMemAllocShared(context, &on_device, &on_host, COUNT * sizeof *y, 0, device, (void **)&y));
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  TRY(zeKernelSetGroupSize(kernel, 32, 1, 1));
  TRY(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
  TRY(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x));
  TRY(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y));
  const ze_group_count_t groups = {COUNT / 32, 1, 1};
  TRY(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += y[i] != 2 * (float)i + 1;

  TRY(zeMemFree(context, x));
  TRY(zeMemFree(context, y));
  TRY(zeCommandListDestroy(list));
  TRY(zeKernelDestroy(kernel));
  TRY(zeModuleDestroy(module));
  TRY(zeContextDestroy(context));
  printf("%s: %d of %d wrong\n", properties.name, wrong, COUNT);
  return wrong != 0;
}
