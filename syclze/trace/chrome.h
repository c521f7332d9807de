/* A trace in Chrome's format: Perfetto and chrome://tracing open it.
 *
 * Process 1 is the host, with a track for each thread; process 2 is the device, with one for each
 * queue, and more where a queue's commands run at the same time. Arrows lead from each submission
 * to its run, and from each command to those that wait for it. A command without times on the
 * device is an instant on its queue's track, when it was appended. `otherData` says how many
 * records are there, how many were lost, how many commands have no times on the device, and of how
 * many images the size was computed. */
#ifndef SYCLZE_TRACE_CHROME_H
#define SYCLZE_TRACE_CHROME_H

#include "lanes.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD bool syclze__chrome_write(const struct syclze__model *model, FILE *file)
    SYCLZE_LINK_NAME(syclze__chrome_write);

/* Nanoseconds as the format's microseconds. */
#define SYCLZE__CHROME_TIME "%llu.%03u"
#define SYCLZE__CHROME_TIME_ARGUMENTS(ns)                                                          \
  (unsigned long long)((ns) / 1000u), (unsigned)((ns) % 1000u)

SYCLZE_COLD void syclze__chrome_head(FILE *file, const char *phase, int process, uint32_t track,
    uint64_t time) SYCLZE_LINK_NAME(syclze__chrome_head);

SYCLZE_COLD void syclze__chrome_head(
    FILE *file, const char *phase, int process, uint32_t track, uint64_t time) {
  fprintf(file, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":" SYCLZE__CHROME_TIME, phase,
      process, (unsigned)track, SYCLZE__CHROME_TIME_ARGUMENTS(time));
}

SYCLZE_COLD void syclze__chrome_name(FILE *file, const char *name)
    SYCLZE_LINK_NAME(syclze__chrome_name);

SYCLZE_COLD void syclze__chrome_name(FILE *file, const char *name) {
  fputs(",\"name\":\"", file);
  syclze__write_text(file, name);
  fputc('"', file);
}

/* The track of a run: of the thread, or of the queue's lane. */
SYCLZE_INLINE uint32_t syclze__chrome_track(const struct syclze__model *model,
    const struct syclze__lanes *lanes, const struct syclze__record *ran) {
  return ran->kind == SYCLZE__RECORD_TASK ? ran->thread
                                          : syclze__model_queue(model, ran) * SYCLZE__LANES +
                                                lanes->of_commands[ran->id - model->first_command];
}

SYCLZE_INLINE int syclze__chrome_process(const struct syclze__record *ran) {
  return ran->kind == SYCLZE__RECORD_DEVICE ? 2 : 1;
}

/* A span in which nothing can begin or end is none for arrows. */
SYCLZE_INLINE uint64_t syclze__chrome_duration(const struct syclze__record *record) {
  return record->value != 0 ? record->value : 1;
}

SYCLZE_COLD void syclze__chrome_span(const struct syclze__model *model,
    const struct syclze__lanes *lanes, const struct syclze__record *record, FILE *file)
    SYCLZE_LINK_NAME(syclze__chrome_span);

/* Spans, instants and counters. */
SYCLZE_COLD void syclze__chrome_span(const struct syclze__model *model,
    const struct syclze__lanes *lanes, const struct syclze__record *record, FILE *file) {
  const uint64_t start = record->start - model->origin;
  switch (record->kind) {
  case SYCLZE__RECORD_CALL:
    syclze__chrome_head(file, "X", 1, record->thread, start);
    fprintf(file, ",\"dur\":" SYCLZE__CHROME_TIME, SYCLZE__CHROME_TIME_ARGUMENTS(record->value));
    syclze__chrome_name(file, record->name);
    fputc('}', file);
    break;
  case SYCLZE__RECORD_DEVICE:
  case SYCLZE__RECORD_TASK:
    syclze__chrome_head(file, "X", syclze__chrome_process(record),
        syclze__chrome_track(model, lanes, record), start);
    fprintf(file, ",\"dur\":" SYCLZE__CHROME_TIME,
        SYCLZE__CHROME_TIME_ARGUMENTS(syclze__chrome_duration(record)));
    syclze__chrome_name(file, record->name);
    fprintf(file, ",\"args\":{\"command\":%llu}}", (unsigned long long)record->id);
    break;
  case SYCLZE__RECORD_COMMAND:
    if (syclze__model_command(model, record->id)->ran != NULL) break;
    syclze__chrome_head(file, "i", 2, syclze__model_queue(model, record) * SYCLZE__LANES, start);
    syclze__chrome_name(file, record->name);
    fprintf(file, ",\"s\":\"t\",\"args\":{\"command\":%llu}}", (unsigned long long)record->id);
    break;
  case SYCLZE__RECORD_MEMORY:
    syclze__chrome_head(file, "C", 1, 0, start);
    fprintf(file, ",\"name\":\"memory in use\",\"args\":{\"bytes\":%llu}}",
        (unsigned long long)record->value);
    break;
  default:
    break;
  }
}

