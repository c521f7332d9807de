#include "engine/build_flags.h"

#include <stdbool.h>
#include <string.h>

/* Flags without a meaning for OpenCL, each also with =value, and a family of Intel's. */
static const char *const hints[] = {"-ze-opt-level", "-ze-opt-greater-than-4GB-buffer-required",
    "-ze-opt-large-register-file", "-ze-opt-has-buffer-offset-arg", "-ze-take-global-address",
    "-ze-exp-register-file-size", "-library-compilation", "-O1", "-O2", "-O3"};
static const char intel_hint[] = "-ze-intel-";

struct flag {
  const char *text;
  size_t length;
};

static bool is(struct flag flag, const char *name) {
  return strlen(name) == flag.length && memcmp(flag.text, name, flag.length) == 0;
}

static bool begins(struct flag flag, const char *name) {
  const size_t length = strlen(name);
  return flag.length >= length && memcmp(flag.text, name, length) == 0;
}

/* The next flag at `*from`; empty at the end. A comma separates only before another flag. */
static struct flag next(const char **from) {
  const char *start = *from + strspn(*from, " \t\n,");
  const char *end = start;
  while (*end && !strchr(" \t\n", *end) && !(*end == ',' && strchr("- \t\n", end[1])))
    end++;
  *from = end;
  return (struct flag){start, (size_t)(end - start)};
}

static bool is_hint(struct flag flag) {
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
    const size_t length = strlen(hints[i]);
    if (begins(flag, hints[i]) && (flag.length == length || flag.text[length] == '=')) return true;
  }
  return begins(flag, intel_hint);
}

static bool turns_off_optimisation(struct flag flag) {
  return is(flag, "-ze-opt-disable") || is(flag, "-ze-opt-level=0") ||
         is(flag, "-ze-opt-level=O0") || is(flag, "-O0");
}

void zecl_build_flags(const char *flags, struct zecl_text *options, struct zecl_text *log) {
  struct flag flag;
  while (flags && (flag = next(&flags)).length) {
    bool disables = turns_off_optimisation(flag);
    if (is(flag, "-ze-opt-level")) disables = is(next(&flags), "0");
    if (disables)
      zecl_text_add(options, " -cl-opt-disable");
    else if (begins(flag, "-ze-") && !is_hint(flag))
      zecl_text_add(
          log, "warning: unknown build flag is ignored: %.*s\n", (int)flag.length, flag.text);
    else if (!is_hint(flag))
      zecl_text_add(options, " %.*s", (int)flag.length, flag.text);
  }
}
