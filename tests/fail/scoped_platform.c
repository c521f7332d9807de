// expect-gcc: cleanup argument not a function
// expect-clang: syclze__platform_scope_end
#include "given.h"

void tried(void);
void tried(void) {
#ifdef SYCLZE_TEST_FIXED
  syclze_scoped(context) guarded = {0};
#else
  syclze_scoped(platform) guarded = {0};
#endif
  (void)guarded;
}
