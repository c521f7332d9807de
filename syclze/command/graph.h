/**
 * @file
 * Graphs: command groups that are recorded once and submitted many times. EXPERIMENTAL.
 *
 *     #include "syclze/command/graph.h"
 *     static ze_result_t repeat(syclze_queue queue, syclze_kernel step, uint32_t times) {
 *       const syclze_nd_range range = {.global = {1024}};
 *       syclze_graph graph;
 *       syclze_executable_graph steps;
 *       ze_result_t result = syclze_graph_create(
 *           syclze_queue_get_context(queue), syclze_queue_get_device(queue), &graph);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_graph_begin_recording(graph, queue);
 *       if (result == ZE_RESULT_SUCCESS) {
 *         syclze_group group = syclze_group_begin(queue);
 *         result = syclze_group_launch(&group, step, &range, NULL, 0, NULL); // recorded
 *       }
 *       if (result == ZE_RESULT_SUCCESS) result = syclze_graph_end_recording(graph, queue);
 *       if (result == ZE_RESULT_SUCCESS) result = syclze_graph_finalize(graph, 0, &steps);
 *       syclze_graph_release(graph); // ends the recording after an error
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       for (uint32_t i = 0; i < times && result == ZE_RESULT_SUCCESS; i++)
 *         result = syclze_queue_submit_graph(queue, steps, NULL);
 *       syclze_executable_graph_release(steps); // does not wait
 *       return result;
 *     }
 *
 * A queue that records executes nothing: each submission becomes a node of the graph. Nodes depend
 * on each other as the command groups would: by the order of an in-order queue, by accessors, by
 * the events of recorded groups, and by barriers, which belong to the queue that they were
 * submitted to. Several queues may record to one graph. syclze_graph_finalize makes an executable
 * graph of the nodes so far: a closed command list. More nodes may be recorded afterwards, and the
 * graph finalized again.
 *
 * An executable graph is submitted as one command group, in any order and to any queue of the
 * graph's context and device. It accesses what its nodes access: it waits for other work on these
 * memory objects, and other work for it. It also waits for its own last submission, since only one
 * runs at a time.
 *
 * Host tasks may be recorded. A graph with host tasks is submitted as one host task: a thread of
 * the library executes the command lists between them, waits for each on the host, and calls the
 * functions. syclze_graph_finalize calls the function of a native command, with the command list as
 * its native queue and no wait list: what it appends is part of the graph.
 *
 * The event of a submission has the times of the run if the graph was finalized with
 * SYCLZE_GRAPH_PROFILING, or the run is a host task. Otherwise only the time of the submission is
 * known.
 *
 * A graph may be a node of another: an executable one by submission to a recording queue, one under
 * construction by syclze_group_record_graph.
 *
 * command/graph_update.h updates arguments and ranges of an executable graph, command/graph_nodes.h
 * has nodes and edges, and command/graph_capture.h graphs that the driver captures.
 *
 * Submissions that cannot be recorded are errors, and change nothing: see
 * syclze_graph_begin_recording.
 *
 * Ownership: nodes keep their kernels and memory objects until the graph and all of its executable
 * graphs are released. The native handle of a kept memory object or kernel must live as long. An
 * executable graph that is released while it runs ends after the run. A graph keeps its context,
 * but no queue.
 *
 * Threads: any thread may call any function for any object. While a recording begins or ends, it is
 * unspecified which groups of other threads are recorded.
 */
#ifndef SYCLZE_COMMAND_GRAPH_H
#define SYCLZE_COMMAND_GRAPH_H

#include "../command.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__graph;
struct syclze__executable;

/** A graph under construction, SYCL's modifiable command_graph. */
typedef struct syclze_graph {
  struct syclze__graph *rep;
} syclze_graph;

/** A graph that can be submitted, SYCL's executable command_graph. */
typedef struct syclze_executable_graph {
  struct syclze__executable *rep;
} syclze_executable_graph;

/** Flags of syclze_graph_finalize. */
typedef enum syclze_graph_flags {
  /** Arguments and ranges may be updated: command/graph_update.h. */
  SYCLZE_GRAPH_UPDATABLE = 1 << 0,
  /** Events of its submissions to queues with enable_profiling have times: from the begin of the
   * first node to the end of the last one. Each such submission appends one more barrier. */
  SYCLZE_GRAPH_PROFILING = 1 << 1
} syclze_graph_flags;

/**
 * Creates an empty graph.
 *
 * @param[in] context  Null is an error. The graph keeps it.
 * @param[in] device  Of the context. Null is an error.
 * @param[out] graph  With one reference, the caller's; set to null on failure.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `graph` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see sycl_ext_oneapi_graph (command_graph constructor)
 */
SYCLZE_COLD ze_result_t syclze_graph_create(syclze_context context, syclze_device device,
    syclze_graph *graph) SYCLZE_LINK_NAME(syclze_graph_create);

/**
 * Adds a reference.
 *
 * @param[in] graph  Null has no effect. The new reference is the caller's.
 * @return ZE_RESULT_SUCCESS, no other codes of it.
 * @see sycl_ext_oneapi_graph; SYCL 2020 4.5.2 (common reference semantics)
 */
