/* Code for NVIDIA's devices, PTX and cubin, from a file to zeModuleCreate: a device of NVIDIA gets
   its bytes, and any other one refuses it by name. */
#include "support/scene.h"

#include "syclze/offload/offload.h"

enum { NVIDIA = 0x10de, INTEL = 0x8086, AMD = 0x1002, ROOM = 1 << 14 };

struct file {
  _Alignas(8) unsigned char bytes[ROOM];
  size_t size;
};

static void read_sample(struct file *file, const char *path) {
  FILE *stream = fopen(path, "rb");
  CHECK(stream != NULL);
  file->size = fread(file->bytes, 1, sizeof file->bytes, stream);
  fclose(stream);
  CHECK(file->size > 0 && file->size < sizeof file->bytes);
}

/* The driver's last arguments. */
static struct file built;
static ze_module_format_t built_format;
static unsigned built_count;

static void note_build(const ze_module_desc_t *desc) {
  CHECK(desc->inputSize <= sizeof built.bytes);
  memcpy(built.bytes, desc->pInputModule, desc->inputSize);
  built.size = desc->inputSize;
  built_format = desc->format;
  built_count++;
}

static bool was_built(const struct file *file, ze_module_format_t format) {
  return built_format == format && built.size == file->size &&
         memcmp(built.bytes, file->bytes, file->size) == 0;
}

static struct file code, spirv, container;

/* A container with the vendor's code, and with SPIR-V behind it where that is there. */
static void pack(const char *path, const char *triple, bool with_spirv) {
  const syclze_offload_string of_vendor[] = {
      {syclze_text_of("triple"), syclze_bytes_of(triple, strlen(triple))},
      {syclze_text_of("arch"), syclze_bytes_of("sm_70", 5)},
      {syclze_text_of("symbols"), syclze_bytes_of("axpy\niota\n", 10)}};
  const syclze_offload_string of_all[] = {
      {syclze_text_of("triple"), syclze_bytes_of("spirv64-unknown-unknown", 23)}};
  syclze_offload_image images[2];
  read_sample(&code, path);
  read_sample(&spirv, "tests/offload/samples/two.clang22.spv");
  images[0] = syclze_offload_image_of(syclze_bytes_of(code.bytes, code.size));
  images[1] = syclze_offload_image_of(syclze_bytes_of(spirv.bytes, spirv.size));
  syclze_offload_image_set_strings(&images[0], of_vendor, 3);
  syclze_offload_image_set_strings(&images[1], of_all, 1);
  container.size = sizeof container.bytes;
  CHECK_EQ(syclze_container_write(2, images, with_spirv ? 2 : 1, container.bytes, &container.size),
      ZE_RESULT_SUCCESS);
}

/* Adds the container, and gets and launches its kernel on a device of the vendor. */
static ze_result_t run(uint32_t vendor, char *log, size_t log_size) {
  struct scene_base scene;
  syclze_offload_set set;
  syclze_program program;
  syclze_kernel kernel;
  strict_begin(1, STRICT_RANDOM);
  strict_vendor = vendor;
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  built_count = 0;
  strict_on_build = note_build;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(
               set, syclze_bytes_of(container.bytes, container.size), &container),
      ZE_RESULT_SUCCESS);
  const syclze_program_desc desc = {.set = set, .cache_folder = ""};
  CHECK_EQ(syclze_program_create(scene.context, &desc, &program), ZE_RESULT_SUCCESS);
  const syclze_program_request request = {"iota", NULL, 0, log, log_size};
  const ze_result_t result = syclze_program_get_kernel(program, scene.device, &request, &kernel);
  if (result == ZE_RESULT_SUCCESS) {
    const syclze_nd_range range = {.global = {1}, .local = {1}};
    syclze_event event;
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, kernel, &range, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_program_release(program), ZE_RESULT_SUCCESS);
  syclze_offload_set_release(set);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  strict_on_build = NULL;
  scene_end(&scene);
  strict_vendor = 0;
  return result;
}

static const struct {
  const char *path, *triple;
} codes[] = {{"tests/offload/samples/two.clang14.sm_70.ptx", "nvptx64-nvidia-cuda"},
    {"tests/offload/samples/two.ptxas12.sm_70.cubin", "nvptx64-nvidia-cuda"},
    {"tests/offload/samples/two.clang14.sm_70.ptx", "llvm_nvptx64"}};
enum { CODES = sizeof codes / sizeof *codes };

TEST(a_device_of_the_vendor_gets_its_code_before_spirv) { // shows offload 43
  char log[1024];
  for (int i = 0; i < CODES; i++)
    for (int with_spirv = 0; with_spirv < 2; with_spirv++) {
      pack(codes[i].path, codes[i].triple, with_spirv);
      CHECK_EQ(run(NVIDIA, log, sizeof log), ZE_RESULT_SUCCESS);
      CHECK_EQ(built_count, 1);
      CHECK(was_built(&code, ZE_MODULE_FORMAT_NATIVE));
    }
}

TEST(a_device_of_another_vendor_gets_the_spirv) {
  char log[1024];
  for (int i = 0; i < CODES; i++) {
    pack(codes[i].path, codes[i].triple, true);
    CHECK_EQ(run(INTEL, log, sizeof log), ZE_RESULT_SUCCESS);
    CHECK_EQ(built_count, 1);
    CHECK(was_built(&spirv, ZE_MODULE_FORMAT_IL_SPIRV));
  }
}

TEST(a_device_of_another_vendor_refuses_it_by_name) { // shows offload 43
  static const uint32_t vendors[] = {INTEL, AMD, 0};
  char log[1024], expected[64];
  for (int i = 0; i < CODES; i++)
    for (int k = 0; k < 3; k++) {
      pack(codes[i].path, codes[i].triple, false);
      snprintf(
          expected, sizeof expected, ", %s): it is for %s\n", codes[i].triple, codes[i].triple);
      CHECK_EQ(run(vendors[k], log, sizeof log), SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
      CHECK_EQ(built_count, 0);
      CHECK(strstr(log, expected) != NULL);
    }
}

TEST_MAIN(a_device_of_the_vendor_gets_its_code_before_spirv,
    a_device_of_another_vendor_gets_the_spirv, a_device_of_another_vendor_refuses_it_by_name)
