#define _GNU_SOURCE
#include "child.h"

#include "tests/check.h"

#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 101 };

int in_child(int (*body)(int argument), int argument) {
  fflush(stdout);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check_case_end = NULL;
    int result = body(argument);
    exit(check_program.case_failed ? FAILED : result);
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) < FAILED);
  return WEXITSTATUS(status);
}
