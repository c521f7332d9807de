/* Native handles for other processes that are file descriptors of the exporter's process, as with
 * Intel's driver on Linux: elsewhere the number is meaningless, or another file. On Windows they
 * are handles of the exporter's process, which the importer duplicates.
 *
 * The exporter adds its process and the file's identity to the handle. The importer fetches the
 * descriptor by pidfd_getfd, which needs the right to trace the exporter, or receives it over a
 * socket. Either way the file must be the one that the handle names. */
#ifndef SYCLZE_DETAIL_DRIVER_PEER_DESCRIPTOR_H
#define SYCLZE_DETAIL_DRIVER_PEER_DESCRIPTOR_H

#include "../../ipc_handle.h"
#include "../../result.h"
#include "../sync/lock.h"
#include "../sync/threads.h"

#if defined(__linux__) && SYCLZE__BODIES
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#ifdef __linux__

/* The descriptor that a native handle begins with, or -1. */
SYCLZE_LOCAL int syclze__descriptor_of(const syclze_ipc_handle *handle) {
  uint64_t number;
  memcpy(&number, &handle->native, sizeof number);
  return number <= INT32_MAX ? (int)number : -1;
}

SYCLZE_LOCAL void syclze__descriptor_set(syclze_ipc_handle *handle, int descriptor) {
  const uint64_t number = (uint64_t)descriptor;
  memcpy(&handle->native, &number, sizeof number);
}

/* True for an open descriptor of memory: a driver's buffer, or an anonymous file. */
SYCLZE_LOCAL bool syclze__descriptor_is_memory(int descriptor) {
  static const char *const kinds[] = {"/dmabuf:", "anon_inode:dmabuf", "/memfd:"};
  char path[32], target[32];
  bool is_memory = false;
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  long length = syclze__syscall(SYS_readlinkat, -100 /* AT_FDCWD */, path, target, sizeof target);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (length >= (long)strlen(kinds[i]) && memcmp(target, kinds[i], strlen(kinds[i])) == 0)
      is_memory = true;
  return is_memory;
}

/* True if the driver's handle contains the exporter's process: such a driver fetches the descriptor
 * itself. */
SYCLZE_LOCAL bool syclze__handle_has_process(const syclze_ipc_handle *handle, int32_t process) {
  int32_t word;
  for (size_t at = sizeof(uint64_t); at + sizeof word <= sizeof handle->native.memory;
       at += sizeof word) {
    memcpy(&word, (const char *)&handle->native + at, sizeof word);
    if (word == process) return true;
  }
  return false;
}

/* Adds to a handle of this process what others need to open it. */
SYCLZE_LOCAL void syclze__descriptor_export(syclze_ipc_handle *handle) {
  const int descriptor = syclze__descriptor_of(handle);
  const int32_t process = (int32_t)getpid();
  struct stat file;
  if (descriptor < 0 || syclze__handle_has_process(handle, process) ||
      !syclze__descriptor_is_memory(descriptor) || fstat(descriptor, &file) != 0)
    return;
  handle->process = process;
  handle->device = (uint64_t)file.st_dev;
  handle->inode = (uint64_t)file.st_ino;
}

SYCLZE_LOCAL struct syclze__status syclze__descriptor_failed(int error) {
  switch (error) {
  case EPERM:
  case EACCES:
    return syclze__status_of(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS,
        "the exporter must allow this process to trace it, or send the handle by "
        "syclze_ipc_handle_send");
  case ENOSYS:
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "the kernel has no pidfd_getfd: the handle must be sent by syclze_ipc_handle_send");
  default:
    return syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ARGUMENT, "the exporter has no such descriptor: it may have ended");
  }
}

/* Puts a descriptor of this process into a handle that needs one. The caller closes `fetched`, -1
 * for none. */
