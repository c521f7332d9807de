/* DPC++'s property arrays, as its wrapper leaves them in a program's memory.

     struct properties_bytes leaves = properties_bytes_of(array, sizeof array);
     struct properties_property list[] = {properties_property("name", &leaves)};
     struct properties_set sets[] = {{"SYCL/specialization constants", list, list + 1}};
     image.property_sets_begin = sets;
     image.property_sets_end = sets + 1; */
#ifndef TESTS_OFFLOAD_PROPERTIES_H
#define TESTS_OFFLOAD_PROPERTIES_H

#include "syclze/offload/device_image.h"

struct properties_property {
  const char *name;
  const void *value;
  uint32_t type;
  uint64_t size;
};

struct properties_set {
  const char *name;
  const struct properties_property *begin, *end;
};

/* Aspects with the same number in all of DPC++. */
enum { ASPECT_CPU = 1, ASPECT_GPU = 2, ASPECT_FP64 = 6 };

enum { PROPERTIES_ROOM = 248 };

/* Bytes after their count of bits. */
struct properties_bytes {
  uint64_t bits;
  uint8_t bytes[PROPERTIES_ROOM];
};

struct properties_bytes properties_bytes_of(const void *bytes, size_t size);
struct properties_property properties_property(
    const char *name, const struct properties_bytes *value);
struct properties_property properties_number(const char *name, uint32_t number);

#endif
