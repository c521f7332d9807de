/* The environment selects the form of today's runtimes for a program without current.h. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/xpti.h"

static int refusals;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  refusals += diagnostic->result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED &&
              strcmp(diagnostic->function, "SYCLZE_TRACE_FORM") == 0;
}

TEST(the_form_of_todays_runtimes_needs_its_header) { // shows promises 62
  static const syclze_diagnostic_handler notes = {note, NULL};
  given_needs_execution();
  setenv("SYCLZE_TRACE_FORM", "current", 1);
  setenv("CHECKER_FORM", "specified", 1);
  const struct checker c = traced_subscribe("framework_2025.so");
  syclze_diagnostic_set_handler(&notes);
  struct traced t = traced_begin();
  traced_end(&t);
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(refusals, 1);
  CHECK_STR_EQ(c.wrong(), NULL);
  CHECK(c.count(CHECKER_UR, 24) >= 1);
}

TEST_MAIN(the_form_of_todays_runtimes_needs_its_header)
