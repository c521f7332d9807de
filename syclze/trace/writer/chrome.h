/* A trace in Chrome's format: Perfetto and chrome://tracing open it.
 *
 * Process 1 is the host, with a track for each thread and for host accessors; process 2 is the
 * device, with one for each queue, and more where a queue's commands run at the same time. Arrows
 * lead from each submission to its run, and from each command to those that wait for it. A command
 * without times on the device is an instant on its queue's track, when it was appended; arrows that
 * would go back in time for that are left out, since viewers refuse them. `otherData` has the
 * numbers of records written and lost, and of other missing data. */
#ifndef SYCLZE_TRACE_CHROME_H
#define SYCLZE_TRACE_CHROME_H

#include "model.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* Lanes of queues: overlapping commands of one queue need tracks side by side. */
enum { SYCLZE__LANES = 64 }; /* of a queue, at most; further spans overlap on the last */

/* When the last span of each of a queue's lanes ended. */
struct syclze__lanes {
  uint64_t ends[SYCLZE__LANES];
};

/* The length of a span, at least long enough for an arrow to begin in it. */
SYCLZE_INLINE uint64_t syclze__lane_time(const struct syclze__record *span) {
  return span->value != 0 ? span->value : 1;
}

/* Places the runs on the lanes of each queue, which are returned, to be freed; null without memory.
 */
SYCLZE_LOCAL struct syclze__lanes *syclze__lanes_make(const struct syclze__model *model) {
  struct syclze__lanes *lanes =
      (struct syclze__lanes *)calloc((size_t)model->queues + 1, sizeof *lanes);
  for (size_t i = 0; lanes != NULL && i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (record->kind != SYCLZE__RECORD_DEVICE) continue;
    uint64_t *ends = lanes[syclze__model_queue(model, record)].ends;
    uint32_t lane = 0;
    while (lane < SYCLZE__LANES - 1 && ends[lane] > record->start)
      lane++;
    ends[lane] = record->start + syclze__lane_time(record);
    syclze__model_command(model, record->id)->lane = lane;
  }
  return lanes;
}

/* The format of nanoseconds as microseconds. */
#define SYCLZE__CHROME_TIME "%llu.%03u"
#define SYCLZE__CHROME_TIME_ARGUMENTS(ns)                                                          \
  (unsigned long long)((ns) / 1000u), (unsigned)((ns) % 1000u)

SYCLZE_LOCAL void syclze__chrome_head(
    FILE *file, const char *phase, int process, uint32_t track, uint64_t time) {
  fprintf(file, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":" SYCLZE__CHROME_TIME, phase,
      process, (unsigned)track, SYCLZE__CHROME_TIME_ARGUMENTS(time));
}

SYCLZE_LOCAL void syclze__chrome_name(FILE *file, const char *name) {
  fputs(",\"name\":\"", file);
  syclze__write_text(file, SYCLZE__TEXT_JSON, name);
  fputc('"', file);
}

/* The track of a run: of the thread, or of the lane of the queue or of host accessors. */
SYCLZE_INLINE uint32_t syclze__chrome_track(
    const struct syclze__model *model, const struct syclze__record *ran) {
  if (ran->kind == SYCLZE__RECORD_TASK) return ran->thread;
  const uint32_t lane = syclze__model_command(model, ran->id)->lane;
  if (ran->track == SYCLZE__TRACK_HOST) return model->threads + 1 + lane;
  return syclze__model_queue(model, ran) * SYCLZE__LANES + lane;
}

SYCLZE_INLINE int syclze__chrome_process(const struct syclze__record *ran) {
  return ran->kind == SYCLZE__RECORD_DEVICE && ran->track != SYCLZE__TRACK_HOST ? 2 : 1;
}

