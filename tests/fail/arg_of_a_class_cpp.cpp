// expect: argument_is_not_trivially_copyable
// shows promises 21
#include "argument.h"

#include <string>

#ifdef SYCLZE_TEST_FIXED
#define VALUE text.size()
#else
#define VALUE text
#endif

syclze_argument argument(const std::string &text);
syclze_argument argument(const std::string &text) {
  return syclze_arg(VALUE);
}
