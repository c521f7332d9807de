/* DLPack: exports and imports of USM and buffers (syclze/dlpack.h). */
#include "syclze/dlpack.h"
#include "syclze/syclze.h"

#include "tests/check.h"

#define TRY(call) CHECK_EQ(call, ZE_RESULT_SUCCESS)

enum { COUNT = 12 };

static syclze_device device;
static syclze_context context;
static syclze_queue queue;
static int released;

static void begin(void) {
  uint32_t one = 1;
  released = 0;
  TRY(syclze_device_get_selected(&one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
}

static void end(void) {
  TRY(syclze_queue_wait(queue));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
}

static ze_result_t release(void *memory) {
  released++;
  return syclze_free(memory, context);
}

static const int64_t shape[] = {3, 4}, transposed[] = {1, 3};
static syclze_dlpack_desc desc = {.shape = shape, .dimensions = 2, .type_code = kDLInt, .bits = 32};

static int *ints_of(bool on_device) {
  void *memory;
  if (on_device)
    TRY(syclze_malloc_device(COUNT * sizeof(int), device, context, &memory));
  else
    TRY(syclze_malloc_shared(COUNT * sizeof(int), device, context, &memory));
  return (int *)memory;
}

TEST(usm_is_a_tensor_of_its_device) {
  DLManagedTensor *tensor;
  int *memory;
  begin();
  memory = ints_of(true);
  TRY(syclze_dlpack_export(memory, context, (syclze_owner){release, memory}, &desc, &tensor));
  CHECK(tensor->dl_tensor.data == memory && tensor->dl_tensor.ndim == 2);
  CHECK_EQ(tensor->dl_tensor.device.device_type, kDLOneAPI);
  CHECK_EQ(tensor->dl_tensor.device.device_id, 0);
  CHECK(tensor->dl_tensor.shape[1] == 4 && tensor->dl_tensor.strides[0] == 4);
  CHECK_EQ(tensor->dl_tensor.dtype.lanes, 1);
  CHECK_EQ(released, 0);
  tensor->deleter(tensor);
  CHECK_EQ(released, 1);
  end();
}

TEST(a_tensor_becomes_a_buffer_whose_last_release_calls_the_deleter) {
  const int five = 5;
  DLManagedTensor *tensor;
  syclze_buffer buffer;
  int *memory;
  begin();
  memory = ints_of(false);
  TRY(syclze_dlpack_export(memory, context, (syclze_owner){release, memory}, &desc, &tensor));
  TRY(syclze_dlpack_import_buffer(tensor, context, &buffer));
  CHECK_EQ(syclze_buffer_get_range(buffer, 0), COUNT);
  CHECK_EQ(syclze_buffer_get_element_size(buffer), sizeof(int));
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  TRY(syclze_group_fill(
      &group, syclze_mem_arg(all), &five, sizeof five, COUNT * sizeof(int), NULL));
  TRY(syclze_queue_wait(queue));
  CHECK(memory[0] == 5 && memory[COUNT - 1] == 5);
  TRY(syclze_buffer_retain(buffer));
  TRY(syclze_buffer_release(buffer));
  CHECK_EQ(released, 0);
  TRY(syclze_buffer_release(buffer));
  /* An owner may be called in the background, after the buffer's work. */
  for (int i = 0; __atomic_load_n(&released, __ATOMIC_ACQUIRE) == 0 && i < 1000; i++)
    TRY(syclze_queue_wait(queue));
  CHECK_EQ(released, 1);
  end();
}

TEST(a_buffer_is_a_tensor_that_its_work_waits_for) {
  const int seven = 7;
  DLManagedTensor *tensor;
  syclze_buffer buffer;
  syclze_event filled;
  syclze_event_status status;
  bool done;
  int *memory;
  begin();
  memory = ints_of(false);
  const syclze_buffer_input input = {.native_handle = memory, .element_size = sizeof(int)};
  TRY(syclze_make_buffer(&input, context, &buffer));
  TRY(syclze_dlpack_export_buffer(buffer, &desc, &tensor));
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  memory[0] = 1;
  TRY(syclze_group_fill(
      &group, syclze_mem_arg(all), &seven, sizeof seven, COUNT * sizeof(int), &filled));
  TRY(syclze_event_get_status(filled, &status));
  done = status == SYCLZE_EVENT_STATUS_COMPLETE;
  CHECK(!done && memory[0] == 1);
  tensor->deleter(tensor);
  TRY(syclze_event_wait(filled));
  CHECK_EQ(memory[0], 7);
  TRY(syclze_event_release(filled));
  TRY(syclze_buffer_release(buffer));
  end();
}

TEST(what_is_no_memory_of_the_context_is_refused) {
  static int of_host[COUNT];
  static int64_t extents[] = {COUNT};
  DLManagedTensor of_cpu = {.dl_tensor = {.data = of_host,
                                .device = {kDLCPU, 0},
                                .ndim = 1,
                                .dtype = {kDLInt, 32, 1},
                                .shape = extents}};
  DLManagedTensor *tensor;
  syclze_dlpack_desc wrong = desc;
  syclze_buffer buffer;
  int *memory;
  begin();
  memory = ints_of(true);
  CHECK_EQ(syclze_dlpack_import_buffer(&of_cpu, context, &buffer), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(buffer.rep == NULL);
  of_cpu.dl_tensor.device.device_type = (DLDeviceType)2; /* CUDA's */
  CHECK_EQ(syclze_dlpack_import_buffer(&of_cpu, context, &buffer),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_dlpack_export(of_host, context, (syclze_owner){release, NULL}, &desc, &tensor),
      SYCLZE_RESULT_ERROR_INVALID);
  wrong.byte_offset = 4;
  CHECK_EQ(syclze_dlpack_export(memory, context, (syclze_owner){release, NULL}, &wrong, &tensor),
      SYCLZE_RESULT_ERROR_INVALID);
  wrong = desc;
  wrong.flags = SYCLZE_DLPACK_HOST;
  CHECK_EQ(syclze_dlpack_export(memory, context, (syclze_owner){release, NULL}, &wrong, &tensor),
      SYCLZE_RESULT_ERROR_INVALID);
  wrong.flags = 0, wrong.bits = 0;
  CHECK_EQ(syclze_dlpack_export(memory, context, (syclze_owner){release, NULL}, &wrong, &tensor),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK(tensor == NULL && released == 0);
  /* Gaps. */
  wrong = desc;
  wrong.strides = transposed;
  TRY(syclze_dlpack_export(memory, context, (syclze_owner){release, memory}, &wrong, &tensor));
  CHECK_EQ(syclze_dlpack_import_buffer(tensor, context, &buffer),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(released, 0);
  tensor->deleter(tensor);
  CHECK_EQ(released, 1);
  end();
}

TEST(streams_are_queues) {
  const int three = 3;
  syclze_queue other, none = {0};
  syclze_event gate;
  int *memory, *copy;
  begin();
  TRY(syclze_queue_create(context, device, NULL, &other));
  memory = ints_of(false), copy = ints_of(false);
  memory[0] = 0;
  TRY(syclze_event_create(context, 0, &gate));
  TRY(syclze_queue_fill(queue, memory, &three, 4, COUNT * 4, &gate, 1, NULL));
  TRY(syclze_dlpack_order(queue, other));
  TRY(syclze_queue_copy(other, copy, memory, COUNT * 4, NULL, 0, NULL));
  TRY(zeEventHostSignal(syclze_event_get_native(gate)));
  TRY(syclze_queue_wait(other));
  CHECK_EQ(copy[COUNT - 1], 3);
  TRY(syclze_dlpack_order(queue, queue));
  CHECK_EQ(syclze_dlpack_order(queue, none), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  TRY(syclze_event_release(gate));
  TRY(syclze_queue_release(other));
  TRY(syclze_free(memory, context));
  TRY(syclze_free(copy, context));
  end();
}

TEST_MAIN(usm_is_a_tensor_of_its_device,
    a_tensor_becomes_a_buffer_whose_last_release_calls_the_deleter,
    a_buffer_is_a_tensor_that_its_work_waits_for, what_is_no_memory_of_the_context_is_refused,
    streams_are_queues)
