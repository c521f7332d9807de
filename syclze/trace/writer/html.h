/* A trace as one self-contained page: a time line, the graph of commands, and totals.
 *
 * The page reads its numbers from streams in base64: unsigned numbers in seven bits a byte, lowest
 * first; signed ones in zigzag encoding. A span takes about eight bytes. */
#ifndef SYCLZE_TRACE_HTML_H
#define SYCLZE_TRACE_HTML_H

#include "model.h"
#include "viewer.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

struct syclze__stream64 {
  FILE *file;
  uint32_t bits; /* of up to two bytes that wait for a third */
  uint32_t bytes;
};

SYCLZE_LOCAL void syclze__stream64_begin(
    struct syclze__stream64 *stream, FILE *file, const char *name) {
  stream->file = file;
  stream->bits = stream->bytes = 0;
  fprintf(file, "<script type=\"application/octet-stream\" id=\"%s\">", name);
}

SYCLZE_LOCAL void syclze__stream64_flush(const struct syclze__stream64 *stream) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint32_t bits = stream->bits << (8 * (3 - stream->bytes));
  for (uint32_t i = 0; i < 4; i++)
    fputc(i <= stream->bytes ? digits[bits >> (18 - 6 * i) & 63] : '=', stream->file);
}

SYCLZE_LOCAL void syclze__stream64_end(struct syclze__stream64 *stream) {
  if (stream->bytes > 0) syclze__stream64_flush(stream);
  fputs("</script>\n", stream->file);
}

SYCLZE_COLD void syclze__stream64_put(struct syclze__stream64 *stream, uint64_t number)
    SYCLZE_LINK_NAME(syclze__stream64_put);

SYCLZE_COLD void syclze__stream64_put(struct syclze__stream64 *stream, uint64_t number) {
  do {
    stream->bits = stream->bits << 8 | (uint32_t)(number & 127) | (number > 127 ? 128u : 0u);
    number >>= 7;
    if (++stream->bytes == 3) {
      syclze__stream64_flush(stream);
      stream->bits = stream->bytes = 0;
    }
  } while (number != 0);
}

SYCLZE_INLINE void syclze__stream64_put_signed(
    struct syclze__stream64 *stream, uint64_t to, uint64_t from) {
  syclze__stream64_put(stream, to >= from ? 2 * (to - from) : 2 * (from - to) - 1);
}

SYCLZE_INLINE bool syclze__html_is_span(const struct syclze__record *record) {
  return record->kind == SYCLZE__RECORD_CALL || record->kind == SYCLZE__RECORD_DEVICE ||
         record->kind == SYCLZE__RECORD_TASK;
}

/* The index of a command with records. */
SYCLZE_LOCAL uint64_t syclze__html_command(const struct syclze__model *model, uint64_t id) {
  return (uint64_t)(syclze__model_command(model, id) - model->commands);
}

SYCLZE_LOCAL void syclze__html_info(const struct syclze__model *model, FILE *file) {
  const uint32_t host = syclze__model_host(model);
  unsigned long long spans = 0, edges = 0, memory = 0;
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    spans += syclze__html_is_span(record);
    edges += syclze__model_is_edge(model, record);
    memory += record->kind == SYCLZE__RECORD_MEMORY;
  }
  fprintf(file,
      "<script type=\"application/json\" id=\"info\">{\"spans\":%llu,\"edges\":%llu,"
      "\"memory\":%llu,\"commands\":%llu,\"missed\":%llu,\"computed\":%llu,\"lost\":"
      "%llu,"
      "\"functions\":%u,\"threads\":%u,\"queues\":%u,\"host\":%ld,\"names\":[",
      spans, edges, memory, (unsigned long long)model->command_count,
      (unsigned long long)model->missed, (unsigned long long)model->computed,
      (unsigned long long)model->snapshot.lost, (unsigned)model->functions,
      (unsigned)model->threads, (unsigned)model->queues, host == UINT32_MAX ? -1L : (long)host);
  for (uint32_t i = 0; i < model->names; i++) {
    fputs(i == 0 ? "\"" : ",\"", file);
    syclze__write_text(file, SYCLZE__TEXT_JSON, model->name_list[i]);
    fputc('"', file);
  }
  fputs("],\"queueNames\":[", file);
  for (uint32_t i = 0; i < model->queues; i++) {
    fputs(i == 0 ? "\"" : ",\"", file);
    syclze__write_queue(file, SYCLZE__TEXT_JSON, model, i);
    fputc('"', file);
  }
  fputs("]}</script>\n", file);
}

