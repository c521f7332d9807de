/* Graphs as DOT of Graphviz. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_PRINT_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_PRINT_H

#include "../../graph_nodes.h"

#if SYCLZE__BODIES
#include <stdio.h>
#endif

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL const char *syclze__node_type_name(syclze_graph_node_type type) {
  switch (type) {
  case SYCLZE_GRAPH_NODE_EMPTY:
    return "empty";
  case SYCLZE_GRAPH_NODE_KERNEL:
    return "kernel";
  case SYCLZE_GRAPH_NODE_MEMORY:
    return "memory";
  case SYCLZE_GRAPH_NODE_BARRIER:
    return "barrier";
  case SYCLZE_GRAPH_NODE_HOST_TASK:
    return "host task";
  case SYCLZE_GRAPH_NODE_NATIVE_COMMAND:
    return "native command";
  case SYCLZE_GRAPH_NODE_SUBGRAPH:
    return "graph";
  case SYCLZE_GRAPH_NODE_MALLOC_ASYNC:
    return "allocation";
  case SYCLZE_GRAPH_NODE_FREE_ASYNC:
    return "free";
  }
  return "";
}

/* The kernel's name as a line of a label; no line if the driver has no name. */
SYCLZE_LOCAL void syclze__kernel_print(const struct syclze__kernel *kernel, FILE *file) {
  size_t size = 0;
  if (syclze__is_forked() ||
      SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, NULL) != ZE_RESULT_SUCCESS || size == 0)
    return;
  char *name = (char *)malloc(size);
  if (name != NULL && SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, name) == 0) {
    fputs("\\n", file);
    for (const char *at = name; at < name + size && *at != 0; at++) {
      if (*at == '"' || *at == '\\') fputc('\\', file);
      fputc(*at, file);
    }
  }
  free(name);
}

SYCLZE_LOCAL void syclze__graph_print(const struct syclze__graph *graph, FILE *file) {
  SYCLZE__HELD(&graph->lock);
  fputs("digraph graph_of_commands {\n  node [shape=box];\n", file);
  for (uint32_t i = 0; i < graph->node_count; i++) {
    const struct syclze__node *node = graph->order->places[i].node;
    const syclze_graph_node_type type = syclze__node_type(node);
    fprintf(file, "  n%u [label=\"%u: %s", (unsigned)i, (unsigned)i, syclze__node_type_name(type));
    if (type == SYCLZE_GRAPH_NODE_KERNEL) syclze__kernel_print(node->command->kernel, file);
    fputs("\"];\n", file);
  }
  for (uint32_t i = 0; i < graph->order->edge_count; i++)
    fprintf(file, "  n%u -> n%u;\n", (unsigned)graph->order->edges[i].from,
        (unsigned)graph->order->edges[i].to);
  fputs("}\n", file);
}

SYCLZE_COLD ze_result_t syclze_graph_print(syclze_graph graph, const char *path) {
  const char *const function = "syclze_graph_print";
  struct syclze__status status = syclze__check_graph_query(graph, &graph);
  if (status.result == ZE_RESULT_SUCCESS && path == NULL)
    status = syclze__null_pointer("the path is null");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__graph_result(graph, status, function);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return syclze__graph_result(graph, syclze__invalid("the file cannot be opened"), function);
  syclze__lock_acquire(&graph.rep->lock);
  syclze__graph_print(graph.rep, file);
  syclze__lock_release(&graph.rep->lock);
  const bool written = ferror(file) == 0;
  if (fclose(file) != 0 || !written) status = syclze__invalid("the file cannot be written");
  return syclze__graph_result(graph, status, function);
}

#endif

SYCLZE_EXTERN_C_END

#endif
