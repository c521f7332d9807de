/* A recorder of traces with a mebibyte for records, and no tracer. */
#ifndef TESTS_UNIT_RECORDER_H
#define TESTS_UNIT_RECORDER_H

#include "syclze/trace/writer/recorder.h"
#include "tests/check.h"

static struct syclze__recorder recorder;

static inline void begin(void) {
  memset(&recorder, 0, sizeof recorder);
  recorder.rings = syclze__rings_new(1);
  CHECK(recorder.rings != NULL);
  syclze__mutex_init(&recorder.lock);
}

static inline void end(void) {
  syclze__rings_free(recorder.rings);
}

#endif
