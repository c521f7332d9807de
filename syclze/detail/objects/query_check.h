/* The begin and end of objects' queries. */
#ifndef SYCLZE_DETAIL_OBJECTS_QUERY_CHECK_H
#define SYCLZE_DETAIL_OBJECTS_QUERY_CHECK_H

#include "../../device.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__check_query(const void *object, const void *result) {
  if (result == NULL) return syclze__null_pointer("the result's pointer is null");
  if (object == NULL) return syclze__null_handle("the object is null");
  return syclze__check_fork();
}

/* Returns the result of a driver's query, and reports a failed one. */
SYCLZE_LOCAL ze_result_t syclze__query_end(
    struct syclze__status status, const char *function, const struct syclze__device *device) {
  return syclze__finish(status, function, device != NULL ? device->native : NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