SYCLZE_LOCAL struct syclze__status syclze__descriptor_import(
    syclze_ipc_handle *handle, int *fetched) {
  enum { PIDFD_OPEN = 434, PIDFD_GETFD = 438 };
  struct stat file;
  int descriptor = syclze__descriptor_of(handle);
  long process;
  *fetched = -1;
  if (handle->process == 0) return syclze__allowed();
  if (descriptor < 0) return syclze__invalid("the handle has a process, and no descriptor of it");
  if (handle->process != (int32_t)getpid()) {
    process = syclze__syscall(PIDFD_OPEN, (long)handle->process, 0L);
    if (process < 0) return syclze__descriptor_failed(errno);
    *fetched = (int)syclze__syscall(PIDFD_GETFD, process, (long)descriptor, 0L);
    descriptor = errno;
    close((int)process);
    if (*fetched < 0) return syclze__descriptor_failed(descriptor);
    descriptor = *fetched;
    syclze__descriptor_set(handle, descriptor);
  }
  if (fstat(descriptor, &file) == 0 && (uint64_t)file.st_dev == handle->device &&
      (uint64_t)file.st_ino == handle->inode)
    return syclze__allowed();
  if (*fetched >= 0) close(*fetched);
  *fetched = -1;
  return syclze__status_of(ZE_RESULT_ERROR_INVALID_ARGUMENT,
      "the descriptor is not the file that was exported: its exporter may have ended");
}

SYCLZE_LOCAL void syclze__descriptor_close(int fetched) {
  if (fetched >= 0) close(fetched);
}

