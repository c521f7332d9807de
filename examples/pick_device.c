/* Which device? The one that ONEAPI_DEVICE_SELECTOR or SYCL_DEVICE_FILTER selects, or a selector
   or filter string of the program. A malformed text is refused, and the diagnostic gives the
   column. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include "common.h"
#include "syclze/syclze.h"

#include <string.h>

static void show(void *user, const syclze_diagnostic *diagnostic) {
  *(bool *)user = true;
  printf("%s: %s\n", diagnostic->function, diagnostic->rule);
  if (diagnostic->detail != NULL) puts(diagnostic->detail);
}

static uint32_t selected(void) {
  uint32_t count = 0;
  TRY(syclze_device_get_selected(&count, NULL));
  return count;
}

int main(void) {
  uint32_t all = selected(), count = 0;
  printf("the environment leaves %u devices\n", (unsigned)all);

  setenv("ONEAPI_DEVICE_SELECTOR", "*:*", 1);
  all = selected();
  CLAIM(all > 0);
  setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:0", 1);
  CLAIM(selected() == 1);
  setenv("ONEAPI_DEVICE_SELECTOR", "!level_zero:0", 1);
  CLAIM(selected() == all - 1);
  setenv("ONEAPI_DEVICE_SELECTOR", "opencl:*", 1);
  CLAIM(selected() == 0);
  puts("ONEAPI_DEVICE_SELECTOR names devices, and discards them");

  unsetenv("ONEAPI_DEVICE_SELECTOR");
  setenv("SYCL_DEVICE_FILTER", "level_zero:0", 1);
  CLAIM(selected() == 1);
  puts("SYCL_DEVICE_FILTER applies where ONEAPI_DEVICE_SELECTOR is not set");

  syclze_device first, found;
  count = 1;
  TRY(syclze_device_select("level_zero:0", &count, &first));
  TRY(syclze_device_find("level_zero:0", &found));
  CLAIM(count == 1 && found.rep == first.rep);
  CLAIM(strcmp(syclze_device_get_backend_version(found), "") == 0);
  puts("a selector and a filter string of the program's own name the same device");

  bool reported = false;
  const syclze_diagnostic_handler handler = {.notify = show, .user = &reported};
  syclze_diagnostic_set_handler(&handler);
  count = 0;
  CLAIM(syclze_device_select("level_zero:gpu,,0", &count, NULL) == SYCLZE_RESULT_ERROR_INVALID);
  CLAIM(reported);
  CLAIM(syclze_device_find("cuda:0", &found) == SYCLZE_RESULT_ERROR_RUNTIME);
  syclze_diagnostic_set_handler(NULL);
  return 0;
}
