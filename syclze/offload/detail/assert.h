/* Bodies of assert.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ASSERT_H
#define SYCLZE_OFFLOAD_DETAIL_ASSERT_H

#include "../assert.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The device's texts are terminated unless something wrote over them. */
SYCLZE_COLD ze_result_t syclze_assert_check(
    const syclze_assert_happened *happened, char *message, size_t size) {
  char text[1024];
  if (message != NULL && size != 0) message[0] = '\0';
  if (happened == NULL)
    return syclze__fail_pointer("syclze_assert_check", "the stored assertion's pointer is null");
  if (happened->flag == 0) return ZE_RESULT_SUCCESS;
  unsigned long long ids[6];
  for (int i = 0; i < 3; i++) {
    ids[i] = happened->global_id[i];
    ids[3 + i] = happened->local_id[i];
  }
  snprintf(text, sizeof text,
      "%.256s:%d: %.128s: global id: [%llu,%llu,%llu], local id: [%llu,%llu,%llu] "
      "Assertion `%.256s` failed.",
      happened->file, (int)happened->line, happened->function, ids[0], ids[1], ids[2], ids[3],
      ids[4], ids[5], happened->expression);
  if (message != NULL && size != 0) snprintf(message, size, "%s", text);
  return syclze__fail_detail(SYCLZE_RESULT_ERROR_RUNTIME, "syclze_assert_check",
      "an assertion of device code failed", NULL, text);
}

#endif

SYCLZE_EXTERN_C_END

#endif
