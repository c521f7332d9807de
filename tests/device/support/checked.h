/* For programs on the debug checker: a device and a kept context, and the last diagnostic. Included by
   the test's one file, whose lines the checker reports. */
#ifndef TESTS_DEVICE_CHECKED_H
#define TESTS_DEVICE_CHECKED_H

#ifndef SYCLZE_CHECK
#error "the checker is enabled before the first include"
#endif
#include "given.h"
#include "syclze/syclze.h"
#include "tests/check.h"

static struct {
  unsigned count;
  ze_result_t result;
  char function[64], rule[256], detail[200];
  const void *handle;
} noted;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  noted.count++;
  noted.result = diagnostic->result;
  noted.handle = diagnostic->handle;
  snprintf(noted.function, sizeof noted.function, "%s", diagnostic->function);
  snprintf(noted.rule, sizeof noted.rule, "%s", diagnostic->rule);
  snprintf(noted.detail, sizeof noted.detail, "%s", diagnostic->detail ? diagnostic->detail : "");
}

static const syclze_diagnostic_handler handler = {note, NULL};

static struct given g;
static syclze_device device;
static syclze_context context;

static void begin(void) {
  g = given();
  memset(&noted, 0, sizeof noted);
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  syclze_context_input input = {g.context, &device, 1, SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
}

static void end(void) {
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  syclze_diagnostic_set_handler(NULL);
  given_end(&g);
}

#endif
