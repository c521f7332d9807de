/* Rings of records: order, bound, dropped records, and snapshots of recording threads. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "../check.h"
#include "syclze/trace/writer/ring.h"

enum { MOST_THREADS = 8 };

static void record(struct syclze__rings *rings, uint64_t number) {
  syclze__record_add(rings, SYCLZE__RECORD_CALL, "call", number, 2 * number, 3 * number, number);
}

TEST(records_are_read_in_order_of_their_starts) {
  struct syclze__rings *rings = syclze__rings_new(1);
  struct syclze__snapshot snapshot;
  for (uint64_t i = 1; i <= 100; i++)
    record(rings, 1 + (i * 37) % 101);
  CHECK(syclze__snapshot_take(rings, &snapshot));
  CHECK_EQ(snapshot.count, 100);
  CHECK_EQ(snapshot.lost, 0);
  for (uint64_t i = 1; i < 100; i++)
    CHECK(snapshot.records[i].start > snapshot.records[i - 1].start);
  CHECK_STR_EQ(snapshot.records[5].name, "call");
  CHECK_EQ(snapshot.records[5].value, 2 * snapshot.records[5].start);
  CHECK_EQ(snapshot.records[5].id, 3 * snapshot.records[5].start);
  CHECK_EQ(snapshot.records[5].thread, 1);
  free(snapshot.records);
  syclze__rings_free(rings);
}

TEST(a_full_ring_drops_and_counts_its_oldest_records) {
  struct syclze__rings *rings = syclze__rings_new(1);
  struct syclze__snapshot snapshot;
  const uint64_t count = 100000;
  for (uint64_t i = 0; i < count; i++)
    record(rings, i);
  CHECK(syclze__snapshot_take(rings, &snapshot));
  CHECK_EQ(snapshot.count + snapshot.lost, count);
  CHECK(snapshot.lost > 0);
  CHECK(snapshot.count * sizeof(struct syclze__record) <= 1 << 20);
  CHECK_EQ(snapshot.records[0].start, snapshot.lost);
  CHECK_EQ(snapshot.records[snapshot.count - 1].start, count - 1);
  free(snapshot.records);
  syclze__rings_free(rings);
}

TEST(nothing_is_recorded_after_the_stop) {
  struct syclze__rings *rings = syclze__rings_new(1);
  struct syclze__snapshot snapshot;
  record(rings, 1);
  rings->stopped = 1;
  record(rings, 2);
  CHECK(syclze__snapshot_take(rings, &snapshot));
  CHECK_EQ(snapshot.count, 1);
  free(snapshot.records);
  syclze__rings_free(rings);
}

static void *record_one(void *rings) {
  record((struct syclze__rings *)rings, 1);
  return NULL;
}

TEST(a_thread_reuses_the_ring_of_an_ended_thread) {
  struct syclze__rings *rings = syclze__rings_new(1);
  struct syclze__snapshot snapshot;
  uint32_t count = 0;
  for (int i = 0; i < 100; i++) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, record_one, rings), 0);
    pthread_join(thread, NULL);
  }
  for (const struct syclze__ring *ring = rings->first; ring != NULL; ring = ring->next)
    count++;
  CHECK_EQ(count, 1);
  CHECK(syclze__snapshot_take(rings, &snapshot));
  CHECK_EQ(snapshot.count, 100);
  uint64_t threads = 0; /* sum; thread numbers are distinct */
  for (size_t i = 0; i < 100; i++)
    threads += snapshot.records[i].thread;
  CHECK_EQ(threads, 5050);
  free(snapshot.records);
  syclze__rings_free(rings);
}

static uint32_t ending;

static void *record_many(void *rings) {
  for (uint64_t i = 1; !__atomic_load_n(&ending, __ATOMIC_RELAXED); i++)
    record((struct syclze__rings *)rings, i);
  return NULL;
}

/* Records are intact while others are overwritten. */
TEST(snapshots_may_be_taken_while_threads_record) {
  struct syclze__rings *rings = syclze__rings_new(1);
  pthread_t threads[MOST_THREADS];
  ending = 0;
  for (int i = 0; i < MOST_THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, record_many, rings), 0);
  uint64_t checked = 0;
  for (int i = 0; i < 40 || checked == 0; i++) {
    struct syclze__snapshot snapshot;
    CHECK(syclze__snapshot_take(rings, &snapshot));
    for (size_t k = 0; k < snapshot.count; k++) {
      const struct syclze__record *r = &snapshot.records[k];
      CHECK(r->value == 2 * r->start && r->id == 3 * r->start && r->track == r->start);
      checked++;
    }
    free(snapshot.records);
  }
  __atomic_store_n(&ending, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < MOST_THREADS; i++)
    pthread_join(threads[i], NULL);
  syclze__rings_free(rings);
}

TEST_MAIN(records_are_read_in_order_of_their_starts,
    a_full_ring_drops_and_counts_its_oldest_records, nothing_is_recorded_after_the_stop,
    a_thread_reuses_the_ring_of_an_ended_thread, snapshots_may_be_taken_while_threads_record)