/* Writes spans, instants and counters. */
SYCLZE_LOCAL void syclze__chrome_span(
    const struct syclze__model *model, const struct syclze__record *record, FILE *file) {
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
    syclze__chrome_head(
        file, "X", syclze__chrome_process(record), syclze__chrome_track(model, record), start);
    fprintf(file, ",\"dur\":" SYCLZE__CHROME_TIME,
        SYCLZE__CHROME_TIME_ARGUMENTS(syclze__lane_time(record)));
    syclze__chrome_name(file, record->name);
    fprintf(file, ",\"args\":{\"command\":%llu}}", (unsigned long long)record->id);
    break;
  case SYCLZE__RECORD_COMMAND:
    if (syclze__model_command(model, record->id)->ran != NULL) break;
    if (record->track == SYCLZE__TRACK_HOST)
      syclze__chrome_head(file, "i", 1, model->threads + 1, start);
    else
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

/* One end of an arrow. */
struct syclze__chrome_end {
  int process;
  uint32_t track;
  uint64_t time;
};

/* The end of an arrow at the command's run, or where it was appended. */
SYCLZE_LOCAL struct syclze__chrome_end syclze__chrome_end_of(
    const struct syclze__model *model, const struct syclze__command_records *command, bool tip) {
  const struct syclze__record *ran = command->ran, *appended = command->appended;
  struct syclze__chrome_end end;
  if (ran != NULL) {
    end.process = syclze__chrome_process(ran);
    end.track = syclze__chrome_track(model, ran);
    end.time = ran->start - model->origin + (tip ? 0 : syclze__lane_time(ran) - 1);
  } else {
    end.process = 1;
    end.track = appended->thread;
    end.time = appended->start - model->origin;
  }
  return end;
}

struct syclze__chrome_arrow {
  const char *name; /* null for other records */
  struct syclze__chrome_end from, to;
};

SYCLZE_LOCAL struct syclze__chrome_arrow syclze__chrome_arrow_of(
    const struct syclze__model *model, const struct syclze__record *record) {
  const struct syclze__command_records append = {record->id, record, NULL, 0};
  const struct syclze__command_records *from = &append, *to;
  SYCLZE__ZEROED(struct syclze__chrome_arrow, arrow);
  if (record->kind == SYCLZE__RECORD_COMMAND) {
    to = syclze__model_command(model, record->id);
    if (to->ran == NULL) return arrow;
    arrow.name = "submit";
  } else if (syclze__model_is_edge(model, record)) {
    from = syclze__model_command(model, record->id);
    to = syclze__model_command(model, record->value);
    arrow.name = "dependency";
  } else
    return arrow;
  arrow.from = syclze__chrome_end_of(model, from, false);
  arrow.to = syclze__chrome_end_of(model, to, true);
  return arrow;
}

SYCLZE_INLINE bool syclze__chrome_goes_back(const struct syclze__chrome_arrow *arrow) {
  return arrow->name != NULL && arrow->from.time > arrow->to.time;
}

SYCLZE_LOCAL void syclze__chrome_arrows(const struct syclze__model *model, FILE *file) {
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__chrome_arrow arrow =
        syclze__chrome_arrow_of(model, &model->snapshot.records[i]);
    if (arrow.name == NULL || syclze__chrome_goes_back(&arrow)) continue;
    for (int tip = 0; tip < 2; tip++) {
      const struct syclze__chrome_end *end = tip ? &arrow.to : &arrow.from;
      syclze__chrome_head(file, tip ? "f\",\"bp\":\"e" : "s", end->process, end->track, end->time);
      fprintf(file, ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":%llu}", arrow.name, arrow.name,
          (unsigned long long)i + 1);
    }
  }
}

/* Writes the numbers of missing data. */
SYCLZE_LOCAL void syclze__chrome_tail(const struct syclze__model *model, FILE *file) {
  unsigned long long back = 0;
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__chrome_arrow arrow =
        syclze__chrome_arrow_of(model, &model->snapshot.records[i]);
    back += syclze__chrome_goes_back(&arrow);
  }
  fprintf(file,
      "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"functions traced\":%u,\"records\":%llu,"
      "\"lost\":%llu,\"commands without device times\":%llu,\"images of computed size\":%llu,"
      "\"arrows left out\":%llu}}\n",
      (unsigned)model->functions, (unsigned long long)model->snapshot.count,
      (unsigned long long)model->snapshot.lost, (unsigned long long)model->missed,
      (unsigned long long)model->computed, back);
}

/* Writes the names of tracks. */
SYCLZE_LOCAL void syclze__chrome_tracks(
    const struct syclze__model *model, const struct syclze__lanes *lanes, FILE *file) {
  const uint32_t host = syclze__model_host(model);
  for (uint32_t i = 1; i <= model->threads; i++)
    fprintf(file,
        ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
        "\"args\":{\"name\":\"thread %u\"}}",
        (unsigned)i, (unsigned)i);
  for (uint32_t i = 0; i < model->queues; i++)
    for (uint32_t lane = 0; lane < SYCLZE__LANES; lane++) {
      if (lane != 0 && lanes[i].ends[lane] == 0) break;
      if (i == host) {
        fprintf(file,
            ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
            "\"args\":{\"name\":\"host accessors\"}}",
            (unsigned)(model->threads + 1 + lane));
        continue;
      }
      fprintf(file,
          ",\n{\"ph\":\"M\",\"pid\":2,\"tid\":%u,\"name\":\"thread_name\","
          "\"args\":{\"name\":\"",
          (unsigned)(i * SYCLZE__LANES + lane));
      syclze__write_queue(file, SYCLZE__TEXT_JSON, model, i);
      fprintf(file, "%s\"}}", lane != 0 ? ", at the same time" : "");
    }
}

SYCLZE_LOCAL bool syclze__chrome_write(const struct syclze__model *model, FILE *file) {
  struct syclze__lanes *lanes = syclze__lanes_make(model);
  const bool made = lanes != NULL;
  fputs("{\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"host\"}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"device\"}}",
      file);
  if (made) {
    syclze__chrome_tracks(model, lanes, file);
    for (size_t i = 0; i < model->snapshot.count; i++)
      syclze__chrome_span(model, &model->snapshot.records[i], file);
    /* Follows all spans, since viewers take the file's order for equal times. */
    syclze__chrome_arrows(model, file);
    syclze__chrome_tail(model, file);
  }
  free(lanes);
  return made;
}

SYCLZE_EXTERN_C_END

#endif

#endif
