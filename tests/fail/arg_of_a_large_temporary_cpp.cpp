// expect: argument_is_a_temporary
// shows promises 21
#include "argument.h"

struct large {
  double of[3];
};

#ifdef SYCLZE_TEST_FIXED
#define LARGE value
#else
#define LARGE large()
#endif

syclze_argument argument(const large &value);
syclze_argument argument(const large &value) {
  (void)value;
  return syclze_arg(LARGE);
}
