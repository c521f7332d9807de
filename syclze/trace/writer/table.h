/* Totals of a trace as lines of text: each name's count, and the total, average, minimum and
 * maximum of its times in microseconds, the largest total first. */
#ifndef SYCLZE_TRACE_TABLE_H
#define SYCLZE_TRACE_TABLE_H

#include "model.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

enum syclze__table_place { SYCLZE__TABLE_HOST, SYCLZE__TABLE_DEVICE, SYCLZE__TABLE_TASK };

struct syclze__table_row {
  const char *name; /* null for a row without spans */
  enum syclze__table_place place;
  uint64_t count, total, min, max;
};

/* The place of a span; false for other records. */
SYCLZE_LOCAL bool syclze__table_place_of(
    const struct syclze__record *record, enum syclze__table_place *place) {
  *place = record->kind == SYCLZE__RECORD_CALL     ? SYCLZE__TABLE_HOST
           : record->kind == SYCLZE__RECORD_DEVICE ? SYCLZE__TABLE_DEVICE
                                                   : SYCLZE__TABLE_TASK;
  return record->name != NULL &&
         (record->kind == SYCLZE__RECORD_CALL || record->kind == SYCLZE__RECORD_DEVICE ||
             record->kind == SYCLZE__RECORD_TASK);
}

/* Collects one row for each name and place; equal names at several addresses share a row. */
SYCLZE_LOCAL size_t syclze__table_collect(
    const struct syclze__model *model, struct syclze__table_row *rows) {
  size_t count = 0;
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    enum syclze__table_place place;
    if (!syclze__table_place_of(record, &place)) continue;
    struct syclze__table_row *row = &rows[3 * syclze__model_name(model, record) + (unsigned)place];
    if (row->name == NULL) row->min = UINT64_MAX;
    row->name = record->name;
    row->place = place;
    row->count++;
    row->total += record->value;
    if (record->value < row->min) row->min = record->value;
    if (record->value > row->max) row->max = record->value;
  }
  for (size_t i = 0; i < 3 * (size_t)model->names; i++) {
    if (rows[i].name == NULL) continue;
    size_t at = 0;
    while (
        at < count && (rows[at].place != rows[i].place || strcmp(rows[at].name, rows[i].name) != 0))
      at++;
    if (at == count) {
      rows[count++] = rows[i];
      continue;
    }
    rows[at].count += rows[i].count;
    rows[at].total += rows[i].total;
    if (rows[i].min < rows[at].min) rows[at].min = rows[i].min;
    if (rows[i].max > rows[at].max) rows[at].max = rows[i].max;
  }
  return count;
}

SYCLZE_LOCAL int syclze__table_compare(const void *left, const void *right) {
  const struct syclze__table_row *a = (const struct syclze__table_row *)left;
  const struct syclze__table_row *b = (const struct syclze__table_row *)right;
  if (a->total != b->total) return a->total > b->total ? -1 : 1;
  return strcmp(a->name, b->name);
}

SYCLZE_LOCAL void syclze__table_cell(FILE *file, uint64_t nanoseconds) {
  fprintf(file, " %13.3f", (double)nanoseconds / 1000);
}

SYCLZE_LOCAL bool syclze__table_write(const struct syclze__model *model, FILE *file) {
  static const char *const places[] = {"host", "device", "task"};
  struct syclze__table_row *rows =
      (struct syclze__table_row *)calloc(3 * (size_t)model->names + 1, sizeof *rows);
  if (rows == NULL) return false;
  const size_t count = syclze__table_collect(model, rows);
  qsort(rows, count, sizeof *rows, syclze__table_compare);
  fprintf(file, "%10s %13s %13s %13s %13s  %-6s  %s\n", "count", "total us", "avg us", "min us",
      "max us", "where", "what");
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%10llu", (unsigned long long)rows[i].count);
    syclze__table_cell(file, rows[i].total);
    syclze__table_cell(file, rows[i].total / rows[i].count);
    syclze__table_cell(file, rows[i].min);
    syclze__table_cell(file, rows[i].max);
    fprintf(file, "  %-6s  ", places[rows[i].place]);
    syclze__write_text(file, SYCLZE__TEXT_PLAIN, rows[i].name);
    fputc('\n', file);
  }
  if (model->snapshot.lost != 0)
    fprintf(file, "%llu records were lost\n", (unsigned long long)model->snapshot.lost);
  free(rows);
  return true;
}

SYCLZE_EXTERN_C_END

#endif

#endif
