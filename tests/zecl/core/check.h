/* Checks of arguments: each macro returns from the function when its condition fails. */
#ifndef ZECL_CORE_CHECK_H
#define ZECL_CORE_CHECK_H

#include "core/object.h"

#define ZECL_REQUIRE(condition, code)                                                              \
  do {                                                                                             \
    if (!(condition)) return (code);                                                               \
  } while (0)

/* INVALID_NULL_HANDLE for null, INVALID_ARGUMENT for a handle of another kind or a destroyed one.
 */
#define ZECL_CHECK_HANDLE(handle, wanted)                                                          \
  do {                                                                                             \
    const ze_result_t zecl_checked = zecl_object_check((handle), (wanted));                        \
    if (zecl_checked != ZE_RESULT_SUCCESS) return zecl_checked;                                    \
  } while (0)

#define ZECL_CHECK_POINTER(pointer)                                                                \
  ZECL_REQUIRE((pointer) != NULL, ZE_RESULT_ERROR_INVALID_NULL_POINTER)

/* The protocol of queries that return a list: *count is the capacity on entry and the number of
 * entries on return, which is `there` when it was zero. Returns how many to write. */
static inline uint32_t zecl_count_out(uint32_t *count, uint32_t there) {
  const uint32_t room = *count;
  if (room == 0 || room > there) *count = there;
  return room < there ? room : there;
}

/* Returns from the function with any code but success. */
#define ZECL_TRY(expression)                                                                       \
  do {                                                                                             \
    const ze_result_t zecl_tried = (expression);                                                   \
    if (zecl_tried != ZE_RESULT_SUCCESS) return zecl_tried;                                        \
  } while (0)

#endif
