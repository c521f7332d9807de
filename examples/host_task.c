/* A host task gets the native memory of an accessor from its interop handle, and queries its type
   from Level Zero: the example of SYCL's Level Zero backend, in C. */
#include "command.h"

enum { COUNT = 64 };

struct found {
  syclze_accessor accessor;
  ze_memory_type_t type;
};

static ze_result_t find_memory(syclze_interop_handle handle, void *argument) {
  struct found *found = argument;
  void *memory;
  ze_context_handle_t context;
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  TRY(syclze_get_native_mem(handle, found->accessor, &memory));
  TRY(syclze_interop_handle_get_native_context(handle, &context));
  TRY(zeMemGetAllocProperties(context, memory, &properties, NULL));
  found->type = properties.type;
  return ZE_RESULT_SUCCESS;
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  syclze_buffer buffer = ints_of(context, device, COUNT);

  struct found found = {.type = ZE_MEMORY_TYPE_UNKNOWN};
  syclze_group group = syclze_group_begin(queue);
  found.accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_group_host_task(&group, find_memory, &found, NULL));
  TRY(syclze_queue_wait(queue));

  printf("the buffer's memory: type %d, device memory is %d\n", (int)found.type,
      (int)ZE_MEMORY_TYPE_DEVICE);
  TRY(syclze_release(buffer));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts(found.type == ZE_MEMORY_TYPE_DEVICE ? "OK" : "FAILED");
  return found.type != ZE_MEMORY_TYPE_DEVICE;
}
