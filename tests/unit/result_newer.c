/* Codes that older headers of Level Zero do not name, and newer drivers return: by their values. */
#include "syclze/result.h"
#include "tests/check.h"

static const struct {
  uint32_t value;
  const char *name;
  syclze_error_code errc;
} codes[] = {
    {0x70000006u, "ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET", SYCLZE_ERRC_RUNTIME},
    {0x70000007u, "ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE", SYCLZE_ERRC_RUNTIME},
    {0x7ff00001u, "ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX", SYCLZE_ERRC_INVALID},
    {0x7ff00002u, "ZE_RESULT_EXP_ERROR_VERTEX_IS_NOT_DEVICE", SYCLZE_ERRC_INVALID},
    {0x7ff00003u, "ZE_RESULT_EXP_ERROR_REMOTE_DEVICE", SYCLZE_ERRC_INVALID},
    {0x7ff00004u, "ZE_RESULT_EXP_ERROR_OPERANDS_INCOMPATIBLE", SYCLZE_ERRC_INVALID},
    {0x7ff00005u, "ZE_RESULT_EXP_RTAS_BUILD_RETRY", SYCLZE_ERRC_SUCCESS},
    {0x7ff00006u, "ZE_RESULT_EXP_RTAS_BUILD_DEFERRED", SYCLZE_ERRC_SUCCESS},
    {0x70020001u, "ZE_RESULT_WARNING_DROPPED_DATA", SYCLZE_ERRC_SUCCESS},
    {0x7800001bu, "ZE_RESULT_WARNING_ACTION_REQUIRED", SYCLZE_ERRC_SUCCESS},
    {0x7800001cu, "ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE", SYCLZE_ERRC_INVALID},
    {0x7800001du, "ZE_RESULT_EXT_RTAS_BUILD_RETRY", SYCLZE_ERRC_SUCCESS},
    {0x7800001eu, "ZE_RESULT_EXT_RTAS_BUILD_DEFERRED", SYCLZE_ERRC_SUCCESS},
    {0x7800001fu, "ZE_RESULT_EXT_ERROR_OPERANDS_INCOMPATIBLE", SYCLZE_ERRC_INVALID},
    {0x78000020u, "ZE_RESULT_ERROR_SURVIVABILITY_MODE_DETECTED", SYCLZE_ERRC_RUNTIME},
    {0x78000021u, "ZE_RESULT_ERROR_ADDRESS_NOT_FOUND", SYCLZE_ERRC_INVALID},
    {0x78000022u, "ZE_RESULT_QUERY_TRUE", SYCLZE_ERRC_SUCCESS},
    {0x78000023u, "ZE_RESULT_QUERY_FALSE", SYCLZE_ERRC_SUCCESS},
    {0x78000024u, "ZE_RESULT_ERROR_INVALID_GRAPH", SYCLZE_ERRC_INVALID},
    {0x78000025u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED", SYCLZE_ERRC_FEATURE_NOT_SUPPORTED},
    {0x78000026u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED", SYCLZE_ERRC_RUNTIME},
    {0x78000027u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT", SYCLZE_ERRC_RUNTIME},
    {0x78000028u, "ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING", SYCLZE_ERRC_RUNTIME},
    {0x78000029u, "ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS", SYCLZE_ERRC_RUNTIME},
    {0x7800002au, "ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT", SYCLZE_ERRC_RUNTIME},
};

TEST(codes_of_newer_drivers_have_names_and_classes) {
  for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
    CHECK_STR_EQ(syclze_result_string((ze_result_t)codes[i].value), codes[i].name);
    CHECK_EQ(syclze_errc((ze_result_t)codes[i].value), codes[i].errc);
  }
}

/* What is no failure is classed as success, so that a caller may test for that alone. */
TEST(warnings_and_query_results_are_not_errors) {
  static const uint32_t no_errors[] = {0x00000001u, 0x70020001u, 0x7800001bu, 0x78000022u,
      0x78000023u, 0x7800001du, 0x7800001eu, 0x7ff00005u, 0x7ff00006u};
  for (unsigned i = 0; i < sizeof no_errors / sizeof *no_errors; i++)
    CHECK_EQ(syclze_errc((ze_result_t)no_errors[i]), SYCLZE_ERRC_SUCCESS);
}

TEST_MAIN(codes_of_newer_drivers_have_names_and_classes, warnings_and_query_results_are_not_errors)
