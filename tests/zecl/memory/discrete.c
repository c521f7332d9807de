#include "memory/discrete.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct range {
  struct range *next;
  char *base, *mapping;
  size_t size, mapped; /* accessible, from the base; of the mapping */
};

bool zecl_discrete_enabled;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges;
static unsigned users;

__attribute__((constructor)) static void read_variable(void) {
  const char *value = secure_getenv("ZECL_DISCRETE");
  zecl_discrete_enabled = value && strcmp(value, "1") == 0;
}

static void protect_all(int protection) {
  for (const struct range *range = ranges; range; range = range->next)
    mprotect(range->base, range->size, protection);
}

void zecl_discrete_open_slow(void) {
  pthread_mutex_lock(&lock);
  if (users++ == 0) protect_all(PROT_READ | PROT_WRITE);
  pthread_mutex_unlock(&lock);
}

void zecl_discrete_close_slow(void) {
  pthread_mutex_lock(&lock);
  if (--users == 0) protect_all(PROT_NONE);
  pthread_mutex_unlock(&lock);
}

void *zecl_discrete_take(size_t size, size_t alignment) {
  struct range *range = malloc(sizeof *range);
  if (!range) return NULL;
  const uintptr_t unit = alignment < PAGE ? PAGE : alignment;
  range->size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
  range->mapped = range->size + unit - PAGE;
  range->mapping = mmap(NULL, range->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (range->mapping == MAP_FAILED) {
    free(range);
    return NULL;
  }
  range->base = (char *)(((uintptr_t)range->mapping + unit - 1) & ~(unit - 1));
  pthread_mutex_lock(&lock);
  range->next = ranges;
  ranges = range;
  if (users) mprotect(range->base, range->size, PROT_READ | PROT_WRITE);
  pthread_mutex_unlock(&lock);
  return range->base;
}

void zecl_discrete_give(void *base) {
  pthread_mutex_lock(&lock);
  struct range **link = &ranges;
  while (*link && (*link)->base != base)
    link = &(*link)->next;
  struct range *range = *link;
  if (range) *link = range->next;
  pthread_mutex_unlock(&lock);
  if (!range) return;
  munmap(range->mapping, range->mapped);
  free(range);
}
