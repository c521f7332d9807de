#include "spirv/grammar.h"

#include "spirv/words.h"

uint32_t zecl_spirv_result_word(uint32_t opcode) {
  if (SPIRV_IS_TYPE(opcode)) return 1;
  switch (opcode) {
  case SPIRV_OP_UNDEF:
  case SPIRV_OP_CONSTANT_TRUE:
  case SPIRV_OP_CONSTANT_FALSE:
  case SPIRV_OP_CONSTANT:
  case SPIRV_OP_CONSTANT_COMPOSITE:
  case SPIRV_OP_CONSTANT_SAMPLER:
  case SPIRV_OP_CONSTANT_NULL:
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
  case SPIRV_OP_SPEC_CONSTANT:
  case SPIRV_OP_SPEC_CONSTANT_COMPOSITE:
  case SPIRV_OP_SPEC_CONSTANT_OP:
  case SPIRV_OP_CONSTANT_FUNCTION_POINTER:
  case SPIRV_OP_FUNCTION:
  case SPIRV_OP_FUNCTION_PARAMETER:
  case SPIRV_OP_VARIABLE:
    return 2;
  }
  return 0;
}

uint32_t zecl_spirv_least_length(uint32_t opcode) {
  switch (opcode) {
  case SPIRV_OP_CAPABILITY:
  case SPIRV_OP_TYPE_VOID:
  case SPIRV_OP_TYPE_BOOL:
  case SPIRV_OP_TYPE_STRUCT:
  case SPIRV_OP_GROUP_DECORATE:
    return 2;
  case SPIRV_OP_MEMORY_MODEL:
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
  case SPIRV_OP_DECORATE:
  case SPIRV_OP_EXECUTION_MODE:
  case SPIRV_OP_EXECUTION_MODE_ID:
  case SPIRV_OP_UNDEF:
  case SPIRV_OP_CONSTANT_TRUE:
  case SPIRV_OP_CONSTANT_FALSE:
  case SPIRV_OP_CONSTANT_COMPOSITE:
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
  case SPIRV_OP_SPEC_CONSTANT_COMPOSITE:
  case SPIRV_OP_CONSTANT_NULL:
  case SPIRV_OP_TYPE_FUNCTION:
  case SPIRV_OP_FUNCTION_PARAMETER:
    return 3;
  case SPIRV_OP_ENTRY_POINT:
  case SPIRV_OP_TYPE_VECTOR:
  case SPIRV_OP_TYPE_ARRAY:
  case SPIRV_OP_TYPE_POINTER:
  case SPIRV_OP_CONSTANT:
  case SPIRV_OP_SPEC_CONSTANT:
  case SPIRV_OP_SPEC_CONSTANT_OP:
  case SPIRV_OP_VARIABLE:
  case SPIRV_OP_LOAD:
  case SPIRV_OP_FUNCTION_CALL:
  case SPIRV_OP_CONTROL_BARRIER:
  case SPIRV_OP_CONSTANT_FUNCTION_POINTER:
  case SPIRV_OP_FUNCTION_POINTER_CALL:
    return 4;
  case SPIRV_OP_FUNCTION:
  case SPIRV_OP_GROUP_ALL:
  case SPIRV_OP_GROUP_ANY:
    return 5;
  case SPIRV_OP_CONSTANT_SAMPLER:
    return 6;
  case SPIRV_OP_TYPE_IMAGE:
    return 9;
  }
  if ((opcode >= SPIRV_OP_GROUP_BROADCAST && opcode <= SPIRV_OP_GROUP_S_MAX) ||
      (opcode >= SPIRV_OP_GROUP_I_MUL && opcode <= SPIRV_OP_GROUP_XOR))
    return 6;
  return opcode >= SPIRV_OP_TYPE_BOOL && opcode <= SPIRV_OP_TYPE_FORWARD_POINTER ? 2 : 1;
}

bool zecl_spirv_is_of_function(uint32_t opcode) {
  switch (opcode) {
  case SPIRV_OP_FUNCTION_PARAMETER:
  case SPIRV_OP_FUNCTION_END:
  case SPIRV_OP_FUNCTION_CALL:
  case SPIRV_OP_LOAD:
  case SPIRV_OP_STORE:
  case SPIRV_OP_IMAGE_SAMPLE_EXPLICIT_LOD:
  case SPIRV_OP_IMAGE_WRITE:
  case SPIRV_OP_CONTROL_BARRIER:
  case SPIRV_OP_ATOMIC_FLAG_TEST_AND_SET:
  case SPIRV_OP_ATOMIC_FLAG_CLEAR:
  case SPIRV_OP_FUNCTION_POINTER_CALL:
    return true;
  }
  return opcode >= SPIRV_OP_ATOMIC_LOAD && opcode <= SPIRV_OP_ATOMIC_XOR;
}

bool zecl_spirv_is_of_module(uint32_t opcode, const uint32_t *w) {
  switch (opcode) {
  case SPIRV_OP_CAPABILITY:
  case SPIRV_OP_MEMORY_MODEL:
  case SPIRV_OP_ENTRY_POINT:
  case SPIRV_OP_EXECUTION_MODE:
  case SPIRV_OP_EXECUTION_MODE_ID:
  case SPIRV_OP_CONSTANT_FUNCTION_POINTER:
    return true;
  case SPIRV_OP_VARIABLE:
    return w[3] != SPIRV_STORAGE_FUNCTION;
  }
  return (opcode >= SPIRV_OP_TYPE_VOID && opcode <= SPIRV_OP_SPEC_CONSTANT_OP) ||
         (opcode >= SPIRV_OP_DECORATE && opcode <= SPIRV_OP_GROUP_MEMBER_DECORATE);
}
