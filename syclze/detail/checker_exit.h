/* The debug checker's reports at exit: what is alive, and what is wrapped. */
#ifndef SYCLZE_DETAIL_CHECKER_EXIT_H
#define SYCLZE_DETAIL_CHECKER_EXIT_H

#include "checker.h"

SYCLZE_EXTERN_C_BEGIN

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

/* Takes all handles that are wrapped out of the table. */
SYCLZE_LOCAL struct syclze__wrapped *syclze__check_take_wrapped(struct syclze__checker *checker) {
  struct syclze__wrapped *all = NULL;
  for (uint32_t i = 0; i < SYCLZE__CHECK_BUCKETS; i++)
    while (checker->wrapped[i] != NULL) {
      struct syclze__wrapped *wrapped = checker->wrapped[i];
      checker->wrapped[i] = wrapped->next;
      wrapped->next = all;
      all = wrapped;
    }
  return all;
}

/* Takes all objects that are alive and wrap no handle out of the table. */
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

/* Handlers run without the lock. */
SYCLZE_LOCAL void syclze__check_exit(void) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__checked *alive;
  struct syclze__wrapped *all;
  if (checker == NULL) return;
  alive = syclze__check_take_alive(checker);
  all = syclze__check_take_wrapped(checker);
  syclze__lock_release(&checker->lock);
  while (alive != NULL) {
    struct syclze__checked *checked = alive;
    alive = checked->next;
    if (!syclze__check_is_stale((const struct syclze__slot *)checked->object))
      syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "exit",
          "the object is not released at exit", NULL, checked->kind, &checked->made, NULL);
    free(checked);
  }
  while (all != NULL) {
    if (!syclze__check_is_stale(all->object))
      syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, "exit",
          "the handle is still wrapped at exit", all->native, all->kind, &all->made, NULL);
    syclze__wrapped_remove(&all);
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