SYCLZE_COLD void syclze__chrome_arrow(const struct syclze__model *model,
    const struct syclze__lanes *lanes, FILE *file, const struct syclze__command_records *command,
    bool tip, const char *name, unsigned long long number) SYCLZE_LINK_NAME(syclze__chrome_arrow);

/* One end of an arrow: on the command's run, or where it was appended. */
SYCLZE_COLD void syclze__chrome_arrow(const struct syclze__model *model,
    const struct syclze__lanes *lanes, FILE *file, const struct syclze__command_records *command,
    bool tip, const char *name, unsigned long long number) {
  const struct syclze__record *ran = command->ran, *appended = command->appended;
  const char *phase = tip ? "f\",\"bp\":\"e" : "s";
  if (ran != NULL)
    syclze__chrome_head(file, phase, syclze__chrome_process(ran),
        syclze__chrome_track(model, lanes, ran),
        ran->start - model->origin + (tip ? 0 : syclze__chrome_duration(ran) - 1));
  else
    syclze__chrome_head(file, phase, 1, appended->thread, appended->start - model->origin);
  fprintf(file, ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":%llu}", name, name, number);
}

SYCLZE_COLD void syclze__chrome_arrows(const struct syclze__model *model,
    const struct syclze__lanes *lanes, const struct syclze__record *record, FILE *file)
    SYCLZE_LINK_NAME(syclze__chrome_arrows);

SYCLZE_COLD void syclze__chrome_arrows(const struct syclze__model *model,
    const struct syclze__lanes *lanes, const struct syclze__record *record, FILE *file) {
  const struct syclze__command_records *from, *to;
  unsigned long long number = (unsigned long long)(record - model->snapshot.records) + 1;
  if (record->kind == SYCLZE__RECORD_COMMAND) {
    const struct syclze__command_records append = {record, NULL};
    to = syclze__model_command(model, record->id);
    if (to->ran == NULL) return;
    syclze__chrome_arrow(model, lanes, file, &append, false, "submit", number);
    syclze__chrome_arrow(model, lanes, file, to, true, "submit", number);
  } else if (record->kind == SYCLZE__RECORD_EDGE) {
    from = syclze__model_command(model, record->id);
    to = syclze__model_command(model, record->value);
    if (from == NULL || to == NULL || (from->ran == NULL && from->appended == NULL) ||
        (to->ran == NULL && to->appended == NULL))
      return;
    syclze__chrome_arrow(model, lanes, file, from, false, "dependency", number);
    syclze__chrome_arrow(model, lanes, file, to, true, "dependency", number);
  }
}

SYCLZE_COLD void syclze__chrome_tracks(const struct syclze__model *model,
    const struct syclze__lanes *lanes, FILE *file) SYCLZE_LINK_NAME(syclze__chrome_tracks);

/* The names of tracks. */
SYCLZE_COLD void syclze__chrome_tracks(
    const struct syclze__model *model, const struct syclze__lanes *lanes, FILE *file) {
  for (uint32_t i = 1; i <= model->threads; i++)
    fprintf(file,
        ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
        "\"args\":{\"name\":\"thread %u\"}}",
        (unsigned)i, (unsigned)i);
  for (uint32_t i = 0; i < model->queues; i++)
    for (uint32_t lane = 0; lane < SYCLZE__LANES; lane++) {
      if (lane != 0 && lanes->ends[i][lane] == 0) break;
      fprintf(file,
          ",\n{\"ph\":\"M\",\"pid\":2,\"tid\":%u,\"name\":\"thread_name\","
          "\"args\":{\"name\":\"queue %u%s\"}}",
          (unsigned)(i * SYCLZE__LANES + lane), (unsigned)i, lane != 0 ? ", at the same time" : "");
    }
}

SYCLZE_COLD bool syclze__chrome_write(const struct syclze__model *model, FILE *file) {
  fprintf(file,
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"functions "
      "told\":%u,\"records\":%llu,\"lost\":%llu,"
      "\"commands without device times\":%llu,\"images of computed size\":%llu},\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"host\"}},\n"
      "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"device\"}}",
      (unsigned)model->functions, (unsigned long long)model->snapshot.count,
      (unsigned long long)model->snapshot.lost, (unsigned long long)model->missed,
      (unsigned long long)model->computed);
  struct syclze__lanes lanes;
  const bool made = syclze__lanes_make(model, &lanes);
  if (made) {
    syclze__chrome_tracks(model, &lanes, file);
    for (size_t i = 0; i < model->snapshot.count; i++)
      syclze__chrome_span(model, &lanes, &model->snapshot.records[i], file);
    for (size_t i = 0; i < model->snapshot.count; i++)
      syclze__chrome_arrows(model, &lanes, &model->snapshot.records[i], file);
  }
  syclze__lanes_free(&lanes);
  fputs("\n]}\n", file);
  return made;
}

SYCLZE_EXTERN_C_END

#endif
