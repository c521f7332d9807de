/* Native binaries on disk: loaded from the cache, and ignored when truncated or of another key. */
#define _GNU_SOURCE
#undef SYCLZE_DECLARATIONS
#include <level_zero/ze_api.h>
#include <stdbool.h>

static bool has_no_binaries;

/* The driver's function, or one that returns the size of a binary and then fails. */
static ze_result_t binary_of(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  if (has_no_binaries && binary != NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return zeModuleGetNativeBinary(module, size, binary);
}

#define zeModuleGetNativeBinary binary_of
#include "support/offload.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static char folder[64];

/* A temporary folder, not created yet. */
static void new_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/syclze-cache-%d", (int)getpid());
}

/* Calls `act` with the path of each file in the folder. */
static int for_each_file(void (*act)(const char *path)) {
  DIR *directory = opendir(folder);
  int files = 0;
  if (directory == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    char path[512];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (act) act(path);
    files++;
  }
  closedir(directory);
  return files;
}

static void delete_file(const char *path) {
  CHECK_EQ(remove(path), 0);
}

static void delete_folder(void) {
  for_each_file(delete_file);
  remove(folder);
}

static void end_shorter(const char *path) {
  const struct given_file file = given_file(path);
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL);
  CHECK_EQ(fwrite(file.bytes, 1, file.size / 2, out), file.size / 2);
  fclose(out);
  free(file.bytes);
}

static void change_a_byte_at(const char *path, size_t from_end) {
  const struct given_file file = given_file(path);
  CHECK(file.size > from_end);
  file.bytes[file.size - 1 - from_end] ^= 1;
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL);
  CHECK_EQ(fwrite(file.bytes, 1, file.size, out), file.size);
  fclose(out);
  free(file.bytes);
}

static void change_the_binary(const char *path) {
  change_a_byte_at(path, 8);
}

static void change_the_key(const char *path) {
  const struct given_file file = given_file(path);
  const size_t from_end = file.size - 1 - 40;
  free(file.bytes);
  change_a_byte_at(path, from_end);
}

static void empty(const char *path) {
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL);
  fclose(out);
}

/* The path of the only entry, or of the last. */
static char entry_path[512];
static void note_path(const char *path) {
  snprintf(entry_path, sizeof entry_path, "%s", path);
}

static void make_old(const char *path) {
  const struct utimbuf old = {1, 1};
  note_path(path);
  CHECK_EQ(utime(path, &old), 0);
}

/* Runs `scale` on the device with `n` and `f`. Returns the source of the module. */
static syclze_program_counts run(const char *cache, const char *flags, int n, float f) {
  struct offload o;
  const syclze_spec_value values[] = {{NULL, 0, &n, sizeof n}, {NULL, 1, &f, sizeof f}};
  offload_begin(&o, cache);
  if (flags) {
    const syclze_program_desc desc = {.set = o.set, .build_flags = flags, .cache_folder = cache};
    CHECK_EQ(syclze_program_release(o.program), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_program_create(o.context, &desc, &o.program), ZE_RESULT_SUCCESS);
  }
  offload_add(&o, "tests/offload/samples/spec.clang22.spv");
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.out[i] = 1.0f;
  syclze_kernel scale = offload_kernel(&o, "scale", values, 2);
  offload_argument(scale, 0, &o.out, sizeof o.out);
  offload_run(&o, scale, 4, 64);
  float expected = 1.0f;
  for (int i = 0; i < n; i++)
    expected *= f;
  OFFLOAD_CHECK(o.out[0] == expected && o.out[OFFLOAD_ITEMS - 1] == expected);
  const syclze_program_counts counts = syclze_program_get_counts(o.program);
  offload_end(&o);
  return counts;
}

#define CHECK_BUILT(counts)                                                                        \
  do {                                                                                             \
    const syclze_program_counts counts_ = (counts);                                                \
    CHECK_EQ(counts_.built, 1);                                                                    \
    CHECK_EQ(counts_.from_disk, 0);                                                                \
  } while (0)

#define CHECK_FROM_DISK(counts)                                                                    \
  do {                                                                                             \
    const syclze_program_counts counts_ = (counts);                                                \
    CHECK_EQ(counts_.built, 0);                                                                    \
    CHECK_EQ(counts_.from_disk, 1);                                                                \
  } while (0)

