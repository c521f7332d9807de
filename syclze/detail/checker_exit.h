/* The debug checker's reports at exit: objects that are alive, and handles that are wrapped. */
#ifndef SYCLZE_DETAIL_CHECKER_EXIT_H
#define SYCLZE_DETAIL_CHECKER_EXIT_H

#include "checker.h"

SYCLZE_EXTERN_C_BEGIN

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

/* Merges two lists, each sorted with the last make first. */
SYCLZE_LOCAL struct syclze__wrapped *syclze__check_merge(
    struct syclze__wrapped *a, struct syclze__wrapped *b) {
  struct syclze__wrapped *all = NULL, **end = &all;
  while (a != NULL && b != NULL) {
    struct syclze__wrapped **later = a->number > b->number ? &a : &b;
    *end = *later;
    end = &(*later)->next;
    *later = *end;
  }
  *end = a != NULL ? a : b;
  return all;
}

/* Sorts `count` handles, the last make first: an object precedes what it keeps. `*rest` is the next
 * handle. */
SYCLZE_LOCAL struct syclze__wrapped *syclze__check_sort(
    struct syclze__wrapped *all, size_t count, struct syclze__wrapped **rest) {
  if (count <= 1) {
    *rest = count != 0 ? all->next : all;
    if (count != 0) all->next = NULL;
    return count != 0 ? all : NULL;
  }
  struct syclze__wrapped *half, *first = syclze__check_sort(all, count / 2, &half);
  return syclze__check_merge(first, syclze__check_sort(half, count - count / 2, rest));
}

/* Removes all wrapped handles from the table, sorted. */
SYCLZE_LOCAL struct syclze__wrapped *syclze__check_take_wrapped(struct syclze__checker *checker) {
  struct syclze__wrapped *all = NULL, *rest;
  size_t count = 0;
  for (uint32_t i = 0; i < SYCLZE__CHECK_BUCKETS; i++)
    while (checker->wrapped[i] != NULL) {
      struct syclze__wrapped *wrapped = checker->wrapped[i];
      checker->wrapped[i] = wrapped->next;
      wrapped->next = all;
      all = wrapped;
      count++;
    }
  return syclze__check_sort(all, count, &rest);
}

/* Removes all live objects without a handle from the table. */
SYCLZE_LOCAL struct syclze__checked *syclze__check_take_alive(struct syclze__checker *checker) {
  struct syclze__checked *all = NULL;
  for (uint32_t i = 0; i < SYCLZE__CHECK_BUCKETS; i++)
    for (struct syclze__checked **link = &checker->objects[i]; *link != NULL;) {
      struct syclze__checked *checked = *link;
      if (checked->wraps || checked->slot != NULL) {
        link = &checked->next;
        continue;
      }
      *link = checked->next;
      checked->next = all;
      all = checked;
    }
  return all;
}

/* Reports without the lock, since handlers run. */
SYCLZE_LOCAL void syclze__check_exit(void) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__checked *alive = syclze__check_take_alive(checker);
  struct syclze__wrapped *all = syclze__check_take_wrapped(checker);
  syclze__lock_release(&checker->lock);
  while (alive != NULL) {
    struct syclze__checked *checked = alive;
    alive = checked->next;
    if (checked->is_group)
      syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "exit",
          "the group has neither an action nor an end", NULL, checked->kind, &checked->made, NULL);
    else if (!syclze__check_is_stale((const struct syclze__slot *)checked->object))
      syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "exit",
          "the object is not released at exit", NULL, checked->kind, &checked->made, NULL);
    free(checked);
  }
  while (all != NULL) {
    if (!syclze__check_is_stale(all->object))
      syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "exit",
          "the handle is still wrapped at exit", all->native, all->kind, &all->made, NULL);
    syclze__check_remove_handle(&all);
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
