// expect: the file with the bodies must include syclze/implementation.h
// c++
// shows promises 72
#ifdef SYCLZE_TEST_FIXED
#include "syclze/implementation.h"
#else
#define SYCLZE_IMPLEMENTATION
#include "syclze/syclze.h"
#endif
typedef int declaration;
