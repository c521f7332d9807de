/* Lanes of queues: commands of one queue may run at the same time, and spans that overlap need
 * tracks beside each other. */
#ifndef SYCLZE_TRACE_LANES_H
#define SYCLZE_TRACE_LANES_H

#include "model.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__LANES = 64 }; /* of a queue; what has no other room overlaps on the last */

struct syclze__lanes {
  uint8_t *of_commands; /* as commands of the model: which lane its run on the device is on */
  uint64_t (*ends)[SYCLZE__LANES]; /* of queues: when the last span of each lane ended */
};

/* How long a span is; none is so short that no arrow can begin in it. */
SYCLZE_INLINE uint64_t syclze__lane_time(const struct syclze__record *span) {
  return span->value != 0 ? span->value : 1;
}

/* Fails without memory; syclze__lanes_free afterwards. */
SYCLZE_LOCAL bool syclze__lanes_make(
    const struct syclze__model *model, struct syclze__lanes *lanes) {
  lanes->of_commands = (uint8_t *)calloc(model->command_count + 1, 1);
  lanes->ends = (uint64_t(*)[SYCLZE__LANES])calloc(model->queues + 1, sizeof *lanes->ends);
  if (lanes->of_commands == NULL || lanes->ends == NULL) return false;
  for (size_t i = 0; i < model->snapshot.count; i++) {
    const struct syclze__record *record = &model->snapshot.records[i];
    if (record->kind != SYCLZE__RECORD_DEVICE) continue;
    uint64_t *ends = lanes->ends[syclze__model_queue(model, record)];
    uint8_t lane = 0;
    while (lane < SYCLZE__LANES - 1 && ends[lane] > record->start)
      lane++;
    ends[lane] = record->start + syclze__lane_time(record);
    lanes->of_commands[record->id - model->first_command] = lane;
  }
  return true;
}

SYCLZE_INLINE void syclze__lanes_free(struct syclze__lanes *lanes) {
  free(lanes->of_commands);
  free(lanes->ends);
}

SYCLZE_EXTERN_C_END

#endif
