/* Whole files for tests of the offload wing. */
#ifndef TESTS_OFFLOAD_SAMPLE_H
#define TESTS_OFFLOAD_SAMPLE_H

#include "syclze/offload/device_image.h"

/* A file of tests/offload/samples, or any file by a path with a slash, in an allocation of exactly
   its size. The file must exist. The caller frees the data. */
syclze_bytes sample_read(const char *name);

#endif
