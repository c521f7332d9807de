/* The C half of a program whose other half is C++: one image has one state, and with one
   implementation one copy of each function that is not inline. */
#include HEADER
#include <stdio.h>

const void *state_in_cpp(void);
ze_result_t (*function_in_cpp(void))(uint32_t *, syclze_platform *);

int main(void) {
  if (state_in_cpp() != (const void *)&SYCLZE__STATE) {
    puts("the two states differ");
    return 1;
  }
#ifdef SYCLZE_DECLARATIONS
  if (function_in_cpp() != syclze_platform_get) {
    puts("the two functions differ");
    return 1;
  }
#else
  (void)function_in_cpp;
#endif
  return 0;
}
