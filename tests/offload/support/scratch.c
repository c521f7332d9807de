#define _POSIX_C_SOURCE 200809L
#include "scratch.h"

#include "tests/check.h"

static char folder[64];

int scratch_run(const char *format, ...) {
  char command[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  return system(command);
}

void scratch_begin(const char *tool) {
  char reason[128];
  if (tool != NULL && scratch_run("command -v %s >/dev/null", tool) != 0) {
    snprintf(reason, sizeof reason, "%s is not installed", tool);
    SKIP(reason);
  }
  snprintf(folder, sizeof folder, "/tmp/syclze_test_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
}

void scratch_end(void) {
  scratch_run("rm -rf '%s'", folder);
}

const char *scratch_path(const char *name) {
  static char paths[32][128];
  static unsigned next;
  char *at = paths[next++ % 32];
  snprintf(at, sizeof *paths, "%s/%s", folder, name);
  return at;
}

void scratch_write(const char *name, syclze_bytes bytes) {
  FILE *file = fopen(scratch_path(name), "wb");
  CHECK(file != NULL);
  CHECK_EQ(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
  CHECK_EQ(fclose(file), 0);
}
