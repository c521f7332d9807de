/**
 * @file
 * Updates of executable graphs: other arguments, ranges and kernels for later submissions.
 * EXPERIMENTAL.
 *
 *     #include "syclze/command/graph_update.h"
 *     // `steps` is finalized with SYCLZE_GRAPH_UPDATABLE; argument 2 of its node 0 is a float.
 *     static ze_result_t anneal(syclze_queue queue, syclze_executable_graph steps) {
 *       ze_result_t result = ZE_RESULT_SUCCESS;
 *       for (float heat = 1; heat > 0.01f && result == ZE_RESULT_SUCCESS; heat *= 0.9f) {
 *         const syclze_argument argument = syclze_argument_value(&heat, sizeof heat);
 *         result = syclze_executable_graph_update_argument(steps, 0, 2, &argument);
 *         if (result == ZE_RESULT_SUCCESS) result = syclze_queue_submit_graph(queue, steps, NULL);
 *       }
 *       return result;
 *     }
 *
 * An update affects no submission before it, and waits for none: the next submission performs it.
 * On drivers with ZE_experimental_mutable_command_list that submission updates a command list that
 * does not run. Elsewhere, and for changes of nodes other than launches, it records the lists
 * again; it then calls functions of native commands again, which must not use the graph. Another
 * kernel of a launch is recorded, too. If the driver can update kernels, a list recorded for one
 * is then updated to any of the last eight kernels that the launch had.
 *
 * A graph has at most the command lists of four submissions. With four of them pending, a
 * submission after an update is a host task: a worker thread records the lists once the earlier
 * runs are done, executes them, and waits for them. Its errors are asynchronous errors of the
 * queue.
 *
 * Nodes are named by their index in the order of recording. The edges stay as they were recorded,
 * whatever memory the nodes use after an update.
 *
 * Ownership: the graph keeps the objects of an update; a memory object that no node uses any more
 * is released once the submissions that use it are done. So is a kernel, unless a list can be
 * updated to it.
 *
 * Threads: any thread may call any function for any graph. Whether a submission of another thread
 * comes before or after an update is unspecified, but it has all of the update or nothing of it.
 */
#ifndef SYCLZE_COMMAND_GRAPH_UPDATE_H
#define SYCLZE_COMMAND_GRAPH_UPDATE_H

#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

/** An argument of a launch in a graph. */
typedef struct syclze_graph_argument {
  uint32_t node;  /**< index of a node that launches a kernel */
  uint32_t index; /**< of the argument */
} syclze_graph_argument;

