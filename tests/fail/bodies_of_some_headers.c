// expect: the file with the bodies must include syclze/implementation.h
// c++
#ifdef SYCLZE_TEST_FIXED
#include "syclze/implementation.h"
#else
#define SYCLZE_IMPLEMENTATION
#include "syclze/syclze.h"
#endif
typedef int declaration;
