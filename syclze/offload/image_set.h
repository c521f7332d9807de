/* Sets of device images, by the names of their kernels.
 *
 *     syclze_offload_set set;
 *     if (syclze_offload_set_create(&set) == ZE_RESULT_SUCCESS) {
 *       syclze_offload_set_add_bytes(set, syclze_bytes_of(file, file_size), "my file");
 *       uint32_t count = 1;
 *       syclze_offload_found found;
 *       if (syclze_offload_set_find(set, "saxpy", &count, &found) == ZE_RESULT_SUCCESS)
 *         printf("image %llu of %u\n", (unsigned long long)found.serial, count);
 *       syclze_offload_set_release(set);
 *     }
 *
 * A set holds views: the images' memory must stay until they are removed, or the set is gone. Each
 * image gets a number, never used again. What is added together has an owner, any pointer, by which
 * it is removed. Sets are counted; any number of threads may use one, but not a diagnostic handler
 * that is told of malformed images while they are added. */
#ifndef SYCLZE_OFFLOAD_IMAGE_SET_H
#define SYCLZE_OFFLOAD_IMAGE_SET_H

#include "file.h"
#include "property_set.h"
#include "spirv.h"
#include "symbol_table.h"

#include <sched.h>

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_offload_set {
  struct syclze__offload_set *rep;
} syclze_offload_set;

typedef struct syclze_offload_found {
  uint64_t serial; /* the image's number in its set; from 1 */
  syclze_offload_image image;
} syclze_offload_found;

/* What a name is the name of. */
enum syclze__offload_symbol_kind { SYCLZE__SYMBOL_KERNEL, SYCLZE__SYMBOL_EXPORT };

/* A name of an image. Those alike are chained in the order in which they came; numbers count from
 * 1, and 0 is none. */
struct syclze__offload_symbol {
  syclze_text name;
  uint32_t entry;
  uint32_t next;     /* of the same name and kind */
  uint32_t previous; /* of the same; of the first, the last */
  uint32_t sibling;  /* the next of the same entry, or the next free one */
  uint32_t kind;
};

struct syclze__offload_entry {
  uint64_t serial; /* 0: free */
  const void *owner;
  syclze_offload_image image;
  uint32_t symbols; /* the first */
  uint32_t next_free;
  bool has_exports; /* they are among the symbols */
};

/* Where the first symbol of a name is found: at its hash, or behind. */
struct syclze__offload_slot {
  uint32_t hash;
  uint32_t symbol;
};

struct syclze__offload_set {
  uint32_t lock; /* of everything below */
  uint32_t count;
  uint64_t last_serial;
  uint64_t generation; /* changes when images come or go */
  uint64_t seed;       /* so that nobody can choose names that collide */
  struct syclze__offload_entry *entries;
  uint32_t entry_count, entry_room, free_entry, image_count;
  uint32_t without_exports; /* entries whose exports are not among the symbols yet */
  struct syclze__offload_symbol *symbols;
  uint32_t symbol_count, symbol_room, free_symbol;
  struct syclze__offload_slot *slots;
  uint32_t slot_mask;
  uint32_t slots_used; /* with those of names that are gone */
};

#define SYCLZE__SYMBOL_GONE UINT32_MAX

/* A set without images, with one reference. Errors: ZE_RESULT_ERROR_INVALID_NULL_POINTER,
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_offload_set_create(syclze_offload_set *set)
    SYCLZE_LINK_NAME(syclze_offload_set_create);

/* Adds an image as it is. `serial` gets its number, and may be null. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ZE_RESULT_ERROR_INVALID_NULL_POINTER;
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, after which the set is as it was. */
SYCLZE_COLD ze_result_t syclze_offload_set_add(
    syclze_offload_set set, const syclze_offload_image *image, const void *owner, uint64_t *serial)
    SYCLZE_LINK_NAME(syclze_offload_set_add);

/* Adds all images that a cursor gives (file.h), also those of containers in containers; or an ELF
 * file that holds none, as an image itself. Errors: as above, and those of the cursor; after an
 * error nothing of this owner is in the set. */
SYCLZE_COLD ze_result_t syclze_offload_set_add_file(
    syclze_offload_set set, syclze_offload_file_cursor *cursor, const void *owner)
    SYCLZE_LINK_NAME(syclze_offload_set_add_file);

