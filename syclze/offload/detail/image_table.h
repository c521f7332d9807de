/* The tables of a set: its images, and their names. */
#include "../image_set.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_TABLE_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_TABLE_H

#include "../../detail/sync/lock.h"
#include "file_memory.h"
#include "hash.h"
#include "image_index.h"
#include "image_names.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* The kind of a name. */
enum syclze__offload_symbol_kind {
  SYCLZE__SYMBOL_KERNEL,
  SYCLZE__SYMBOL_EXPORT,
  SYCLZE__SYMBOL_OWNER /* no text: an empty one at the owner's address */
};

/* A name of an image. Equal ones are chained in the order of their images' addition; numbers count
 * from 1, and 0 is none. */
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
  uint32_t registrations;             /* of an owner's first entry: those after the first */
  bool has_exports;                   /* they are among the symbols */
  struct syclze__file_memory *memory; /* of the image, if its file allocated it */
  struct syclze__shared_index *index; /* null until first use */
};

/* A slot with the first symbol of a name: at the index of its hash, or behind. */
struct syclze__offload_slot {
  uint32_t hash;
  uint32_t symbol;
};

struct syclze__offload_set {
  SYCLZE__LOCK(SYCLZE__RANK_OFFLOAD_SET) lock; /* of everything below */
  uint32_t count;
  uint64_t last_serial;
  uint64_t generation;                 /* changes when images are added or removed */
  uint64_t indexed;                    /* how often an image's SPIR-V was read, for tests */
  struct syclze__hash_key hash_key[3]; /* of each kind of symbol */
  struct syclze__offload_entry *entries;
  uint32_t entry_count, entry_room, free_entry, image_count;
  uint32_t without_exports; /* entries whose exports are not among the symbols yet */
  struct syclze__offload_symbol *symbols;
  uint32_t symbol_count, symbol_room, free_symbol;
  struct syclze__offload_slot *slots;
  uint32_t slot_mask;
  uint32_t slots_used;           /* includes slots of removed names */
  syclze__part_function part_of; /* null until division is allowed */
};

#if SYCLZE__BODIES

#define SYCLZE__SYMBOL_GONE UINT32_MAX

/* The hash of a name of one kind: a kernel and an export of one name are two names. */
SYCLZE_INLINE uint32_t syclze__offload_symbol_hash(const struct syclze__offload_set *set,
    syclze_text name, enum syclze__offload_symbol_kind kind) {
  const struct syclze__hash_key *key = &set->hash_key[kind];
  if (kind == SYCLZE__SYMBOL_OWNER)
    return (uint32_t)syclze__hash(key, &name.data, sizeof name.data);
  return (uint32_t)syclze__hash_text(key, name.data, name.size);
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
    if (symbol->kind != (uint32_t)kind) continue;
    if (kind == SYCLZE__SYMBOL_OWNER ? symbol->name.data == name.data
                                     : syclze_text_equal(symbol->name, name))
      return slot;
  }
}

SYCLZE_INLINE void syclze__offload_describe(
    const struct syclze__offload_set *set, uint32_t number, syclze_offload_found *found) {
  found->serial = set->entries[number].serial;
  found->image = set->entries[number].image;
  found->entry = number;
}

