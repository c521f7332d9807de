// expect: argument_is_an_object_not_its_accessor
// c++
// shows promises 17
#include "syclze/command/graph.h"

#include "argument.h"

ARGUMENT_MUST_NOT_BE_A(syclze_graph)
