/* Objects of a SYCL runtime as the C++ ABI of Linux passes them: each is a std::shared_ptr of
 * libstdc++, but for a device, which is one pointer, and what the runtime's exported members take
 * and return. Every release of libstdc++ keeps these layouts. */
#ifndef SYCLZE_DETAIL_SYCL_ABI_H
#define SYCLZE_DETAIL_SYCL_ABI_H

#include "../../config.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__sycl_counts;

/* The virtual functions of the counts. */
struct syclze__sycl_counts_table {
  void (*destructors[2])(struct syclze__sycl_counts *counts);
  void (*dispose)(struct syclze__sycl_counts *counts); /* after the last reference */
  void (*destroy)(struct syclze__sycl_counts *counts); /* and after the last weak one */
};

struct syclze__sycl_counts {
  const struct syclze__sycl_counts_table *table;
  int32_t references, weak; /* all references together are one weak reference */
};

/* A sycl::queue, event or any other object, and a weak_object. Of a device the first member. */
struct syclze__sycl_object {
  void *impl;
  struct syclze__sycl_counts *counts; /* null for none */
};

/* A std::vector. */
struct syclze__sycl_vector {
  void *begin, *end, *capacity;
};

/* Larger than what is returned in registers, as every class with a destructor is. */
struct syclze__sycl_result {
  void *words[4];
};

/* A std::function. */
struct syclze__sycl_function {
  void *data[2];
  bool (*manage)(void **to, void *const *from, int operation); /* null for an empty one */
  void (*call)(void *const *data, void *argument);
};

/* Operations of `manage`. */
enum {
  SYCLZE__SYCL_TYPE_OF = 0,
  SYCLZE__SYCL_ADDRESS_OF = 1,
  SYCLZE__SYCL_CLONE = 2, /* from `from` to `to` */
  SYCLZE__SYCL_DESTROY = 3
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_object_of(
    const struct syclze__sycl_result *result) {
  struct syclze__sycl_object object = {
      result->words[0], (struct syclze__sycl_counts *)result->words[1]};
  return object;
}

SYCLZE_LOCAL struct syclze__sycl_vector syclze__sycl_vector_of(void *begin, size_t bytes) {
  void *const end = (char *)begin + bytes;
  struct syclze__sycl_vector vector = {begin, end, end};
  return vector;
}

SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_retain(const void *object) {
  const struct syclze__sycl_object copy = *(const struct syclze__sycl_object *)object;
  if (copy.counts != NULL) __atomic_fetch_add(&copy.counts->references, 1, __ATOMIC_RELAXED);
  return copy;
}

SYCLZE_LOCAL void syclze__sycl_release_weak(struct syclze__sycl_object *object) {
  struct syclze__sycl_counts *counts = object->counts;
  object->counts = NULL;
  if (counts != NULL && __atomic_sub_fetch(&counts->weak, 1, __ATOMIC_ACQ_REL) == 0)
    counts->table->destroy(counts);
}

SYCLZE_LOCAL void syclze__sycl_release(struct syclze__sycl_object *object) {
  struct syclze__sycl_counts *counts = object->counts;
  if (counts == NULL || __atomic_sub_fetch(&counts->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  counts->table->dispose(counts);
  syclze__sycl_release_weak(object);
}

SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_retain_weak(
    const struct syclze__sycl_object *object) {
  if (object->counts != NULL) __atomic_fetch_add(&object->counts->weak, 1, __ATOMIC_RELAXED);
  return *object;
}

/* Adds a reference to the object of a weak one; false where it has ended. */
SYCLZE_LOCAL bool syclze__sycl_lock_weak(const struct syclze__sycl_object *weak) {
  int32_t references =
      weak->counts != NULL ? __atomic_load_n(&weak->counts->references, __ATOMIC_RELAXED) : 0;
  while (references != 0)
    if (__atomic_compare_exchange_n(&weak->counts->references, &references, references + 1, true,
            __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
