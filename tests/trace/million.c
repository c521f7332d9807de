/* The size of a page of a million records. SYCLZE_TEST_PAGE names a file to keep it in, for
   tests/trace/page.sh, or a trace in another format, for tests/trace/opened.sh. */
#define _DEFAULT_SOURCE
#undef SYCLZE_DECLARATIONS
#include "../check.h"
#include "syclze/trace/writer.h"

#include <sys/stat.h>
#include <unistd.h>

enum { RECORDS = 1000000, COMMANDS = 100000, THREADS = 3000 };

static struct syclze__recorder trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *record_one(void *unused) {
  (void)unused;
  syclze__record_add(trace.rings, SYCLZE__RECORD_CALL, "zeInit", 1000000, 90, 0, 0);
  return NULL;
}

/* As from a program that runs `COMMANDS` kernels: on three queues in order, on one two at a
   time; other threads come and go. */
static void fill(void) {
  trace.tracer.functions = 1;
  trace.rings = syclze__rings_new(512);
  CHECK(trace.rings != NULL);
  uint64_t now = 1000000;
  for (uint64_t id = 1; id <= COMMANDS; id++) {
    const uint64_t queue = 8 * (1 + id % 4);
    syclze__record_add(trace.rings, SYCLZE__RECORD_COMMAND, "kernel", now, 0, id, queue);
    syclze__record_add(trace.rings, SYCLZE__RECORD_DEVICE, "kernel", now + 3000,
        id % 4 != 0 ? 2500 : 5000, id, queue);
    syclze__record_add(trace.rings, SYCLZE__RECORD_MEMORY, NULL, now, (id % 64) << 20, 0, 0);
    if (id > 4 && id % 4 != 0)
      syclze__record_add(trace.rings, SYCLZE__RECORD_EDGE, NULL, now, id, id - 4, 0);
    for (int call = 0; call < (id % 4 != 0 ? 6 : 7); call++, now += 150)
      syclze__record_add(trace.rings, SYCLZE__RECORD_CALL,
          call % 2 ? "zeEventQueryStatus" : "zeKernelSetArgumentValue", now, 90, 0, 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, record_one, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
}

TEST(a_million_records_take_less_than_sixteen_bytes_each) {
  const char *keep = getenv("SYCLZE_TEST_PAGE");
  char path[] = "/tmp/syclze-page-XXXXXX.html";
  if (keep == NULL) close(mkstemps(path, 5));
  struct syclze__model model;
  fill();
  const uint64_t begin = syclze__clock_now();
  CHECK(syclze__model_make(&trace, &model));
  CHECK_EQ(model.snapshot.lost, 0);
  CHECK_EQ(model.snapshot.count, RECORDS - 3 + THREADS);
  CHECK_EQ(model.command_count, COMMANDS);
  CHECK_EQ(syclze__writer_write(&model, keep ? keep : path).result, ZE_RESULT_SUCCESS);
  syclze__model_free(&model);
  struct stat file;
  CHECK_EQ(stat(keep ? keep : path, &file), 0);
  printf("%.2f seconds, %.1f MB\n", (double)(syclze__clock_now() - begin) / 1e9,
      (double)file.st_size / 1e6);
  if (keep == NULL || strstr(keep, ".html") != NULL) CHECK(file.st_size < 16 * RECORDS);
  if (keep == NULL) unlink(path);
  syclze__rings_free(trace.rings);
}

TEST_MAIN(a_million_records_take_less_than_sixteen_bytes_each)
