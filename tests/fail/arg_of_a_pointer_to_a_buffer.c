// expect: argument_is_an_object_not_its_accessor
// c++
// shows promises 17
#include "argument.h"

ARGUMENT_MUST_NOT_BE(&buffer)
