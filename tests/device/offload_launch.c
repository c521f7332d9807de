/* Kernels of images launched by name: arguments are checked against the image's own description
   before anything is submitted. */
#include "support/offload.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"
#include "tests/offload/support/properties.h"

#include "syclze/offload/launch.h"

static void wait_for(syclze_event event) {
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
}

static void begin(struct offload *o, syclze_queue *queue, const char *sample) {
  char path[256];
  given_needs_execution();
  snprintf(path, sizeof path, "tests/offload/samples/%s", sample);
  offload_begin(o, NULL);
  offload_add(o, path);
  *queue = offload_queue(o);
}

static void end(struct offload *o, syclze_queue queue) {
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  offload_end(o);
}

static void run_three(const char *sample) {
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  begin(&o, &queue, sample);
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}, .local = {16}};
  for (int i = 0; i < OFFLOAD_ITEMS; i++) {
    o.in[i] = (float)i;
    o.out[i] = 1.0f;
  }
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "axpy", &range, &done, syclze_arg(o.out),
               syclze_arg(o.in), syclze_arg(3.0f), syclze_arg((uint32_t)OFFLOAD_ITEMS)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.out[i] == 3.0f * (float)i + 1.0f);

  /* Without an event: the library keeps the kernel. */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(
               o.program, &group, "iota", &range, NULL, syclze_arg(o.ints), syclze_arg(1000u)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "lsum", &range, &done, syclze_arg(o.ints),
               syclze_arg(o.out), syclze_local(16 * sizeof(int))),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  for (int i = 0; i < OFFLOAD_ITEMS / 16; i++)
    OFFLOAD_CHECK(((int *)(void *)o.out)[i] == 16 * (1000 + 16 * i) + 120);
  CHECK_EQ(syclze_program_get_counts(o.program).built, 1);
  end(&o, queue);
}

TEST(kernels_are_launched_by_name) { // shows offload 54
  run_three("two.clang22.spv");
  run_three("two.llvmspirv15.spv");
  run_three("pack23.ob");
}

TEST(a_buffer_is_an_argument_by_its_accessor) {
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  syclze_buffer buffer;
  begin(&o, &queue, "two.clang22.spv");
  const syclze_buffer_input input = {.native_handle = o.ints,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(int),
      .dimensions = 1,
      .range = {OFFLOAD_ITEMS}};
  CHECK_EQ(syclze_make_buffer(&input, o.context, &buffer), ZE_RESULT_SUCCESS);
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor out = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_launch_by_name(
               o.program, &group, "iota", &range, &done, syclze_arg(out), syclze_arg(7)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  OFFLOAD_CHECK(o.ints[OFFLOAD_ITEMS - 1] == OFFLOAD_ITEMS + 6);
  end(&o, queue);
}

/* A launch of axpy is refused by `rule`, with `detail`, before the driver's launch. */
static void axpy_is_refused(struct offload *o, syclze_queue queue, const char *rule,
    const char *detail, const syclze_argument *arguments, uint32_t count) {
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  const syclze_program_request request = {.kernel = "axpy"};
  syclze_event done;
  syclze_group group = syclze_group_begin(queue);
  spy_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_UNKNOWN);
  REFUSED(done,
      syclze_program_launch(o->program, &group, &request, &range, arguments, count, &done),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, "syclze_program_launch", rule, o->files[0].bytes);
  CHECK_STR_EQ(refused_detail(), detail);
  CHECK(spy_failed_call() == NULL);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
}

#define AXPY_REFUSED(rule, detail, ...)                                                            \
  axpy_is_refused(&o, queue, rule, detail, (const syclze_argument[]){__VA_ARGS__},                 \
      sizeof((const syclze_argument[]){__VA_ARGS__}) / sizeof(syclze_argument))

