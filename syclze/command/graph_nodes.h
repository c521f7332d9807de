/**
 * @file
 * Nodes and edges of graphs: queries and additions. EXPERIMENTAL.
 *
 *     #include "syclze/command/graph_nodes.h"
 *     // The nodes that no other one depends on, joined by an empty one.
 *     static ze_result_t join(syclze_graph graph, uint32_t *joined) {
 *       uint32_t leaves[16], count = 16;
 *       const ze_result_t result = syclze_graph_get_leaves(graph, &count, leaves);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       return syclze_graph_add_empty_node(graph, leaves, count, joined);
 *     }
 *
 * Nodes are named by their index, in the order of recording and adding. A graph that is a node has
 * one index. Functions that return nodes do so in ascending order, into an array that the caller
 * gives: `*count` is its length before the call, and the number of all such nodes afterwards. At
 * most as many as fit are stored; a null array has no room.
 *
 * Threads: any thread may call any function for any graph.
 */
#ifndef SYCLZE_COMMAND_GRAPH_NODES_H
#define SYCLZE_COMMAND_GRAPH_NODES_H

#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

/** Types of nodes. */
typedef enum syclze_graph_node_type {
  SYCLZE_GRAPH_NODE_EMPTY = 0,      /**< of syclze_graph_add_empty_node */
  SYCLZE_GRAPH_NODE_KERNEL,         /**< a launch */
  SYCLZE_GRAPH_NODE_MEMORY,         /**< a copy, a fill, a prefetch or an advice */
  SYCLZE_GRAPH_NODE_BARRIER,        /**< a barrier */
  SYCLZE_GRAPH_NODE_HOST_TASK,      /**< a host task */
  SYCLZE_GRAPH_NODE_NATIVE_COMMAND, /**< a native command */
  SYCLZE_GRAPH_NODE_SUBGRAPH,       /**< the nodes of another graph */
  SYCLZE_GRAPH_NODE_MALLOC_ASYNC,   /**< an allocation (async_memory.h) */
  SYCLZE_GRAPH_NODE_FREE_ASYNC      /**< a free of one */
} syclze_graph_node_type;

/**
 * Returns the type of a node.
 *
 * @param[in] graph  Null is an error.
 * @param[in] node  Index of a node.
 * @param[out] type  Not null.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `type` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph has no such node.
 * @see sycl_ext_oneapi_graph (node::get_type)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_node_type(syclze_graph graph, uint32_t node,
    syclze_graph_node_type *type) SYCLZE_LINK_NAME(syclze_graph_get_node_type);

/**
 * Returns the nodes that a node depends on directly.
 *
 * @param[in] graph  Null is an error.
 * @param[in] node  Index of a node.
 * @param[in,out] count  Length of the array, and the number of these nodes. Not null.
 * @param[out] nodes  Their indices. May be null.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph has no such node.
 * @see sycl_ext_oneapi_graph (node::get_predecessors)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_predecessors(syclze_graph graph, uint32_t node,
    uint32_t *count, uint32_t *nodes) SYCLZE_LINK_NAME(syclze_graph_get_predecessors);

/**
 * Returns the nodes that depend on a node directly.
 *
 * @param[in] graph  Null is an error.
 * @param[in] node  Index of a node.
 * @param[in,out] count  Length of the array, and the number of these nodes. Not null.
 * @param[out] nodes  Their indices. May be null.
 * @return as syclze_graph_get_predecessors.
 * @see sycl_ext_oneapi_graph (node::get_successors)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_successors(syclze_graph graph, uint32_t node,
    uint32_t *count, uint32_t *nodes) SYCLZE_LINK_NAME(syclze_graph_get_successors);

/**
 * Returns the nodes that depend on none.
 *
 * @param[in] graph  Null is an error.
 * @param[in,out] count  Length of the array, and the number of these nodes. Not null.
 * @param[out] nodes  Their indices. May be null.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null.
 * @see sycl_ext_oneapi_graph (command_graph::get_root_nodes)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_roots(syclze_graph graph, uint32_t *count, uint32_t *nodes)
    SYCLZE_LINK_NAME(syclze_graph_get_roots);

/**
 * Returns the nodes that none depends on.
 *
 * @param[in] graph  Null is an error.
 * @param[in,out] count  Length of the array, and the number of these nodes. Not null.
 * @param[out] nodes  Their indices. May be null.
 * @return as syclze_graph_get_roots.
 * @see sycl_ext_oneapi_graph (property::node::depends_on_all_leaves)
 */