/* Room for one descriptor beside a message. */
union syclze__descriptor_message {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

SYCLZE_LOCAL struct syclze__status syclze__descriptor_send(
    int socket, const syclze_ipc_handle *handle) {
  syclze_ipc_handle sent = *handle;
  struct iovec part = {&sent, sizeof sent};
  struct syclze__status status = syclze__allowed();
  int fetched = -1, descriptor;
  ptrdiff_t size;
  SYCLZE__ZEROED(struct msghdr, message);
  SYCLZE__ZEROED(union syclze__descriptor_message, control);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (handle->process != 0) {
    status = syclze__descriptor_import(&sent, &fetched);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    descriptor = syclze__descriptor_of(&sent);
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = 1; /* SCM_RIGHTS */
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  do
    size = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (size < 0 && errno == EINTR);
  syclze__descriptor_close(fetched);
  if (size != (ptrdiff_t)sizeof sent)
    status = syclze__status_of(SYCLZE_RESULT_ERROR_RUNTIME, "the socket does not take the handle");
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__descriptor_receive(
    int socket, syclze_ipc_handle *handle, int *descriptor) {
  struct iovec part = {handle, sizeof *handle};
  ptrdiff_t size;
  SYCLZE__ZEROED(struct msghdr, message);
  SYCLZE__ZEROED(union syclze__descriptor_message, control);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  /* Alignment would leave room for a second descriptor, which would stay open. */
  message.msg_controllen = CMSG_LEN(sizeof *descriptor);
  do
    size = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  if (size > 0 && message.msg_controllen >= CMSG_LEN(sizeof *descriptor) &&
      control.header.cmsg_level == SOL_SOCKET && control.header.cmsg_type == 1)
    memcpy(descriptor, CMSG_DATA(&control.header), sizeof *descriptor);
  if (size != (ptrdiff_t)sizeof *handle)
    return syclze__status_of(SYCLZE_RESULT_ERROR_RUNTIME, "the socket has no whole handle");
  if ((handle->process != 0) != (*descriptor >= 0))
    return syclze__invalid("a handle must have a descriptor beside it exactly if it needs one");
  if (*descriptor < 0) return syclze__allowed();
  handle->process = (int32_t)getpid();
  syclze__descriptor_set(handle, *descriptor);
  return syclze__allowed();
}

#else

#ifdef _WIN32
/* Functions of kernel32 by names of their own: windows.h is the application's to include. */
extern void *syclze__windows_process_open(
    unsigned long access, int inherits, unsigned long process) __asm__("OpenProcess");
extern unsigned long syclze__windows_process_id(void) __asm__("GetCurrentProcessId");
extern int syclze__windows_handle_flags(void *handle, unsigned long *flags) __asm__(
    "GetHandleInformation");
extern int syclze__windows_duplicate(void *from_process, void *from, void *to_process, void **to,
    unsigned long access, int inherits, unsigned long options) __asm__("DuplicateHandle");

/* The low 32 bits of the handle that a native handle begins with, or 0. */
SYCLZE_LOCAL int syclze__windows_handle_of(const syclze_ipc_handle *handle) {
  uint64_t number;
  memcpy(&number, &handle->native, sizeof number);
  return number <= INT32_MAX ? (int)number : 0;
}

SYCLZE_LOCAL void syclze__descriptor_export(syclze_ipc_handle *handle) {
  const int own = syclze__windows_handle_of(handle);
  unsigned long flags;
  if (own != 0 && syclze__windows_handle_flags((void *)(intptr_t)own, &flags) != 0)
    handle->process = (int32_t)syclze__windows_process_id();
}

SYCLZE_LOCAL struct syclze__status syclze__descriptor_import(
    syclze_ipc_handle *handle, int *fetched) {
  enum { PROCESS_MAY_DUPLICATE = 0x40, SAME_ACCESS = 2 };
  const int exported = syclze__windows_handle_of(handle);
  void *process, *copy = NULL;
  *fetched = -1;
  if (handle->process == 0) return syclze__allowed();
  if (exported == 0) return syclze__invalid("the handle has a process, and no handle of it");
  if (handle->process == (int32_t)syclze__windows_process_id()) return syclze__allowed();
  process = syclze__windows_process_open(PROCESS_MAY_DUPLICATE, 0, (unsigned long)handle->process);
  if (process == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ARGUMENT,
        "the exporter's process cannot be opened: it may have ended");
  int duplicated = syclze__windows_duplicate(process, (void *)(intptr_t)exported,
      (void *)(intptr_t)-1 /* this process */, &copy, 0, 0, SAME_ACCESS);
  (void)syclze__windows_close_handle(process);
  if (duplicated == 0)
    return syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ARGUMENT, "the exporter has no such handle: it may have ended");
  uint64_t number = (uint64_t)(uintptr_t)copy;
  memcpy(&handle->native, &number, sizeof number);
  *fetched = (int)(intptr_t)copy;
  return syclze__allowed();
}

SYCLZE_LOCAL void syclze__descriptor_close(int fetched) {
  if (fetched >= 0) (void)syclze__windows_close_handle((void *)(intptr_t)fetched);
}

#else

/* Handles of other systems need no descriptor. */
SYCLZE_LOCAL void syclze__descriptor_export(syclze_ipc_handle *handle) {
  (void)handle;
}

SYCLZE_LOCAL struct syclze__status syclze__descriptor_import(
    syclze_ipc_handle *handle, int *fetched) {
  *fetched = -1;
  return handle->process == 0 ? syclze__allowed()
                              : syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                                    "the system has no descriptors of other processes");
}

SYCLZE_LOCAL void syclze__descriptor_close(int fetched) {
  (void)fetched;
}

#endif

SYCLZE_LOCAL struct syclze__status syclze__descriptor_send(
    int socket, const syclze_ipc_handle *handle) {
  (void)socket, (void)handle;
  return syclze__status_of(
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the system passes no descriptors over sockets");
}

SYCLZE_LOCAL struct syclze__status syclze__descriptor_receive(
    int socket, syclze_ipc_handle *handle, int *descriptor) {
  (void)handle, (void)descriptor;
  return syclze__descriptor_send(socket, handle);
}

#endif

#endif

SYCLZE_EXTERN_C_END

#endif
