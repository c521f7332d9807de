#include "properties.h"

#include "tests/check.h"

struct properties_bytes properties_bytes_of(const void *bytes, size_t size) {
  struct properties_bytes value = {8 * (uint64_t)size, {0}};
  CHECK(size <= sizeof value.bytes);
  memcpy(value.bytes, bytes, size);
  return value;
}

struct properties_property properties_property(
    const char *name, const struct properties_bytes *value) {
  const struct properties_property property = {name, value, 2, 8 + value->bits / 8};
  return property;
}

struct properties_property properties_number(const char *name, uint32_t number) {
  const struct properties_property property = {name, NULL, 1, number};
  return property;
}