/* The same for a file's bytes, whatever the file is. */
SYCLZE_INLINE ze_result_t syclze_offload_set_add_bytes(
    syclze_offload_set set, syclze_bytes bytes, const void *owner) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  return syclze_offload_set_add_file(set, &cursor, owner);
}

/* Removes all images of an owner, whose memory must still be there. Returns how many. */
SYCLZE_COLD uint32_t syclze_offload_set_remove(syclze_offload_set set, const void *owner)
    SYCLZE_LINK_NAME(syclze_offload_set_remove);

/* The images that have a kernel of that name, in the order in which they were added. `count` is on
 * entry the room in `found`, which may be null for 0; on return how many there are. Errors:
 * ZE_RESULT_ERROR_INVALID_KERNEL_NAME where there is none, without a diagnostic. */
SYCLZE_INLINE ze_result_t syclze_offload_set_find(
    syclze_offload_set set, const char *name, uint32_t *count, syclze_offload_found *found);

/* The same for images that export a symbol to others. */
SYCLZE_COLD ze_result_t syclze_offload_set_find_export(syclze_offload_set set, syclze_text name,
    uint32_t *count, syclze_offload_found *found) SYCLZE_LINK_NAME(syclze_offload_set_find_export);

/* All images: `count` as above. */
SYCLZE_COLD void syclze_offload_set_list(syclze_offload_set set, uint32_t *count,
    syclze_offload_found *found) SYCLZE_LINK_NAME(syclze_offload_set_list);

/* The set of the images that are registered with the program: it lives as long as the process, and
 * is not the caller's to release. Null without memory. */
SYCLZE_COLD syclze_offload_set syclze_offload_registered(void)
    SYCLZE_LINK_NAME(syclze_offload_registered);

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_offload_set_retain(syclze_offload_set set) {
  if (set.rep != NULL) __atomic_fetch_add(&set.rep->count, 1, __ATOMIC_RELAXED);
}

/* Drops a reference; the last one frees the set. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_offload_set_release(syclze_offload_set set) {
  if (set.rep == NULL || __atomic_fetch_sub(&set.rep->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  free(set.rep->entries);
  free(set.rep->symbols);
  free(set.rep->slots);
  free(set.rep);
}

/* Held for a look-up, or for as long as images are read that are added. */
SYCLZE_INLINE void syclze__offload_lock(uint32_t *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
    sched_yield();
}

