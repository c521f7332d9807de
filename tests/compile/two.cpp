/* The C++ half of two.c. */
#include HEADER

extern "C" {
const void *state_in_cpp(void);
ze_result_t (*function_in_cpp(void))(uint32_t *, syclze_platform *);
}

const void *state_in_cpp(void) {
  return &SYCLZE__STATE;
}

ze_result_t (*function_in_cpp(void))(uint32_t *, syclze_platform *) {
  return syclze_platform_get;
}
