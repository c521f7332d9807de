/* A snapshot of the records, ordered for the writers: names, tracks and commands by number.
 */
#ifndef SYCLZE_TRACE_MODEL_H
#define SYCLZE_TRACE_MODEL_H

#include "recorder.h"

#include <stdio.h>

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* The records of one command: one of them is null if it was lost, or is none yet. */
struct syclze__command_records {
  uint64_t id;
  const struct syclze__record *appended, *ran; /* on the device, or of a host task */
  uint32_t lane;                               /* of its run (chrome.h) */
};

struct syclze__model {
  struct syclze__snapshot snapshot;
  uint64_t origin;   /* the first record's time */
  uint64_t missed;   /* commands without times on the device */
  uint64_t computed; /* images whose size is by their descriptors */
  size_t command_count;
  struct syclze__command_records *commands; /* with records, by id */
  uint32_t functions;                       /* that are traced: 0 where the tracing layer is off */
  uint32_t threads;
  uint32_t queues;
  uint32_t names;
  struct syclze__map queue_numbers; /* value: from 0, in the order of their commands */
  struct syclze__map name_numbers;  /* by address; value: from 0 */
  const char **name_list;
  const char **queue_names; /* of the application; null for a queue without */
};

SYCLZE_LOCAL void syclze__model_free(struct syclze__model *model);

SYCLZE_LOCAL int syclze__command_compare(const void *a, const void *b) {
  const struct syclze__command_records *x = (const struct syclze__command_records *)a;
  const struct syclze__command_records *y = (const struct syclze__command_records *)b;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* The records of a command; null if there are none. */
SYCLZE_LOCAL struct syclze__command_records *syclze__model_command(
    const struct syclze__model *model, uint64_t id) {
  const struct syclze__command_records wanted = {id, NULL, NULL, 0};
  return model->command_count == 0
             ? NULL
             : (struct syclze__command_records *)bsearch(&wanted, model->commands,
                   model->command_count, sizeof wanted, syclze__command_compare);
}

/* True for an edge between commands with records. */
SYCLZE_LOCAL bool syclze__model_is_edge(
    const struct syclze__model *model, const struct syclze__record *record) {
  return record->kind == SYCLZE__RECORD_EDGE && syclze__model_command(model, record->id) != NULL &&
         syclze__model_command(model, record->value) != NULL;
}

SYCLZE_INLINE bool syclze__record_has_queue(const struct syclze__record *record) {
  return record->kind == SYCLZE__RECORD_COMMAND || record->kind == SYCLZE__RECORD_DEVICE ||
         record->kind == SYCLZE__RECORD_TASK;
}

SYCLZE_INLINE uint32_t syclze__model_queue(
    const struct syclze__model *model, const struct syclze__record *record) {
  return (uint32_t)syclze__map_find(&model->queue_numbers, record->track)->value;
}

/* The number of the track of host accessors among the queues; UINT32_MAX for none. */
SYCLZE_INLINE uint32_t syclze__model_host(const struct syclze__model *model) {
  const struct syclze__map_entry *found =
      syclze__map_find(&model->queue_numbers, SYCLZE__TRACK_HOST);
  return found != NULL ? (uint32_t)found->value : UINT32_MAX;
}

SYCLZE_INLINE uint32_t syclze__model_name(
    const struct syclze__model *model, const struct syclze__record *record) {
  return (uint32_t)syclze__map_find(&model->name_numbers, (uint64_t)(uintptr_t)record->name)->value;
}

/* Assigns the key its number, from 0. */
SYCLZE_LOCAL bool syclze__model_number(struct syclze__map *map, uint64_t key, uint32_t *count) {
  if (key == 0 || syclze__map_find(map, key) != NULL) return true;
  struct syclze__map_entry *place = syclze__map_put(map, key);
  if (place != NULL) place->value = (*count)++;
  return place != NULL;
}

SYCLZE_LOCAL bool syclze__model_count(struct syclze__model *model) {
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (record->thread > model->threads) model->threads = record->thread;
    if (!syclze__model_number(
            &model->name_numbers, (uint64_t)(uintptr_t)record->name, &model->names))
      return false;
    model->command_count += syclze__record_has_queue(record);
  }
  return true;
}

/* Makes one command of all that have the same number, and orders them by it. */
SYCLZE_LOCAL void syclze__model_merge(struct syclze__model *model) {
  size_t count = 0;
  qsort(model->commands, model->command_count, sizeof *model->commands, syclze__command_compare);
  for (size_t i = 0; i < model->command_count; i++) {
    const struct syclze__command_records *next = &model->commands[i];
    struct syclze__command_records *last = count != 0 ? &model->commands[count - 1] : NULL;
    if (last == NULL || last->id != next->id)
      model->commands[count++] = *next;
    else if (next->ran != NULL)
      last->ran = next->ran;
    else
      last->appended = next->appended;
  }
  model->command_count = count;
}

