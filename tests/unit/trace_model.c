/* What the writers of a trace read, and the memory of traces. */
#undef SYCLZE_DECLARATIONS
#include "support/memory.h"
#include "syclze/trace/writer/dot.h"

#include "support/recorder.h"

#include <pthread.h>

static void record(enum syclze__record_kind kind, const char *name, uint64_t start, uint64_t id) {
  syclze__record_add(recorder.rings, kind, name, start, 1, id, 77);
}

TEST(times_count_from_the_first_record_of_any_thread) {
  struct syclze__model model;
  begin();
  record(SYCLZE__RECORD_CALL, "second", 2000, 0);
  record(SYCLZE__RECORD_CALL, "first", 1000, 0);
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.origin, 1000);
  syclze__model_free(&model);
  end();
}

TEST(a_trace_without_records_counts_from_0) {
  struct syclze__model model;
  begin();
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.origin, 0);
  CHECK_EQ(model.names, 0);
  syclze__model_free(&model);
  end();
}

TEST(a_model_frees_its_memory) {
  struct syclze__model model;
  begin();
  record(SYCLZE__RECORD_COMMAND, "copy", 1, 1); /* the ring of the thread stays */
  const long before = memory_live();
  CHECK(syclze__model_make(&recorder, &model));
  CHECK(model.names == 1 && model.queues == 1 && model.command_count == 1);
  syclze__model_free(&model);
  CHECK_EQ(memory_live(), before);
  end();
}

static void record_edge(uint64_t start, uint64_t from, uint64_t to) {
  syclze__record_add(recorder.rings, SYCLZE__RECORD_EDGE, NULL, start, to, from, 0);
}

/* The others were lost, or their threads had more to record. What lies behind the last record is no
 * record. */
TEST(a_graph_has_the_commands_and_edges_of_its_records_alone) {
  const uint64_t late = (uint64_t)1 << 40;
  struct syclze__model model;
  char text[1024] = "";
  begin();
  record(SYCLZE__RECORD_COMMAND, "copy", 1, late);
  record(SYCLZE__RECORD_DEVICE, "copy", 2, late);
  record(SYCLZE__RECORD_TASK, "host task", 3, 1);
  record(SYCLZE__RECORD_COMMAND, "fill", 4, late + 2);
  record_edge(5, 1, late);
  record_edge(6, 5, late);
  record_edge(7, late, late + 1);
  record_edge(8, late, late + 2);
  record_edge(9, 1, late + 2);
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.command_count, 3);
  CHECK_EQ(model.missed, 1);
  CHECK(model.commands[0].id == 1 && model.commands[0].appended == NULL);
  CHECK(model.commands[1].id == late && model.commands[1].ran->kind == SYCLZE__RECORD_DEVICE);
  CHECK(model.commands[2].id == late + 2 && model.commands[2].ran == NULL);
  CHECK(syclze__model_command(&model, 5) == NULL);
  model.snapshot.count--;
  FILE *file = tmpfile();
  CHECK(file != NULL);
  CHECK(syclze__dot_write(&model, file));
  rewind(file);
  CHECK(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  CHECK(strstr(text, "  c1 -> c1099511627776;\n  c1099511627776 -> c1099511627778;\n}\n") != NULL);
  syclze__model_free(&model);
  end();
}

static void *record_one(void *argument) {
  (void)argument;
  record(SYCLZE__RECORD_CALL, "call", 1, 0);
  return NULL;
}

static void run_thread(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, record_one, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

TEST(an_ended_thread_leaves_its_ring_alone) {
  begin();
  const long before = memory_live();
  run_thread(); /* the ring and its records */
  CHECK_EQ(memory_live(), before + 2);
  run_thread();
  CHECK_EQ(memory_live(), before + 2);
  end();
}

enum { MANY = 20000 };

static void record_many(void) {
  for (uint64_t i = 2; i <= MANY; i++)
    record(SYCLZE__RECORD_CALL, "call", i, 0);
}

/* A thread fills its ring between the measure of the room and the copy. */
TEST(a_snapshot_has_the_room_that_was_measured) {
  struct syclze__snapshot snapshot;
  memset(&recorder, 0, sizeof recorder);
  recorder.rings = syclze__rings_new(2);
  CHECK(recorder.rings != NULL);
  record(SYCLZE__RECORD_CALL, "call", 1, 0);
  const size_t room = 1 + SYCLZE__RING_LEAST, capacity = recorder.rings->first->mask + 1;
  CHECK(room < capacity);
  memory_interrupt((room + 1) * sizeof *snapshot.records, record_many);
  CHECK(syclze__snapshot_take(recorder.rings, &snapshot));
  CHECK_EQ(recorder.rings->first->written, MANY);
  CHECK(snapshot.count > 0 && snapshot.count <= room);
  CHECK_EQ(snapshot.records[0].start, snapshot.lost + 1);
  CHECK_EQ(snapshot.records[snapshot.count - 1].start, snapshot.lost + snapshot.count);
  free(snapshot.records);
  end();
}

TEST_MAIN(times_count_from_the_first_record_of_any_thread, a_trace_without_records_counts_from_0,
    a_model_frees_its_memory, a_graph_has_the_commands_and_edges_of_its_records_alone,
    an_ended_thread_leaves_its_ring_alone, a_snapshot_has_the_room_that_was_measured)