TEST(a_second_program_loads_the_binary_from_disk) { // shows offload 55
  new_folder();
  CHECK_BUILT(run(folder, NULL, 3, 2.0f));
  CHECK_EQ(for_each_file(NULL), 1);
  CHECK_FROM_DISK(run(folder, NULL, 3, 2.0f));
  CHECK_BUILT(run("", NULL, 3, 2.0f));
  CHECK_EQ(for_each_file(NULL), 1);
  delete_folder();
}

TEST(the_cache_folder_may_come_from_the_environment) {
  new_folder();
  CHECK_EQ(setenv("SYCLZE_CACHE_DIR", folder, 1), 0);
  struct offload o;
  offload_begin(&o, NULL);
  const syclze_program_desc desc = {.set = o.set};
  CHECK_EQ(syclze_program_release(o.program), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_create(o.context, &desc, &o.program), ZE_RESULT_SUCCESS);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  offload_end(&o);
  CHECK_EQ(for_each_file(NULL), 1);
  unsetenv("SYCLZE_CACHE_DIR");
  delete_folder();
}

TEST(constants_and_flags_are_part_of_the_cache_key) {
  new_folder();
  CHECK_BUILT(run(folder, NULL, 3, 2.0f));
  CHECK_BUILT(run(folder, NULL, 4, 2.0f));
  CHECK_BUILT(run(folder, NULL, 3, 0.5f));
  CHECK_BUILT(run(folder, "-cl-mad-enable", 3, 2.0f));
  CHECK_EQ(for_each_file(NULL), 4);
  CHECK_FROM_DISK(run(folder, NULL, 4, 2.0f));
  CHECK_FROM_DISK(run(folder, "-cl-mad-enable", 3, 2.0f));
  delete_folder();
}

/* The first value is replaced by the second: another request for the same module. */
TEST(each_of_many_requests_is_found_in_memory) {
  enum { REQUESTS = 200 };
  struct offload o;
  const int n = 3;
  const float f = 2.0f;
  offload_begin(&o, "");
  offload_add(&o, "tests/offload/samples/spec.clang22.spv");
  for (int round = 0; round < 2; round++) {
    const uint64_t before = syclze_program_get_counts(o.program).from_memory;
    for (int i = 0; i < REQUESTS; i++) {
      const syclze_spec_value values[] = {
          {NULL, 0, &i, sizeof i}, {NULL, 0, &n, sizeof n}, {NULL, 1, &f, sizeof f}};
      syclze_kernel_release(offload_kernel(&o, "scale", values, 3));
    }
    const syclze_program_counts counts = syclze_program_get_counts(o.program);
    CHECK_EQ(counts.built, 1);
    if (round == 1) CHECK_EQ(counts.from_memory - before, REQUESTS);
  }
  offload_end(&o);
}

TEST(a_binary_that_the_driver_does_not_return_is_not_stored) {
  const syclze_program_request request = {.kernel = "iota"};
  struct offload o;
  syclze_kernel kernel;
  new_folder();
  offload_begin(&o, folder);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  has_no_binaries = true;
  const ze_result_t result = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
  has_no_binaries = false;
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(for_each_file(NULL), 0);
  offload_end(&o);
  delete_folder();
}

TEST(truncated_and_modified_files_are_ignored) {
  static void (*const spoil[])(const char *) = {
      end_shorter, change_the_binary, change_the_key, empty};
  new_folder();
  CHECK_BUILT(run(folder, NULL, 3, 2.0f));
  for (size_t i = 0; i < sizeof spoil / sizeof *spoil; i++) {
    CHECK_EQ(for_each_file(spoil[i]), 1);
    CHECK_BUILT(run(folder, NULL, 3, 2.0f));
    CHECK_FROM_DISK(run(folder, NULL, 3, 2.0f));
  }
  delete_folder();
}

