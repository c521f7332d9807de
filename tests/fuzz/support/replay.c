/* The main program of a fuzz target without libFuzzer: replays files through it.

   With arguments, each is a file to replay. Without, the files are those of the target's corpus,
   tests/fuzz/corpus/TARGET, and of tests/offload/samples: whole, cut short at every length of their
   beginnings, and with bytes of their beginnings changed. Each input is an allocation of exactly
   its size, so that a sanitizer or valgrind sees a read past it. */
#include "tests/check.h"

#include <dirent.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BEGINNING = 160 };

static const char *target;

static void run(const uint8_t *bytes, size_t size, size_t changed, uint8_t value) {
  uint8_t *exact = malloc(size ? size : 1);
  CHECK(exact != NULL);
  if (size) memcpy(exact, bytes, size);
  if (changed < size) exact[changed] = value;
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static void run_whole(const uint8_t *bytes, size_t size) {
  run(bytes, size, size, 0);
}

static void run_truncated(const uint8_t *bytes, size_t size) {
  for (size_t length = 0; length < size && length < BEGINNING; length++)
    run(bytes, length, length, 0);
  for (size_t length = size; length > 0; length = length / 2)
    run(bytes, length - 1, length, 0);
}

static void run_changed(const uint8_t *bytes, size_t size) {
  static const uint8_t values[] = {0x00, 0x01, 0x7f, 0xff};
  for (size_t i = 0; i < size && i < BEGINNING; i++)
    for (size_t value = 0; value < sizeof values; value++)
      run(bytes, size, i, values[value]);
}

static void replay_file(const char *path, void (*replay)(const uint8_t *, size_t)) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  long size = ftell(file);
  CHECK(size >= 0);
  rewind(file);
  uint8_t *bytes = malloc((size_t)size + 1);
  CHECK(bytes != NULL);
  CHECK_EQ(fread(bytes, 1, (size_t)size, file), size);
  fclose(file);
  replay(bytes, (size_t)size);
  free(bytes);
}

static int replay_folder(const char *folder, void (*replay)(const uint8_t *, size_t)) {
  DIR *directory = opendir(folder);
  int files = 0;
  if (directory == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    char path[1024];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    replay_file(path, replay);
    files++;
  }
  closedir(directory);
  return files;
}

static void replay_all(void (*replay)(const uint8_t *, size_t)) {
  char corpus[512];
  snprintf(corpus, sizeof corpus, "tests/fuzz/corpus/%s", target);
  replay_folder(corpus, replay);
  CHECK(replay_folder("tests/offload/samples", replay) > 0);
}

TEST(files_as_they_are) {
  replay_all(run_whole);
}

TEST(files_cut_short) {
  replay_all(run_truncated);
}

TEST(files_with_a_byte_changed) {
  replay_all(run_changed);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {
      files_as_they_are, files_cut_short, files_with_a_byte_changed};
  const char *slash = strrchr(argv[0], '/');
  target = slash ? slash + 1 : argv[0];
  for (int i = 1; i < argc; i++)
    replay_file(argv[i], run_whole);
  if (argc > 1) return 0;
  return check_run_all(
      cases, 3, "files_as_they_are, files_cut_short, files_with_a_byte_changed", "");
}
