#include "notes.h"

#include "fake.h"
#include "tests/check.h"

struct notes notes;

static void take_note(void *user, const syclze_diagnostic *diagnostic) {
  struct notes *n = (struct notes *)user;
  if (n->count++ != 0) return;
  n->first = *diagnostic;
  snprintf(n->detail, sizeof n->detail, "%s", diagnostic->detail ? diagnostic->detail : "");
}

void notes_begin(void) {
  static const syclze_diagnostic_handler handler = {take_note, &notes};
  syclze_diagnostic_set_handler(&handler);
  notes_start();
}

void notes_start(void) {
  memset(&notes, 0, sizeof notes);
  notes.destroys = fake_all_destroys();
}

void notes_check_refused(ze_result_t result, ze_result_t code, const char *function,
    const void *handle, int nothing_destroyed, const char *file, int line, const char *text) {
  if (result != code)
    check_fail(file, line, "%s: %s and not %s", text, syclze_result_string(result),
        syclze_result_string(code));
  else if (notes.count != 1)
    check_fail(file, line, "%s: %u diagnostics", text, notes.count);
  else if (notes.first.result != code)
    check_fail(file, line, "%s: the diagnostic's code is %s", text,
        syclze_result_string(notes.first.result));
  else if (notes.first.function == NULL || strcmp(notes.first.function, function) != 0)
    check_fail(file, line, "%s: the diagnostic's function is %s", text, notes.first.function);
  else if (notes.first.rule == NULL || notes.first.rule[0] == '\0')
    check_fail(file, line, "%s: the diagnostic names no rule", text);
  else if (notes.first.handle != handle)
    check_fail(file, line, "%s: the diagnostic's handle is %p and not %p", text, notes.first.handle,
        handle);
  else if (nothing_destroyed && notes.destroys != fake_all_destroys())
    check_fail(file, line, "%s: a handle was destroyed", text);
}

void notes_check_ok(ze_result_t result, const char *file, int line, const char *text) {
  if (result != ZE_RESULT_SUCCESS)
    check_fail(file, line, "%s: %s (%s)", text, syclze_result_string(result),
        notes.count ? notes.first.rule : "no diagnostic");
  else if (notes.count != 0)
    check_fail(file, line, "%s: a diagnostic: %s", text, notes.first.rule);
}
