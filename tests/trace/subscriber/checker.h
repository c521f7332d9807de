/* Exports of checker.cpp. */
#ifndef TESTS_TRACE_CHECKER_H
#define TESTS_TRACE_CHECKER_H

#include <stdint.h>

enum checker_stream {
  CHECKER_SYCL,
  CHECKER_BUFFER,
  CHECKER_IMAGE,
  CHECKER_MEM_ALLOC,
  CHECKER_UR,
  CHECKER_UR_DEBUG,
  CHECKER_ZE,
  CHECKER_ZE_DEBUG,
  CHECKER_STREAMS
};

/* Notifications of a type on a stream. */
typedef uint32_t (*checker_count_function)(int stream, int type);
/* The first error, or null; begins without ends are errors. */
typedef const char *(*checker_wrong_function)(void);
/* Line of the last node with the name; 0 for none. */
typedef uint32_t (*checker_line_function)(const char *kernel_name);
/* Notifications of a type that had metadata with the key, of the right type and size; on call
   streams, with type 0, the calls of that name. */
typedef uint32_t (*checker_seen_function)(int stream, int type, const char *key);
/* The 8 bytes of the last node's metadata with the key; UINT64_MAX for none. */
typedef uint64_t (*checker_value_function)(const char *key);

#endif