SYCLZE_COLD ze_result_t syclze_graph_retain(syclze_graph graph)
    SYCLZE_LINK_NAME(syclze_graph_retain);

/**
 * Drops a reference, which the caller owns. The last one ends the recording of all queues.
 *
 * @param[in] graph  Null has no effect.
 * @return ZE_RESULT_SUCCESS, or codes of the releases of what its nodes keep.
 * @see sycl_ext_oneapi_graph (Exception Safety)
 */
SYCLZE_COLD ze_result_t syclze_graph_release(syclze_graph graph)
    SYCLZE_LINK_NAME(syclze_graph_release);

/**
 * Begins to record the submissions to a queue.
 *
 * While a queue records, these are errors, which record nothing:
 * - a wait for the queue, its last event and a profiling tag
 * - for the event of a recorded group: a wait, its status, times and wait list, and memory that it
 *   makes available; it is never signalled, and its native event is null
 * - a group that depends on an event of anything other than a group recorded to the same graph
 * - a requirement of a buffer of another context, or to write to one that is written back to the
 *   host (syclze_buffer_set_write_back)
 * - a copy or fill of rows, and a copy of a device global
 *
 * A buffer that nodes of the graph require has no host accessor while a queue records to the graph.
 * The native list of a recording queue, and its other queries, refer to the work before.
 *
 * If a group of a queue that does not record depends on the event of a recorded group, its queue
 * begins to record to the same graph with that group, as by this function, while the queue of one
 * of its events records; a group in syclze_graph_add_node does not. After that recording, or with
 * another context or device, such a group is an error.
 *
 * @param[in] graph  Null is an error.
 * @param[in] queue  Of the graph's context and device. Null is an error. The graph keeps no
 * reference to it.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph or the queue is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the queue records already, or is of another context or device.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see sycl_ext_oneapi_graph (begin_recording; Queue Behavior In Recording Mode;
 * Transitive Queue Recording)
 */
SYCLZE_COLD ze_result_t syclze_graph_begin_recording(syclze_graph graph, syclze_queue queue)
    SYCLZE_LINK_NAME(syclze_graph_begin_recording);

/**
 * Ends the recording of a queue, or of all queues that record to the graph.
 *
 * @param[in] graph  Null is an error.
 * @param[in] queue  Null for all of them. No effect on a queue that does not record.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork.
 * - SYCLZE_RESULT_ERROR_INVALID: the queue records to another graph.
 * @see sycl_ext_oneapi_graph (end_recording)
 */
SYCLZE_COLD ze_result_t syclze_graph_end_recording(syclze_graph graph, syclze_queue queue)
    SYCLZE_LINK_NAME(syclze_graph_end_recording);

/**
 * Returns whether a queue records.
 *
 * @param[in] queue  Null does not.
 * @return true from syclze_graph_begin_recording to syclze_graph_end_recording.
 * @see sycl_ext_oneapi_graph (queue::ext_oneapi_get_state)
 */
SYCLZE_COLD bool syclze_queue_is_recording(syclze_queue queue)
    SYCLZE_LINK_NAME(syclze_queue_is_recording);

/**
 * Returns the number of nodes, which are recorded command groups. It is the index of the next node.
 *
 * @param[in] graph  Null has none.
 * @return their number.
 * @see sycl_ext_oneapi_graph (command_graph::get_nodes)
 */
SYCLZE_COLD uint32_t syclze_graph_get_node_count(syclze_graph graph)
    SYCLZE_LINK_NAME(syclze_graph_get_node_count);

/**
 * Returns the node of a command group.
 *
 * @param[in] graph  Null is an error.
 * @param[in] event  That the group returned. Null is an error.
 * @param[out] node  Index of the node, in the order of recording; UINT32_MAX on failure.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph or the event is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `node` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the event is not of a group recorded to the graph.
 * @see sycl_ext_oneapi_graph (node::get_node_from_event)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_node(
    syclze_graph graph, syclze_event event, uint32_t *node) SYCLZE_LINK_NAME(syclze_graph_get_node);

/**
 * Records the nodes so far of one graph as one node of another, to which the group's queue records.
 * Later changes of the graph do not affect the node.
 *
 * @param[in,out] group  Of a queue that records. Not null. Ended by the call.
 * @param[in] graph  Of the queue's context and device; may be the graph being recorded. Null is an
 * error.
 * @param[out] event  Of all of the nodes, a reference of the caller's; set to null on failure. May
 * be null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue or the graph is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the queue does not record, or the graph is of another context or
 *   device.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see sycl_ext_oneapi_graph (Graph Building Mechanisms: sub-graphs)
 */
SYCLZE_COLD ze_result_t syclze_group_record_graph(syclze_group *group, syclze_graph graph,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_group_record_graph);

