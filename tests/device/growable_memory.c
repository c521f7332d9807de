/* Memory that grows and shrinks in place (syclze/growable_memory.h). */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/growable_memory.h"

enum { MOST = 64 << 20, STEPS = 6 };

struct setting {
  struct given g;
  syclze_context context;
  syclze_device device;
};

static struct setting begin(void) {
  struct setting s = {.g = given()};
  s.context = made_context(&s.g, SYCLZE_OWNERSHIP_KEEP);
  s.device = made_device(&s.g);
  return s;
}

static void end(struct setting *s) {
  CHECK_EQ(syclze_context_release(s->context), ZE_RESULT_SUCCESS);
  given_end(&s->g);
}

static void fill(syclze_queue queue, void *at, int value, size_t size) {
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(at), &value, sizeof value, size, NULL),
      ZE_RESULT_SUCCESS);
}

static int read_int(syclze_queue queue, const char *at) {
  int value = -1;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((void *)&value),
               syclze_mem_arg((const void *)at), sizeof value, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  return value;
}

TEST(contents_and_address_outlast_growth) { // shows memory 5
  struct setting s = begin();
  given_needs_execution();
  syclze_queue queue;
  syclze_growable_memory memory;
  size_t sizes[STEPS + 1] = {0};
  CHECK_EQ(syclze_queue_create(s.context, s.device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_growable_memory_reserve(MOST, s.device, s.context, &memory), ZE_RESULT_SUCCESS);
  char *pointer = syclze_growable_memory_get_pointer(memory);
  for (int i = 0; i < STEPS; i++) {
    CHECK_EQ(syclze_growable_memory_grow(memory, sizes[i] + 1), ZE_RESULT_SUCCESS);
    sizes[i + 1] = syclze_growable_memory_get_size(memory);
    CHECK(sizes[i + 1] > sizes[i]);
    fill(queue, pointer + sizes[i], i, sizes[i + 1] - sizes[i]);
  }
  CHECK_EQ(syclze_growable_memory_get_pointer(memory), pointer);
  for (int i = 0; i < STEPS; i++) {
    CHECK_EQ(read_int(queue, pointer + sizes[i]), i);
    CHECK_EQ(read_int(queue, pointer + sizes[i + 1] - sizeof(int)), i);
  }
  CHECK_EQ(syclze_growable_memory_shrink(memory, sizes[2]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_growable_memory_get_size(memory), sizes[2]);
  CHECK_EQ(read_int(queue, pointer + sizes[1]), 1);
  CHECK_EQ(syclze_growable_memory_grow(memory, sizes[4]), ZE_RESULT_SUCCESS);
  fill(queue, pointer + sizes[2], 77, sizes[4] - sizes[2]);
  CHECK_EQ(read_int(queue, pointer + sizes[4] - sizeof(int)), 77);
  CHECK_EQ(syclze_growable_memory_release(memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  end(&s);
}

TEST(a_kernel_writes_into_what_has_grown) { // shows memory 5
  struct setting s = begin();
  given_needs_execution();
  syclze_queue queue;
  syclze_growable_memory memory;
  given_kernel(&s.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle bundle = made_kernel_bundle(s.context, s.g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel kernel = made_kernel(bundle, s.g.kernel, s.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(s.context, s.device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_growable_memory_reserve(MOST, s.device, s.context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_growable_memory_grow(memory, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_growable_memory_grow(memory, syclze_growable_memory_get_size(memory) + 1),
      ZE_RESULT_SUCCESS);
  const size_t count = syclze_growable_memory_get_size(memory) / sizeof(int);
  const int first = 11;
  char *pointer = syclze_growable_memory_get_pointer(memory);
  const syclze_nd_range range = {.global = {count}};
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_launch(&group, kernel, &range, NULL, syclze_arg((void *)pointer), syclze_arg(first)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(read_int(queue, pointer), first);
  CHECK_EQ(read_int(queue, pointer + (count - 1) * sizeof(int)) - first, (int)count - 1);
  CHECK_EQ(syclze_growable_memory_release(memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end(&s);
}

/* Without execution, as far as Intel's driver goes without a GPU: it has no physical memory. */
TEST(growth_ends_at_the_capacity) { // shows memory 8
  struct setting s = begin();
  syclze_growable_memory memory, none;
  CHECK_EQ(syclze_growable_memory_reserve(1, s.device, s.context, &memory), ZE_RESULT_SUCCESS);
  const size_t capacity = syclze_growable_memory_get_capacity(memory);
  FAILED(syclze_growable_memory_grow(memory, capacity + 1), ZE_RESULT_ERROR_INVALID_SIZE,
      "syclze_growable_memory_grow", "beyond what is reserved",
      syclze_growable_memory_get_pointer(memory));
  if (given_executes()) {
    CHECK_EQ(syclze_growable_memory_grow(memory, capacity), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_growable_memory_get_size(memory), capacity);
    CHECK_EQ(syclze_growable_memory_shrink(memory, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_growable_memory_get_size(memory), 0);
    CHECK_EQ(syclze_growable_memory_grow(memory, 1), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_growable_memory_release(memory), ZE_RESULT_SUCCESS);
  REFUSED(none, syclze_growable_memory_reserve(0, s.device, s.context, &none),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "syclze_growable_memory_reserve", "is 0", NULL);
  end(&s);
}

TEST_MAIN(contents_and_address_outlast_growth, a_kernel_writes_into_what_has_grown,
    growth_ends_at_the_capacity)
