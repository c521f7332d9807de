/* Ranges of memory, data of the host and groups under the debug checker. */
#define _DEFAULT_SOURCE
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#define SYCLZE_CHECK_FREE
#include "support/made.h"
#include "syclze/buffer_create.h"
#include "syclze/command.h"
#include "syclze/command/host_accessor.h"
#include "syclze/queue_commands.h"

#include "support/checked.h"

#include <sys/mman.h>

enum { COUNT = 64, SIZE = COUNT * 4 };

static syclze_queue queue;

static void queue_begin(void) {
  given_needs_execution();
  begin();
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
}

static void queue_end(void) {
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 0);
  end();
}

/* The one diagnostic. */
static void check_noted(ze_result_t result, const char *function, const char *rule) {
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(noted.result, result);
  CHECK_STR_EQ(noted.function, function);
  CHECK(strstr(noted.rule, rule) != NULL);
  noted.count = 0;
}

static void check_made(int line) {
  char detail[160];
  snprintf(detail, sizeof detail, "buffer made at %s:%d", __FILE__, line);
  CHECK_STR_EQ(noted.detail, detail);
}

#define BEYOND(call, function)                                                                     \
  do {                                                                                             \
    CHECK_EQ(call, SYCLZE_RESULT_ERROR_INVALID);                                                   \
    check_noted(SYCLZE_RESULT_ERROR_INVALID, function, "does not lie in its allocation");          \
  } while (0)

