#include "core/object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are rounded up to whole lines of 64 bytes, and each count of lines has its own list. A
 * freed object waits behind QUARANTINE others before it is used again: a stale handle is refused
 * for that long. */
enum { LINE = 64, CLASSES = 32, QUARANTINE = 64 };

struct spare {
  struct zecl_object object; /* keeps saying ZECL_DEAD */
  struct spare *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct spare *oldest, *newest;
  size_t count;
} classes[CLASSES];

/* All memory that objects ever had, so that those that are left can be found. */
static struct {
  struct spare **blocks;
  size_t count, capacity;
} all;

static bool note(struct spare *spare) {
  if (all.count == all.capacity) {
    const size_t capacity = all.capacity ? 2 * all.capacity : 64;
    struct spare **blocks = realloc(all.blocks, capacity * sizeof *blocks);
    if (!blocks) return false;
    all.blocks = blocks;
    all.capacity = capacity;
  }
  all.blocks[all.count++] = spare;
  return true;
}

static size_t class_of(size_t size) {
  return (size + LINE - 1) / LINE - 1;
}

void *zecl_object_create(enum zecl_kind kind, size_t size) {
  const size_t class = class_of(size);
  if (class >= CLASSES) return NULL;
  struct spare *spare = NULL;
  pthread_mutex_lock(&lock);
  if (classes[class].count > QUARANTINE) {
    spare = classes[class].oldest;
    classes[class].oldest = spare->next;
    classes[class].count--;
  }
  pthread_mutex_unlock(&lock);
  if (!spare) {
    spare = aligned_alloc(LINE, (class + 1) * LINE);
    if (!spare) return NULL;
    atomic_init(&spare->object.kind, ZECL_DEAD);
    pthread_mutex_lock(&lock);
    const bool noted = note(spare);
    pthread_mutex_unlock(&lock);
    if (!noted) {
      free(spare);
      return NULL;
    }
  }
  memset((char *)spare + sizeof(struct zecl_object), 0, size - sizeof(struct zecl_object));
  atomic_store_explicit(&spare->object.references, 1, memory_order_relaxed);
  atomic_store_explicit(&spare->object.kind, kind, memory_order_release);
  return spare;
}

void zecl_object_release(void *object, size_t size, void (*finish)(void *object)) {
  struct spare *spare = object;
  if (atomic_fetch_sub_explicit(&spare->object.references, 1, memory_order_acq_rel) != 1) return;
  if (finish) finish(object);
  atomic_store_explicit(&spare->object.kind, ZECL_DEAD, memory_order_relaxed);
  spare->next = NULL;
  const size_t class = class_of(size);
  pthread_mutex_lock(&lock);
  if (classes[class].count++ == 0)
    classes[class].oldest = spare;
  else
    classes[class].newest->next = spare;
  classes[class].newest = spare;
  pthread_mutex_unlock(&lock);
}

void zecl_object_each(void (*see)(const void *object, enum zecl_kind kind)) {
  for (size_t i = 0; i < all.count; i++) {
    const enum zecl_kind kind = atomic_load(&all.blocks[i]->object.kind);
    if (kind != ZECL_DEAD) see(all.blocks[i], kind);
  }
}