SYCLZE_INLINE void syclze__offload_unlock(uint32_t *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

SYCLZE_INLINE uint64_t syclze__offload_mix(uint64_t a) {
  a = (a ^ a >> 32) * 0x9e3779b97f4a7c15u;
  return a ^ a >> 29;
}

SYCLZE_INLINE uint64_t syclze__offload_hash(
    uint64_t seed, syclze_text name, enum syclze__offload_symbol_kind kind) {
  uint64_t hash = seed ^ name.size ^ (uint64_t)kind << 63, word;
  size_t at = 0;
  for (; at + 8 <= name.size; at += 8) {
    memcpy(&word, name.data + at, 8);
    hash = syclze__offload_mix(hash ^ word) + seed;
  }
  word = 0;
  if (at < name.size) memcpy(&word, name.data + at, name.size - at);
  return syclze__offload_mix(syclze__offload_mix(hash ^ word) + seed);
}

/* The slot of a name, or null. */
SYCLZE_INLINE struct syclze__offload_slot *syclze__offload_slot_of(
    const struct syclze__offload_set *set, uint32_t hash, syclze_text name,
    enum syclze__offload_symbol_kind kind) {
  if (set->slots == NULL) return NULL;
  for (uint32_t at = hash;; at++) {
    struct syclze__offload_slot *slot = &set->slots[at & set->slot_mask];
    if (slot->symbol == 0) return NULL;
    if (slot->hash != hash || slot->symbol == SYCLZE__SYMBOL_GONE) continue;
    const struct syclze__offload_symbol *symbol = &set->symbols[slot->symbol - 1];
    if (symbol->kind == (uint32_t)kind && syclze_text_equal(symbol->name, name)) return slot;
  }
}

SYCLZE_INLINE ze_result_t syclze__offload_find(struct syclze__offload_set *set, syclze_text name,
    enum syclze__offload_symbol_kind kind, uint32_t *count, syclze_offload_found *found) {
  uint32_t room = found != NULL ? *count : 0, there = 0;
  uint32_t hash = (uint32_t)syclze__offload_hash(set->seed, name, kind);
  syclze__offload_lock(&set->lock);
  const struct syclze__offload_slot *slot = syclze__offload_slot_of(set, hash, name, kind);
  uint32_t number = slot != NULL ? slot->symbol : 0;
  for (; number != 0; number = set->symbols[number - 1].next) {
    const struct syclze__offload_entry *entry = &set->entries[set->symbols[number - 1].entry];
    if (there < room) {
      found[there].serial = entry->serial;
      found[there].image = entry->image;
    }
    there++;
  }
  syclze__offload_unlock(&set->lock);
  *count = there;
  return there != 0 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

SYCLZE_INLINE ze_result_t syclze_offload_set_find(
    syclze_offload_set set, const char *name, uint32_t *count, syclze_offload_found *found) {
  return syclze__offload_find(set.rep, syclze_text_of(name), SYCLZE__SYMBOL_KERNEL, count, found);
}

SYCLZE_COLD ze_result_t syclze_offload_set_create(syclze_offload_set *set) {
  static const char *const function = "syclze_offload_set_create";
  if (set == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  set->rep = (struct syclze__offload_set *)calloc(1, sizeof *set->rep);
  if (set->rep == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
  set->rep->count = 1;
  /* Addresses are random where it matters. */
  set->rep->seed = syclze__offload_mix((uint64_t)(uintptr_t)set->rep) ^
                   syclze__offload_mix((uint64_t)(uintptr_t)&set);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD syclze_offload_set syclze_offload_registered(void) {
  syclze_offload_set set = {__atomic_load_n(&SYCLZE__STATE.offload_set, __ATOMIC_ACQUIRE)};
  if (set.rep != NULL || syclze_offload_set_create(&set) != ZE_RESULT_SUCCESS) return set;
  struct syclze__offload_set *none = NULL;
  if (__atomic_compare_exchange_n(
          &SYCLZE__STATE.offload_set, &none, set.rep, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return set;
  syclze_offload_set_release(set);
  set.rep = none;
  return set;
}

/* Room for one more element in an array that grows by doubling. */
SYCLZE_INLINE bool syclze__offload_grow(void **array, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return true;
  uint32_t bigger = *room != 0 ? *room * 2 : 16;
  if (bigger < *room) return false;
  void *grown = realloc(*array, (size_t)bigger * size);
  if (grown == NULL) return false;
  *array = grown;
  *room = bigger;
  return true;
}

SYCLZE_COLD bool syclze__offload_rehash(struct syclze__offload_set *set)
    SYCLZE_LINK_NAME(syclze__offload_rehash);

/* Makes room for one more slot, so that at most half of them are used. */
SYCLZE_COLD bool syclze__offload_rehash(struct syclze__offload_set *set) {
  if (set->slots != NULL && set->slots_used < (set->slot_mask + 1) / 2) return true;
  uint32_t used = 0;
  for (uint32_t i = 0; set->slots != NULL && i <= set->slot_mask; i++)
    used += set->slots[i].symbol != 0 && set->slots[i].symbol != SYCLZE__SYMBOL_GONE;
  uint32_t size = 64;
  while (size < used * 4 && size < 1u << 30)
    size *= 2;
  if (used >= size / 2) return false;
  struct syclze__offload_slot *slots = (struct syclze__offload_slot *)calloc(size, sizeof *slots);
  if (slots == NULL) return false;
  for (uint32_t i = 0; set->slots != NULL && i <= set->slot_mask; i++) {
    uint32_t number = set->slots[i].symbol;
    if (number == 0 || number == SYCLZE__SYMBOL_GONE) continue;
    uint32_t at = set->slots[i].hash;
    while (slots[at & (size - 1)].symbol != 0)
      at++;
    slots[at & (size - 1)] = set->slots[i];
  }
  free(set->slots);
  set->slots = slots;
  set->slot_mask = size - 1;
  set->slots_used = used;
  return true;
}

SYCLZE_COLD bool syclze__offload_add_symbol(struct syclze__offload_set *set, uint32_t entry,
    syclze_text name, enum syclze__offload_symbol_kind kind)
    SYCLZE_LINK_NAME(syclze__offload_add_symbol);

/* Gives an entry a name. One that it has already is not added again. */
SYCLZE_COLD bool syclze__offload_add_symbol(struct syclze__offload_set *set, uint32_t entry,
    syclze_text name, enum syclze__offload_symbol_kind kind) {
  uint32_t hash = (uint32_t)syclze__offload_hash(set->seed, name, kind);
  struct syclze__offload_slot *slot = syclze__offload_slot_of(set, hash, name, kind);
  uint32_t last = slot != NULL ? set->symbols[slot->symbol - 1].previous : 0;
  if (last != 0 && set->symbols[last - 1].entry == entry) return true;
  if (!syclze__offload_rehash(set)) return false;
  uint32_t number = set->free_symbol;
  if (number != 0)
    set->free_symbol = set->symbols[number - 1].sibling;
  else if (syclze__offload_grow(
               (void **)&set->symbols, set->symbol_count, &set->symbol_room, sizeof *set->symbols))
    number = ++set->symbol_count;
  else
    return false;
  struct syclze__offload_symbol *symbol = &set->symbols[number - 1];
  symbol->name = name;
  symbol->entry = entry;
  symbol->kind = (uint32_t)kind;
  symbol->next = 0;
  symbol->sibling = set->entries[entry].symbols;
  set->entries[entry].symbols = number;
  slot = syclze__offload_slot_of(set, hash, name, kind);
  if (slot != NULL) {
    struct syclze__offload_symbol *first = &set->symbols[slot->symbol - 1];
    symbol->previous = first->previous;
    set->symbols[first->previous - 1].next = number;
    first->previous = number;
    return true;
  }
  uint32_t at = hash;
  while (set->slots[at & set->slot_mask].symbol != 0)
    at++;
  symbol->previous = number;
  set->slots[at & set->slot_mask].hash = hash;
  set->slots[at & set->slot_mask].symbol = number;
  set->slots_used++;
  return true;
}

SYCLZE_COLD void syclze__offload_remove_symbol(struct syclze__offload_set *set, uint32_t number)
    SYCLZE_LINK_NAME(syclze__offload_remove_symbol);

SYCLZE_COLD void syclze__offload_remove_symbol(struct syclze__offload_set *set, uint32_t number) {
  struct syclze__offload_symbol *symbol = &set->symbols[number - 1];
  enum syclze__offload_symbol_kind kind = (enum syclze__offload_symbol_kind)symbol->kind;
  struct syclze__offload_slot *slot = syclze__offload_slot_of(
      set, (uint32_t)syclze__offload_hash(set->seed, symbol->name, kind), symbol->name, kind);
  if (slot == NULL) return;
  uint32_t first = slot->symbol;
  if (first == number) {
    slot->symbol = symbol->next != 0 ? symbol->next : SYCLZE__SYMBOL_GONE;
    if (symbol->next != 0) set->symbols[symbol->next - 1].previous = symbol->previous;
  } else {
    set->symbols[symbol->previous - 1].next = symbol->next;
    uint32_t after = symbol->next != 0 ? symbol->next : first;
    set->symbols[after - 1].previous = symbol->previous;
  }
  symbol->sibling = set->free_symbol;
  set->free_symbol = number;
}

SYCLZE_COLD void syclze__offload_remove_entry(struct syclze__offload_set *set, uint32_t number)
    SYCLZE_LINK_NAME(syclze__offload_remove_entry);

SYCLZE_COLD void syclze__offload_remove_entry(struct syclze__offload_set *set, uint32_t number) {
  struct syclze__offload_entry *entry = &set->entries[number];
  while (entry->symbols != 0) {
    uint32_t symbol = entry->symbols;
    entry->symbols = set->symbols[symbol - 1].sibling;
    syclze__offload_remove_symbol(set, symbol);
  }
  if (!entry->has_exports) set->without_exports--;
  entry->serial = 0;
  entry->next_free = set->free_entry;
  set->free_entry = number + 1;
  set->image_count--;
  __atomic_fetch_add(&set->generation, 1, __ATOMIC_RELEASE);
}

SYCLZE_COLD struct syclze__verdict syclze__offload_add(struct syclze__offload_set *set,
    const syclze_offload_image *image, const void *owner, uint32_t *added)
    SYCLZE_LINK_NAME(syclze__offload_add);

/* With the lock held. `added` gets the entry. */
SYCLZE_COLD struct syclze__verdict syclze__offload_add(struct syclze__offload_set *set,
    const syclze_offload_image *image, const void *owner, uint32_t *added) {
  uint32_t number;
  if (set->free_entry != 0) {
    number = set->free_entry - 1;
    set->free_entry = set->entries[number].next_free;
  } else if (syclze__offload_grow(
                 (void **)&set->entries, set->entry_count, &set->entry_room, sizeof *set->entries))
    number = set->entry_count++;
  else
    return syclze__out_of_memory();
  struct syclze__offload_entry *entry = &set->entries[number];
  memset(entry, 0, sizeof *entry);
  entry->serial = ++set->last_serial;
  entry->owner = owner;
  entry->image = *image;
  set->image_count++;
  __atomic_fetch_add(&set->generation, 1, __ATOMIC_RELEASE);
  set->without_exports++;
  *added = number;
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    if (syclze__offload_add_symbol(set, number, name, SYCLZE__SYMBOL_KERNEL)) continue;
    syclze__offload_remove_entry(set, number);
    return syclze__out_of_memory();
  }
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_offload_set_add(syclze_offload_set set,
    const syclze_offload_image *image, const void *owner, uint64_t *serial) {
  static const char *const function = "syclze_offload_set_add";
  uint32_t number = 0;
  if (set.rep == NULL || image == NULL)
    return syclze__refuse(set.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                          : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        function, "the set or the image's pointer is null", NULL);
  syclze__offload_lock(&set.rep->lock);
  struct syclze__verdict verdict = syclze__offload_add(set.rep, image, owner, &number);
  if (verdict.result == ZE_RESULT_SUCCESS && serial != NULL)
    *serial = set.rep->entries[number].serial;
  syclze__offload_unlock(&set.rep->lock);
  if (verdict.result == ZE_RESULT_SUCCESS) return verdict.result;
  return syclze__refuse(verdict.result, function, verdict.rule, image->bytes.data);
}

enum { SYCLZE__OFFLOAD_NESTING = 4 };

/* What is being added of one file. */
struct syclze__offload_adding {
  struct syclze__offload_set *set;
  const void *owner;
  uint64_t budget; /* of bytes to read: images may overlap, and each be as long as the file */
};

SYCLZE_COLD struct syclze__verdict syclze__offload_add_nested(struct syclze__offload_adding *adding,
    const syclze_offload_image *image, int depth) SYCLZE_LINK_NAME(syclze__offload_add_nested);

/* Adds an image, or what the container that it is holds. */
SYCLZE_COLD struct syclze__verdict syclze__offload_add_nested(
    struct syclze__offload_adding *adding, const syclze_offload_image *image, int depth) {
  uint32_t number;
  uint64_t cost = image->bytes.size + syclze_offload_image_text(image, "symbols").size +
                  syclze_offload_image_text(image, "SYMBOL_TABLE").size;
  if (cost > adding->budget)
    return syclze__invalid("Offload Binary: the images overlap again and again");
  adding->budget -= cost;
  if (syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_CONTAINER)
    return syclze__offload_add(adding->set, image, adding->owner, &number);
  if (depth == SYCLZE__OFFLOAD_NESTING)
    return syclze__invalid("Offload Binary: containers in containers are nested too deeply");
  syclze_container_cursor cursor = syclze_container_begin(image->bytes);
  syclze_offload_image inner;
  while (syclze_container_next(&cursor, &inner)) {
    if (inner.bytes.size == 0) continue;
    struct syclze__verdict verdict = syclze__offload_add_nested(adding, &inner, depth + 1);
    if (verdict.result != ZE_RESULT_SUCCESS) return verdict;
  }
  return syclze__verdict_of(cursor.result, cursor.rule);
}

SYCLZE_COLD uint32_t syclze__offload_remove(struct syclze__offload_set *set, const void *owner)
    SYCLZE_LINK_NAME(syclze__offload_remove);

/* With the lock held. */
SYCLZE_COLD uint32_t syclze__offload_remove(struct syclze__offload_set *set, const void *owner) {
  uint32_t removed = 0;
  for (uint32_t i = 0; i < set->entry_count; i++) {
    if (set->entries[i].serial == 0 || set->entries[i].owner != owner) continue;
    syclze__offload_remove_entry(set, i);
    removed++;
  }
  return removed;
}

SYCLZE_COLD ze_result_t syclze_offload_set_add_file(
    syclze_offload_set set, syclze_offload_file_cursor *cursor, const void *owner) {
  static const char *const function = "syclze_offload_set_add_file";
  if (set.rep == NULL || cursor == NULL)
    return syclze__refuse(set.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                          : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        function, "the set or the cursor's pointer is null", NULL);
  const void *data = cursor->bytes.data;
  struct syclze__offload_adding adding = {
      set.rep, owner, 2 * SYCLZE__OFFLOAD_NESTING * (uint64_t)cursor->bytes.size};
  struct syclze__verdict verdict = syclze__allowed();
  syclze_offload_image image;
  uint32_t images = 0;
  syclze__offload_lock(&set.rep->lock);
  while (verdict.result == ZE_RESULT_SUCCESS && syclze_offload_file_next(cursor, &image)) {
    images++;
    if (image.bytes.size != 0) verdict = syclze__offload_add_nested(&adding, &image, 0);
  }
  if (verdict.result == ZE_RESULT_SUCCESS)
    verdict = syclze__verdict_of(cursor->result, cursor->rule);
  /* What holds no image may be one: native code of a device that is a host. */
  image = syclze_offload_image_of(cursor->bytes);
  if (verdict.result == ZE_RESULT_SUCCESS && images == 0 &&
      syclze_offload_format_of(cursor->bytes) == SYCLZE_OFFLOAD_FORMAT_ELF)
    verdict = syclze__offload_add_nested(&adding, &image, 0);
  if (verdict.result != ZE_RESULT_SUCCESS) syclze__offload_remove(set.rep, owner);
  syclze__offload_unlock(&set.rep->lock);
  if (verdict.result == ZE_RESULT_SUCCESS) return verdict.result;
  return syclze__refuse(verdict.result, function, verdict.rule, data);
}

SYCLZE_COLD uint32_t syclze_offload_set_remove(syclze_offload_set set, const void *owner) {
  if (set.rep == NULL) return 0;
  syclze__offload_lock(&set.rep->lock);
  uint32_t removed = syclze__offload_remove(set.rep, owner);
  syclze__offload_unlock(&set.rep->lock);
  return removed;
}

SYCLZE_COLD void syclze__offload_add_exports(struct syclze__offload_set *set, uint32_t number)
    SYCLZE_LINK_NAME(syclze__offload_add_exports);

/* Puts what an image exports among the symbols; what cannot be read exports nothing. */
SYCLZE_COLD void syclze__offload_add_exports(struct syclze__offload_set *set, uint32_t number) {
  syclze_offload_image image = set->entries[number].image;
  syclze_property_sets sets = {NULL};
  if ((image.property_sets_begin != NULL || image.property_text.size != 0) &&
      syclze_property_sets_open(&image, &sets) == ZE_RESULT_SUCCESS) {
    const syclze_property *property = NULL;
    while ((property = syclze_property_next(
                sets, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, property)) != NULL)
      syclze__offload_add_symbol(set, number, property->key, SYCLZE__SYMBOL_EXPORT);
    syclze_property_sets_close(sets);
  }
  syclze_spirv_index index;
  syclze_bytes spirv = syclze_offload_spirv_of(image.bytes);
  if (spirv.size == 0 || syclze__spirv_index_read(spirv, &index).result != ZE_RESULT_SUCCESS)
    return;
  for (uint32_t i = 0; i < index.export_count; i++)
    syclze__offload_add_symbol(
        set, number, syclze_text_of(index.exports[i].name), SYCLZE__SYMBOL_EXPORT);
  syclze_spirv_index_end(&index);
}

SYCLZE_COLD ze_result_t syclze_offload_set_find_export(
    syclze_offload_set set, syclze_text name, uint32_t *count, syclze_offload_found *found) {
  syclze__offload_lock(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count && set.rep->without_exports != 0; i++) {
    struct syclze__offload_entry *entry = &set.rep->entries[i];
    if (entry->serial == 0 || entry->has_exports) continue;
    entry->has_exports = true;
    set.rep->without_exports--;
    syclze__offload_add_exports(set.rep, i);
  }
  syclze__offload_unlock(&set.rep->lock);
  return syclze__offload_find(set.rep, name, SYCLZE__SYMBOL_EXPORT, count, found);
}

SYCLZE_COLD void syclze_offload_set_list(
    syclze_offload_set set, uint32_t *count, syclze_offload_found *found) {
  uint32_t room = found != NULL ? *count : 0, there = 0;
  syclze__offload_lock(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count; i++) {
    if (set.rep->entries[i].serial == 0) continue;
    if (there < room) {
      found[there].serial = set.rep->entries[i].serial;
      found[there].image = set.rep->entries[i].image;
    }
    there++;
  }
  syclze__offload_unlock(&set.rep->lock);
  *count = there;
}

SYCLZE_EXTERN_C_END

#endif
