/* Variables of images copied by name, and specialisation constants of native code, which reach the
   kernel in a buffer. */
#include "support/offload.h"
#include "support/refused.h"
#include "support/works.h"
#include "tests/offload/support/properties.h"

#include "syclze/offload/global.h"
#include "syclze/offload/launch.h"

static void begin(struct offload *o, syclze_queue *queue, const char *file) {
  given_needs_execution();
  offload_begin(o, NULL);
  offload_add(o, file);
  *queue = offload_queue(o);
}

static void end(struct offload *o, syclze_queue queue) {
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  offload_end(o);
}

static void wait_for(syclze_event event) {
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
}

static const syclze_program_request adds = {.kernel = "add_to_counter"};

static int read_counter(struct offload *o, syclze_queue queue) {
  syclze_event done;
  int value = -1;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_program_copy_from_global(
               o->program, &group, &adds, "counter", &value, sizeof value, 0, &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  return value;
}

TEST(a_variable_that_is_not_found_has_no_address) {
  struct offload o;
  syclze_queue queue;
  const syclze_program_request none = {.kernel = "no_kernel"};
  begin(&o, &queue, "tests/kernels/globals.spv");
  for (int i = 0; i < 2; i++) {
    void *pointer = &o;
    size_t size = 1;
    CHECK_EQ(syclze_program_get_global(o.program, o.device, i == 0 ? &none : &adds,
                 i == 0 ? "counter" : NULL, &pointer, &size),
        i == 0 ? ZE_RESULT_ERROR_INVALID_KERNEL_NAME : ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    CHECK(pointer == NULL && size == 0);
  }
  end(&o, queue);
}

TEST(variables_are_copied_by_name) { // shows offload 40
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  const int start = 100, five = 5, pair[] = {30, 40};
  int table[4];
  begin(&o, &queue, "tests/kernels/globals.spv");
  CHECK_EQ(read_counter(&o, queue), 7);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_program_copy_to_global(
               o.program, &group, &adds, "counter", &start, sizeof start, 0, &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  const syclze_nd_range one = {.global = {1}};
  group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_launch_by_name(o.program, &group, "add_to_counter", &one, &done, syclze_arg(five)),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  CHECK_EQ(read_counter(&o, queue), 105);
  /* A part. */
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_program_copy_to_global(
               o.program, &group, &adds, "table", pair, sizeof pair, 2 * sizeof(int), &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_program_copy_from_global(
               o.program, &group, &adds, "table", table, sizeof table, 0, &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  CHECK(table[0] == 1 && table[1] == 2 && table[2] == 30 && table[3] == 40);
  end(&o, queue);
}

TEST(a_part_outside_of_the_variable_is_refused) {
  struct offload o;
  syclze_queue queue, no_queue = {NULL};
  syclze_event done;
  int value[2] = {0};
  begin(&o, &queue, "tests/kernels/globals.spv");
  read_counter(&o, queue); /* builds the module */
  syclze_group group = syclze_group_begin(queue);
  REFUSED(done,
      syclze_program_copy_to_global(o.program, &group, &adds, "counter", value, 8, 0, &done),
      ZE_RESULT_ERROR_INVALID_SIZE, "syclze_program_copy_to_global", "does not lie", NULL);
  group = syclze_group_begin(queue);
  REFUSED(done,
      syclze_program_copy_from_global(o.program, &group, &adds, "counter", value, 1, 4, &done),
      ZE_RESULT_ERROR_INVALID_SIZE, "syclze_program_copy_from_global", "does not lie", NULL);
  group = syclze_group_begin(queue);
  REFUSED(done,
      syclze_program_copy_to_global(o.program, &group, &adds, "counter", NULL, 4, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_program_copy_to_global", "is null", NULL);
  CHECK_EQ(syclze_program_copy_to_global(o.program, &group, &adds, "counter", value, 4, 0, &done),
      SYCLZE_RESULT_ERROR_INVALID); /* the group has ended */
  REFUSED(done,
      syclze_program_copy_to_global(o.program, NULL, &adds, "counter", value, 4, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_program_copy_to_global", "is null", NULL);
  group = syclze_group_begin(no_queue);
  REFUSED(done,
      syclze_program_copy_to_global(o.program, &group, &adds, "counter", value, 4, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_program_copy_to_global", "queue is null", NULL);
  end(&o, queue);
}

/* Replaces a file's image by one with DPC++'s properties of a variable: its size, and whether it
   has the scope of an image; and the module's name of shared_values. */
static void describe_sized(
    struct offload *o, int file, const char *name, uint32_t has_scope, uint32_t size) {
  static struct {
    struct properties_bytes value, module_name;
    struct properties_property variable, mapping;
    struct properties_set sets[2];
  } all[4], *d;
  const uint32_t words[] = {size, has_scope};
  d = &all[2 * file + (int)has_scope];
  d->value = properties_bytes_of(words, sizeof words);
  d->module_name = properties_bytes_of("shared_values", 13);
  d->variable = properties_property(name, &d->value);
  d->mapping = properties_property("_Z13shared_values@global_id_mapping", &d->module_name);
  d->sets[0] = (struct properties_set){"SYCL/device globals", &d->variable, &d->variable + 1};
  d->sets[1] = (struct properties_set){"SYCL/program metadata", &d->mapping, &d->mapping + 1};
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(o->files[file].bytes, o->files[file].size));
  image.property_sets_begin = (const uint8_t *)d->sets;
  image.property_sets_end = (const uint8_t *)(d->sets + 2);
  syclze_offload_set_remove(o->set, o->files[file].bytes);
  CHECK_EQ(syclze_offload_set_add(o->set, &image, o->files[file].bytes, NULL), ZE_RESULT_SUCCESS);
}

static void describe(struct offload *o, int file, const char *name, uint32_t has_scope) {
  describe_sized(o, file, name, has_scope, 4 * sizeof(int));
}

TEST(a_variable_without_the_scope_of_an_image_holds_a_pointer) {
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  int value = 1;
  begin(&o, &queue, "tests/kernels/globals.spv");
  describe(&o, 0, "counter", 0);
  syclze_kernel_release(offload_kernel(&o, "add_to_counter", NULL, 0));
  syclze_group group = syclze_group_begin(queue);
  REFUSED(done,
      syclze_program_copy_to_global(o.program, &group, &adds, "counter", &value, 4, 0, &done),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_program_get_global",
      "no device_image_scope", NULL);
  describe(&o, 0, "counter", 1);
  syclze_kernel_release(offload_kernel(&o, "add_to_counter", NULL, 0));
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_program_copy_to_global(o.program, &group, &adds, "counter", &value, 4, 0, &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
  CHECK_EQ(read_counter(&o, queue), 1);
  void *pointer = &o;
  CHECK_EQ(syclze_program_get_global(o.program, o.device, &adds, "", &pointer, NULL),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  CHECK(pointer == NULL);
  end(&o, queue);
}

static void launch_shared(
    struct offload *o, syclze_queue queue, const char *kernel, syclze_argument argument) {
  const syclze_nd_range one = {.global = {1}};
  syclze_event done;
  syclze_group group = syclze_group_begin(queue);
  const syclze_program_request request = {.kernel = kernel};
  CHECK_EQ(syclze_program_launch(o->program, &group, &request, &one, &argument, 1, &done),
      ZE_RESULT_SUCCESS);
  wait_for(done);
}

TEST(the_memory_of_a_variable_has_a_byte_at_least) {
  struct offload o;
  syclze_queue queue;
  const syclze_program_request request = {.kernel = "add_to_shared"};
  void *pointer;
  size_t size;
  begin(&o, &queue, "tests/kernels/shared_globals.spv");
  for (uint32_t bytes = 0; bytes <= 1; bytes++) {
    describe_sized(&o, 0, "_Z13shared_values", 0, bytes);
    CHECK_EQ(
        syclze_program_get_global(o.program, o.device, &request, "shared_values", &pointer, &size),
        bytes != 0 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    CHECK_EQ(size, bytes);
    CHECK_EQ(pointer != NULL, bytes != 0);
  }
  /* Another image's variable of the name is larger than the memory that both would share. */
  describe_sized(&o, 0, "_Z13shared_values", 0, 2);
  CHECK_EQ(
      syclze_program_get_global(o.program, o.device, &request, "shared_values", &pointer, &size),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  end(&o, queue);
}

/* The two kernels are of two modules: the file is divided, so that each has a variable of its own.
 */
TEST(kernels_of_other_modules_share_the_memory_of_a_variable) { // shows offload 40
  static const char *const names[] = {
      "_Z13shared_values", "shared_values", "rtc_0$_Z13shared_values"};
  const syclze_program_request adds_shared = {.kernel = "add_to_shared"},
                               copies = {.kernel = "copy_shared"};
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  const int start[] = {1, 2, 3, 4}, five = 5;
  begin(&o, &queue, "tests/kernels/shared_globals.spv");
  offload_add(&o, "tests/kernels/shared_globals_reader.spv");
  describe(&o, 0, "_Z13shared_values", 0);
  describe(&o, 1, "rtc_0$_Z13shared_values", 0);
  launch_shared(&o, queue, "copy_shared", syclze_arg(o.ints));
  for (int i = 0; i < 4; i++)
    CHECK_EQ(o.ints[i], 0);
  for (int i = 0; i < 3; i++) {
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_program_copy_to_global(o.program, &group, i == 2 ? &copies : &adds_shared,
                 names[i], start, sizeof start, 0, &done),
        ZE_RESULT_SUCCESS);
    wait_for(done);
    launch_shared(&o, queue, "add_to_shared", syclze_arg(five));
    launch_shared(&o, queue, "copy_shared", syclze_arg(o.ints));
    CHECK(o.ints[0] == 1 && o.ints[1] == 7 && o.ints[2] == 3 && o.ints[3] == 4);
  }
  syclze_group group = syclze_group_begin(queue);
  REFUSED(done,
      syclze_program_copy_to_global(
          o.program, &group, &adds_shared, "shared_values", start, 4, 13, &done),
      ZE_RESULT_ERROR_INVALID_SIZE, "syclze_program_copy_to_global", "does not lie", NULL);
  end(&o, queue);
}

/* An image of native code has its constants in a buffer. lsum takes one of sixteen integers, a
   composite constant: the sum is that of the defaults, then of what was set by name. */
TEST(constants_of_native_code_reach_the_kernel_in_a_buffer) { // shows offload 35
  struct offload o;
  syclze_queue queue;
  syclze_event done;
  begin(&o, &queue, "tests/offload/samples/two.clang22.spv");
  size_t size;
  uint8_t *binary = offload_native_binary(&o, "lsum", &size);

  uint32_t leaves[16][3], numbers[16], set[16], sum = 0;
  for (uint32_t i = 0; i < 16; i++) {
    leaves[i][0] = i;
    leaves[i][1] = 4 * i;
    leaves[i][2] = 4;
    numbers[i] = 1;
    set[i] = i * i;
    sum += set[i];
  }
  const struct properties_bytes descriptors = properties_bytes_of(leaves, sizeof leaves);
  const struct properties_bytes defaults = properties_bytes_of(numbers, sizeof numbers);
  const struct properties_property constants[] = {properties_property("numbers", &descriptors)};
  const struct properties_property values[] = {properties_property("all", &defaults)};
  const struct properties_set sets[] = {{"SYCL/specialization constants", constants, constants + 1},
      {"SYCL/specialization constants default values", values, values + 1}};
  const syclze_offload_string strings[] = {
      {syclze_text_of("triple"), syclze_bytes_of("spir64_x86_64", 13)},
      {syclze_text_of("symbols"), syclze_bytes_of("lsum", 4)}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(binary, size));
  syclze_offload_image_set_strings(&image, strings, 2);
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 2);
  syclze_spec_constants of_image;
  CHECK_EQ(syclze_spec_constants_make(&image, &of_image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constants_mode(of_image), SYCLZE_SPEC_MODE_EMULATED);
  const syclze_spec_value value = {"numbers", 0, set, sizeof set};
  for (int round = 0; round < 2; round++) {
    if (round == 1) CHECK_EQ(syclze_spec_constants_apply(of_image, &value, 1), ZE_RESULT_SUCCESS);
    const syclze_bytes blob = syclze_spec_constants_blob(of_image);
    CHECK_EQ(blob.size, sizeof set);
    memcpy(o.ints, blob.data, blob.size);
    const syclze_nd_range range = {.global = {16}, .local = {16}};
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch_by_name(o.program, &group, "lsum", &range, &done, syclze_arg(o.ints),
                 syclze_arg(o.out), syclze_local(64)),
        ZE_RESULT_SUCCESS);
    wait_for(done);
    CHECK_EQ(((uint32_t *)(void *)o.out)[0], round == 0 ? 16 : sum);
  }
  syclze_spec_constants_end(of_image);
  free(binary);
  end(&o, queue);
}

TEST_MAIN(variables_are_copied_by_name, a_variable_that_is_not_found_has_no_address,
    the_memory_of_a_variable_has_a_byte_at_least, a_part_outside_of_the_variable_is_refused,
    a_variable_without_the_scope_of_an_image_holds_a_pointer,
    kernels_of_other_modules_share_the_memory_of_a_variable,
    constants_of_native_code_reach_the_kernel_in_a_buffer)
