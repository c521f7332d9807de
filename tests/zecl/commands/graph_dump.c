/* Graphs as text for Graphviz: a node for each command, in the order of the tape. */
#include "commands/graph.h"
#include "commands/launch.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"

#include <stdio.h>

static const char *const kinds[] = {[ZECL_COMMAND_NOTHING] = "events",
    [ZECL_COMMAND_COPY] = "copy",
    [ZECL_COMMAND_FILL] = "fill",
    [ZECL_COMMAND_COPY_REGION] = "copy of a region",
    [ZECL_COMMAND_IMAGE_COPY] = "copy of an image",
    [ZECL_COMMAND_RESET] = "reset",
    [ZECL_COMMAND_WRITE_TIMESTAMP] = "timestamp",
    [ZECL_COMMAND_QUERY_TIMESTAMPS] = "query of timestamps",
    [ZECL_COMMAND_LAUNCH] = "launch",
    [ZECL_COMMAND_LAUNCH_INDIRECT] = "indirect launch",
    [ZECL_COMMAND_LAUNCH_MULTIPLE] = "launches",
    [ZECL_COMMAND_SEMAPHORES] = "semaphores",
    [ZECL_COMMAND_HOST_FUNCTION] = "host function",
    [ZECL_COMMAND_EXECUTE] = "execute"};

/* An executable graph is its tape, whatever the descriptor asks for. */
ze_result_t zecl_zeGraphDumpContentsExt(
    ze_graph_handle_t handle, const char *path, const void *next) {
  ZECL_ENTER(zeGraphDumpContentsExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  ZECL_CHECK_POINTER(path);
  (void)next;
  FILE *file = fopen(path, "w");
  if (!file) return ZE_RESULT_ERROR_UNKNOWN;
  const struct zecl_tape *tape = ((struct zecl_graph *)(void *)handle)->tape;
  const struct zecl_command *command = tape->first;
  fputs("digraph {\n", file);
  for (unsigned i = 0; command; i++, command = atomic_load(&command->next)) {
    const bool has_name =
        command->kind == ZECL_COMMAND_LAUNCH || command->kind == ZECL_COMMAND_LAUNCH_INDIRECT;
    fprintf(file, "  c%u [label=\"%s%s%s\"]\n", i, kinds[command->kind], has_name ? " " : "",
        has_name ? zecl_launch_name(command->launch.launch) : "");
    if (i > 0) fprintf(file, "  c%u -> c%u\n", i - 1, i);
  }
  fputs("}\n", file);
  return fclose(file) == 0 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN;
}
