/**
 * @file
 * Results of DPC++'s fall-back of assert, on devices whose compiler has no assert.
 *
 * A kernel whose image imports __devicelib_assert_fail is linked with an image of the program's set
 * that exports it (DPC++'s libsycl-fallback-cassert.spv). The function stores the first failed
 * assertion, and the kernel continues. A kernel of the same image that runs behind and calls
 * __devicelib_assert_read copies it to shared memory, which is checked here:
 *
 *     syclze_assert_happened *happened = memory;
 *     char message[1024];
 *     ze_result_t failed = syclze_assert_check(happened, message, sizeof message);
 *
 * Not part of offload.h: a program that needs it includes it by name. Ownership: nothing is kept.
 * Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_ASSERT_H
#define SYCLZE_OFFLOAD_ASSERT_H

#include "../check.h"

SYCLZE_EXTERN_C_BEGIN

/** DPC++'s AssertHappened, as the device stores it: 704 bytes. */
typedef struct syclze_assert_happened {
  int32_t flag; /**< 0: none failed; 1: one is being stored; 2: one is stored */
  char expression[257];
  char file[257];
  char function[129];
  int32_t line;
  uint64_t global_id[3]; /**< of the work-item */
  uint64_t local_id[3];
} syclze_assert_happened;

/**
 * Checks for a failed assertion, which gives a diagnostic with the message of DPC++'s runtime:
 * "FILE:LINE: FUNCTION: global id: [X,Y,Z], local id: [X,Y,Z] Assertion `EXPRESSION` failed."
 *
 * @param[in] happened  stored by the device, whose work must be done; not null.
 * @param[out] message  of `size` bytes, gets the terminated message, cut off at its end; empty if
 * none failed; may be null.
 * @param[in] size  in bytes.
 * @return
 * - ZE_RESULT_SUCCESS: none failed
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `happened` is null
 * - SYCLZE_RESULT_ERROR_RUNTIME: one failed
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_assert_check(const syclze_assert_happened *happened, char *message,
    size_t size) SYCLZE_LINK_NAME(syclze_assert_check);

SYCLZE_EXTERN_C_END

#include "detail/assert.h"

#endif