TEST(entries_are_matched_by_the_whole_key) { // shows offload 55
  new_folder();
  const uint8_t words[] = {1, 2, 3};
  const syclze_bytes key = {words, sizeof words}, junk = {"no native binary", 16};
  syclze_bytes binary;
  CHECK(syclze__disk_cache_write(folder, key, junk));
  CHECK(syclze__disk_cache_read(folder, key, true, &binary));
  CHECK_EQ(binary.size, junk.size);
  CHECK(memcmp(binary.data, junk.data, junk.size) == 0);
  free((void *)(uintptr_t)binary.data);
  const syclze_bytes other = {words, 2};
  CHECK(!syclze__disk_cache_read(folder, other, true, &binary));
  CHECK(binary.data == NULL);
  syclze__disk_cache_remove(folder, key);
  CHECK(!syclze__disk_cache_read(folder, key, true, &binary));
  delete_folder();
}

TEST(entries_are_the_users_own_regular_files) { // shows offload 58
  const uint8_t words[] = {1, 2, 3};
  const syclze_bytes key = {words, sizeof words}, junk = {"no native binary", 16};
  char other[600];
  struct stat properties;
  syclze_bytes binary;
  new_folder();
  const mode_t mask = umask(0);
  CHECK(syclze__disk_cache_write(folder, key, junk));
  umask(mask);
  CHECK_EQ(for_each_file(note_path), 1);
  CHECK_EQ(stat(entry_path, &properties), 0);
  CHECK_EQ(properties.st_mode & 07777, 0600);
  /* Written by others. */
  CHECK_EQ(chmod(entry_path, 0620), 0);
  CHECK(!syclze__disk_cache_read(folder, key, true, &binary));
  CHECK_EQ(chmod(entry_path, 0600), 0);
  /* A file of another user. */
  if (geteuid() == 0) {
    CHECK_EQ(chown(entry_path, 65534, 65534), 0);
    CHECK(!syclze__disk_cache_read(folder, key, true, &binary));
    CHECK_EQ(chown(entry_path, 0, 0), 0);
  }
  CHECK(syclze__disk_cache_read(folder, key, true, &binary));
  free((void *)(uintptr_t)binary.data);
  /* A link to a file that would be accepted. */
  snprintf(other, sizeof other, "%s.other", entry_path);
  CHECK_EQ(rename(entry_path, other), 0);
  CHECK_EQ(symlink(other, entry_path), 0);
  CHECK(!syclze__disk_cache_read(folder, key, true, &binary));
  CHECK_EQ(remove(entry_path), 0);
  /* A FIFO without a writer: the read returns at once. */
  CHECK_EQ(mkfifo(entry_path, 0600), 0);
  CHECK(!syclze__disk_cache_read(folder, key, true, &binary));
  delete_folder();
}

TEST(an_entry_is_not_written_through_a_file_that_exists) { // shows offload 58
  char path[600];
  struct stat properties;
  new_folder();
  CHECK_EQ(mkdir(folder, 0700), 0);
  snprintf(path, sizeof path, "%s/entry", folder);
  CHECK_EQ(symlink("/dev/null", path), 0);
  CHECK_EQ(syclze__own_file_create(path), -1);
  CHECK_EQ(lstat(path, &properties), 0);
  CHECK(S_ISLNK(properties.st_mode));
  delete_folder();
}

TEST(an_unwritable_folder_is_not_an_error) {
  CHECK_BUILT(run("/proc/no/such/folder", NULL, 3, 2.0f));
}

/* The second process has the lock after the first, which has written the entry by then. */
TEST(one_process_builds_an_entry_while_others_wait) { // shows offload 56
  const uint8_t words[] = {1, 2, 3};
  const syclze_bytes key = {words, sizeof words}, junk = {"no native binary", 16};
  syclze_bytes binary;
  int status = 0;
  new_folder();
  struct syclze__disk_lock lock = syclze__disk_lock_acquire(folder, key);
  CHECK(lock.file >= 0);
  const pid_t other = fork();
  CHECK(other >= 0);
  if (other == 0) {
    close(lock.file); /* a lock is that of the open file, which both have */
    const struct syclze__disk_lock own = syclze__disk_lock_acquire(folder, key);
    const bool is_there = syclze__disk_cache_read(folder, key, true, &binary);
    syclze__disk_lock_release(&own);
    _exit(is_there ? 0 : 1);
  }
  usleep(20000); /* a sleep may only widen a race window */
  CHECK(syclze__disk_cache_write(folder, key, junk));
  syclze__disk_lock_release(&lock);
  CHECK_EQ(waitpid(other, &status, 0), other);
  CHECK_EQ(status, 0);
  CHECK_EQ(for_each_file(NULL), 1);
  delete_folder();
}