SYCLZE_LOCAL void syclze__html_spans(const struct syclze__model *model, FILE *file) {
  struct syclze__stream64 stream;
  uint64_t before = model->origin;
  syclze__stream64_begin(&stream, file, "spans");
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (!syclze__html_is_span(record)) continue;
    syclze__stream64_put(&stream, record->start - before);
    syclze__stream64_put(&stream, record->value);
    syclze__stream64_put(&stream, syclze__model_name(model, record));
    syclze__stream64_put(&stream, record->kind == SYCLZE__RECORD_DEVICE
                                      ? model->threads + syclze__model_queue(model, record)
                                      : record->thread - 1);
    syclze__stream64_put(
        &stream, record->id != 0 ? syclze__html_command(model, record->id) + 1 : 0);
    before = record->start;
  }
  syclze__stream64_end(&stream);
}

SYCLZE_LOCAL void syclze__html_memory(const struct syclze__model *model, FILE *file) {
  struct syclze__stream64 stream;
  uint64_t before = model->origin;
  syclze__stream64_begin(&stream, file, "memory");
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (record->kind != SYCLZE__RECORD_MEMORY) continue;
    syclze__stream64_put(&stream, record->start - before);
    syclze__stream64_put(&stream, record->value);
    before = record->start;
  }
  syclze__stream64_end(&stream);
}

SYCLZE_LOCAL void syclze__html_graph(const struct syclze__model *model, FILE *file) {
  struct syclze__stream64 stream;
  uint64_t before = model->origin, id = 0, from = 0;
  syclze__stream64_begin(&stream, file, "commands");
  for (size_t i = 0; i < model->command_count; i++) {
    const struct syclze__command_records *command = &model->commands[i];
    const struct syclze__record *found =
        command->appended != NULL ? command->appended : command->ran;
    const struct syclze__record *queue = command->ran != NULL ? command->ran : found;
    syclze__stream64_put(&stream, command->id - id);
    syclze__stream64_put(&stream, syclze__model_name(model, found));
    syclze__stream64_put(&stream, syclze__model_queue(model, queue));
    syclze__stream64_put_signed(&stream, found->start, before);
    id = command->id;
    before = found->start;
  }
  syclze__stream64_end(&stream);
  syclze__stream64_begin(&stream, file, "edges");
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (!syclze__model_is_edge(model, record)) continue;
    const uint64_t source = syclze__html_command(model, record->id);
    const uint64_t target = syclze__html_command(model, record->value);
    syclze__stream64_put_signed(&stream, source, from);
    syclze__stream64_put_signed(&stream, target, source);
    from = source;
  }
  syclze__stream64_end(&stream);
}

SYCLZE_LOCAL bool syclze__html_write(const struct syclze__model *model, FILE *file) {
  static const char *const lines[] = {SYCLZE__VIEWER_PAGE};
  for (size_t i = 0; lines[i] != NULL; i++) {
    if (strcmp(lines[i], "<!--data-->") != 0) {
      fprintf(file, "%s\n", lines[i]);
      continue;
    }
    syclze__html_info(model, file);
    syclze__html_spans(model, file);
    syclze__html_memory(model, file);
    syclze__html_graph(model, file);
  }
  return true;
}

SYCLZE_EXTERN_C_END

#endif

#endif
