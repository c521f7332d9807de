/* Processes of compilers, in a folder of their own, which only the user can enter, and which has a
 * file of messages. */
#include "../kernel_source.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SOURCE_PROCESS_H
#define SYCLZE_OFFLOAD_DETAIL_SOURCE_PROCESS_H

#include "disk_cache.h"
#include "source_job.h"

#include <errno.h>
#ifndef _WIN32
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__SOURCE_PATH = 4096 };

#if SYCLZE__BODIES && !defined(_WIN32)

/* True if the program has more privileges than its caller, whose tools it must not run. */
SYCLZE_INLINE bool syclze__process_is_privileged(void) {
#ifdef __linux__
  if (getauxval(AT_SECURE) != 0) return true;
#endif
  return geteuid() != getuid() || getegid() != getgid();
}

/* Creates a folder within the folder of temporary files. */
SYCLZE_LOCAL bool syclze__folder_make(char path[SYCLZE__SOURCE_PATH]) {
  static uint32_t folders;
  const char *base = syclze__environment("TMPDIR");
  if (base == NULL || *base != '/') base = "/tmp";
  for (int tries = 0; tries < 100; tries++) {
    const int size = snprintf(path, SYCLZE__SOURCE_PATH, "%s/syclze-%d.%p.%u", base, (int)getpid(),
        (void *)&folders, __atomic_fetch_add(&folders, 1, __ATOMIC_RELAXED));
    if (size >= SYCLZE__SOURCE_PATH - 32) return false;
    if (mkdir(path, 0700) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

/* Removes the folder and the files in it. */
SYCLZE_LOCAL void syclze__folder_remove(const char *path) {
  char file[2 * SYCLZE__SOURCE_PATH];
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
    if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) < (int)sizeof file) unlink(file);
  if (directory != NULL) closedir(directory);
  rmdir(path);
}

SYCLZE_LOCAL bool syclze__folder_write(const char *path, const void *data, size_t size) {
  const int file = syclze__own_file_create(path);
  const bool is_written = file >= 0 && syclze__own_file_write(file, data, size);
  return file >= 0 && close(file) == 0 && is_written;
}

/* Reads a file of the folder into an allocation with one more byte; empty if there is none. Other
 * users cannot reach the file, regardless of its mode. */
SYCLZE_LOCAL syclze_bytes syclze__folder_read(const char *path) {
  uint64_t size = 0;
  chmod(path, 0600);
  const int file = syclze__own_file_open(path, &size);
  uint8_t *data = file >= 0 && size < SIZE_MAX ? (uint8_t *)malloc((size_t)size + 1) : NULL;
  if (data != NULL && !syclze__own_file_read(file, data, (size_t)size)) {
    free(data);
    data = NULL;
  }
  if (file >= 0) close(file);
  return syclze_bytes_of(data, data != NULL ? (size_t)size : 0);
}

/* Starts a process without the program's signal handlers, mask and variables. */
SYCLZE_LOCAL bool syclze__process_start(
    const char *const *words, char *const *variables, const char *log, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  memset(&none, 0, sizeof none);
  memset(&all, 0xff, sizeof all);
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return false;
  }
  const bool is_started =
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
      posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600) ==
          0 &&
      posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
      posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
      posix_spawnattr_setsigdefault(&attributes, &all) == 0 &&
      posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0 &&
      posix_spawn(process, words[0], &actions, &attributes, (char *const *)(uintptr_t)words,
          variables) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return is_started;
}

/* Runs a tool by its path, and waits for it. If the program's own handling of children takes the
 * status, the tool's output shows its success. */
SYCLZE_LOCAL ze_result_t syclze__process_run(
    struct syclze__source_job *job, const char *const *words, const char *folder) {
  static const char *const passed[] = {"PATH", "LD_LIBRARY_PATH"};
  char log[SYCLZE__SOURCE_PATH + 32], temporary[SYCLZE__SOURCE_PATH + 32], language[] = "LC_ALL=C";
  char *texts[2] = {NULL, NULL}, *variables[5] = {language, temporary};
  size_t count = 2;
  pid_t process;
  int status = 0;
  snprintf(log, sizeof log, "%s/log", folder);
  snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
  for (int i = 0; i < 2; i++) {
    const char *value = syclze__environment(passed[i]);
    const size_t size = value != NULL ? strlen(passed[i]) + strlen(value) + 2 : 0;
    texts[i] = size != 0 ? (char *)malloc(size) : NULL;
    if (texts[i] == NULL) continue;
    snprintf(texts[i], size, "%s=%s", passed[i], value);
    variables[count++] = texts[i];
  }
  const bool is_started = syclze__process_start(words, variables, log, &process);
  free(texts[0]);
  free(texts[1]);
  while (is_started && waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return ZE_RESULT_SUCCESS;
  /* posix_spawn may report the failure of exec as the status 127. */
  if (!is_started || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
    syclze__text_buffer_add(&job->log, "%s cannot be run\n", words[0]);
    return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  }
  if (WIFSIGNALED(status))
    syclze__text_buffer_add(&job->log, "%s was ended by signal %d\n", words[0], WTERMSIG(status));
  return status == 0 ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_BUILD;
}

#endif

SYCLZE_EXTERN_C_END

#endif