/* A process that waited for a build which left no entry does not keep the others waiting. */
TEST(a_build_that_is_not_stored_is_waited_for_once) { // shows offload 56
  const uint8_t words[] = {1, 2, 3};
  const syclze_bytes key = {words, sizeof words};
  int status = 0;
  new_folder();
  const struct syclze__disk_lock lock = syclze__disk_lock_acquire(folder, key);
  const int waiting = open(lock.path, O_RDWR | O_CLOEXEC);
  CHECK(lock.file >= 0 && waiting >= 0);
  const pid_t other = fork();
  CHECK(other >= 0);
  if (other == 0) {
    close(lock.file);
    const struct syclze__disk_lock own = syclze__disk_lock_acquire(folder, key);
    _exit(flock(waiting, LOCK_EX | LOCK_NB) == 0 ? 0 : own.file >= 0 ? 1 : 2);
  }
  usleep(20000); /* a sleep may only widen a race window */
  syclze__disk_lock_release(&lock);
  CHECK_EQ(waitpid(other, &status, 0), other);
  CHECK_EQ(status, 0);
  close(waiting);
  delete_folder();
}

TEST(a_child_of_the_builder_does_not_keep_others_waiting) { // shows offload 56
  const uint8_t words[] = {1, 2, 3};
  const syclze_bytes key = {words, sizeof words};
  int ends[2], status = 0;
  char byte;
  new_folder();
  const struct syclze__disk_lock lock = syclze__disk_lock_acquire(folder, key);
  const int waiting = open(lock.path, O_RDWR | O_CLOEXEC);
  CHECK(lock.file >= 0 && waiting >= 0 && pipe(ends) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) { /* lives as long as the pipe's other end */
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  syclze__disk_lock_release(&lock);
  CHECK_EQ(flock(waiting, LOCK_EX | LOCK_NB), 0);
  close(ends[1]);
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  close(ends[0]);
  close(waiting);
  delete_folder();
}

/* Writes an entry that was last used so many seconds ago. */
static void write_entry(uint8_t name, size_t size, time_t ago) {
  static const uint8_t content[4096];
  const time_t then = time(NULL) - ago;
  const struct utimbuf times = {then, then};
  char *path = syclze__disk_path(folder, syclze_bytes_of(&name, 1), "");
  CHECK(path != NULL);
  CHECK(
      syclze__disk_cache_write(folder, syclze_bytes_of(&name, 1), syclze_bytes_of(content, size)));
  CHECK_EQ(utime(path, &times), 0);
  free(path);
}

static bool has_entry(uint8_t name) {
  syclze_bytes binary;
  const bool is_there = syclze__disk_cache_read(folder, syclze_bytes_of(&name, 1), true, &binary);
  free((void *)(uintptr_t)binary.data);
  return is_there;
}

TEST(what_was_not_used_for_long_is_evicted) {
  const struct syclze__disk_limits limits = {0, 1000, 0, 0};
  new_folder();
  write_entry(1, 100, 2000);
  write_entry(2, 100, 500);
  write_entry(3, 100, 2000);
  CHECK(has_entry(3)); /* a use */
  syclze__disk_evict(folder, &limits);
  CHECK(!has_entry(1));
  CHECK(has_entry(2));
  CHECK(has_entry(3));
  delete_folder();
}

TEST(the_least_recently_used_is_evicted_over_the_limit) { // shows offload 55
  struct syclze__disk_limits limits = {1 << 20, 0, 0, 0};
  char other[128];
  new_folder();
  for (uint8_t i = 1; i <= 4; i++)
    write_entry(i, 1000, 100 - i);
  /* Named by a digest, as other caches do. */
  snprintf(other, sizeof other, "%s/0123456789abcdef0123456789abcdef.jpg", folder);
  FILE *file = fopen(other, "wb");
  CHECK(file != NULL && fputs("not an entry", file) >= 0 && fclose(file) == 0);
  syclze__disk_evict(folder, &limits);
  CHECK_EQ(for_each_file(NULL), 5);
  limits.total = 4000; /* four take more, and three take less than seven eighths */
  syclze__disk_evict(folder, &limits);
  CHECK(!has_entry(1));
  for (uint8_t i = 2; i <= 4; i++)
    CHECK(has_entry(i));
  limits.total = 1; /* the least */
  syclze__disk_evict(folder, &limits);
  CHECK_EQ(for_each_file(NULL), 1);
  CHECK_EQ(access(other, F_OK), 0);
  delete_folder();
}

/* The sources of a kernel of the sample, with a package's folder and no other. */
static syclze_program_counts run_packaged(const char *flags) {
  struct offload o;
  offload_begin(&o, NULL);
  const syclze_program_desc desc = {
      .set = o.set, .build_flags = flags, .cache_folder = "", .package_folder = folder};
  CHECK_EQ(syclze_program_release(o.program), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_create(o.context, &desc, &o.program), ZE_RESULT_SUCCESS);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  const syclze_program_counts counts = syclze_program_get_counts(o.program);
  offload_end(&o);
  return counts;
}

/* A shared object with one of DPC++'s descriptors: of a kernel and an exported function. */
static const char with_function[] =
    "#include <stdint.h>\n"
    "__asm__(\".section .rodata\\n.balign 8\\ncode: .incbin \\\"tests/offload/samples/\"\n"
    "        \"two.clang22.spv\\\"\\nlast: .byte 0\\n.previous\\n\");\n"
    "extern const char code[] __attribute__((visibility(\"hidden\")));\n"
    "extern const char last[] __attribute__((visibility(\"hidden\")));\n"
    "static struct { void *address; const char *name; uint64_t size, flags; }\n"
    "    names[] = {{0, \"axpy\", 0, 0}, {0, \"helper\", 0, 0}};\n"
    "static struct { const char *name; void *value; uint64_t type, size; } exports = {\"helper\", "
    "0, 1, "
    "1};\n"
    "static struct { const char *name; void *begin, *end; }\n"
    "    sets = {\"SYCL/exported symbols\", &exports, &exports + 1};\n"
    "struct { uint16_t version; uint8_t kind, format; uint32_t unused; const void *pointers[9]; }\n"
    "    image = {3, 4, 2, 0,\n"
    "        {\"spir64\", \"\", \"\", code, last, names, names + 2, &sets, &sets + 1}};\n";

TEST(a_package_brings_binaries_along) { // shows offload 57
#ifdef __SANITIZE_ADDRESS__
  SKIP("the tool has no sanitizer, and the driver that it opens has one");
#endif
  char command[512];
  new_folder();
  snprintf(command, sizeof command,
      "${CC:-cc} -std=c11 -O1 -I. -o %s.tool syclze/offload/tools/build.c -lze_loader -ldl "
      "-pthread && "
      "${SYCLZE_INTEL_LIBRARIES:+tests/intel/start.sh} %s.tool -o %s "
      "tests/offload/samples/two.clang22.spv >%s.log 2>&1",
      folder, folder, folder, folder);
  CHECK_EQ(system(command), 0);
  const int entries = for_each_file(NULL);
  CHECK(entries >= 1);
  struct stat properties;
  CHECK_EQ(for_each_file(make_old), entries);
  CHECK_FROM_DISK(run_packaged(NULL));
  CHECK_BUILT(run_packaged("-cl-mad-enable"));
  CHECK_EQ(for_each_file(NULL), entries); /* it is only read */
  CHECK_EQ(stat(entry_path, &properties), 0);
  CHECK_EQ(properties.st_mtime, 1);
  snprintf(command, sizeof command,
      "${CC:-cc} -shared -fPIC -x c -o %s.so - && "
      "${SYCLZE_INTEL_LIBRARIES:+tests/intel/start.sh} %s.tool -o %s %s.so >%s.log 2>&1",
      folder, folder, folder, folder, folder);
  FILE *compiler = popen(command, "w");
  CHECK(compiler != NULL && fputs(with_function, compiler) >= 0);
  CHECK_EQ(pclose(compiler), 0); /* the function is no kernel that cannot be built */
  delete_folder();
  snprintf(command, sizeof command, "rm -f %s.tool %s.so %s.log", folder, folder, folder);
  CHECK_EQ(system(command), 0);
}

static void check_folder(const char *given, const char *expected) {
  char *path = syclze__disk_folder(given);
  CHECK(path != NULL);
  CHECK_STR_EQ(path, expected);
  free(path);
}

TEST(the_variables_of_sycl_name_a_folder_where_they_enable_it) { // shows offload 55
  static const char *const names[] = {
      "SYCLZE_CACHE_DIR", "SYCL_CACHE_PERSISTENT", "SYCL_CACHE_DIR", "XDG_CACHE_HOME"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unsetenv(names[i]);
  CHECK_EQ(setenv("HOME", "/home/me", 1), 0);
  check_folder(NULL, "");
  CHECK_EQ(setenv("SYCL_CACHE_PERSISTENT", "1", 1), 0);
  check_folder(NULL, "/home/me/.cache/syclze");
  CHECK_EQ(setenv("XDG_CACHE_HOME", "/cache", 1), 0);
  check_folder(NULL, "/cache/syclze");
  CHECK_EQ(setenv("SYCL_CACHE_DIR", "/sycl", 1), 0);
  check_folder(NULL, "/sycl/syclze");
  check_folder("", "");
  check_folder("/own", "/own");
  CHECK_EQ(setenv("SYCLZE_CACHE_DIR", "/mine", 1), 0);
  check_folder(NULL, "/mine");
  CHECK_EQ(setenv("SYCLZE_CACHE_DIR", "", 1), 0);
  check_folder(NULL, "");
  unsetenv("SYCLZE_CACHE_DIR");
  CHECK_EQ(setenv("SYCL_CACHE_PERSISTENT", "0", 1), 0);
  check_folder(NULL, "");
}

TEST(the_variables_of_sycl_limit_the_cache) {
  struct syclze__disk_limits limits = syclze__disk_limits_make();
  CHECK_EQ(limits.total, (uint64_t)8 << 30);
  CHECK_EQ(limits.age, 7 * 24 * 60 * 60);
  CHECK(
      syclze__disk_is_worth(&limits, 0) && !syclze__disk_is_worth(&limits, ((size_t)1 << 30) + 1));
  CHECK_EQ(setenv("SYCL_CACHE_MAX_SIZE", "3", 1), 0);
  CHECK_EQ(setenv("SYCL_CACHE_THRESHOLD", "0", 1), 0);
  CHECK_EQ(setenv("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", "1000000", 1), 0);
  CHECK_EQ(setenv("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", "many", 1), 0);
  limits = syclze__disk_limits_make();
  CHECK_EQ(limits.total, 3 << 20);
  CHECK_EQ(limits.age, 0);
  CHECK(!syclze__disk_is_worth(&limits, 999999) && syclze__disk_is_worth(&limits, 1 << 30));
  /* A small module is built each time. */
  new_folder();
  CHECK_BUILT(run(folder, NULL, 3, 2.0f));
  CHECK_BUILT(run(folder, NULL, 3, 2.0f));
  CHECK_EQ(for_each_file(NULL), 0);
  unsetenv("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE");
  CHECK_EQ(setenv("SYCL_CACHE_EVICTION_DISABLE", "1", 1), 0);
  CHECK_EQ(syclze__disk_limits_make().total, 0);
  delete_folder();
}

TEST_MAIN(a_package_brings_binaries_along, one_process_builds_an_entry_while_others_wait,
    a_build_that_is_not_stored_is_waited_for_once,
    a_child_of_the_builder_does_not_keep_others_waiting, what_was_not_used_for_long_is_evicted,
    the_least_recently_used_is_evicted_over_the_limit,
    the_variables_of_sycl_name_a_folder_where_they_enable_it, the_variables_of_sycl_limit_the_cache,
    a_second_program_loads_the_binary_from_disk, the_cache_folder_may_come_from_the_environment,
    constants_and_flags_are_part_of_the_cache_key, each_of_many_requests_is_found_in_memory,
    a_binary_that_the_driver_does_not_return_is_not_stored,
    truncated_and_modified_files_are_ignored, entries_are_matched_by_the_whole_key,
    entries_are_the_users_own_regular_files, an_entry_is_not_written_through_a_file_that_exists,
    an_unwritable_folder_is_not_an_error)
