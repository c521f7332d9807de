/* The debug checker compares the arguments of a launch with the kernel's parameters in SPIR-V. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/made.h"
#include "syclze/buffer_create.h"
#include "syclze/check.h"
#include "syclze/command/graph.h"
#include "syclze/command/graph_update.h"
#include "syclze/queue_commands.h"

#include "support/checked.h"

enum { ITEMS = 16 };

static const syclze_nd_range range = {.global = {ITEMS}, .local = {ITEMS}};
static syclze_queue queue;
static syclze_kernel_bundle bundle;
static void *memory;

static const char *file_bytes(const char *path, size_t *size) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  *size = fread(bytes, 1, sizeof bytes, file);
  CHECK(*size < sizeof bytes);
  fclose(file);
  return bytes;
}

static void begin_with(const char *path) {
  syclze_kernel_bundle_desc desc = {0};
  given_needs_execution();
  begin();
  desc.spirv = file_bytes(path, &desc.size);
  CHECK_EQ(syclze_kernel_bundle_create(context, device, &desc, &bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(1024, device, context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, 1024);
}

/* Skips the case on an engine that builds no kernels with images and samplers. */
static void begin_with_images(const char *path) {
  given_needs_execution();
  begin();
  CHECK_EQ(zeModuleDestroy(given_module(&g, "tests/kernels/images.spv")), ZE_RESULT_SUCCESS);
  end();
  begin_with(path);
}

static void end_with(void) {
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 0);
  end();
}

