#include "spirv/alias.h"

#include "spirv/words.h"

#include <string.h>

enum {
  OP_COPY_MEMORY = 63,
  OP_COPY_MEMORY_SIZED = 64,
  OP_DECORATE_ID = 332,
  CAPABILITY_ALIASING = 5910,
  OP_DOMAIN = 5911,
  OP_SCOPE_LIST = 5913,
  DECORATION_SCOPE = 5914,
  DECORATION_NO_ALIAS = 5915,
  ACCESS_SCOPE = 0x10000,
  ACCESS_NO_ALIAS = 0x20000
};

static const char extension[] = "SPV_INTEL_memory_access_aliasing";

bool zecl_spirv_is_aliasing(const uint32_t *w) {
  const uint32_t opcode = SPIRV_OPCODE(w[0]), length = SPIRV_LENGTH(w[0]);
  switch (opcode) {
  case SPIRV_OP_CAPABILITY:
    return w[1] == CAPABILITY_ALIASING;
  case SPIRV_OP_EXTENSION:
    return length * sizeof *w >= sizeof extension + sizeof *w &&
           memcmp(w + 1, extension, sizeof extension) == 0;
  case SPIRV_OP_DECORATE:
  case OP_DECORATE_ID:
    return length > 2 && (w[2] == DECORATION_SCOPE || w[2] == DECORATION_NO_ALIAS);
  }
  return opcode >= OP_DOMAIN && opcode <= OP_SCOPE_LIST;
}

/* The word with the bits of an access; 0: no access. */
static uint32_t mask_of(uint32_t opcode) {
  switch (opcode) {
  case SPIRV_OP_LOAD:
  case OP_COPY_MEMORY_SIZED:
    return 4;
  case SPIRV_OP_STORE:
  case OP_COPY_MEMORY:
    return 3;
  }
  return 0;
}

uint32_t zecl_spirv_without_aliasing(const uint32_t *w, uint32_t plain[16]) {
  const uint32_t length = SPIRV_LENGTH(w[0]), at = mask_of(SPIRV_OPCODE(w[0]));
  if (at == 0 || length <= at || length > 16) return length;
  const uint32_t both = w[at] & (ACCESS_SCOPE | ACCESS_NO_ALIAS);
  if (both == 0) return length;
  /* Their operands are the last, since their bits are the highest. */
  uint32_t kept = length - (both == ACCESS_SCOPE || both == ACCESS_NO_ALIAS ? 1 : 2);
  if (kept <= at) return length;
  memcpy(plain, w, kept * sizeof *w);
  plain[at] &= ~both;
  if (plain[at] == 0) kept = at;
  plain[0] = kept << 16 | SPIRV_OPCODE(w[0]);
  return kept;
}
