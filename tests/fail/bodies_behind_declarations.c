// expect: syclze/implementation.h must be the first header of syclze in its file
// c++
// shows promises 72
#ifndef SYCLZE_TEST_FIXED
#include "syclze/event.h"
#endif
#include "syclze/implementation.h"
typedef int declaration;
