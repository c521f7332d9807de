#include "sample.h"

#include "tests/check.h"

syclze_bytes sample_read(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s%s", strchr(name, '/') ? "" : "tests/offload/samples/", name);
  FILE *file = fopen(path, "rb");
  if (file == NULL) check_fail(__FILE__, __LINE__, "cannot open %s", path);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  const long size = ftell(file);
  CHECK(size > 0);
  rewind(file);
  void *data = malloc((size_t)size);
  CHECK(data != NULL);
  CHECK_EQ(fread(data, 1, (size_t)size, file), size);
  fclose(file);
  return syclze_bytes_of(data, (size_t)size);
}
