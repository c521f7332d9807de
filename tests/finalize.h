/* Executable graphs of each kind, chosen by one number. */
#ifndef TESTS_FINALIZE_H
#define TESTS_FINALIZE_H

#include "syclze/command/graph_capture.h"

enum { FINALIZE_CAPTURED = 1 << 8 }; /* besides flags of syclze_graph_finalize */

static inline ze_result_t finalize_as(
    uint32_t kind, syclze_graph graph, syclze_executable_graph *executable) {
  if ((kind & FINALIZE_CAPTURED) == 0) return syclze_graph_finalize(graph, kind, executable);
  return syclze_graph_finalize_captured(graph, kind & ~(uint32_t)FINALIZE_CAPTURED, executable);
}

#endif
