#define _GNU_SOURCE
#include "cuda_rules.h"

#include "libcuda.h"
#include "test/harness/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct zecl_cuda_driver rules_cuda;
struct rules_made rules_made;

static void find_functions(void) {
#define FIND(name, symbol, parameters)                                                             \
  do {                                                                                             \
    void *address = test_libcuda_symbol(#symbol);                                                  \
    memcpy(&rules_cuda.name, &address, sizeof address);                                            \
  } while (0);
  ZECL_CUDA_FUNCTIONS(FIND)
#undef FIND
}

void rules_make(void) {
  CU(init)(0);
  for (int i = 0; i < 2; i++)
    CU(context_retain)(&rules_made.contexts[i], i);
  CU(context_set)(rules_made.contexts[0]);
  CU(stream_create)(&rules_made.stream, CU_STREAM_NON_BLOCKING, 0);
  CU(alloc_device)(&rules_made.device, 4096);
  CU(alloc_host)(&rules_made.host, 4096, CU_MEMHOSTALLOC_PORTABLE);
}

void rules_unmake(void) {
  CU(stream_destroy)(rules_made.stream);
  CU(free_device)(rules_made.device);
  CU(free_host)(rules_made.host);
}

/* A process that does something, and where what it prints comes out. */
struct child {
  pid_t process;
  int output;
};

enum { ABORTED = 99 };

/* Sooner than the system ends a process. */
static void on_abort(int number) {
  (void)number;
  _exit(ABORTED);
}

static struct child start(void (*how)(void)) {
  int output[2];
  CHECK_EQ(pipe(output), 0);
  fflush(stdout);
  const struct child child = {fork(), output[0]};
  if (child.process == 0) {
    signal(SIGABRT, on_abort);
    dup2(output[1], STDERR_FILENO);
    how();
    _exit(0);
  }
  close(output[1]);
  return child;
}

/* The line that it printed; it has aborted if there is one. */
static void finish(struct child child, char *line, size_t size) {
  int status = 0;
  size_t length = 0;
  for (ssize_t part;
       length + 1 < size && (part = read(child.output, line + length, size - 1 - length)) > 0;)
    length += (size_t)part;
  line[length] = 0;
  close(child.output);
  CHECK_EQ(waitpid(child.process, &status, 0), child.process);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), length ? ABORTED : 0);
}

void rules_check_right(void (*how)(void)) {
  char line[256];
  find_functions();
  finish(start(how), line, sizeof line);
  CHECK_STR_EQ(line, "");
}

void rules_check_each(const struct rule *rules, size_t count) {
  enum { MOST = 64 };
  struct child children[MOST];
  CHECK(count <= MOST);
  find_functions();
  for (size_t i = 0; i < count; i++)
    children[i] = start(rules[i].how);
  for (size_t i = 0; i < count; i++) {
    char line[256];
    finish(children[i], line, sizeof line);
    if (!strstr(line, rules[i].words)) printf("%s: %s\n", rules[i].words, line);
    CHECK(strncmp(line, "libcuda: ", 9) == 0 && strstr(line, rules[i].words));
  }
}
