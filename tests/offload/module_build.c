/* The inputs of the driver: several modules at once by its extension, and native code or SPIR-V.
   The driver is the few functions below, which stand before the loader's. */
#undef SYCLZE_DECLARATIONS
#include "support/sample.h"

#include "syclze/offload/program.h"
#include "tests/check.h"

static bool has_extension;
static ze_module_desc_t built;
static ze_module_program_exp_desc_t given_program;
static size_t given_sizes[4];
static uint8_t given_bytes[4];
static bool given_aligned;
static const ze_module_constants_t *given_constants[4];
static unsigned created, destroyed, linked;
static ze_result_t answer;
static int modules[8];

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(
    ze_driver_handle_t driver, uint32_t *count, ze_driver_extension_properties_t *properties) {
  (void)driver;
  const ze_driver_extension_properties_t list[2] = {
      {"ZE_extension_of_no_concern", 1}, {ZE_MODULE_PROGRAM_EXP_NAME, 1}};
  *count = has_extension ? 2 : 1;
  if (properties) memcpy(properties, list, *count * sizeof *properties);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, ze_module_build_log_handle_t *log) {
  (void)context;
  (void)device;
  (void)log;
  built = *desc;
  if (desc->pNext) {
    memcpy(&given_program, desc->pNext, sizeof given_program);
    given_aligned = true;
    for (uint32_t i = 0; i < given_program.count && i < 4; i++) {
      given_sizes[i] = given_program.inputSizes[i];
      given_bytes[i] = given_program.pInputModules[i][0];
      given_aligned = given_aligned && (uintptr_t)given_program.pInputModules[i] % 8 == 0;
      given_constants[i] = given_program.pConstants[i];
    }
  }
  if (answer != ZE_RESULT_SUCCESS) return answer;
  *module = (ze_module_handle_t)(void *)&modules[created++ % 8];
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t module) {
  (void)module;
  destroyed++;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetProperties(
    ze_module_handle_t module, ze_module_properties_t *properties) {
  (void)module;
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *list, ze_module_build_log_handle_t *log) {
  (void)list;
  (void)log;
  linked = count;
  return answer;
}

static ze_result_t build(const ze_module_constants_t *constants, syclze_kernel_bundle *bundle) {
  static struct syclze__platform platform;
  static struct syclze__device device;
  static uint8_t words[24] __attribute__((aligned(8)));
  syclze_candidate candidate, others[2];
  created = destroyed = linked = 0;
  memset(&given_program, 0, sizeof given_program);
  memset(&candidate, 0, sizeof candidate);
  device.platform = &platform;
  words[0] = 'a';
  words[9] = 'b';
  words[16] = 'c';
  candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
  candidate.module = syclze_bytes_of(words, 8);
  others[0] = others[1] = candidate;
  others[0].module = syclze_bytes_of(words + 9, 5);
  others[1].module = syclze_bytes_of(words + 16, 7);
  const syclze_device list = {&device};
  const syclze_context_input input = {
      (ze_context_handle_t)(void *)&platform, &list, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context = {syclze__context_new(&input)};
  const syclze_module_order order = {&candidate, others, 2, "-option", constants, NULL, 0, NULL};
  const ze_result_t result = syclze_module_build(context, list, &order, bundle);
  syclze_context_release(context);
  return result;
}

TEST(the_extension_receives_all_modules_at_once) { // shows offload 21
  const uint32_t id = 1;
  const void *value = &id;
  const ze_module_constants_t constants = {1, &id, &value};
  syclze_kernel_bundle bundle;
  has_extension = true;
  answer = ZE_RESULT_SUCCESS;
  CHECK_EQ(build(&constants, &bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(created, 1);
  CHECK_EQ(built.format, ZE_MODULE_FORMAT_IL_SPIRV);
  CHECK_EQ(given_program.stype, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
  CHECK_EQ(given_program.count, 3);
  CHECK(given_bytes[0] == 'a' && given_bytes[1] == 'b' && given_bytes[2] == 'c');
  CHECK(given_sizes[0] == 8 && given_sizes[1] == 5 && given_sizes[2] == 7);
  CHECK(given_aligned);
  CHECK(given_constants[0] == &constants && given_constants[1] == NULL);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(destroyed, 1);
  answer = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  CHECK_EQ(build(NULL, &bundle), answer);
  CHECK(bundle.rep == NULL);
}

TEST(without_the_extension_modules_are_linked) { // shows offload 21
  syclze_kernel_bundle bundle;
  has_extension = false;
  answer = ZE_RESULT_SUCCESS;
  CHECK_EQ(build(NULL, &bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(created, 3);
  CHECK_EQ(linked, 3);
  CHECK_EQ(given_program.count, 0);
  CHECK_EQ(destroyed, 0);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(destroyed, 3);
}

TEST(a_build_without_an_order_gives_null) {
  static syclze_candidate candidate;
  syclze_module_order orders[2];
  const syclze_module_order *const refused[] = {NULL, &orders[0], &orders[1]};
  const syclze_context context = {NULL};
  const syclze_device device = {NULL};
  syclze_kernel_bundle bundle;
  memset(orders, 0, sizeof orders);
  orders[1].candidate = &candidate;
  orders[1].other_count = 1;
  for (size_t i = 0; i < 3; i++) {
    memset(&bundle, 1, sizeof bundle);
    CHECK_EQ(syclze_module_build(context, device, refused[i], &bundle),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    CHECK(bundle.rep == NULL);
  }
  CHECK_EQ(
      syclze_module_build(context, device, &orders[1], NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST(the_driver_gets_the_format_the_code_and_the_flags) { // shows offload 23
  static struct syclze__platform platform;
  static struct syclze__device device;
  static const ze_module_format_t formats[] = {
      ZE_MODULE_FORMAT_NATIVE, ZE_MODULE_FORMAT_IL_SPIRV, ZE_MODULE_FORMAT_NATIVE};
  static uint8_t words[24] __attribute__((aligned(8)));
  has_extension = false;
  answer = ZE_RESULT_SUCCESS;
  device.platform = &platform;
  const syclze_device list = {&device};
  const syclze_context_input input = {
      (ze_context_handle_t)(void *)&platform, &list, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context = {syclze__context_new(&input)};
  for (size_t i = 0; i < 3; i++) {
    syclze_kernel_bundle bundle;
    syclze_candidate candidate;
    memset(&candidate, 0, sizeof candidate);
    candidate.format = formats[i];
    candidate.module = syclze_bytes_of(words, 8 + i);
    const syclze_module_order order = {&candidate, NULL, 0, "-option", NULL, NULL, 0, NULL};
    CHECK_EQ(syclze_module_build(context, list, &order, &bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(built.stype, ZE_STRUCTURE_TYPE_MODULE_DESC);
    CHECK_EQ(built.format, formats[i]);
    CHECK_EQ(built.inputSize, 8 + i);
    CHECK_EQ(built.pInputModule, words);
    CHECK_STR_EQ(built.pBuildFlags, "-option");
    CHECK(built.pConstants == NULL && built.pNext == NULL);
    CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  }
  syclze_context_release(context);
}

/* Native code and SPIR-V with one kernel: native code is the better, but for values that it cannot
   take. */
TEST(values_select_candidates_that_use_them) {
  static const char code[64] = "\177ELF\2\1\1";
  static struct syclze__platform platform;
  static struct syclze__device device;
  device.platform = &platform;
  syclze_bytes sample = sample_read("spec.clang22.spv");
  const syclze_offload_string symbols = {syclze_text_of("symbols"), syclze_bytes_of("scale", 5)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(code, sizeof code));
  syclze_offload_image_set_strings(&image, &symbols, 1);
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add(set, &image, code, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, sample, sample.data), ZE_RESULT_SUCCESS);

  const syclze_device list = {&device};
  const syclze_context_input input = {
      (ze_context_handle_t)(void *)&platform, &list, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context = {syclze__context_new(&input)};
  const syclze_program_desc desc = {.set = set, .cache_folder = ""};
  syclze_program program;
  CHECK_EQ(syclze_program_create(context, &desc, &program), ZE_RESULT_SUCCESS);
  const int n = 3;
  const syclze_spec_value value = {NULL, 0, &n, sizeof n};
  for (uint32_t values = 0; values < 2; values++) {
    const syclze_program_request request = {"scale", &value, values, NULL, 0};
    struct syclze__program_work work;
    memset(&work, 0, sizeof work);
    work.program = program.rep;
    work.device = list;
    work.request = &request;
    work.traits.max_group_size = 64;
    answer = ZE_RESULT_SUCCESS;
    syclze_kernel_bundle bundle = {NULL};
    CHECK_EQ(syclze__program_select(&work, "test", &bundle.rep), ZE_RESULT_SUCCESS);
    CHECK_EQ(built.format, values ? ZE_MODULE_FORMAT_IL_SPIRV : ZE_MODULE_FORMAT_NATIVE);
    CHECK_EQ(built.pConstants != NULL, values != 0);
    CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_offload_set_remove(set, sample.data), 1);
  const syclze_program_request request = {"scale", &value, 1, NULL, 0};
  struct syclze__program_work work;
  memset(&work, 0, sizeof work);
  work.program = program.rep;
  work.device = list;
  work.request = &request;
  syclze_kernel_bundle bundle = {NULL};
  CHECK_EQ(syclze__program_select(&work, "test", &bundle.rep), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_release(program), ZE_RESULT_SUCCESS);
  syclze_offload_set_release(set);
  syclze_context_release(context);
  free((void *)(uintptr_t)sample.data);
}

TEST_MAIN(values_select_candidates_that_use_them, the_extension_receives_all_modules_at_once,
    without_the_extension_modules_are_linked, the_driver_gets_the_format_the_code_and_the_flags,
    a_build_without_an_order_gives_null)