/**
 * Makes an executable graph of the nodes so far. The graph is unchanged, and its queues continue to
 * record. An empty graph is allowed.
 *
 * @param[in] graph  Null is an error.
 * @param[in] flags  0, or of syclze_graph_flags.
 * @param[out] executable  With one reference, the caller's; set to null on failure.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `executable` is null.
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `flags` has unknown bits.
 * - SYCLZE_RESULT_ERROR_INVALID: nodes allocate memory (async_memory.h), and an executable graph of
 *   them has not ended.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeCommandListCreate, zeCommandListClose, zeEventPoolCreate, zeEventCreate or the append of
 * a node returns.
 * @see sycl_ext_oneapi_graph (command_graph::finalize; property::graph::updatable,
 * property::graph::enable_profiling)
 */
SYCLZE_COLD ze_result_t syclze_graph_finalize(syclze_graph graph, uint32_t flags,
    syclze_executable_graph *executable) SYCLZE_LINK_NAME(syclze_graph_finalize);

/**
 * Adds a reference.
 *
 * @param[in] executable  Null has no effect. The new reference is the caller's.
 * @return ZE_RESULT_SUCCESS, no other codes of it.
 * @see sycl_ext_oneapi_graph; SYCL 2020 4.5.2 (common reference semantics)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_retain(syclze_executable_graph executable)
    SYCLZE_LINK_NAME(syclze_executable_graph_retain);

/**
 * Drops a reference, which the caller owns. After the last one the executable graph ends once it
 * has run; the release does not wait.
 *
 * @param[in] executable  Null has no effect.
 * @return ZE_RESULT_SUCCESS, or codes of the releases of what its nodes keep.
 * @see sycl_ext_oneapi_graph (Graph State)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_release(syclze_executable_graph executable)
    SYCLZE_LINK_NAME(syclze_executable_graph_release);

/**
 * Submits a graph, behind the group's requirements. On a queue that records, the graph's present
 * nodes become one node.
 *
 * On an immediate list this is one zeCommandListImmediateAppendCommandListsExp, whatever the graph
 * contains. If the loader lacks that, the graph has a command queue of its own, which waits for the
 * immediate list, and the list for it, by events. On a command queue it is one
 * zeCommandQueueExecuteCommandLists.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] executable  Of the queue's context and device. Null is an error.
 * @param[out] event  Of all of the graph, a reference of the caller's; set to null on failure. May
 * be null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue or the graph is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph is of another context or device than the queue.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what the append, or the creation of an event, returns.
 *
 * After an error nothing is submitted.
 * @see sycl_ext_oneapi_graph (handler::ext_oneapi_graph)
 */
SYCLZE_WARM ze_result_t syclze_group_execute_graph(
    syclze_group *group, syclze_executable_graph executable, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_execute_graph);

/**
 * As syclze_group_execute_graph, without requirements.
 *
 * @param[in] queue  Null is an error.
 * @param[in] executable  Of the queue's context and device. Null is an error.
 * @param[out] event  Of all of the graph, a reference of the caller's; set to null on failure. May
 * be null: no event is returned.
 * @return as syclze_group_execute_graph.
 * @see sycl_ext_oneapi_graph (queue::ext_oneapi_graph)
 */
SYCLZE_WARM ze_result_t syclze_queue_submit_graph(
    syclze_queue queue, syclze_executable_graph executable, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_queue_submit_graph);

/**
 * Submits a graph behind events.
 *
 * @param[in] queue  Null is an error.
 * @param[in] executable  Of the queue's context and device. Null is an error.
 * @param[in] waits, wait_count  Events that the graph waits for, and their number. `waits` may be
 * null if the number is 0. A null event has no effect.
 * @param[out] event  Of all of the graph, a reference of the caller's; set to null on failure. May
 * be null: no event is returned.
 * @return as syclze_group_execute_graph; and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0.
 * @see sycl_ext_oneapi_graph (queue::ext_oneapi_graph with events)
 */
SYCLZE_WARM ze_result_t syclze_queue_submit_graph_after(syclze_queue queue,
    syclze_executable_graph executable, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_submit_graph_after);

SYCLZE_EXTERN_C_END

/* Their places in the list of kinds. */
#undef SYCLZE__WITH_GRAPHS
#define SYCLZE__WITH_GRAPHS(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(graph)
SYCLZE__OVERLOAD_RELEASE(graph)
SYCLZE__OVERLOAD_RETAIN(executable_graph)
SYCLZE__OVERLOAD_RELEASE(executable_graph)

#include "detail/graph/graph.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_graph_create(...) (SYCLZE__HERE(syclze_graph_create)(__VA_ARGS__))
#define syclze_graph_finalize(...) (SYCLZE__HERE(syclze_graph_finalize)(__VA_ARGS__))
#define syclze_graph_release(...) (SYCLZE__HERE(syclze_graph_release)(__VA_ARGS__))
#define syclze_executable_graph_release(...)                                                       \
  (SYCLZE__HERE(syclze_executable_graph_release)(__VA_ARGS__))
#endif

/* Those of traces. */
#ifdef SYCLZE_CALL_SITE_H
#include "../detail/call_site_graph.h"
#endif

#endif
