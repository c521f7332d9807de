/* Codes, their names and classes, and the diagnostic handler. */
#define _POSIX_C_SOURCE 200809L
#include "support/world.h"
#include "tests/check.h"

#include <unistd.h>

static const ze_result_t own[] = {SYCLZE_RESULT_ERROR_RUNTIME, SYCLZE_RESULT_ERROR_KERNEL,
    SYCLZE_RESULT_ERROR_ACCESSOR, SYCLZE_RESULT_ERROR_ND_RANGE, SYCLZE_RESULT_ERROR_EVENT,
    SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, SYCLZE_RESULT_ERROR_BUILD, SYCLZE_RESULT_ERROR_INVALID,
    SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION, SYCLZE_RESULT_ERROR_PLATFORM,
    SYCLZE_RESULT_ERROR_PROFILING, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
    SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED, SYCLZE_RESULT_ERROR_BACKEND_MISMATCH};

TEST(syclze_codes_are_distinct_and_map_to_their_class) {
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
    CHECK_EQ(syclze_errc(own[i]), i + 1);
    const char *name = syclze_result_string(own[i]);
    CHECK(strncmp(name, "SYCLZE_RESULT_ERROR_", 20) == 0);
    for (unsigned j = 0; j < i; j++) {
      CHECK(own[i] != own[j]);
      CHECK(strcmp(name, syclze_result_string(own[j])) != 0);
    }
  }
  CHECK_EQ(syclze_errc(own[13]), SYCLZE_ERRC_BACKEND_MISMATCH);
}

/* The enumerators of the header that the tests are compiled with. */
#define NAMED(code, errc)                                                                          \
  { code, #code, SYCLZE_ERRC_##errc }
static const struct {
  ze_result_t code;
  const char *name;
  syclze_error_code errc;
} codes[] = {
    NAMED(ZE_RESULT_SUCCESS, SUCCESS),
    NAMED(ZE_RESULT_NOT_READY, SUCCESS),
    NAMED(ZE_RESULT_ERROR_DEVICE_LOST, RUNTIME),
    NAMED(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, MEMORY_ALLOCATION),
    NAMED(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, MEMORY_ALLOCATION),
    NAMED(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, BUILD),
    NAMED(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, BUILD),
    NAMED(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, RUNTIME),
    NAMED(ZE_RESULT_ERROR_NOT_AVAILABLE, RUNTIME),
    NAMED(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, PLATFORM),
    NAMED(ZE_RESULT_ERROR_UNINITIALIZED, PLATFORM),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_INVALID_ARGUMENT, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, INVALID),
    NAMED(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_NULL_POINTER, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_SIZE, INVALID),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, EVENT),
    NAMED(ZE_RESULT_ERROR_INVALID_ENUMERATION, INVALID),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, FEATURE_NOT_SUPPORTED),
    NAMED(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, BUILD),
    NAMED(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, ND_RANGE),
    NAMED(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, ND_RANGE),
    NAMED(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, KERNEL_ARGUMENT),
    NAMED(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, KERNEL_ARGUMENT),
    NAMED(ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, INVALID),
    NAMED(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, INVALID),
    NAMED(ZE_RESULT_ERROR_OVERLAPPING_REGIONS, INVALID),
    NAMED(ZE_RESULT_ERROR_UNKNOWN, RUNTIME),
};

TEST(level_zero_codes_have_names) {
  for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
    CHECK_STR_EQ(syclze_result_string(codes[i].code), codes[i].name);
    CHECK_EQ(syclze_errc(codes[i].code), codes[i].errc);
  }
}

TEST(unknown_codes_map_to_runtime_errors) {
  ze_result_t unknown = (ze_result_t)0x7abcdef0;
  CHECK_EQ(syclze_errc(unknown), SYCLZE_ERRC_RUNTIME);
  CHECK(strstr(syclze_result_string(unknown), "unknown") != NULL);
}

static unsigned notified;
static void on_diagnostic(void *user, const syclze_diagnostic *diagnostic) {
  CHECK_EQ(user, &notified);
  CHECK_EQ(diagnostic->result, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(diagnostic->detail, NULL);
  notified++;
}

TEST(a_new_handler_replaces_the_previous_one) {
  fake_begin();
  const syclze_diagnostic_handler mine = {on_diagnostic, &notified};
  const syclze_diagnostic_handler *before = syclze_diagnostic_set_handler(&mine);
  CHECK(before != NULL);
  notified = 0;
  notes_start();
  CHECK_EQ(syclze_platform_get(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(notified, 1);
  CHECK_EQ(notes.count, 0);
  CHECK_EQ(syclze_diagnostic_set_handler(NULL), &mine);
  CHECK_EQ(syclze_platform_get(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(notified, 1);
  CHECK_EQ(syclze_diagnostic_set_handler(before), NULL);
  CHECK_REFUSED(syclze_platform_get(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_platform_get", NULL);
  fake_end();
}

/* The text of a refused call in a file named by SYCLZE_DIAGNOSTICS. */
static void check_printed(const char *where, const char *text) {
  char name[] = "/tmp/syclze_diagnosticsXXXXXX", printed[512] = "";
  const int descriptor = mkstemp(name);
  CHECK(descriptor >= 0);
  close(descriptor);
  setenv("SYCLZE_DIAGNOSTICS", where != NULL ? where : name, 1);
  CHECK_EQ(syclze_platform_get(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  unsetenv("SYCLZE_DIAGNOSTICS");
  FILE *file = fopen(name, "r");
  CHECK(file != NULL);
  (void)!fread(printed, 1, sizeof printed - 1, file);
  fclose(file);
  CHECK_STR_EQ(printed, text);
  unlink(name);
}

TEST(the_environment_names_a_file_for_diagnostics) { // shows promises 50
  static const char *const line = "syclze: syclze_platform_get: the count's pointer is null "
                                  "(result 0x78000007)\n";
  fake_begin();
  notes_start();
  check_printed(NULL, line);
  CHECK_EQ(notes.count, 1);
  const syclze_diagnostic_handler *before = syclze_diagnostic_set_handler(NULL);
  check_printed(NULL, line);
  check_printed("off", "");
  check_printed("", "");
  syclze_diagnostic_set_handler(before);
  fake_end();
}

TEST_MAIN(the_environment_names_a_file_for_diagnostics,
    syclze_codes_are_distinct_and_map_to_their_class, level_zero_codes_have_names,
    unknown_codes_map_to_runtime_errors, a_new_handler_replaces_the_previous_one)
