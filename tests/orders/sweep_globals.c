/* Each call, allocation, thread and lock fails in turn while device globals are copied to and from,
   and their pointers stored in modules. */
#undef SYCLZE_DECLARATIONS
#include "support/scene.h"
#include "support/sweep.h"

#include "syclze/offload/global.h"
#include "syclze/offload/offload.h"
#include "tests/offload/support/properties.h"

enum { COUNT = 4, SIZE = COUNT * sizeof(int) };

static void run_nothing(void *const *arguments) {
  (void)arguments;
}

static const struct strict_kernel kernels[] = {{"imported", run_nothing}, {NULL, NULL}};

/* The variables of every module; "lacking" is not one. */
static const struct strict_variable variables[] = {
    {"scoped", SIZE}, {"shared", sizeof(void *)}, {NULL, 0}};

static struct properties_bytes with_scope, without_scope;
static struct properties_property described[3];
static struct properties_set sets[1];

static void describe(void) {
  const uint32_t scoped[] = {SIZE, 1}, shared[] = {SIZE, 0};
  with_scope = properties_bytes_of(scoped, sizeof scoped);
  without_scope = properties_bytes_of(shared, sizeof shared);
  described[0] = properties_property("lacking", &without_scope);
  described[1] = properties_property("scoped", &with_scope);
  described[2] = properties_property("shared", &without_scope);
  sets[0] = (struct properties_set){"SYCL/device globals", described, described + 3};
}

/* True if the variables belong to an image that the kernel's image is linked with. */
static bool is_linked;

static syclze_bytes file_bytes(const char *path) {
  static unsigned char bytes[2][1 << 14];
  static int which;
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  unsigned char *to = bytes[which++ % 2];
  const size_t size = fread(to, 1, sizeof bytes[0], file);
  fclose(file);
  CHECK(size > 0 && size < sizeof bytes[0]);
  return syclze_bytes_of(to, size);
}

static ze_result_t add(syclze_offload_set set, syclze_bytes bytes, bool has_variables) {
  syclze_offload_image image = syclze_offload_image_of(bytes);
  if (has_variables) {
    image.property_sets_begin = (const uint8_t *)sets;
    image.property_sets_end = (const uint8_t *)(sets + 1);
  }
  const ze_result_t result = syclze_offload_set_add(set, &image, NULL, NULL);
  sweep_check_result(result);
  return result;
}

static const syclze_program_request request = {.kernel = "imported"};

/* There and back; whether both were submitted. */
static bool copy(
    syclze_program program, syclze_queue queue, const char *name, const int *from, int *to) {
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  ze_result_t result =
      syclze_program_copy_to_global(program, &group, &request, name, from, SIZE, 0, NULL);
  sweep_check_result(result);
  if (result != ZE_RESULT_SUCCESS) return false;
  group = syclze_group_begin(queue);
  result = syclze_program_copy_from_global(program, &group, &request, name, to, SIZE, 0, &event);
  sweep_check_result(result);
  CHECK((result == ZE_RESULT_SUCCESS) == (event.rep != NULL));
  if (result != ZE_RESULT_SUCCESS) return false;
  sweep_check_result(syclze_event_release(event));
  return true;
}

/* In the module of the image with the variables: the pointer is stored, whatever failed. */
static void check_pointer(syclze_kernel_bundle bundle) {
  const ze_module_handle_t module = syclze__bundle_module(bundle.rep, is_linked ? 1 : 0);
  void *variable = NULL, *memory;
  CHECK_EQ(zeModuleGetGlobalPointer(module, "shared", NULL, &variable), ZE_RESULT_SUCCESS);
  memcpy(&memory, variable, sizeof memory);
  CHECK(memory != NULL);
}

static void scenario(void) {
  static const int from[COUNT] = {1, 2, 3, 4};
  static int shared[COUNT], scoped[COUNT];
  const syclze_bytes own = file_bytes("tests/kernels/imports.spv");
  const syclze_bytes other = file_bytes("tests/kernels/exports.spv");
  bool has_shared = false, has_scoped = false;
  struct scene_base scene;
  syclze_offload_set set;
  syclze_program program = {NULL};
  syclze_kernel_bundle bundle = {NULL};
  describe();
  memset(shared, 0, sizeof shared);
  memset(scoped, 0, sizeof scoped);
  scene_begin(&scene);
  strict_kernels = kernels;
  strict_variables = variables;
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);

  sweep_arm();
  ze_result_t result = syclze_offload_set_create(&set);
  sweep_check_result(result);
  if (result == ZE_RESULT_SUCCESS) result = add(set, own, !is_linked);
  if (result == ZE_RESULT_SUCCESS) result = add(set, other, is_linked);
  if (result == ZE_RESULT_SUCCESS) {
    const syclze_program_desc desc = {.set = set, .cache_folder = ""};
    result = syclze_program_create(scene.context, &desc, &program);
    sweep_check_result(result);
  }
  if (result == ZE_RESULT_SUCCESS) {
    has_shared = copy(program, queue, "shared", from, shared);
    has_scoped = copy(program, queue, "scoped", from, scoped);
    sweep_check_result(syclze_program_get_bundle(program, scene.device, &request, &bundle));
  }
  /* The program's memory, and its modules, stay until the copies are done. */
  result = syclze_queue_wait(queue);
  sweep_check_result(result);
  if (result != ZE_RESULT_SUCCESS) {
    sweep_disarm();
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  }
  sweep_check_result(syclze_program_release(program));
  syclze_offload_set_release(set);
  sweep_disarm();
  if (has_shared) CHECK_EQ(memcmp(shared, from, SIZE), 0);
  if (has_scoped) CHECK_EQ(memcmp(scoped, from, SIZE), 0);
  if (!sweep_failed()) CHECK(has_shared && has_scoped && bundle.rep != NULL);
  /* The bundle keeps what it points to. */
  if (bundle.rep != NULL) check_pointer(bundle);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(1);
  strict_variables = NULL;
  if (!sweep_failed()) CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(variables_of_the_kernel_s_image) {
  is_linked = false;
  sweep_all(scenario);
}

TEST(variables_of_a_linked_image) { // shows offload 24
  is_linked = true;
  sweep_all(scenario);
}

TEST_MAIN(variables_of_the_kernel_s_image, variables_of_a_linked_image)