SYCLZE_INLINE ze_result_t syclze__offload_find(struct syclze__offload_set *set, syclze_text name,
    enum syclze__offload_symbol_kind kind, uint32_t *count, syclze_offload_found *found) {
  uint32_t room = found != NULL ? *count : 0, there = 0;
  syclze__lock_acquire(&set->lock);
  uint32_t hash = syclze__offload_symbol_hash(set, name, kind);
  const struct syclze__offload_slot *slot = syclze__offload_slot_of(set, hash, name, kind);
  uint32_t number = slot != NULL ? slot->symbol : 0;
  for (; number != 0; number = set->symbols[number - 1].next) {
    const struct syclze__offload_entry *entry = &set->entries[set->symbols[number - 1].entry];
    if (there < room) {
      syclze__offload_describe(set, (uint32_t)(entry - set->entries), &found[there]);
    }
    there++;
  }
  syclze__lock_release(&set->lock);
  *count = there;
  return there != 0 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

/* Makes room for one more element in an array that grows by doubling. */
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

/* Moves the slots to a new table, of which a fourth is used; names of one kind may have new hashes.
 */
SYCLZE_LOCAL bool syclze__offload_rehash(
    struct syclze__offload_set *set, enum syclze__offload_symbol_kind *changed) {
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
    const struct syclze__offload_symbol *symbol = &set->symbols[number - 1];
    if (changed != NULL && symbol->kind == (uint32_t)*changed)
      set->slots[i].hash = syclze__offload_symbol_hash(set, symbol->name, *changed);
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

/* Makes room for one more slot, so that at most half of them are used. */
SYCLZE_INLINE bool syclze__offload_make_room(struct syclze__offload_set *set) {
  return (set->slots != NULL && set->slots_used < (set->slot_mask + 1) / 2) ||
         syclze__offload_rehash(set, NULL);
}

/* Changes to hashes of whole names of a kind, if samples of this new name and of another one are
 * equal too often. */
SYCLZE_LOCAL bool syclze__offload_separate(struct syclze__offload_set *set, uint32_t *hash,
    syclze_text name, enum syclze__offload_symbol_kind kind) {
  uint32_t at = *hash;
  while (
      set->slots[at & set->slot_mask].symbol != 0 && set->slots[at & set->slot_mask].hash != *hash)
    at++;
  struct syclze__hash_key *key = &set->hash_key[kind];
  if (set->slots[at & set->slot_mask].symbol == 0 || !syclze__hash_collided(key)) return true;
  if (!syclze__offload_rehash(set, &kind)) {
    key->is_sampled = true;
    return false;
  }
  *hash = syclze__offload_symbol_hash(set, name, kind);
  return true;
}

/* Adds a name of an entry, once. */
SYCLZE_LOCAL bool syclze__offload_add_symbol(struct syclze__offload_set *set, uint32_t entry,
    syclze_text name, enum syclze__offload_symbol_kind kind) {
  if (!syclze__offload_make_room(set)) return false;
  uint32_t hash = syclze__offload_symbol_hash(set, name, kind);
  struct syclze__offload_slot *slot = syclze__offload_slot_of(set, hash, name, kind);
  uint32_t before = slot != NULL ? set->symbols[slot->symbol - 1].previous : 0;
  /* Exports are added later than their images, in any order. */
  const uint64_t serial = set->entries[entry].serial;
  while (before != 0 && set->entries[set->symbols[before - 1].entry].serial > serial)
    before = before != slot->symbol ? set->symbols[before - 1].previous : 0;
  if (before != 0 && set->symbols[before - 1].entry == entry) return true;
  if (slot == NULL && name.size > SYCLZE__HASH_WHOLE &&
      !syclze__offload_separate(set, &hash, name, kind))
    return false;
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
  if (slot != NULL) {
    const uint32_t first = slot->symbol;
    symbol->next = before != 0 ? set->symbols[before - 1].next : first;
    symbol->previous = before != 0 ? before : set->symbols[first - 1].previous;
    if (before != 0)
      set->symbols[before - 1].next = number;
    else
      slot->symbol = number;
    set->symbols[(symbol->next != 0 ? symbol->next : first) - 1].previous = number;
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

SYCLZE_LOCAL void syclze__offload_remove_symbol(struct syclze__offload_set *set, uint32_t number) {
  struct syclze__offload_symbol *symbol = &set->symbols[number - 1];
  enum syclze__offload_symbol_kind kind = (enum syclze__offload_symbol_kind)symbol->kind;
  struct syclze__offload_slot *slot = syclze__offload_slot_of(
      set, syclze__offload_symbol_hash(set, symbol->name, kind), symbol->name, kind);
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

SYCLZE_LOCAL void syclze__offload_remove_entry(struct syclze__offload_set *set, uint32_t number) {
  struct syclze__offload_entry *entry = &set->entries[number];
  while (entry->symbols != 0) {
    uint32_t symbol = entry->symbols;
    entry->symbols = set->symbols[symbol - 1].sibling;
    syclze__offload_remove_symbol(set, symbol);
  }
  if (!entry->has_exports) set->without_exports--;
  syclze__shared_index_release(entry->index);
  entry->index = NULL;
  syclze__file_memory_release(entry->memory);
  entry->memory = NULL;
  entry->serial = 0;
  entry->next_free = set->free_entry;
  set->free_entry = number + 1;
  set->image_count--;
  __atomic_fetch_add(&set->generation, 1, __ATOMIC_RELEASE);
}

/* The first of the owner's entries, which are chained by symbols, from 1 on; or 0. */
SYCLZE_LOCAL uint32_t syclze__offload_owned_by(
    const struct syclze__offload_set *set, const void *owner) {
  SYCLZE__HELD(&set->lock);
  syclze_text name = {(const char *)owner, 0};
  const struct syclze__offload_slot *slot = syclze__offload_slot_of(set,
      syclze__offload_symbol_hash(set, name, SYCLZE__SYMBOL_OWNER), name, SYCLZE__SYMBOL_OWNER);
  return slot != NULL ? slot->symbol : 0;
}

/* Removes the owner's entries that were added after the serial `kept`. Returns their number. */
SYCLZE_LOCAL uint32_t syclze__offload_remove(
    struct syclze__offload_set *set, const void *owner, uint64_t kept) {
  SYCLZE__HELD(&set->lock);
  uint32_t removed = 0, first = syclze__offload_owned_by(set, owner);
  while (first != 0) {
    uint32_t last = set->symbols[first - 1].previous, entry = set->symbols[last - 1].entry;
    if (set->entries[entry].serial <= kept) break;
    if (last == first) first = 0;
    syclze__offload_remove_entry(set, entry);
    removed++;
  }
  return removed;
}

/* Adds the keys of a property set as names of kernels. */
SYCLZE_LOCAL bool syclze__offload_add_names(struct syclze__offload_set *set, uint32_t number,
    syclze_property_sets sets, const char *property_set) {
  const syclze_property *property = NULL;
  while (
      sets.rep != NULL && (property = syclze_property_next(sets, property_set, property)) != NULL)
    if (!syclze__offload_add_symbol(set, number, property->key, SYCLZE__SYMBOL_KERNEL))
      return false;
  return true;
}

/* Adds the names of kernels in an image's strings, code or properties. Its tables also have
 * exported functions, which are not kernels. */
SYCLZE_LOCAL bool syclze__offload_add_kernels(struct syclze__offload_set *set, uint32_t number) {
  SYCLZE__HELD(&set->lock);
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_property_sets sets;
  syclze_offload_image image = set->entries[number].image;
  bool is_added = syclze__name_sets_open(&image, &sets).result == ZE_RESULT_SUCCESS;
  syclze_symbols_begin(&image, &cursor);
  while (is_added && syclze__symbol_step(&cursor, &name))
    if (!syclze__is_exported_function(sets, name))
      is_added = syclze__offload_add_symbol(set, number, name, SYCLZE__SYMBOL_KERNEL);
  is_added = is_added &&
             syclze__offload_add_names(set, number, sets, SYCLZE_PROPERTY_SET_KERNEL_NAMES) &&
             syclze__offload_add_names(set, number, sets, SYCLZE_PROPERTY_SET_REGISTERED_KERNELS);
  syclze_property_sets_close(sets);
  return is_added;
}

/* Adds an image without its kernels. `added` gets the entry. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_image(struct syclze__offload_set *set,
    const syclze_offload_image *image, const void *owner, uint32_t *added) {
  SYCLZE__HELD(&set->lock);
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
  syclze_text name = {(const char *)owner, 0};
  if (syclze__offload_add_symbol(set, number, name, SYCLZE__SYMBOL_OWNER)) return syclze__allowed();
  syclze__offload_remove_entry(set, number);
  return syclze__out_of_memory();
}

/* `added` gets the entry. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add(struct syclze__offload_set *set,
    const syclze_offload_image *image, const void *owner, uint32_t *added) {
  SYCLZE__HELD(&set->lock);
  struct syclze__status status = syclze__offload_add_image(set, image, owner, added);
  if (status.result != ZE_RESULT_SUCCESS || syclze__offload_add_kernels(set, *added)) return status;
  syclze__offload_remove_entry(set, *added);
  return syclze__out_of_memory();
}

/* Inflates the image of an entry on its first use. Needs the set's lock. */
SYCLZE_LOCAL struct syclze__status syclze__offload_inflate(struct syclze__offload_entry *entry) {
  struct syclze__file_block *block = NULL;
  size_t size = 0;
  syclze_bytes bytes = entry->image.bytes;
  if (syclze_offload_format_of(bytes) != SYCLZE_OFFLOAD_FORMAT_COMPRESSED) return syclze__allowed();
  struct syclze__status status = syclze__image_inflate(
      bytes, syclze__inflate_default(bytes.size), sizeof *block, (void **)&block, &size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__file_memory_adopt(&entry->memory, block)) return syclze__out_of_memory();
  entry->image.bytes = syclze_bytes_of(block + 1, size);
  return status;
}

/* The index of a found image's SPIR-V, with a reference for the caller. Null for an image that was
 * removed or has none, and on a failure. Inflates the image, also in `found`. */
SYCLZE_LOCAL struct syclze__status syclze__offload_index_of(struct syclze__offload_set *set,
    syclze_offload_found *found, struct syclze__shared_index **result) {
  struct syclze__shared_index *shared = NULL;
  struct syclze__status status = syclze__allowed();
  syclze__lock_acquire(&set->lock);
  struct syclze__offload_entry *entry = &set->entries[found->entry];
  if (entry->serial == found->serial) {
    status = syclze__offload_inflate(entry);
    found->image = entry->image;
    syclze_bytes spirv = syclze_offload_spirv_of(entry->image.bytes);
    shared = entry->index;
    if (shared == NULL && spirv.size != 0) {
      /* A lack of memory is not kept: the next call tries again. */
      shared = entry->index = syclze__shared_index_make(spirv);
      if (shared == NULL) status = syclze__out_of_memory();
      set->indexed += shared != NULL;
    }
  }
  if (shared != NULL) __atomic_fetch_add(&shared->count, 1, __ATOMIC_RELAXED);
  syclze__lock_release(&set->lock);
  *result = shared;
  return status;
}

/* Adds the exports that the image's properties name. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_property_exports(
    struct syclze__offload_set *set, uint32_t number, const syclze_offload_image *image) {
  syclze_property_sets sets;
  const struct syclze__status opened = syclze__name_sets_open(image, &sets);
  if (sets.rep == NULL) return opened;
  const syclze_property *property = NULL;
  bool is_added = true;
  while (is_added && (property = syclze_property_next(
                          sets, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, property)) != NULL)
    is_added = syclze__offload_add_symbol(set, number, property->key, SYCLZE__SYMBOL_EXPORT);
  syclze_property_sets_close(sets);
  return is_added ? syclze__allowed() : syclze__out_of_memory();
}

/* Adds an image's exports to the symbols; an unreadable image exports nothing. Symbols that exist
 * are left, so that a call can be repeated after a lack of memory. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_exports(
    struct syclze__offload_set *set, uint32_t number) {
  syclze_offload_image image = set->entries[number].image;
  struct syclze__status status = syclze__offload_add_property_exports(set, number, &image);
  syclze_spirv_index index;
  syclze_bytes spirv = syclze_offload_spirv_of(image.bytes);
  if (status.result != ZE_RESULT_SUCCESS || spirv.size == 0) return status;
  status = syclze__spirv_index_read(spirv, &index);
  if (status.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) return status;
  if (status.result != ZE_RESULT_SUCCESS) return syclze__allowed();
  for (uint32_t i = 0; i < index.export_count && status.result == ZE_RESULT_SUCCESS; i++)
    if (!syclze__offload_add_symbol(
            set, number, syclze_text_of(index.exports[i].name), SYCLZE__SYMBOL_EXPORT))
      status = syclze__out_of_memory();
  syclze_spirv_index_end(&index);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
