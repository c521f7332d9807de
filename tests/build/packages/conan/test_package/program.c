#include <stdio.h>
#include "syclze/syclze.h"

int main(void) {
  uint32_t count = 0;
  syclze_platform_get(&count, NULL);
  printf("%d.%d.%d\n", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, SYCLZE_VERSION_PATCH);
  return 0;
}