TEST(arguments_of_another_number_kind_or_size_are_refused) { // shows offload 54, promises 29
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  struct {
    float one, two;
  } pair = {1, 2};
  struct {
    float one;
  } one = {1};
  begin(&o, &queue, "two.clang22.spv");
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  float *y = o.out, *x = o.in;
  syclze_kernel_release(offload_kernel(&o, "axpy", NULL, 0)); /* builds the module */
  AXPY_REFUSED("number of arguments", "axpy: 3 arguments are given, and the kernel has 4",
      syclze_arg(y), syclze_arg(x), syclze_arg(1.0f));
  AXPY_REFUSED("number of arguments", "axpy: 5 arguments are given, and the kernel has 4",
      syclze_arg(y), syclze_arg(x), syclze_arg(1.0f), syclze_arg(1), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 2 is an integer of 4 bytes, and the kernel's is a floating-point number of 4 "
      "bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(1), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 2 is a floating-point number of 8 bytes, and the kernel's is a "
      "floating-point number of 4 bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(1.0), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 3 is a floating-point number of 4 bytes, and the kernel's is an integer of 4 "
      "bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(1.0f), syclze_arg(1.0f));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 3 is an integer of 8 bytes, and the kernel's is an integer of 4 bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(1.0f), syclze_arg((size_t)1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 1 is an integer of 8 bytes, and the kernel's is a pointer of 8 bytes",
      syclze_arg(y), syclze_arg((uint64_t)1), syclze_arg(1.0f), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 1 is local memory of 64 bytes, and the kernel's is a pointer of 8 bytes",
      syclze_arg(y), syclze_local(64), syclze_arg(1.0f), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 2 is a pointer of 8 bytes, and the kernel's is a floating-point number of 4 "
      "bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(x), syclze_arg(1));
  AXPY_REFUSED("another kind or size",
      "axpy: argument 2 is a struct of 8 bytes, and the kernel's is a floating-point number of 4 "
      "bytes",
      syclze_arg(y), syclze_arg(x), syclze_arg(pair), syclze_arg(1));
  /* A struct of the size is the bytes of the number. */
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "axpy", &range, &done, syclze_arg(y),
               syclze_arg(x), syclze_arg(one), syclze_arg(OFFLOAD_ITEMS)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  end(&o, queue);
}

TEST(a_launch_without_program_queue_or_range_is_refused) {
  struct offload o;
  syclze_queue queue, no_queue = {NULL};
  syclze_event done;
  const syclze_program nothing = {NULL};
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  begin(&o, &queue, "two.clang22.spv");
  syclze_group group = syclze_group_begin(queue);
  REFUSED(done, syclze_launch_by_name(nothing, &group, "axpy", &range, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_program_launch", "program is null", NULL);
  group = syclze_group_begin(no_queue);
  REFUSED(done, syclze_launch_by_name(o.program, &group, "axpy", &range, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_program_launch", "queue is null", NULL);
  group = syclze_group_begin(queue);
  REFUSED(done, syclze_launch_by_name(o.program, &group, "axpy", NULL, &done),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_program_launch", "pointer is null", NULL);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "absent", &range, &done),
      ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK(done.rep == NULL);
  end(&o, queue);
}

/* axpy, as if the compiler had removed an argument of six, and added one for local memory. */
TEST(removed_arguments_are_left_out) { // shows offload 6 40
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  begin(&o, &queue, "two.clang22.spv");
  uint8_t mask = 1u << 1 | 1u << 4;
  struct properties_bytes removed = properties_bytes_of(&mask, sizeof mask);
  const struct properties_property parameters[] = {properties_property("axpy", &removed)};
  removed.bits = 6;
  const struct properties_set sets[] = {{"SYCL/kernel param opt", parameters, parameters + 1}};
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(o.files[0].bytes, o.files[0].size));
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 1);
  syclze_offload_set_remove(o.set, o.files[0].bytes);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, o.files[0].bytes, NULL), ZE_RESULT_SUCCESS);
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.in[i] = (float)i;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "axpy", &range, &done, syclze_arg(o.out),
               syclze_arg('x'), syclze_arg(o.in), syclze_arg(2.0f), syclze_arg(1.0),
               syclze_arg(OFFLOAD_ITEMS)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  OFFLOAD_CHECK(o.out[OFFLOAD_ITEMS - 1] == 2.0f * (OFFLOAD_ITEMS - 1));
  AXPY_REFUSED("number of arguments", "axpy: 4 arguments are given, and the kernel has 6",
      syclze_arg(o.out), syclze_arg(o.in), syclze_arg(1.0f), syclze_arg(1));
  removed.bits = 8; /* as the run-time compiler counts them */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "axpy", &range, &done, syclze_arg(o.out),
               syclze_arg('x'), syclze_arg(o.in), syclze_arg(2.0f), syclze_arg(1.0),
               syclze_arg(OFFLOAD_ITEMS)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  removed.bits = 7;
  const syclze_program_request request = {.kernel = "axpy"};
  const syclze_argument one[] = {syclze_arg(o.out)};
  group = syclze_group_begin(queue);
  REFUSED(done, syclze_program_launch(o.program, &group, &request, &range, one, 1, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_program_launch", "different arguments",
      o.files[0].bytes);
  removed.bits = 5;
  group = syclze_group_begin(queue);
  REFUSED(done, syclze_program_launch(o.program, &group, &request, &range, one, 1, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_program_launch", "different arguments",
      o.files[0].bytes);
  removed.bits = 8;
  removed.bytes[0] |= 1u << 7; /* the last is removed, so that there are eight */
  group = syclze_group_begin(queue);
  REFUSED(done, syclze_program_launch(o.program, &group, &request, &range, one, 1, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_program_launch", "different arguments",
      o.files[0].bytes);
  end(&o, queue);
}

/* A name that the run-time compiler registered, of a kernel with another name and properties. */
TEST(a_registered_name_launches_its_kernel) { // shows offload 40
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  syclze_kernel kernel;
  begin(&o, &queue, "two.clang22.spv");
  const uint8_t mask = 1u << 1;
  struct properties_bytes removed = properties_bytes_of(&mask, sizeof mask);
  const struct properties_bytes own = properties_bytes_of("iota", 4);
  const struct properties_property parameters[] = {properties_property("iota", &removed)};
  const struct properties_property registered[] = {properties_property("count<int>", &own)};
  removed.bits = 3;
  const struct properties_set sets[] = {{"SYCL/kernel param opt", parameters, parameters + 1},
      {"SYCL/registered kernels", registered, registered + 1}};
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(o.files[0].bytes, o.files[0].size));
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 2);
  syclze_offload_set_remove(o.set, o.files[0].bytes);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, o.files[0].bytes, NULL), ZE_RESULT_SUCCESS);
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}};
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "count<int>", &range, &done, syclze_arg(o.ints),
               syclze_arg('x'), syclze_arg(7u)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.ints[i] == 7 + i);
  const syclze_program_request request = {.kernel = "count<int>"};
  CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  end(&o, queue);
}

