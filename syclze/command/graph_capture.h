/**
 * @file
 * Graphs that the driver captures: drivers with ZE_extension_record_replay_graph run a graph of
 * their own in place of the closed command list. EXPERIMENTAL, and not part of graph.h: a program
 * that needs it includes it by name.
 *
 *     #include "syclze/command/graph_capture.h"
 *     static ze_result_t run(syclze_graph graph, syclze_queue queue) {
 *       syclze_executable_graph steps;
 *       ze_result_t result = syclze_graph_finalize_captured(graph, 0, &steps);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_queue_submit_graph(queue, steps, NULL);
 *       syclze_executable_graph_release(steps); // does not wait
 *       return result;
 *     }
 *
 * Ownership: as in graph.h. Threads: any.
 */
#ifndef SYCLZE_COMMAND_GRAPH_CAPTURE_H
#define SYCLZE_COMMAND_GRAPH_CAPTURE_H

#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Makes an executable graph as syclze_graph_finalize does, and has the driver capture its nodes one
 * after the other.
 *
 * A submission to an in-order queue of syclze_queue_create, without a priority or an index, is then
 * one zeCommandListAppendGraphExt. On other queues, with host tasks or native commands, and on
 * drivers and loaders without the extension, the graph is one of syclze_graph_finalize.
 *
 * @param[in] graph  Null is an error.
 * @param[in] flags  0 or SYCLZE_GRAPH_PROFILING.
 * @param[out] executable  With one reference, the caller's; set to null on failure.
 * @return as syclze_graph_finalize; and
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `flags` has other bits, such as SYCLZE_GRAPH_UPDATABLE.
 * - what zeGraphCreateExt, zeCommandListCreateImmediate, zeCommandListBeginCaptureIntoGraphExt,
 *   zeCommandListEndGraphCaptureExt or zeGraphInstantiateExt returns.
 * @see sycl_ext_oneapi_graph (command_graph::finalize); Level Zero's
 * ZE_extension_record_replay_graph
 */
SYCLZE_COLD ze_result_t syclze_graph_finalize_captured(syclze_graph graph, uint32_t flags,
    syclze_executable_graph *executable) SYCLZE_LINK_NAME(syclze_graph_finalize_captured);

SYCLZE_EXTERN_C_END

#include "detail/graph/capture.h"

#ifdef SYCLZE_CHECK
/* Its call sites. */
#define syclze_graph_finalize_captured(...)                                                        \
  (SYCLZE__HERE(syclze_graph_finalize_captured)(__VA_ARGS__))
#endif

/* Those of traces. */
#ifdef SYCLZE_CALL_SITE_H
#include "../detail/call_site_graph.h"
#endif

#endif
