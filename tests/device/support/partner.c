#define _GNU_SOURCE
#include "partner.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The name and the socket of a partner. */
#define NAME "SYCLZE_TEST_PARTNER"
#define LINK "SYCLZE_TEST_LINK"

struct partner partner_begin(const char *name) {
  int links[2];
  char number[16], program[4096];
  const char *libraries = getenv("SYCLZE_INTEL_LIBRARIES");
  struct partner partner;
  /* Under valgrind the link itself leads to valgrind. */
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  CHECK(length > 0);
  program[length] = '\0';
  fflush(stdout);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, links) == 0);
  snprintf(number, sizeof number, "%d", links[1]);
  partner.link = links[0];
  partner.process = fork();
  CHECK(partner.process >= 0);
  if (partner.process == 0) {
    close(links[0]);
    setenv(NAME, name, 1);
    setenv(LINK, number, 1);
    /* Started by another C library's loader (tests/intel/start.sh). */
    if (libraries != NULL && strstr(program, "/ld-linux") != NULL)
      execl(program, program, "--library-path", libraries, program_invocation_name, (char *)NULL);
    execl(program, "partner", (char *)NULL);
    _exit(99);
  }
  close(links[1]);
  return partner;
}

void partner_end(struct partner *partner) {
  int status = -1;
  CHECK_EQ(waitpid(partner->process, &status, 0), partner->process);
  close(partner->link);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

void partner_kill(struct partner *partner) {
  CHECK_EQ(kill(partner->process, SIGKILL), 0);
  CHECK_EQ(waitpid(partner->process, NULL, 0), partner->process);
  close(partner->link);
}

static void (*the_body)(int link);

static void run_body(void) {
  the_body(atoi(getenv(LINK)));
}

void partner_run(const char *name, void (*body)(int link)) {
  const char *wanted = getenv(NAME);
  if (wanted == NULL || strcmp(wanted, name) != 0) return;
  the_body = body;
  check_program.name = name;
  check_program.name_length = (int)strlen(name);
  check_run(run_body);
  exit(check_program.case_failed);
}

void partner_send(int link, const void *bytes, size_t size) {
  CHECK_EQ(send(link, bytes, size, MSG_NOSIGNAL), size);
}

void partner_receive(int link, void *bytes, size_t size) {
  CHECK_EQ(recv(link, bytes, size, MSG_WAITALL), size);
}
