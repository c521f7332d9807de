/* Each call, allocation, thread and lock fails in turn while device images are read, programs built
   of them, and their kernels launched. */
#include "support/scene.h"
#include "support/sweep.h"

#include "syclze/offload/offload.h"

static const char *file;

static syclze_bytes bytes_of_file(void) {
  static unsigned char bytes[1 << 20];
  static size_t size;
  FILE *stream = fopen(file, "rb");
  CHECK(stream != NULL);
  size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  CHECK(size > 0 && size < sizeof bytes);
  return syclze_bytes_of(bytes, size);
}

/* Uses the kernel of a name; a second request is served from memory. */
static void use_kernel(
    const struct scene_base *scene, syclze_program program, syclze_queue queue, const char *name) {
  static char log[1024];
  const syclze_program_request request = {name, NULL, 0, log, sizeof log};
  syclze_kernel kernel;
  const ze_result_t result = syclze_program_get_kernel(program, scene->device, &request, &kernel);
  sweep_check_result(result);
  CHECK((result == ZE_RESULT_SUCCESS) == (kernel.rep != NULL));
  if (kernel.rep == NULL) return;
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  syclze_group group = syclze_group_begin(queue);
  syclze_event event;
  sweep_check_result(syclze_launch(&group, kernel, &range, &event));
  sweep_check_result(syclze_kernel_release(kernel));
  sweep_check_result(syclze_event_release(event));
}

static void scenario(void) {
  struct scene_base scene;
  const syclze_bytes bytes = bytes_of_file();
  syclze_offload_set set;
  syclze_program program = {NULL};
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);

  sweep_arm();
  ze_result_t result = syclze_offload_set_create(&set);
  sweep_check_result(result);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze_offload_set_add_bytes(set, bytes, &scene);
    sweep_check_result(result);
  }
  if (result == ZE_RESULT_SUCCESS) {
    const syclze_program_desc desc = {.set = set, .cache_folder = ""};
    result = syclze_program_create(scene.context, &desc, &program);
    sweep_check_result(result);
  }
  if (result == ZE_RESULT_SUCCESS) {
    use_kernel(&scene, program, queue, "iota");
    use_kernel(&scene, program, queue, "axpy");
    use_kernel(&scene, program, queue, "iota");
  }
  sweep_check_result(syclze_program_release(program));
  syclze_offload_set_release(set);
  sweep_disarm();
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(1);
  if (!sweep_failed()) CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(programs_of_spirv) {
  file = "tests/offload/samples/two.clang22.spv";
  sweep_all(scenario);
}

TEST(programs_of_containers) { // shows promises 4
  file = "tests/offload/samples/pack23.ob";
  sweep_all(scenario);
  file = "tests/offload/samples/host_clang22.o";
  sweep_all(scenario);
}

TEST_MAIN(programs_of_spirv, programs_of_containers)
