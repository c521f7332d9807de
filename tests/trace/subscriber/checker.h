/* What checker.cpp exports to the program that it watches. */
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

/* How often a type was told on a stream. */
typedef uint32_t (*checker_count_function)(int stream, int type);
/* The first thing that was wrong, or null; begins without ends are wrong. */
typedef const char *(*checker_wrong_function)(void);
/* The line of the last node of that name; 0 for none. */
typedef uint32_t (*checker_line_function)(const char *kernel_name);
/* How many notifications of a type had metadata of that key, of the right type and size; on
 * streams of calls, with type 0, how many calls of that name were told. */
typedef uint32_t (*checker_seen_function)(int stream, int type, const char *key);

#endif
