// expect: argument_is_an_object_not_its_accessor
// c++
#include "syclze/async_memory.h"

#include "argument.h"

ARGUMENT_MUST_NOT_BE_A(syclze_memory_pool)
