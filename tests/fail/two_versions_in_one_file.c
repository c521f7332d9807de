// expect: one source file includes two versions of the library
#include "syclze/syclze.h"

#ifndef SYCLZE_TEST_FIXED
#undef SYCLZE_VERSION_MINOR
#define SYCLZE_VERSION_MINOR 999
#endif

#include "syclze/version.h"