SYCLZE_COLD ze_result_t syclze_graph_get_leaves(
    syclze_graph graph, uint32_t *count, uint32_t *nodes) SYCLZE_LINK_NAME(syclze_graph_get_leaves);

/**
 * Adds a node that does nothing, and depends on others.
 *
 * @param[in] graph  Null is an error.
 * @param[in] after, count  Indices of the nodes that it depends on, and their number. `after` may
 * be null if the number is 0.
 * @param[out] node  Index of the node; UINT32_MAX on failure. Not null.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `node` is null, or `after` is and `count` is not 0.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph has no such node.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see sycl_ext_oneapi_graph (command_graph::add)
 */
SYCLZE_COLD ze_result_t syclze_graph_add_empty_node(syclze_graph graph, const uint32_t *after,
    uint32_t count, uint32_t *node) SYCLZE_LINK_NAME(syclze_graph_add_empty_node);

/** A command group function: submits one command to the group. */
typedef ze_result_t (*syclze_group_function)(syclze_group *group, void *argument);

/**
 * Adds the node of a command group, without a queue that records. It depends on the named nodes,
 * and by its accessors and events on others, like the node of a recorded group.
 *
 * @param[in] graph  Null is an error.
 * @param[in] function  Called once, on the calling thread and with no lock held, with a group of
 * the graph's context and device. It must submit one command: a launch, a copy, a fill, a host
 * task, a native command, a barrier or a graph. Commands that cannot be recorded are errors. Null
 * is an error.
 * @param[in] argument  Passed to `function`; may be null.
 * @param[in] after, count  Indices of the nodes that it depends on, and their number. `after` may
 * be null if the number is 0. Borrowed until the call returns.
 * @param[out] node  Index of the node; UINT32_MAX on failure. May be null.
 * @return ZE_RESULT_SUCCESS; what `function` returned, after which a node that it had added stays;
 * or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `function` is null, or `after` is and `count` is not 0.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph has no such node, or `function` submitted no command.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * @see sycl_ext_oneapi_graph (command_graph::add of a command group function;
 * property::node::depends_on)
 */
SYCLZE_COLD ze_result_t syclze_graph_add_node(syclze_graph graph, syclze_group_function function,
    void *argument, const uint32_t *after, uint32_t count, uint32_t *node)
    SYCLZE_LINK_NAME(syclze_graph_add_node);

/**
 * Adds an edge. No effect if the graph has it.
 *
 * @param[in] graph  Null is an error.
 * @param[in] from  Index of a node.
 * @param[in] to  Index of the node that will depend on it, recorded before or after it.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the graph has no such node, the two nodes are the same, or the
 *   first depends on the second.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 *
 * After an error nothing has changed.
 * @see sycl_ext_oneapi_graph (command_graph::make_edge)
 */
SYCLZE_COLD ze_result_t syclze_graph_add_edge(syclze_graph graph, uint32_t from, uint32_t to)
    SYCLZE_LINK_NAME(syclze_graph_add_edge);

/**
 * Writes the graph to a file, as DOT of Graphviz: nodes with their index and type, launches with
 * the kernel's name, and edges. The graph need not be finalized, and its recording may continue.
 *
 * @param[in] graph  Null is an error.
 * @param[in] path  Not null. A file that exists is overwritten.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the graph is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `path` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the file cannot be opened or written.
 * @see sycl_ext_oneapi_graph (command_graph::print_graph)
 */
SYCLZE_COLD ze_result_t syclze_graph_print(syclze_graph graph, const char *path)
    SYCLZE_LINK_NAME(syclze_graph_print);

/**
 * Returns the graph that a queue records to.
 *
 * @param[in] queue  Null is an error.
 * @param[out] graph  With a reference of the caller's; null if the queue does not record, and on
 * failure. Not null.
 * @return ZE_RESULT_SUCCESS; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `graph` is null.
 * @see sycl_ext_oneapi_graph (queue::ext_oneapi_get_graph)
 */
SYCLZE_COLD ze_result_t syclze_queue_get_graph(syclze_queue queue, syclze_graph *graph)
    SYCLZE_LINK_NAME(syclze_queue_get_graph);

SYCLZE_EXTERN_C_END

#include "detail/graph/nodes.h"

#endif
