#include "core/object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are rounded up to whole lines, and each count of lines is a class with slabs and a free
 * list of its own. A freed object is reused after QUARANTINE others of its class: a stale handle is
 * refused for that long. */
enum { LINE = ZECL_OBJECT_LINE, CLASSES = 32, QUARANTINE = 64, LINES = ZECL_SLAB_SIZE / LINE };
enum { HEADER_LINES = (sizeof(struct zecl_slab) + LINE - 1) / LINE };

struct spare {
  struct zecl_object object; /* its kind is ZECL_DEAD */
  struct spare *next;
};

_Atomic(struct zecl_slab *) zecl_slabs[2 * ZECL_SLAB_LIMIT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct spare *oldest, *newest;
  size_t count;
  struct zecl_slab *slab; /* the newest, and its first line without an object */
  size_t next_line;
} classes[CLASSES];
static struct zecl_slab *oldest_slab, *newest_slab;
static size_t slab_count;

static void publish(struct zecl_slab *slab) {
  size_t i = zecl_slab_hash((uintptr_t)slab);
  while (atomic_load_explicit(&zecl_slabs[i], memory_order_relaxed))
    i = (i + 1) % (2 * ZECL_SLAB_LIMIT);
  atomic_store_explicit(&zecl_slabs[i], slab, memory_order_release);
}

/* All objects of a slab are dead from the start, so that its bits never change. */
static struct zecl_slab *add_slab(size_t lines) {
  if (slab_count == ZECL_SLAB_LIMIT) return NULL;
  struct zecl_slab *slab = aligned_alloc(ZECL_SLAB_SIZE, ZECL_SLAB_SIZE);
  if (!slab) return NULL;
  memset(slab, 0, sizeof *slab);
  for (size_t line = HEADER_LINES; line + lines <= LINES; line += lines) {
    atomic_init(&((struct zecl_object *)((char *)slab + line * LINE))->kind, ZECL_DEAD);
    slab->starts[line / 64] |= UINT64_C(1) << line % 64;
  }
  if (newest_slab)
    newest_slab->newer = slab;
  else
    oldest_slab = slab;
  newest_slab = slab;
  slab_count++;
  publish(slab);
  return slab;
}

static size_t class_of(size_t size) {
  return (size + LINE - 1) / LINE - 1;
}

/* The caller holds the lock. */
static void *take(size_t class) {
  if (classes[class].count > QUARANTINE) {
    struct spare *spare = classes[class].oldest;
    classes[class].oldest = spare->next;
    classes[class].count--;
    return spare;
  }
  const size_t lines = class + 1;
  if (!classes[class].slab || classes[class].next_line + lines > LINES) {
    struct zecl_slab *slab = add_slab(lines);
    if (!slab) return NULL;
    classes[class].slab = slab;
    classes[class].next_line = HEADER_LINES;
  }
  void *object = (char *)classes[class].slab + classes[class].next_line * LINE;
  classes[class].next_line += lines;
  return object;
}

void *zecl_object_create(enum zecl_kind kind, size_t size) {
  const size_t class = class_of(size);
  if (class >= CLASSES) return NULL;
  pthread_mutex_lock(&lock);
  struct zecl_object *object = take(class);
  pthread_mutex_unlock(&lock);
  if (!object) return NULL;
  memset(object + 1, 0, size - sizeof *object);
  atomic_store_explicit(&object->references, 1, memory_order_relaxed);
  atomic_store_explicit(&object->kind, kind, memory_order_release);
  return object;
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

void zecl_object_each(void (*visit)(const void *object, enum zecl_kind kind)) {
  for (const struct zecl_slab *slab = oldest_slab; slab; slab = slab->newer)
    for (size_t line = 0; line < LINES; line++) {
      if (!(slab->starts[line / 64] >> line % 64 & 1)) continue;
      const struct zecl_object *object = (const void *)((const char *)slab + line * LINE);
      const enum zecl_kind kind = atomic_load(&object->kind);
      if (kind != ZECL_DEAD) visit(object, kind);
    }
}