TEST(ranges_beyond_an_allocation_are_refused) { // shows promises 10
  queue_begin();
  void *memory;
  uint32_t data[2 * COUNT], one = 1;
  CHECK_EQ(syclze_malloc_device(SIZE, device, context, &memory), ZE_RESULT_SUCCESS);
  char *const last = (char *)memory + SIZE - 4;
  BEYOND(syclze_queue_copy(queue, memory, data, SIZE + 4, NULL, 0, NULL), "syclze_queue_copy");
  BEYOND(syclze_queue_copy(queue, data, last, 8, NULL, 0, NULL), "syclze_queue_copy");
  BEYOND(syclze_queue_fill(queue, last, &one, 4, 8, NULL, 0, NULL), "syclze_queue_fill");
  BEYOND(syclze_queue_copy_2d(queue, memory, 64, data, 4, 4, 5, NULL, 0, NULL),
      "syclze_queue_copy_2d");
  BEYOND(syclze_queue_copy_2d(queue, data, 4, memory, 64, 4, 5, NULL, 0, NULL),
      "syclze_queue_copy_2d");
  BEYOND(syclze_queue_prefetch(queue, last, 8, NULL, 0, NULL), "syclze_queue_prefetch");
  syclze_group group = syclze_group_begin(queue);
  BEYOND(syclze_group_copy(
             &group, syclze_mem_arg(memory), syclze_mem_arg((void *)data), SIZE + 4, NULL),
      "syclze_group_copy");
  group = syclze_group_begin(queue);
  BEYOND(syclze_group_fill(&group, syclze_mem_arg((void *)last), &one, 4, 8, NULL),
      "syclze_group_fill");
  /* All of it, its last element, and rows with gaps that end with it. */
  CHECK_EQ(syclze_queue_fill(queue, memory, &one, 4, SIZE, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(queue, data, last, 4, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy_2d(queue, data, 4, memory, 64, 4, 4, NULL, 0, NULL), 0);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  queue_end();
}

static int line_of_buffer;

static syclze_buffer buffer_of(void *data) {
  const syclze_buffer_desc desc = {.host_data = data, .element_size = 4, .range = {COUNT}};
  const uint32_t value = 7;
  syclze_buffer buffer;
  line_of_buffer = __LINE__ + 1;
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_write(buffer, &value, 0, sizeof value), ZE_RESULT_SUCCESS);
  return buffer;
}

#define GONE "the data of the host do not exist until"

/* Not inlined: its frame ends with the call. */
static __attribute__((noinline)) syclze_buffer buffer_of_local_data(void) {
  uint32_t data[COUNT];
  memset(data, 0, sizeof data);
  return buffer_of(data);
}

TEST(data_of_a_function_that_returned_are_reported) { // shows promises 11
  queue_begin();
  syclze_buffer buffer = buffer_of_local_data();
  CHECK_EQ(syclze_release(buffer), SYCLZE_RESULT_ERROR_INVALID);
  check_noted(SYCLZE_RESULT_ERROR_INVALID, "syclze_buffer_release", GONE);
  check_made(line_of_buffer);
  /* Data on the stack of this function, and of the releasing function's caller. */
  uint32_t data[COUNT] = {0};
  buffer = buffer_of(data);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(data[0], 7);
  queue_end();
}

TEST(data_that_are_unmapped_are_reported) { // shows promises 11
  queue_begin();
  void *data = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(data != MAP_FAILED);
  syclze_buffer buffer = buffer_of(data);
  CHECK_EQ(munmap(data, SIZE), 0);
  CHECK_EQ(syclze_release(buffer), SYCLZE_RESULT_ERROR_INVALID);
  check_noted(SYCLZE_RESULT_ERROR_INVALID, "syclze_buffer_release", GONE);
  check_made(line_of_buffer);
  queue_end();
}

/* Where the device has memory of its own, in which the contents are. */
TEST(data_that_are_not_written_back_may_go) { // shows promises 11
  queue_begin();
  void *data = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(data != MAP_FAILED);
  syclze_buffer buffer = buffer_of(data);
  CHECK_EQ(syclze_buffer_set_write_back(buffer, false), ZE_RESULT_SUCCESS);
  if (getenv("ZECL_DISCRETE") != NULL) CHECK_EQ(munmap(data, SIZE), 0);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  queue_end();
}

TEST(data_of_a_buffer_are_not_freed) { // shows promises 11
  queue_begin();
  uint32_t *data = (uint32_t *)calloc(COUNT, 4);
  syclze_buffer buffer = buffer_of(data);
  free(data);
  check_noted(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "free", "are freed before the buffer's");
  check_made(line_of_buffer);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(data[0], 7);
  free(data);
  void *memory;
  CHECK_EQ(syclze_malloc_shared(SIZE, device, context, &memory), ZE_RESULT_SUCCESS);
  buffer = buffer_of(memory);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  check_noted(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "syclze_free", "are freed before the buffer's");
  CHECK_EQ(zeMemFree(g.context, memory), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  check_noted(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "zeMemFree", "are freed before the buffer's");
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  queue_end();
}

TEST(groups_without_an_end_are_reported_at_exit) { // shows promises 12
  queue_begin();
  uint32_t data[COUNT] = {0};
  syclze_buffer buffer = buffer_of(data);
  syclze_group submitted = syclze_group_begin(queue);
  const int made = __LINE__ + 1;
  syclze_group forgotten = syclze_group_begin(queue);
  syclze_group ended = syclze_group_begin(queue), failed = syclze_group_begin(queue);
  syclze_group_require_buffer(&forgotten, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_barrier(&submitted, NULL), ZE_RESULT_SUCCESS);
  syclze_group_end(&ended);
  syclze_group_require_buffer(&failed, (syclze_buffer){NULL}, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_barrier(&failed, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  noted.count = 0;
  syclze_group_end(&submitted);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  syclze__check_exit();
  char detail[160];
  snprintf(detail, sizeof detail, "group made at %s:%d", __FILE__, made);
  CHECK_STR_EQ(noted.detail, detail);
  check_noted(SYCLZE_RESULT_ERROR_INVALID, "exit", "neither an action nor an end");
  syclze_group_end(&forgotten);
  syclze__check_exit();
  CHECK_EQ(noted.count, 0);
  syclze_diagnostic_set_handler(NULL);
  given_end(&g);
}

TEST_MAIN(ranges_beyond_an_allocation_are_refused, data_of_a_function_that_returned_are_reported,
    data_that_are_unmapped_are_reported, data_that_are_not_written_back_may_go,
    data_of_a_buffer_are_not_freed, groups_without_an_end_are_reported_at_exit)