/**
 * Replaces an argument of a launch.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] node  Index of a node that launches a kernel.
 * @param[in] index  Of the argument, which was not an accessor.
 * @param[in] argument  A value, a pointer or local memory; not an accessor. Not null; copied.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `argument` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph cannot be updated, or the node does not launch a
 *   kernel.
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: the launch has no argument of this index.
 * - SYCLZE_RESULT_ERROR_ACCESSOR: the argument is or was an accessor
 *   (syclze_executable_graph_update_buffer).
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeKernelSetArgumentValue returns.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (dynamic_parameter::update, command_graph::update)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_argument(syclze_executable_graph executable,
    uint32_t node, uint32_t index, const syclze_argument *argument)
    SYCLZE_LINK_NAME(syclze_executable_graph_update_argument);

/**
 * Replaces arguments of several launches by one value: a parameter that they share.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] places, count  The arguments, none of which was an accessor, and their number.
 * `places` may be null if the number is 0. Borrowed until the function returns.
 * @param[in] value  As of syclze_executable_graph_update_argument. Not null; copied.
 * @return as syclze_executable_graph_update_argument; and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `places` is null and `count` is not 0.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (Dynamic Parameters: a parameter of several nodes)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_parameter(syclze_executable_graph executable,
    const syclze_graph_argument *places, uint32_t count, const syclze_argument *value)
    SYCLZE_LINK_NAME(syclze_executable_graph_update_parameter);

/**
 * Replaces the buffer of an accessor that is an argument of a launch, wherever the launch has it.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] node  Index of a node that launches a kernel.
 * @param[in] index  Of an argument that was an accessor of all of a buffer. Its mode stays.
 * @param[in] buffer  Of the graph's context, and not part of another buffer. Null is an error. The
 * graph keeps it.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph or the buffer is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph cannot be updated, the node does not launch a
 *   kernel, the buffer is of another context or part of another, or it would be written and is
 *   written back to the host.
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: the launch has no argument of this index.
 * - SYCLZE_RESULT_ERROR_ACCESSOR: the argument was not an accessor of a whole buffer.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeKernelSetArgumentValue returns.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (dynamic_parameter::update of an accessor)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_buffer(
    syclze_executable_graph executable, uint32_t node, uint32_t index, syclze_buffer buffer)
    SYCLZE_LINK_NAME(syclze_executable_graph_update_buffer);

/**
 * Replaces the buffer of accessors of several launches: a parameter that they share. Nodes that are
 * ordered because they access one buffer should all have the other one.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] places, count  The arguments, which were accessors of all of a buffer, and their
 * number. Their modes stay. `places` may be null if the number is 0. Borrowed until the function
 * returns.
 * @param[in] buffer  As of syclze_executable_graph_update_buffer. Null is an error. The graph keeps
 * it.
 * @return as syclze_executable_graph_update_buffer; and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `places` is null and `count` is not 0.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (Dynamic Parameters: an accessor of several nodes)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_parameter_buffer(
    syclze_executable_graph executable, const syclze_graph_argument *places, uint32_t count,
    syclze_buffer buffer) SYCLZE_LINK_NAME(syclze_executable_graph_update_parameter_buffer);

/**
 * Replaces the range of a launch, whose number of dimensions stays.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] node  Index of a node that launches a kernel.
 * @param[in] range  As of syclze_group_launch. Not null; copied.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `range` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph cannot be updated, the node does not launch a
 *   kernel, or the range has other dimensions than the recorded one.
 * - SYCLZE_RESULT_ERROR_ND_RANGE: as of syclze_group_launch.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeKernelSuggestGroupSize, zeKernelSetGroupSize or zeKernelSetGlobalOffsetExp returns.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (node::update_nd_range)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_range(
    syclze_executable_graph executable, uint32_t node, const syclze_nd_range *range)
    SYCLZE_LINK_NAME(syclze_executable_graph_update_range);

/**
 * Replaces a node by one of another graph: a launch by that of another kernel, with its arguments,
 * range and memory. The edges stay. A graph that is never finalized may so hold alternative command
 * groups.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] node  Index of the node that is replaced.
 * @param[in] graph  Of the same context and device. Null is an error.
 * @param[in] by  Index of a node of `graph`, of the same type (syclze_graph_get_node_type). Of a
 * graph that is a node: one recorded in the same way.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: a graph is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph cannot be updated, the other one is of another context
 * or device, one of them has no such node, or the nodes are not of one type.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (Dynamic Command Groups; command_graph::update of a node)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update_node(
    syclze_executable_graph executable, uint32_t node, syclze_graph graph, uint32_t by)
    SYCLZE_LINK_NAME(syclze_executable_graph_update_node);

/**
 * Replaces all nodes by those of another graph, which was recorded in the same way: as many groups,
 * of the same kinds, with the same kernels and the same order.
 *
 * @param[in] executable  Finalized with SYCLZE_GRAPH_UPDATABLE. Null is an error.
 * @param[in] graph  Of the same context and device. Null is an error.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: a graph is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph cannot be updated; or the other one is of another
 * context or device, or its nodes differ in more than arguments, ranges, memory and functions.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (Whole Graph Update)
 */
SYCLZE_COLD ze_result_t syclze_executable_graph_update(syclze_executable_graph executable,
    syclze_graph graph) SYCLZE_LINK_NAME(syclze_executable_graph_update);

SYCLZE_EXTERN_C_END

#include "detail/graph/update.h"
#include "detail/graph/update_nodes.h"

#endif