/* Numbers queues and commands. A list that a queue executes counts as the queue. */
SYCLZE_LOCAL bool syclze__model_fill(struct syclze__model *model) {
  struct syclze__command_records *command = model->commands;
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (record->name != NULL) model->name_list[syclze__model_name(model, record)] = record->name;
    if (!syclze__record_has_queue(record)) continue;
    command->id = record->id;
    if (record->kind == SYCLZE__RECORD_COMMAND)
      command->appended = record;
    else
      command->ran = record;
    command++;
  }
  syclze__model_merge(model);
  for (size_t i = 0; i < model->command_count; i++) {
    command = &model->commands[i];
    const struct syclze__record *queue = command->ran != NULL ? command->ran : command->appended;
    model->missed += command->ran == NULL;
    if (!syclze__model_number(&model->queue_numbers, queue->track, &model->queues)) return false;
  }
  return true;
}

/* Sets the names of queues, which are never freed. */
SYCLZE_LOCAL bool syclze__model_name_queues(
    struct syclze__recorder *recorder, struct syclze__model *model) {
  model->queue_names = (const char **)calloc(model->queues + 1, sizeof *model->queue_names);
  if (model->queue_names == NULL) return false;
  syclze__mutex_lock(&recorder->lock);
  for (size_t i = 0; recorder->tracks.count != 0 && i <= recorder->tracks.mask; i++) {
    const struct syclze__map_entry *named = &recorder->tracks.entries[i];
    const struct syclze__map_entry *queue = syclze__map_find(&model->queue_numbers, named->handle);
    if (queue != NULL) model->queue_names[queue->value] = named->name;
  }
  syclze__mutex_unlock(&recorder->lock);
  return true;
}

/* Creates the model; false without memory. */
SYCLZE_LOCAL bool syclze__model_make(
    struct syclze__recorder *recorder, struct syclze__model *model) {
  struct syclze__ring *ring = syclze__ring_mine(recorder->rings);
  memset(model, 0, sizeof *model);
  syclze__mutex_lock(&recorder->lock);
  if (ring != NULL) { /* at the program's end there is none */
    ring->is_quiet = true;
    syclze__recorder_collect_all(recorder);
    ring->is_quiet = false;
  }
  model->computed = recorder->computed;
  model->functions = recorder->tracer.functions;
  syclze__mutex_unlock(&recorder->lock);
  if (!syclze__snapshot_take(recorder->rings, &model->snapshot)) return false;
  if (model->snapshot.count > 0) model->origin = model->snapshot.records[0].start;
  bool made = syclze__model_count(model);
  if (made) {
    model->commands =
        (struct syclze__command_records *)calloc(model->command_count + 1, sizeof *model->commands);
    model->name_list = (const char **)calloc(model->names + 1, sizeof *model->name_list);
    made = model->commands != NULL && model->name_list != NULL;
  }
  made = made && syclze__model_fill(model) && syclze__model_name_queues(recorder, model);
  if (!made) syclze__model_free(model);
  return made;
}

SYCLZE_LOCAL void syclze__model_free(struct syclze__model *model) {
  free(model->snapshot.records);
  free(model->commands);
  free((void *)model->name_list);
  free((void *)model->queue_names);
  free(model->queue_numbers.entries);
  free(model->name_numbers.entries);
}

/* The formats of a text: between quotation marks, or plain. */
enum syclze__text_format { SYCLZE__TEXT_JSON, SYCLZE__TEXT_DOT, SYCLZE__TEXT_PLAIN };

/* The number of bytes of a character in UTF-8; 0 if it is malformed. */
SYCLZE_LOCAL uint32_t syclze__utf8_size(const unsigned char *c) {
  const uint32_t size = c[0] < 0x80   ? 1
                        : c[0] < 0xc2 ? 0
                        : c[0] < 0xe0 ? 2
                        : c[0] < 0xf0 ? 3
                        : c[0] < 0xf5 ? 4
                                      : 0;
  for (uint32_t i = 1; i < size; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  const uint32_t two = size > 2 ? (uint32_t)c[0] << 8 | c[1] : 0;
  const bool is_overlong = size > 2 && (two < 0xe0a0 || two >> 4 == 0xf08);
  const bool is_surrogate = two >> 5 == 0xeda0 >> 5;
  return is_overlong || is_surrogate || two > 0xf48f ? 0 : size;
}

/* Writes text. Malformed characters become U+FFFD: readers of JSON refuse a file for one. '<' is
 * escaped in JSON, which HTML contains. */
SYCLZE_LOCAL void syclze__write_text(
    FILE *file, enum syclze__text_format format, const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  uint32_t size;
  for (; *c != 0; c += size != 0 ? size : 1) {
    size = syclze__utf8_size(c);
    if (size == 0)
      fputs("\xef\xbf\xbd", file);
    else if (format == SYCLZE__TEXT_JSON && (*c < 0x20 || *c == '<'))
      fprintf(file, "\\u%04x", *c);
    else if (format != SYCLZE__TEXT_PLAIN && (*c == '"' || *c == '\\'))
      fprintf(file, "\\%c", *c);
    else if (format == SYCLZE__TEXT_DOT && *c == '&')
      fputs("&amp;", file);
    else if (*c < 0x20)
      fputc(' ', file);
    else
      fwrite(c, 1, size, file);
  }
}

/* Writes a queue's name by the application, or its number. */
SYCLZE_LOCAL void syclze__write_queue(FILE *file, enum syclze__text_format format,
    const struct syclze__model *model, uint32_t queue) {
  if (model->queue_names[queue] != NULL)
    syclze__write_text(file, format, model->queue_names[queue]);
  else
    fprintf(file, "queue %u", (unsigned)queue);
}

SYCLZE_EXTERN_C_END

#endif

#endif
