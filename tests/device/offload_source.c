/* Bundles of OpenCL C: compiled by the driver, where it does that, or by clang, and run. */
#undef SYCLZE_DECLARATIONS
#include <level_zero/ze_api.h>

/* In the place of the driver's. It is as it is, refuses OpenCL C, or compiles it: then it builds
   the sample for any source but one of "!", which it refuses with a log. */
static ze_result_t ZE_APICALL source_module_create(ze_context_handle_t context,
    ze_device_handle_t device, const ze_module_desc_t *desc, ze_module_handle_t *module,
    ze_module_build_log_handle_t *log);
static ze_result_t ZE_APICALL source_log(
    ze_module_build_log_handle_t log, size_t *size, char *text);

/* The bodies of the headers are in this file. */
#define zeModuleCreate source_module_create
#define zeModuleBuildLogGetString source_log
#include "syclze/offload/kernel_source.h"
#undef zeModuleCreate
#undef zeModuleBuildLogGetString

#include "support/made.h"
#include "support/refused.h"
#include "support/works.h"

#define FUNCTION "syclze_kernel_bundle_create_from_source"

static enum { DRIVER_REFUSES, DRIVER_COMPILES, DRIVER_AS_IT_IS } driver;
static unsigned sources_seen;
static bool is_refused;

static ze_result_t ZE_APICALL source_module_create(ze_context_handle_t context,
    ze_device_handle_t device, const ze_module_desc_t *desc, ze_module_handle_t *module,
    ze_module_build_log_handle_t *log) {
  is_refused = false;
  if (desc->format != (ze_module_format_t)3 || driver == DRIVER_AS_IT_IS)
    return zeModuleCreate(context, device, desc, module, log);
  sources_seen++;
  if (driver == DRIVER_REFUSES) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  CHECK_STR_EQ(desc->pBuildFlags, "-DN=2");
  CHECK_EQ(desc->inputSize, strlen((const char *)desc->pInputModule) + 1);
  const struct given_file file = given_file("tests/kernels/basic.spv");
  ze_module_desc_t own = *desc;
  own.format = ZE_MODULE_FORMAT_IL_SPIRV;
  own.pInputModule = file.bytes;
  own.inputSize = file.size;
  own.pBuildFlags = NULL;
  const ze_result_t result = zeModuleCreate(context, device, &own, module, log);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  free(file.bytes);
  is_refused = desc->pInputModule[0] == '!';
  if (is_refused) CHECK_EQ(zeModuleDestroy(*module), ZE_RESULT_SUCCESS);
  return is_refused ? ZE_RESULT_ERROR_MODULE_BUILD_FAILURE : result;
}

static ze_result_t ZE_APICALL source_log(
    ze_module_build_log_handle_t log, size_t *size, char *text) {
  static const char refused[] = "no such thing";
  if (!is_refused) return zeModuleBuildLogGetString(log, size, text);
  *size = sizeof refused;
  if (text != NULL) memcpy(text, refused, sizeof refused);
  return ZE_RESULT_SUCCESS;
}

/* A source for the driver alone. */
static syclze_kernel_source source_of(const char *text) {
  syclze_kernel_source source = {0};
  source.text = text;
  source.options = "-DN=2";
  source.ocloc = source.tools = source.cache_folder = "";
  sources_seen = 0;
  return source;
}

TEST(what_is_null_or_elsewhere_is_refused) { // shows offload 59
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  syclze_kernel_source source = source_of("kernel void k(void) {}");
  syclze_kernel_bundle bundle;
  const syclze_context no_context = {NULL};
  const syclze_device no_device = {NULL};
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(context, device, NULL, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "pointer is null", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(no_context, device, &source, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(context, no_device, &source, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "null", NULL);
  CHECK_EQ(syclze_kernel_bundle_create_from_source(context, device, &source, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  source.text = NULL;
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(context, device, &source, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "pointer is null", NULL);
  CHECK_EQ(sources_seen, 0);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_driver_that_compiles_is_the_first) { // shows offload 59
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  char log[256] = "before";
  syclze_kernel_source source = source_of("kernel void iota(global int *x) {}");
  source.log = log;
  source.log_size = sizeof log;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  driver = DRIVER_COMPILES;
  CHECK_EQ(syclze_kernel_bundle_create_from_source(context, device, &source, &bundle),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(sources_seen, 1);
  CHECK_EQ(syclze_kernel_create(bundle, "iota", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  source.text = "!";
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(context, device, &source, &bundle),
      SYCLZE_RESULT_ERROR_BUILD, FUNCTION, "refuses the source", NULL);
  CHECK_STR_EQ(log, "no such thing");
  driver = DRIVER_REFUSES;
  REFUSED(bundle, syclze_kernel_bundle_create_from_source(context, device, &source, &bundle),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, FUNCTION, "no compiler", NULL);
  CHECK(strstr(log, "no clang-22") != NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* Compiles a source, by the driver alone or by clang alone, and runs it. */
static void check_runs(const char *tools, const char *reason) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  syclze_kernel_source source = source_of("kernel void iota(global int *x, int first) { int i = "
                                          "get_global_id(0); x[i] = first - i + N * i; }");
  source.tools = tools;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  const ze_result_t result =
      syclze_kernel_bundle_create_from_source(context, device, &source, &bundle);
  if (result == ZE_RESULT_SUCCESS) {
    CHECK_EQ(syclze_kernel_create(bundle, "iota", &kernel), ZE_RESULT_SUCCESS);
    works_iota(&g, g.list, syclze_kernel_get_native(kernel));
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) SKIP(reason);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
}

TEST(a_source_that_clang_compiles_runs) { // shows offload 59
  driver = DRIVER_REFUSES;
  check_runs(NULL, "no clang with a way to SPIR-V is installed");
}

TEST(a_source_that_the_driver_compiles_runs) { // shows offload 59
  driver = DRIVER_AS_IT_IS;
  check_runs("", "the driver does not compile OpenCL C");
}

TEST_MAIN(what_is_null_or_elsewhere_is_refused, a_driver_that_compiles_is_the_first,
    a_source_that_clang_compiles_runs, a_source_that_the_driver_compiles_runs)
