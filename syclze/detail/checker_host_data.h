/* The debug checker's table of data of the host that buffers were created with, or write their
 * contents to at their end. The data must exist until then. */
#ifndef SYCLZE_DETAIL_CHECKER_HOST_DATA_H
#define SYCLZE_DETAIL_CHECKER_HOST_DATA_H

#include "checker.h"

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

#ifdef __linux__
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

SYCLZE_EXTERN_C_BEGIN

/* Exceeds the distance of two frames of one stack. */
enum { SYCLZE__CHECK_STACK = 1 << 23 };

struct syclze__check_lent {
  const void *buffer, *data;
  size_t size;
  const void *thread; /* the data are on its stack; null if unknown */
  struct syclze__site made;
  struct syclze__check_lent *next;
};

SYCLZE_LOCAL struct syclze__check_lent **syclze__check_find_lent(
    struct syclze__checker *checker, const void *buffer) {
  struct syclze__check_lent **link = &checker->lent;
  while (*link != NULL && (*link)->buffer != buffer)
    link = &(*link)->next;
  return link;
}

SYCLZE_COLD void syclze__check_lend(const void *buffer, const void *data, size_t size) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__check_lent **link;
  if (checker == NULL) return;
  link = syclze__check_find_lent(checker, buffer);
  if (*link == NULL) {
    *link = (struct syclze__check_lent *)calloc(1, sizeof **link);
    if (*link != NULL) (*link)->made = syclze__check_site(checker);
  }
  if (*link != NULL) {
    const struct syclze__check_thread *thread = syclze__check_thread_get(checker);
    const uintptr_t frame = thread != NULL ? thread->frame : 0;
    (*link)->buffer = buffer;
    (*link)->data = data;
    (*link)->size = size;
    /* At or above the frame of the call site: in the stack, or beyond it. */
    (*link)->thread = (uintptr_t)data - frame < SYCLZE__CHECK_STACK ? (const void *)&errno : NULL;
  }
  syclze__lock_release(&checker->lock);
}

/* True for data whose function has returned: they lie between the frames of the present call site
 * and of the make's, on one stack. */
SYCLZE_LOCAL bool syclze__check_lent_returned(
    struct syclze__checker *checker, const struct syclze__check_lent *lent) {
  const struct syclze__check_thread *thread = syclze__check_thread_get(checker);
  if (thread == NULL || lent->thread != (const void *)&errno) return false;
  return (uintptr_t)lent->data < thread->frame &&
         thread->frame - (uintptr_t)lent->data < SYCLZE__CHECK_STACK;
}

/* True for data whose pages are not mapped any more; false if the system cannot be queried. */
SYCLZE_LOCAL bool syclze__check_lent_unmapped(const struct syclze__check_lent *lent) {
#ifdef __linux__
  enum { PAGES = 256 };
  unsigned char resident[PAGES];
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t end = (uintptr_t)lent->data + lent->size;
  for (uintptr_t at = (uintptr_t)lent->data / page * page; at < end; at += PAGES * page) {
    const uintptr_t size = end - at < PAGES * page ? end - at : PAGES * page;
    if (syclze__syscall(SYS_mincore, at, size, resident) != 0 && errno == ENOMEM) return true;
  }
#else
  (void)lent;
#endif
  return false;
}

SYCLZE_COLD bool syclze__check_lent_exists(const void *buffer, bool is_used) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__check_lent **link, *lent;
  bool exists = true;
  if (checker == NULL) return true;
  link = syclze__check_find_lent(checker, buffer);
  lent = *link;
  if (lent != NULL) {
    *link = lent->next;
    exists = !is_used || lent->data == NULL ||
             (!syclze__check_lent_returned(checker, lent) && !syclze__check_lent_unmapped(lent));
  }
  syclze__lock_release(&checker->lock);
  if (!exists)
    syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "syclze_buffer_release",
        "SYCL 2020 4.7.2.3: the data of the host do not exist until the buffer's last release",
        lent->data, "buffer", &lent->made, NULL);
  free(lent);
  return exists;
}

SYCLZE_COLD bool syclze__check_may_free(const void *memory, const char *function) {
  struct syclze__checker *checker = syclze__checker_locked();
  const struct syclze__check_lent *lent;
  struct syclze__site made = {NULL, 0};
  if (checker == NULL) return true;
  lent = checker->lent;
  while (lent != NULL && (memory == NULL || lent->data != memory))
    lent = lent->next;
  if (lent != NULL) made = lent->made;
  syclze__lock_release(&checker->lock);
  if (lent == NULL) return true;
  syclze__check_report(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, function,
      "SYCL 2020 4.7.2.3: the data of the host are freed before the buffer's last release", memory,
      "buffer", &made, NULL);
  return false;
}

SYCLZE_COLD void syclze__check_free_host(void *memory) {
  if (syclze__check_may_free(memory, "free")) free(memory);
}

SYCLZE_EXTERN_C_END

#endif

#endif
