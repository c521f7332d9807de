/* DLPack: which elements lie in an allocation, and the size of a tensor. Tensors of a device's
   memory are in tests/bindings/dlpack.c. */
#include "support/world.h"
#include "syclze/dlpack.h"
#include "tests/check.h"

enum { SIZE = 4096 };

static const syclze_owner none = {NULL, NULL};

TEST(elements_must_end_in_the_allocation) {
  static const struct {
    int64_t count;
    uint32_t lanes, at; /* of the memory in the allocation */
    uint64_t byte_offset;
    bool is_in;
  } cases[] = {{1024, 0, 0, 0, true}, {1025, 0, 0, 0, false}, {1024, 1, 0, 0, true},
      {1025, 1, 0, 0, false}, {512, 2, 0, 0, true}, {513, 2, 0, 0, false}, {1023, 1, 0, 4, true},
      {1023, 1, 0, 5, false}, {1020, 1, 16, 0, true}, {1021, 1, 16, 0, false},
      {0, 1, 0, SIZE, true}, {0, 1, 0, SIZE + 1, false}};
  world_begin();
  char *memory =
      (char *)fake_allocation(world.native_context, ZE_MEMORY_TYPE_HOST, world.root, SIZE);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const syclze_dlpack_desc desc = {.shape = &cases[i].count,
        .dimensions = 1,
        .bits = 32,
        .lanes = cases[i].lanes,
        .byte_offset = cases[i].byte_offset,
        .flags = SYCLZE_DLPACK_HOST};
    DLManagedTensor *tensor;
    if (!cases[i].is_in) {
      CHECK_REFUSED(syclze_dlpack_export(memory + cases[i].at, world.context, none, &desc, &tensor),
          SYCLZE_RESULT_ERROR_INVALID, "syclze_dlpack_export", memory + cases[i].at);
      CHECK(tensor == NULL);
      continue;
    }
    CHECK_OK(syclze_dlpack_export(memory + cases[i].at, world.context, none, &desc, &tensor));
    CHECK_EQ(tensor->dl_tensor.dtype.lanes, cases[i].lanes > 1 ? cases[i].lanes : 1);
    tensor->deleter(tensor);
  }
  fake_destroy(memory);
  world_end();
}

/* Ends that exceed 64 bits. */
TEST(elements_behind_the_end_of_memory_are_refused) {
  enum { FAR = 1 << 30, MOST = INT32_MAX };
  static const int64_t far[] = {FAR + 1, FAR + 1}, one[] = {1}, most[] = {MOST, MOST, MOST};
  static const int64_t strides[] = {FAR, FAR}, wide[] = {MOST, MOST, MOST}, none_at_all[3] = {0};
  const syclze_dlpack_desc beyond[] = {
      {.shape = far, .strides = strides, .dimensions = 2, .bits = 8},
      {.shape = one, .dimensions = 1, .bits = 32, .byte_offset = UINT64_MAX - 3},
      {.shape = one, .dimensions = 1, .bits = 32, .byte_offset = INT64_MAX},
      {.shape = most, .strides = wide, .dimensions = 3, .bits = 248, .lanes = 65535}};
  const syclze_dlpack_desc same = {
      .shape = most, .strides = none_at_all, .dimensions = 3, .bits = 8, .flags = 1};
  DLManagedTensor *tensor;
  world_begin();
  void *memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_HOST, world.root, SIZE);
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    syclze_dlpack_desc desc = beyond[i];
    desc.flags = SYCLZE_DLPACK_HOST;
    CHECK_REFUSED(syclze_dlpack_export(memory, world.context, none, &desc, &tensor),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_dlpack_export", memory);
  }
  CHECK_OK(syclze_dlpack_export(memory, world.context, none, &same, &tensor));
  tensor->deleter(tensor);
  fake_destroy(memory);
  world_end();
}

TEST(a_tensor_s_size_is_that_of_all_its_dimensions) {
  int64_t shape[] = {3, 5, 7}, strides[] = {35, 7, 1};
  world_begin();
  void *memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_HOST, world.root, SIZE),
       *data;
  DLManagedTensor tensor = {.dl_tensor = {.data = memory,
                                .device = {kDLCPU, 0},
                                .ndim = 3,
                                .dtype = {kDLInt, 16, 1},
                                .shape = shape}};
  syclze_buffer buffer;
  size_t size = 0;
  CHECK_OK(syclze_dlpack_get_memory(&tensor, world.context, &data, &size));
  CHECK(data == memory);
  CHECK_EQ(size, 3 * 5 * 7 * 2);
  tensor.dl_tensor.strides = strides;
  CHECK_OK(syclze_dlpack_get_memory(&tensor, world.context, &data, &size));
  CHECK_EQ(size, 3 * 5 * 7 * 2);
  CHECK_OK(syclze_dlpack_import_buffer(&tensor, world.context, &buffer));
  CHECK_EQ(syclze_buffer_get_range(buffer, 0), 3 * 5 * 7);
  CHECK_EQ(syclze_buffer_get_element_size(buffer), 2);
  CHECK_OK(syclze_release(buffer));
  shape[1] = 0; /* the strides of no elements leave no gaps */
  CHECK_OK(syclze_dlpack_get_memory(&tensor, world.context, &data, &size));
  CHECK_EQ(size, 0);
  CHECK_REFUSED(syclze_dlpack_import_buffer(&tensor, world.context, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_dlpack_import_buffer", memory);
  CHECK(buffer.rep == NULL);
  tensor.dl_tensor.strides = NULL;
  shape[1] = shape[2] = INT64_MAX; /* and more than all memory is refused */
  CHECK_REFUSED(syclze_dlpack_get_memory(&tensor, world.context, &data, &size),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_dlpack_get_memory", memory);
  shape[1] = 5, shape[2] = 7;
  tensor.dl_tensor.strides = strides;
  strides[0] = 36; /* a gap */
  CHECK_REFUSED(syclze_dlpack_get_memory(&tensor, world.context, &data, &size),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_dlpack_get_memory", memory);
  fake_destroy(memory);
  world_end();
}

TEST_MAIN(elements_must_end_in_the_allocation, elements_behind_the_end_of_memory_are_refused,
    a_tensor_s_size_is_that_of_all_its_dimensions)
