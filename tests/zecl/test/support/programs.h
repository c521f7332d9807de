/* Two programs with Level Zero, and handles that pass from one to the other. IPC_MODE is ZECL_IPC
 * of both. */
#ifndef ZECL_TEST_PROGRAMS_H
#define ZECL_TEST_PROGRAMS_H

#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef IPC_MODE
#define IPC_MODE "1"
#endif

__attribute__((constructor)) static void choose_mode(void) {
  setenv("ZECL_IPC", IPC_MODE, 1);
}

static inline int handles_are_descriptors(void) {
  return strcmp(IPC_MODE, "descriptor") == 0 && !test_on_cuda();
}

union control {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

/* Sends a handle, and where it is no more than a descriptor of this process the file itself. */
static inline int send_handle(int link, const void *handle, size_t size) {
  union control control = {
      .header = {
          .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  struct iovec bytes = {.iov_base = (void *)(uintptr_t)handle, .iov_len = size};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (handles_are_descriptors()) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    memcpy(CMSG_DATA(&control.header), handle, sizeof(int));
  }
  return sendmsg(link, &message, 0) == (ssize_t)size;
}

/* Writes the number that the file has here into the handle; without `is_whole` as it was sent. */
static inline int receive_handle(int link, void *handle, size_t size, int is_whole) {
  union control control = {.header = {.cmsg_len = 0}};
  struct iovec bytes = {.iov_base = handle, .iov_len = size};
  struct msghdr message = {.msg_iov = &bytes,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control.room};
  if (recvmsg(link, &message, 0) != (ssize_t)size) return 0;
  if (!handles_are_descriptors()) return 1;
  if (control.header.cmsg_type != SCM_RIGHTS) return 0;
  if (is_whole) memcpy(handle, CMSG_DATA(&control.header), sizeof(int));
  return 1;
}

/* Begins a program of its own, by exec: it has no file of ours but its end of the links. */
static inline pid_t begin_program(const char *name, int links[2]) {
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, links) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", links[1]);
    setenv("ZECL_TEST_LINK", number, 1);
    execl("/proc/self/exe", "the other program", name, (char *)NULL);
    _exit(99);
  }
  return child;
}

static inline void end_program(pid_t child, const int links[2]) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  close(links[0]);
  close(links[1]);
}

#endif
