/* Runs a SYCL kernel from C. The kernel is in kernels.cpp, for `clang++ -fsycl`; without such a
   compiler plain.c embeds the SPIR-V that it generated. In both cases the image is registered
   before the kernel is looked up by name, and its one argument is the closure's bytes. */
#include "syclze/syclze.h"
#include "syclze/offload/offload.h"

#include "examples/common.h"

SYCLZE_DEFINE_SYCL_REGISTER

enum { COUNT = 1024, GROUP = 64 };

void scale(float *numbers, float factor, size_t count);
void launch(const char *kernel_name, const void *closure, size_t size, size_t count);

static syclze_device device;
static syclze_context context;
static syclze_program program;
static ze_command_list_handle_t list;

static void begin(void) {
  uint32_t one = 1;
  syclze_platform platform;
  TRY(syclze_platform_get(&one, &platform));
  TRY(syclze_device_get(platform, &one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_register_embedded());
  TRY(syclze_program_create(context, NULL, &program));
  ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  TRY(zeCommandListCreateImmediate(
      syclze_context_get_native(context), syclze_device_get_native(device), &desc, &list));
}

static void end(void) {
  TRY(zeCommandListDestroy(list));
  TRY(syclze_program_release(program));
  TRY(syclze_context_release(context));
}

/* The launch of a SYCL queue, called by kernels.cpp. The closure holds a pointer, which the driver
   cannot see: hence the indirect access. */
void launch(const char *kernel_name, const void *closure, size_t size, size_t count) {
  syclze_program_request request = {.kernel = kernel_name};
  ze_group_count_t groups = {(uint32_t)(count / GROUP), 1, 1};
  syclze_kernel kernel;
  TRY(syclze_program_get_kernel(program, device, &request, &kernel));
  ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  TRY(zeKernelSetIndirectAccess(native, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  TRY(zeKernelSetArgumentValue(native, 0, size, closure));
  TRY(zeKernelSetGroupSize(native, GROUP, 1, 1));
  TRY(zeCommandListAppendLaunchKernel(list, native, &groups, NULL, 0, NULL));
  TRY(syclze_kernel_release(kernel));
}

int main(void) {
  void *memory;
  begin();
  TRY(syclze_malloc_shared(COUNT * sizeof(float), device, context, &memory));
  float *numbers = (float *)memory;
  for (int i = 0; i < COUNT; i++)
    numbers[i] = (float)i;

  scale(numbers, 2.5f, COUNT);

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += numbers[i] != 2.5f * (float)i;
  printf("%d numbers scaled by a SYCL kernel, %d of them wrong\n", COUNT, wrong);
  TRY(syclze_free(memory, context));
  end();
  return wrong != 0;
}
