/* The task graph of a trace, for Graphviz: a node for each command, with its time on the device, in
 * the colour of its queue, and an edge from each command to those that wait for it. Host tasks and
 * host accessors are round, with their time on the host. */
#ifndef SYCLZE_TRACE_DOT_H
#define SYCLZE_TRACE_DOT_H

#include "model.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL bool syclze__dot_write(const struct syclze__model *model, FILE *file) {
  const uint32_t host = syclze__model_host(model);
  fprintf(file,
      "digraph commands {\n"
      "  // %llu records, %llu lost, %llu commands without times on the device\n"
      "  node [shape=box, style=filled, fontname=\"sans-serif\", colorscheme=pastel19];\n",
      (unsigned long long)model->snapshot.count, (unsigned long long)model->snapshot.lost,
      (unsigned long long)model->missed);
  for (size_t i = 0; i < model->command_count; i++) {
    const struct syclze__command_records *command = &model->commands[i];
    const struct syclze__record *record = command->ran != NULL ? command->ran : command->appended;
    const uint32_t queue = syclze__model_queue(model, record);
    fprintf(file, "  c%llu [%sfillcolor=%u, label=\"", (unsigned long long)record->id,
        record->kind == SYCLZE__RECORD_TASK || queue == host ? "shape=ellipse, " : "",
        (unsigned)(queue % 9 + 1));
    syclze__write_text(file, SYCLZE__TEXT_DOT, record->name);
    fprintf(file, "\\n#%llu", (unsigned long long)record->id);
    if (queue != host) {
      fputs(", ", file);
      syclze__write_queue(file, SYCLZE__TEXT_DOT, model, queue);
    }
    if (command->ran != NULL) fprintf(file, "\\n%.3f us", (double)command->ran->value / 1000);
    fputs("\"];\n", file);
  }
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (syclze__model_is_edge(model, record))
      fprintf(file, "  c%llu -> c%llu;\n", (unsigned long long)record->id,
          (unsigned long long)record->value);
  }
  fputs("}\n", file);
  return true;
}

SYCLZE_EXTERN_C_END

#endif

#endif
