/* How does memory of the application become a buffer? By its pointer, in place, with a shape:
   nothing is copied, and the contents stay. */
#include "common.h"
#include "syclze/syclze.h"

enum { ROWS = 3, COLUMNS = 5, COUNT = ROWS * COLUMNS };

int main(void) {
  ze_device_handle_t device;
  ze_context_handle_t context = open_device(&device);
  syclze_device gpu;
  syclze_context ctx;
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input its = {context, &gpu, 1, SYCLZE_OWNERSHIP_TRANSFER};
  TRY(syclze_make_native(&its, &ctx));

  ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  float *numbers;
  TRY(zeMemAllocHost(context, &desc, COUNT * sizeof *numbers, 64, (void **)&numbers));
  for (int i = 0; i < COUNT; i++)
    numbers[i] = (float)i;

  syclze_buffer_input input = {.native_handle = numbers,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof *numbers,
      .dimensions = 2,
      .range = {ROWS, COLUMNS}};
  syclze_buffer buffer;
  TRY(syclze_make_native(&input, ctx, &buffer));
  CLAIM(syclze_buffer_get_range(buffer, 0) == ROWS);
  CLAIM(syclze_buffer_get_range(buffer, 1) == COLUMNS);
  CLAIM(syclze_buffer_byte_size(buffer) == COUNT * sizeof *numbers);
  TRY(syclze_release(buffer));
  for (int i = 0; i < COUNT; i++)
    CLAIM(numbers[i] == (float)i);
  puts("kept: the memory is the application's again, with its contents");

  input.native_handle = numbers + 1;
  CLAIM(syclze_make_native(&input, ctx, &buffer) == SYCLZE_RESULT_ERROR_INVALID);
  input.native_handle = numbers;
  input.range[0] = ROWS * COUNT;
  CLAIM(syclze_make_native(&input, ctx, &buffer) == SYCLZE_RESULT_ERROR_INVALID);
  CLAIM(buffer.rep == NULL);
  puts("refused: a pointer into the allocation, and a range that does not fit");

  /* Transferred, and available only after an event: the release does not wait for it. */
  syclze_event available;
  TRY(syclze_event_create(ctx, 0, &available));
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  input.range[0] = ROWS;
  TRY(syclze_make_native(&input, ctx, available, &buffer));
  TRY(syclze_release(buffer));
  TRY(zeEventHostSignal(syclze_get_native(available)));
  puts("transferred: the library frees the memory, and then the context, when that is signalled");

  TRY(syclze_release(available));
  TRY(syclze_release(ctx));
  return 0;
}
