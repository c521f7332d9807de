#include "core/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool zecl_tool_find(const char *name, char *path, size_t size) {
  if (strchr(name, '/')) return snprintf(path, size, "%s", name) < (int)size && !access(path, X_OK);
  const char *folders = secure_getenv("PATH");
  while (folders && *folders) {
    size_t length = strcspn(folders, ":");
    if (snprintf(path, size, "%.*s/%s", (int)length, folders, name) < (int)size &&
        access(path, X_OK) == 0)
      return true;
    folders += length;
    folders += *folders == ':';
  }
  return false;
}

static int spawn_with_output(char *const argv[], int output, pid_t *child) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static void take_output(int from, struct zecl_text *log) {
  char part[4096];
  for (;;) {
    ssize_t got = read(from, part, sizeof part);
    if (got > 0)
      zecl_text_add_bytes(log, part, (size_t)got);
    else if (got == 0 || errno != EINTR)
      return;
  }
}

bool zecl_tool_run(char *const argv[], struct zecl_text *log) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    zecl_text_add(log, "%s: no pipe: %s\n", argv[0], strerror(errno));
    return false;
  }
  pid_t child;
  int error = spawn_with_output(argv, ends[1], &child);
  close(ends[1]);
  if (!error) take_output(ends[0], log);
  close(ends[0]);
  if (error) {
    zecl_text_add(log, "%s: cannot be run: %s\n", argv[0], strerror(error));
    return false;
  }
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    ;
  /* A program that ignores SIGCHLD gets no status: the tool's files decide. */
  if (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return true;
  if (WIFSIGNALED(status))
    zecl_text_add(log, "%s: ended by signal %d (%s)\n", argv[0], WTERMSIG(status),
        strsignal(WTERMSIG(status)));
  else
    zecl_text_add(log, "%s: ended with status %d\n", argv[0], WEXITSTATUS(status));
  return false;
}

bool zecl_tool_folder_make(struct zecl_tool_folder *folder, struct zecl_text *log) {
  const char *base = secure_getenv("TMPDIR");
  int length =
      snprintf(folder->path, sizeof folder->path, "%s/zecl-XXXXXX", base && *base ? base : "/tmp");
  if (length < (int)sizeof folder->path && mkdtemp(folder->path)) return true;
  zecl_text_add(log, "%s: cannot make a temporary folder: %s\n", folder->path, strerror(errno));
  return false;
}

void zecl_tool_folder_file(
    const struct zecl_tool_folder *folder, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/%s", folder->path, name);
}

bool zecl_tool_write(const char *path, const void *bytes, size_t size, struct zecl_text *log) {
  FILE *file = fopen(path, "wbe");
  size_t written = file ? fwrite(bytes, 1, size, file) : 0;
  if (file && fclose(file) == 0 && written == size) return true;
  zecl_text_add(log, "%s: cannot be written: %s\n", path, strerror(errno));
  return false;
}

bool zecl_tool_read(const char *path, struct zecl_text *out, struct zecl_text *log) {
  FILE *file = fopen(path, "rbe");
  if (!file) {
    zecl_text_add(log, "%s: cannot be read: %s\n", path, strerror(errno));
    return false;
  }
  char part[4096];
  size_t got, total = out->length;
  while ((got = fread(part, 1, sizeof part, file)) > 0) {
    zecl_text_add_bytes(out, part, got);
    total += got;
  }
  bool good = !ferror(file) && out->length == total;
  fclose(file);
  if (!good) zecl_text_add(log, "%s: cannot be read whole\n", path);
  return good;
}

void zecl_tool_folder_remove(struct zecl_tool_folder *folder) {
  DIR *listing = opendir(folder->path);
  const struct dirent *entry;
  while (listing && (entry = readdir(listing))) {
    char path[sizeof folder->path + 256];
    zecl_tool_folder_file(folder, entry->d_name, path, sizeof path);
    unlink(path);
  }
  if (listing) closedir(listing);
  rmdir(folder->path);
}