static syclze_kernel kernel_of(const char *name) {
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, name, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

static void check_noted(const char *function, const char *detail) {
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(noted.result, SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  CHECK_STR_EQ(noted.function, function);
  CHECK_STR_EQ(noted.rule, "the size and the kind of an argument must be the kernel's");
  CHECK_STR_EQ(noted.detail, detail);
  noted.count = 0;
}

/* Launches by a group and by a queue, with an event and without. */
static void check_launches(
    const char *name, const char *detail, const syclze_argument *arguments, uint32_t count) {
  const syclze_kernel kernel = kernel_of(name);
  for (int way = 0; way < 4; way++) {
    const bool groups = (way & 1) != 0;
    syclze_event event = {NULL}, *const wanted = (way & 2) != 0 ? &event : NULL;
    syclze_group group = syclze_group_begin(queue);
    if (!groups) syclze_group_end(&group);
    const ze_result_t result =
        groups ? syclze_group_launch(&group, kernel, &range, arguments, count, wanted)
               : syclze_queue_launch_arguments(
                     queue, kernel, &range, arguments, count, NULL, 0, wanted);
    CHECK_EQ(result, detail == NULL ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
    if (detail != NULL) check_noted(groups ? "syclze_group_launch" : "syclze_queue_launch", detail);
    CHECK_EQ(event.rep != NULL, detail == NULL && wanted != NULL);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(noted.count, 0);
  }
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
}

#define LAUNCHES(name, detail, ...)                                                                \
  check_launches(name, detail, (const syclze_argument[]){__VA_ARGS__},                             \
      sizeof((const syclze_argument[]){__VA_ARGS__}) / sizeof(syclze_argument))

TEST(the_size_and_kind_of_values_are_the_kernel_s) { // shows promises 23
  begin_with("tests/kernels/basic.spv");
  const uint32_t bits = 0x3f800000;
  LAUNCHES("axpy", NULL, syclze_arg(2.0f), syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("axpy", NULL, syclze_argument_value(&bits, sizeof bits), syclze_arg(memory),
      syclze_argument_value(&memory, sizeof memory));
  LAUNCHES("axpy",
      "axpy: argument 0 is a floating-point number of 8 bytes, and the kernel's is a "
      "floating-point number of 4 bytes",
      syclze_arg(2.0), syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("axpy",
      "axpy: argument 0 is an integer of 4 bytes, and the kernel's is a floating-point number of 4 "
      "bytes",
      syclze_arg(2), syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("iota", NULL, syclze_arg(memory), syclze_arg(7u));
  LAUNCHES("iota",
      "iota: argument 1 is an integer of 8 bytes, and the kernel's is an integer of 4 bytes",
      syclze_arg(memory), syclze_arg(7l));
  LAUNCHES("iota",
      "iota: argument 1 is a floating-point number of 4 bytes, and the kernel's is an integer of 4 "
      "bytes",
      syclze_arg(memory), syclze_arg(7.0f));
  LAUNCHES("iota",
      "iota: argument 1 is a pointer of 8 bytes, and the kernel's is an integer of 4 bytes",
      syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("iota",
      "iota: argument 1 is local memory of 4 bytes, and the kernel's is an integer of 4 bytes",
      syclze_arg(memory), syclze_local(4));
  end_with();
}

TEST(pointers_and_local_memory_are_not_exchanged) { // shows promises 23
  begin_with("tests/kernels/basic.spv");
  LAUNCHES("iota",
      "iota: argument 0 is an integer of 8 bytes, and the kernel's is a pointer of 8 bytes",
      syclze_arg((uintptr_t)memory), syclze_arg(1));
  LAUNCHES("iota",
      "iota: argument 0 is local memory of 64 bytes, and the kernel's is a pointer of 8 bytes",
      syclze_local(64), syclze_arg(1));
  LAUNCHES("local_sum", NULL, syclze_arg(memory), syclze_arg(memory), syclze_local(64));
  LAUNCHES("local_sum",
      "local_sum: argument 2 is a pointer of 8 bytes, and the kernel's is local memory of 0 bytes",
      syclze_arg(memory), syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("constant_table", NULL, syclze_arg(memory), syclze_arg(memory));
  LAUNCHES("where", NULL, syclze_arg(memory), syclze_arg((int *)NULL));
  check_launches("nothing", NULL, NULL, 0);
  end_with();
}

struct mixed {
  char c;
  long l;
  short s;
  float f;
};

TEST(structs_are_compared_by_their_size) { // shows promises 23
  begin_with("tests/kernels/basic.spv");
  const struct mixed m = {1, 2, 3, 4};
  const float v[4] = {0}, three[3] = {0};
  const syclze_argument all[] = {syclze_arg(memory), syclze_arg((char)1), syclze_arg((short)1),
      syclze_arg(1), syclze_arg(1l), syclze_argument_value(v, sizeof v),
      syclze_argument_value(v, sizeof v), syclze_arg(m)};
  syclze_argument other[8];
  memcpy(other, all, sizeof all);
  check_launches("by_value", NULL, all, 8);
  other[6] = syclze_argument_value(three, sizeof three);
  check_launches("by_value",
      "by_value: argument 6 is a struct of 12 bytes, and the kernel's is a struct of 16 bytes",
      other, 8);
  other[6] = all[6];
  other[7] = syclze_argument_value(&m, sizeof m - 8);
  check_launches("by_value",
      "by_value: argument 7 is a struct of 16 bytes, and the kernel's is a struct of 24 bytes",
      other, 8);
  end_with();
}

TEST(images_samplers_and_buffers_are_not_exchanged) { // shows promises 23
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {ITEMS, 1}};
  static const syclze_sampler_desc at_edge = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE};
  begin_with_images("tests/kernels/images.spv");
  syclze_image image;
  const ze_result_t created = syclze_image_create(context, device, &input, &image);
  if (created == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(created, ZE_RESULT_SUCCESS);
  const syclze_buffer_desc desc = {.element_size = 4, .range = {ITEMS * 4}};
  syclze_buffer buffer;
  syclze_sampler sampler;
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_sampler_create(context, device, &at_edge, &sampler), ZE_RESULT_SUCCESS);
  const syclze_kernel kernel = kernel_of("read_image");
  /* Which of the image, the sampler and the buffer stands in the place of each parameter. */
  static const struct {
    int place[3];
    const char *detail;
  } cases[] = {
      {{0, 1, 2}, NULL},
      {{2, 1, 2},
          "read_image: argument 0 is an accessor of 8 bytes, and the kernel's is an image of 8 "
          "bytes"},
      {{1, 1, 2},
          "read_image: argument 0 is an accessor of a sampler of 8 bytes, and the kernel's is an "
          "image of 8 bytes"},
      {{0, 0, 2},
          "read_image: argument 1 is an accessor of an image of 8 bytes, and the kernel's is a "
          "sampler of 8 bytes"},
      {{0, 1, 0},
          "read_image: argument 2 is an accessor of an image of 8 bytes, and the kernel's is a "
          "pointer of 8 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_group group = syclze_group_begin(queue);
    const syclze_accessor all[] = {syclze_group_require_sampled_image(&group, image),
        syclze_group_require_sampler(&group, sampler),
        syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE)};
    const int *place = cases[i].place;
    CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(all[place[0]]),
                 syclze_arg(all[place[1]]), syclze_arg(all[place[2]])),
        cases[i].detail != NULL ? SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT : ZE_RESULT_SUCCESS);
    if (cases[i].detail != NULL) check_noted("syclze_group_launch", cases[i].detail);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  LAUNCHES("read_image",
      "read_image: argument 0 is local memory of 8 bytes, and the kernel's is an image of 8 bytes",
      syclze_local(8), syclze_arg(syclze_get_native(sampler)), syclze_arg(memory));
  LAUNCHES("read_image",
      "read_image: argument 1 is an integer of 4 bytes, and the kernel's is a sampler of 8 bytes",
      syclze_arg(memory), syclze_arg(1), syclze_arg(memory));
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_sampler_release(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  end_with();
}

static ze_module_handle_t module_of(const char *path) {
  ze_module_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .format = ZE_MODULE_FORMAT_IL_SPIRV};
  ze_module_handle_t module;
  desc.pInputModule = (const uint8_t *)file_bytes(path, &desc.inputSize);
  CHECK_EQ(zeModuleCreate(g.context, g.device, &desc, &module, NULL), ZE_RESULT_SUCCESS);
  return module;
}

/* The bundle is that of the module from here on. */
static void wrap(ze_module_handle_t module, syclze_ownership ownership) {
  const syclze_kernel_bundle_input input = {module, ownership};
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_kernel_bundle(&input, context, &bundle), ZE_RESULT_SUCCESS);
}

#define IOTA_REFUSED                                                                               \
  LAUNCHES("iota",                                                                                 \
      "iota: argument 1 is a floating-point number of 4 bytes, and the kernel's is an integer of " \
      "4 bytes",                                                                                   \
      syclze_arg(memory), syclze_arg(7.0f))

TEST(modules_that_the_application_builds_are_checked) { // shows promises 23
  begin_with_images("tests/kernels/basic.spv");
  const ze_module_handle_t module = module_of("tests/kernels/basic.spv");
  wrap(module, SYCLZE_OWNERSHIP_KEEP);
  IOTA_REFUSED;
  LAUNCHES("iota", NULL, syclze_arg(memory), syclze_arg(7));
  wrap(module, SYCLZE_OWNERSHIP_KEEP);
  IOTA_REFUSED;
  wrap(module, SYCLZE_OWNERSHIP_TRANSFER);
  IOTA_REFUSED;
  wrap(module_of("tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  /* Built where the checker does not see it: nothing is known of its parameters. */
  wrap(given_module(&g, "tests/kernels/basic.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  LAUNCHES("iota", NULL, syclze_arg(memory), syclze_arg(7.0f));
  end_with();
}

/* Another module may get the address of one that was destroyed. */
TEST(parameters_are_forgotten_with_their_module) { // shows promises 23
  begin_with_images("tests/kernels/basic.spv");
  const ze_module_handle_t module = module_of("tests/kernels/basic.spv");
  struct syclze__checker *checker = SYCLZE__STATE.checker;
  CHECK_EQ((*syclze__check_find_module(checker, module))->module == module, 1);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  CHECK(*syclze__check_find_module(checker, module) == NULL);
  const ze_module_handle_t given_away = module_of("tests/kernels/basic.spv");
  wrap(given_away, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK(*syclze__check_find_module(checker, given_away) != NULL);
  wrap(module_of("tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK(*syclze__check_find_module(checker, given_away) == NULL);
  /* Code that the driver can read and the checker cannot is not a mistake. */
  syclze__check_built(given_away, "no SPIR-V", 9);
  CHECK(*syclze__check_find_module(checker, given_away) == NULL);
  end_with();
  CHECK(checker->modules == NULL);
}

TEST(an_argument_of_a_graph_is_of_the_size_and_kind_of_the_kernel_s) { // shows promises 23
  begin_with("tests/kernels/basic.spv");
  const syclze_kernel kernel = kernel_of("iota");
  syclze_graph graph;
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_launch(
               queue, kernel, &range, NULL, 0, NULL, syclze_arg(memory), syclze_arg(7.0f)),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  check_noted("syclze_queue_launch",
      "iota: argument 1 is a floating-point number of 4 bytes, and the kernel's is an integer of 4 "
      "bytes");
  CHECK_EQ(
      syclze_queue_launch(queue, kernel, &range, NULL, 0, NULL, syclze_arg(memory), syclze_arg(7)),
      0);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  const syclze_argument wide = syclze_arg(9l), right = syclze_arg(9);
  CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 1, &wide),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  check_noted("syclze_executable_graph_update_argument",
      "iota: argument 1 is an integer of 8 bytes, and the kernel's is an integer of 4 bytes");
  CHECK_EQ(syclze_executable_graph_update_argument(executable, 0, 1, &right), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(((int *)memory)[1], 10);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  end_with();
}

TEST_MAIN(the_size_and_kind_of_values_are_the_kernel_s, pointers_and_local_memory_are_not_exchanged,
    structs_are_compared_by_their_size, images_samplers_and_buffers_are_not_exchanged,
    modules_that_the_application_builds_are_checked, parameters_are_forgotten_with_their_module,
    an_argument_of_a_graph_is_of_the_size_and_kind_of_the_kernel_s)
