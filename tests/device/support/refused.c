#include "refused.h"

#include "spy.h"

enum { DETAIL = 4096 };

static struct {
  unsigned count;
  syclze_diagnostic last;
  char detail[DETAIL];
  unsigned alive; /* before the call */
} seen;

static void notify(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  seen.count++;
  seen.last = *diagnostic;
  snprintf(seen.detail, sizeof seen.detail, "%s", diagnostic->detail ? diagnostic->detail : "");
}

void refused_begin(void) {
  static const syclze_diagnostic_handler handler = {notify, NULL};
  memset(&seen, 0, sizeof seen);
  seen.alive = spy_alive_in_all();
  spy_mark();
  syclze_diagnostic_set_handler(&handler);
}

void refused_check(ze_result_t code, const char *function, const char *text, const void *handle,
    const char *file, int line) {
  syclze_diagnostic_set_handler(NULL);
  if (seen.count != 1) check_fail(file, line, "%u diagnostics", seen.count);
  if (seen.last.result != code) check_fail(file, line, "reported 0x%x", (unsigned)seen.last.result);
  check_equal_strings(seen.last.function, function, file, line, "the diagnostic's function");
  if (strstr(seen.last.rule, text) == NULL) check_fail(file, line, "rule: %s", seen.last.rule);
  if (seen.last.handle != handle) check_fail(file, line, "reported another handle");
  if (spy_alive_in_all() != seen.alive || spy_destroys_of_marked() != 0)
    check_fail(file, line, "%u alive before and %u after, %u of them destroyed", seen.alive,
        spy_alive_in_all(), spy_destroys_of_marked());
}

bool refused_is_null(const void *object, size_t size) {
  static const char null[64];
  return size <= sizeof null && memcmp(object, null, size) == 0;
}

const char *refused_detail(void) {
  return seen.detail;
}

unsigned refused_count(void) {
  return seen.count;
}
