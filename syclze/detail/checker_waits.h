/* The debug checker's open events: of host accessors and functions of the application that have not
 * ended, and of work that waits for those.
 *
 * A thread that holds a host accessor, or runs a function, waits for itself if it waits for an
 * event that depends on either. The search goes backwards from that event, or from all open events
 * of a queue. */
#ifndef SYCLZE_DETAIL_CHECKER_WAITS_H
#define SYCLZE_DETAIL_CHECKER_WAITS_H

#include "checker.h"

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* An event that is open. */
struct syclze__check_open {
  const void *event;
  const void *queue;  /* of its submission; null for none */
  const void *thread; /* has to close it; null for none */
  const char *kind;   /* of the thing that it ends */
  struct syclze__site made;
  uint32_t wait_count; /* events that were open when it was opened: */
  const void **waits;
  uint32_t search;                  /* the last search that found it */
  struct syclze__check_open *next;  /* in its bucket */
  struct syclze__check_open *found; /* still to be searched */
};

SYCLZE_LOCAL struct syclze__check_open **syclze__check_find_open(
    struct syclze__checker *checker, const void *event) {
  struct syclze__check_open **link =
      &checker->opens[syclze__check_bucket(event) % SYCLZE__CHECK_OPENS];
  while (*link != NULL && (*link)->event != event)
    link = &(*link)->next;
  return link;
}

SYCLZE_LOCAL void syclze__check_remove_open(
    struct syclze__checker *checker, struct syclze__check_open **link) {
  struct syclze__check_open *open = *link;
  *link = open->next;
  checker->open_count--;
  free((void *)open->waits);
  free(open);
}

SYCLZE_COLD void syclze__check_opened(const void *event, const void *queue, const char *kind,
    struct syclze__event *const *waits, uint32_t count) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__check_open **link, *open;
  if (checker == NULL) return;
  link = syclze__check_find_open(checker, event);
  if (*link != NULL) syclze__check_remove_open(checker, link);
  link = syclze__check_find_open(checker, event);
  open = *link = (struct syclze__check_open *)calloc(1, sizeof *open);
  if (open != NULL) {
    checker->open_count++;
    open->event = event;
    open->queue = queue;
    open->kind = kind;
    open->made = syclze__check_site(checker);
    if (count != 0) open->waits = (const void **)calloc(count, sizeof *open->waits);
    if (open->waits != NULL)
      for (; open->wait_count < count; open->wait_count++)
        open->waits[open->wait_count] = waits[open->wait_count];
  }
  syclze__lock_release(&checker->lock);
}

SYCLZE_COLD void syclze__check_closed(const void *event) {
  struct syclze__checker *checker = __atomic_load_n(&SYCLZE__STATE.checker, __ATOMIC_ACQUIRE);
  struct syclze__check_open **link;
  if (checker == NULL || (checker = syclze__checker_locked()) == NULL) return;
  link = syclze__check_find_open(checker, event);
  if (*link != NULL) syclze__check_remove_open(checker, link);
  syclze__lock_release(&checker->lock);
}

SYCLZE_COLD void syclze__check_held(const void *event, bool is_held) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__check_open *open = *syclze__check_find_open(checker, event);
  if (open != NULL) open->thread = is_held ? (const void *)&errno : NULL;
  syclze__lock_release(&checker->lock);
}

/* Adds an open event to the search. */
SYCLZE_LOCAL struct syclze__check_open *syclze__check_search_add(struct syclze__checker *checker,
    struct syclze__check_open *open, struct syclze__check_open *stack) {
  if (open == NULL || open->search == checker->search) return stack;
  open->search = checker->search;
  open->found = stack;
  return open;
}

/* The open event that the thread itself has to close, and that the awaited event or queue depends
 * on; null for none. */
SYCLZE_LOCAL const struct syclze__check_open *syclze__check_search(
    struct syclze__checker *checker, const void *waited) {
  struct syclze__check_open *stack = NULL;
  if (checker->open_count == 0) return NULL;
  checker->search++;
  stack = syclze__check_search_add(checker, *syclze__check_find_open(checker, waited), stack);
  for (uint32_t i = 0; i < SYCLZE__CHECK_OPENS; i++)
    for (struct syclze__check_open *open = checker->opens[i]; open != NULL; open = open->next)
      if (open->queue == waited) stack = syclze__check_search_add(checker, open, stack);
  while (stack != NULL) {
    struct syclze__check_open *open = stack;
    stack = open->found;
    if (open->thread == (const void *)&errno) return open;
    for (uint32_t i = 0; i < open->wait_count; i++)
      stack = syclze__check_search_add(
          checker, *syclze__check_find_open(checker, open->waits[i]), stack);
  }
  return NULL;
}

SYCLZE_COLD bool syclze__check_waits_for_itself(const void *waited) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return false;
  const struct syclze__check_open *open = syclze__check_search(checker, waited);
  struct syclze__check_thread *thread = open != NULL ? syclze__check_thread_get(checker) : NULL;
  if (thread != NULL) {
    thread->held_kind = open->kind;
    thread->held_made = open->made;
  }
  syclze__lock_release(&checker->lock);
  return thread != NULL;
}

SYCLZE_COLD void syclze__check_report_wait(const char *function) {
  struct syclze__checker *checker = syclze__checker_locked();
  const char *kind = "object";
  struct syclze__site made = {NULL, 0};
  if (checker == NULL) return;
  const struct syclze__check_thread *thread = syclze__check_thread_get(checker);
  if (thread != NULL && thread->held_kind != NULL) {
    kind = thread->held_kind;
    made = thread->held_made;
  }
  syclze__lock_release(&checker->lock);
  syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, function,
      "a thread must not wait for what depends on a host accessor that it holds, or on the "
      "function that it runs",
      NULL, kind, &made, NULL);
}

SYCLZE_EXTERN_C_END

#endif

#endif