/* lsum's third argument is local memory that the source does not have. */
TEST(implicit_local_memory_is_given_by_its_size) { // shows offload 40
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  begin(&o, &queue, "two.clang22.spv");
  const struct properties_property implicit[] = {properties_number("lsum", 2)};
  const struct properties_set sets[] = {{"SYCL/implicit local arg", implicit, implicit + 1}};
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(o.files[0].bytes, o.files[0].size));
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 1);
  syclze_offload_set_remove(o.set, o.files[0].bytes);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, o.files[0].bytes, NULL), ZE_RESULT_SUCCESS);
  const syclze_nd_range range = {.global = {OFFLOAD_ITEMS}, .local = {16}};
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.ints[i] = i;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch_by_name(o.program, &group, "lsum", &range, &done, syclze_arg(o.ints),
               syclze_arg(o.out), syclze_implicit_local(16 * sizeof(int))),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  OFFLOAD_CHECK(((int *)(void *)o.out)[1] == 16 * 16 + 120);
  AXPY_REFUSED("number of arguments", "axpy: 5 arguments are given, and the kernel has 4",
      syclze_arg(o.out), syclze_arg(o.in), syclze_arg(1.0f), syclze_arg(1),
      syclze_implicit_local(16));
  end(&o, queue);
}

TEST_MAIN(kernels_are_launched_by_name, a_buffer_is_an_argument_by_its_accessor,
    arguments_of_another_number_kind_or_size_are_refused,
    a_launch_without_program_queue_or_range_is_refused, removed_arguments_are_left_out,
    a_registered_name_launches_its_kernel, implicit_local_memory_is_given_by_its_size)
