/* Diagnostics of a file that is compiled with the checker: printed where the program has no
   handler. */
#undef SYCLZE_DECLARATIONS
#define _POSIX_C_SOURCE 200809L
#define SYCLZE_CHECK
#include "syclze/syclze.h"
#include "tests/check.h"

#include <unistd.h>

static unsigned notified;

static void on_diagnostic(void *user, const syclze_diagnostic *diagnostic) {
  (void)user, (void)diagnostic;
  notified++;
}

/* The text of a refused call on stderr. */
static void check_printed(const char *text) {
  char printed[512];
  FILE *errors = tmpfile();
  const int before = dup(STDERR_FILENO);
  CHECK(errors != NULL && before >= 0);
  fflush(stderr);
  dup2(fileno(errors), STDERR_FILENO);
  const ze_result_t result = syclze_platform_get(NULL, NULL);
  dup2(before, STDERR_FILENO);
  close(before);
  rewind(errors);
  printed[fread(printed, 1, sizeof printed - 1, errors)] = '\0';
  fclose(errors);
  CHECK_EQ(result, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_STR_EQ(printed, text);
}

TEST(without_a_handler_diagnostics_are_lines_on_stderr) { // shows promises 50
  unsetenv("SYCLZE_DIAGNOSTICS");
  syclze_diagnostic_set_handler(NULL);
  check_printed("syclze: syclze_platform_get: the count's pointer is null (result 0x78000007)\n");
}

TEST(a_handler_replaces_the_lines) { // shows promises 50
  static const syclze_diagnostic_handler handler = {on_diagnostic, NULL};
  unsetenv("SYCLZE_DIAGNOSTICS");
  syclze_diagnostic_set_handler(&handler);
  check_printed("");
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(notified, 1);
}

TEST(the_environment_turns_the_lines_off) {
  setenv("SYCLZE_DIAGNOSTICS", "off", 1);
  check_printed("");
  unsetenv("SYCLZE_DIAGNOSTICS");
}

TEST_MAIN(without_a_handler_diagnostics_are_lines_on_stderr, a_handler_replaces_the_lines,
    the_environment_turns_the_lines_off)
