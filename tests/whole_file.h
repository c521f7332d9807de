/* Files that are read whole: what a program records while it waits has no known length. */
#ifndef TESTS_WHOLE_FILE_H
#define TESTS_WHOLE_FILE_H

#include "check.h"

/* The file's text, zero-terminated. The caller frees it. */
static inline char *whole_file(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  CHECK(size >= 0);
  char *text = (char *)malloc((size_t)size + 1);
  CHECK(text != NULL);
  text[fread(text, 1, (size_t)size, file)] = 0;
  fclose(file);
  return text;
}

#endif
