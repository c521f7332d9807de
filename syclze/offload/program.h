/* Kernels by name, from device images that are built when they are first asked for.
 *
 *     syclze_program program;
 *     syclze_program_request request = {0};
 *     request.kernel = "saxpy";
 *     syclze_kernel saxpy;
 *     if (syclze_program_create(context, NULL, &program) == ZE_RESULT_SUCCESS) {
 *       if (syclze_program_get_kernel(program, device, &request, &saxpy) == ZE_RESULT_SUCCESS)
 *         syclze_kernel_release(saxpy);
 *       syclze_program_release(program);
 *     }
 *
 * A program is a set of images in one context, and the cache of what was built of them: one bundle
 * for an image, a device, and values of specialisation constants. It keeps the context, its bundles
 * and the set, until its last release; a bundle or kernel that it handed out lives on its own. The
 * memory of an image may go when the image is removed from the set and no call is using it. Where
 * the environment names a folder in SYCLZE_CACHE_DIR, or the program does, native binaries are kept
 * there for other processes. Any number of threads may use a program; two that want the same at
 * once may both build it, and one result is kept. */
#ifndef SYCLZE_OFFLOAD_PROGRAM_H
#define SYCLZE_OFFLOAD_PROGRAM_H

#include "../kernel.h"
#include "disk_cache.h"
#include "module_build.h"
#include "spec_constant.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_program {
  struct syclze__program *rep;
} syclze_program;

typedef struct syclze_program_desc {
  syclze_offload_set set;   /* default: the images that are registered */
  const char *build_flags;  /* go behind those that an image brings; default: none */
  const char *cache_folder; /* default: SYCLZE_CACHE_DIR; "" is none */
} syclze_program_desc;

typedef struct syclze_program_request {
  const char *kernel;
  const syclze_spec_value *values; /* those that the image does not have are left out */
  uint32_t value_count;
  char *log;       /* gets why no image fits, or the logs of failed builds; default: nowhere */
  size_t log_size; /* in bytes; what is longer is cut off, and terminated */
} syclze_program_request;

/* How often bundles came from where. */
typedef struct syclze_program_counts {
  uint32_t from_memory;
  uint32_t from_disk;
  uint32_t built;
} syclze_program_counts;

/* A program in a context, with one reference. `desc` may be null; its strings are copied. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ZE_RESULT_ERROR_INVALID_NULL_POINTER,
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program)
    SYCLZE_LINK_NAME(syclze_program_create);

/* The bundle with the kernel, for a device of the context; the caller releases it. The candidates
 * of syclze_selection_find are tried, best first, until the driver takes one. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ZE_RESULT_ERROR_INVALID_NULL_POINTER; those of
 * syclze_selection_find, of syclze_selection_link, of syclze_spec_constants_apply and of
 * syclze_module_build, of the last candidate; the request's log and the diagnostic's detail say
 * what happened to each. */
SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_program_get_bundle);

/* A kernel of its own: its arguments are nobody else's. The caller releases it. Errors: as above,
 * and those of syclze_kernel_create. */
SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel)
    SYCLZE_LINK_NAME(syclze_program_get_kernel);

/* `program` is not null. */
SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_get_counts);

/* One cached bundle. The key says which request (its kernel, device and values), or which module
 * (an image, device and values). */
struct syclze__program_entry {
  struct syclze__program_entry *next;
  uint64_t hash;
  struct syclze__kernel_bundle *bundle;
  bool is_request; /* not valid any longer when images come or go */
  size_t key_size;
  uint8_t key[8];
};

enum { SYCLZE__PROGRAM_BUCKETS = 256 };

struct syclze__program {
  uint32_t count; /* references */
  uint32_t lock;  /* of the entries and the counts */
  syclze_context context;
  syclze_offload_set set;
  bool owns_set;       /* a reference to it */
  uint64_t generation; /* of the set, for the entries that are requests */
  syclze_program_counts counts;
  char *build_flags;  /* behind the struct; never null */
  char *cache_folder; /* the same; empty for none */
  struct syclze__program_entry *buckets[SYCLZE__PROGRAM_BUCKETS];
};

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_program_retain(syclze_program program) {
  if (program.rep != NULL) __atomic_fetch_add(&program.rep->count, 1, __ATOMIC_RELAXED);
}

/* Drops a reference; the last one releases the bundles, the set and the context, and returns the
 * first error of those. Null is allowed and has no effect. */
SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_release);

/* Bytes that grow. `data` is null once there was no memory. */
struct syclze__key {
  uint8_t *data;
  size_t size, room;
  bool failed;
};

SYCLZE_COLD void syclze__key_add(struct syclze__key *key, const void *data, size_t size)
    SYCLZE_LINK_NAME(syclze__key_add);

SYCLZE_COLD void syclze__key_add(struct syclze__key *key, const void *data, size_t size) {
  if (key->failed) return;
  if (size > key->room - key->size) {
    size_t room = (key->size + size) * 2 + 64;
    uint8_t *bigger = room > size ? (uint8_t *)realloc(key->data, room) : NULL;
    key->failed = bigger == NULL;
    if (key->failed) return;
    key->data = bigger;
    key->room = room;
  }
  if (size != 0) memcpy(key->data + key->size, data, size);
  key->size += size;
}

/* Text or bytes with their length, so that no two lists of them are alike. */
SYCLZE_INLINE void syclze__key_add_sized(struct syclze__key *key, const void *data, size_t size) {
  uint64_t length = size;
  syclze__key_add(key, &length, sizeof length);
  syclze__key_add(key, data, size);
}

SYCLZE_INLINE void syclze__key_add_number(struct syclze__key *key, uint64_t number) {
  syclze__key_add(key, &number, sizeof number);
}

SYCLZE_INLINE uint64_t syclze__key_hash(const struct syclze__key *key) {
  return syclze__offload_hash(
      0, syclze_text_of_bytes(syclze_bytes_of(key->data, key->size)), SYCLZE__SYMBOL_KERNEL);
}

/* A request as a key: 'R', the device, the kernel, the values. */
SYCLZE_COLD struct syclze__key syclze__request_key(syclze_device device,
    const syclze_program_request *request) SYCLZE_LINK_NAME(syclze__request_key);

SYCLZE_COLD struct syclze__key syclze__request_key(
    syclze_device device, const syclze_program_request *request) {
  struct syclze__key key = {NULL, 0, 0, false};
  syclze__key_add_number(&key, 'R');
  syclze__key_add_number(&key, (uint64_t)(uintptr_t)device.rep);
  syclze__key_add_sized(&key, request->kernel, strlen(request->kernel));
  for (uint32_t i = 0; i < request->value_count; i++) {
    const syclze_spec_value *value = &request->values[i];
    const char *name = value->name != NULL ? value->name : "";
    syclze__key_add_sized(&key, name, strlen(name));
    syclze__key_add_number(&key, value->id);
    syclze__key_add_sized(&key, value->data, value->data != NULL ? value->size : 0);
  }
  return key;
}

/* What a module is built with, as a part of a key. The slots are in the order of the leaves. */
SYCLZE_INLINE void syclze__key_add_constants(
    struct syclze__key *key, const ze_module_constants_t *constants) {
  syclze__key_add_number(key, constants->numConstants);
  for (uint32_t i = 0; i < constants->numConstants; i++) {
    syclze__key_add_number(key, constants->pConstantIds[i]);
    syclze__key_add(key, constants->pConstantValues[i], sizeof(uint64_t));
  }
}

/* The bundle with that key, with a reference for the caller, or null. The lock is held. */
SYCLZE_INLINE struct syclze__kernel_bundle *syclze__program_look(
    struct syclze__program *program, const struct syclze__key *key, uint64_t hash) {
  struct syclze__program_entry *entry = program->buckets[hash % SYCLZE__PROGRAM_BUCKETS];
  for (; entry != NULL; entry = entry->next) {
    if (entry->hash != hash || entry->key_size != key->size ||
        memcmp(entry->key, key->data, key->size) != 0)
      continue;
    syclze__ref_retain(&entry->bundle->ref);
    return entry->bundle;
  }
  return NULL;
}

SYCLZE_COLD void syclze__program_forget(struct syclze__program *program, bool all,
    struct syclze__program_entry **gone) SYCLZE_LINK_NAME(syclze__program_forget);

/* Takes the requests, or all entries, out of the cache and into a list. The lock is held. */
SYCLZE_COLD void syclze__program_forget(
    struct syclze__program *program, bool all, struct syclze__program_entry **gone) {
  for (uint32_t i = 0; i < SYCLZE__PROGRAM_BUCKETS; i++) {
    struct syclze__program_entry **link = &program->buckets[i];
    while (*link != NULL) {
      struct syclze__program_entry *entry = *link;
      if (!all && !entry->is_request) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      entry->next = *gone;
      *gone = entry;
    }
  }
}

SYCLZE_INLINE ze_result_t syclze__program_entries_end(struct syclze__program_entry *gone) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (gone != NULL) {
    struct syclze__program_entry *next = gone->next;
    ze_result_t released = syclze__kernel_bundle_release(gone->bundle);
    if (result == ZE_RESULT_SUCCESS) result = released;
    free(gone);
    gone = next;
  }
  return result;
}

SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_find(struct syclze__program *program,
    const struct syclze__key *key) SYCLZE_LINK_NAME(syclze__program_find);

/* Requests are forgotten when images came or went since. */
SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_find(
    struct syclze__program *program, const struct syclze__key *key) {
  uint64_t hash = syclze__key_hash(key);
  uint64_t generation = __atomic_load_n(&program->set.rep->generation, __ATOMIC_ACQUIRE);
  struct syclze__program_entry *gone = NULL;
  syclze__offload_lock(&program->lock);
  if (program->generation != generation) {
    syclze__program_forget(program, false, &gone);
    program->generation = generation;
  }
  struct syclze__kernel_bundle *bundle = syclze__program_look(program, key, hash);
  program->counts.from_memory += bundle != NULL;
  syclze__offload_unlock(&program->lock);
  syclze__program_entries_end(gone);
  return bundle;
}

SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_keep(struct syclze__program *program,
    const struct syclze__key *key, struct syclze__kernel_bundle *bundle, bool is_request,
    uint64_t generation) SYCLZE_LINK_NAME(syclze__program_keep);

/* Keeps a bundle by that key, unless another thread has kept one: the bundle to go on with, whose
 * reference is the caller's. Without memory nothing is kept. */
SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_keep(struct syclze__program *program,
    const struct syclze__key *key, struct syclze__kernel_bundle *bundle, bool is_request,
    uint64_t generation) {
  struct syclze__program_entry *entry =
      (struct syclze__program_entry *)malloc(sizeof *entry + key->size);
  if (entry == NULL) return bundle;
  uint64_t hash = syclze__key_hash(key);
  entry->hash = hash;
  entry->bundle = bundle;
  entry->is_request = is_request;
  entry->key_size = key->size;
  memcpy(entry->key, key->data, key->size);
  syclze__offload_lock(&program->lock);
  struct syclze__kernel_bundle *other = syclze__program_look(program, key, hash);
  bool is_kept = other == NULL && (!is_request || program->generation == generation);
  if (is_kept) {
    struct syclze__program_entry **bucket = &program->buckets[hash % SYCLZE__PROGRAM_BUCKETS];
    entry->next = *bucket;
    *bucket = entry;
    syclze__ref_retain(&bundle->ref);
  }
  syclze__offload_unlock(&program->lock);
  if (!is_kept) free(entry);
  if (other == NULL) return bundle;
  syclze__kernel_bundle_release(bundle);
  return other;
}

/* One request on its way. */
struct syclze__program_work {
  struct syclze__program *program;
  syclze_device device;
  const syclze_program_request *request;
  syclze_device_traits traits;
  struct syclze__cut_text log; /* the request's */
  struct syclze__cut_text own; /* the diagnostic's */
  char flags[1024];            /* of the candidate */
};

SYCLZE_INLINE void syclze__program_note(struct syclze__program_work *work,
    const syclze_candidate *candidate, ze_result_t result, const char *text) {
  unsigned long long serial = candidate->serial;
  const char *code = syclze_result_string(result);
  syclze__cut_text_add(&work->own, "image %llu: %s: %s\n", serial, code, text);
  if (work->log.room != 0)
    syclze__cut_text_add(&work->log, "image %llu: %s: %s\n", serial, code, text);
}

/* An image's own options, then the program's. */
SYCLZE_INLINE bool syclze__program_set_flags(
    struct syclze__program_work *work, const syclze_candidate *candidate) {
  syclze_text own = {NULL, 0};
  if (candidate->format == ZE_MODULE_FORMAT_IL_SPIRV)
    own = syclze__text_before(syclze_offload_image_text(&candidate->image, "compile-opts"), '\0');
  const char *given = work->program->build_flags;
  if (own.size + strlen(given) + 2 > sizeof work->flags) return false;
  snprintf(work->flags, sizeof work->flags, "%.*s%s%s", (int)own.size,
      own.size != 0 ? own.data : "", own.size != 0 && given[0] != '\0' ? " " : "", given);
  return true;
}

SYCLZE_COLD struct syclze__key syclze__disk_key(const struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants)
    SYCLZE_LINK_NAME(syclze__disk_key);

/* Everything that a native binary depends on. */
SYCLZE_COLD struct syclze__key syclze__disk_key(const struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants) {
  struct syclze__key key = {NULL, 0, 0, false};
  const syclze_device_traits *traits = &work->traits;
  syclze__key_add_sized(&key, candidate->module.data, candidate->module.size);
  syclze__key_add_constants(&key, constants);
  syclze__key_add_sized(&key, work->flags, strlen(work->flags));
  syclze__key_add_sized(&key, traits->name, strlen(traits->name));
  syclze__key_add_number(&key, traits->vendor_id);
  syclze__key_add_number(&key, traits->ip_version);
  syclze__key_add_number(&key, traits->driver_version);
  return key;
}

SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_load(struct syclze__program_work *work,
    const struct syclze__key *key) SYCLZE_LINK_NAME(syclze__program_load);

/* The bundle of a binary on disk; null where there is none that the driver takes. */
SYCLZE_COLD struct syclze__kernel_bundle *syclze__program_load(
    struct syclze__program_work *work, const struct syclze__key *key) {
  const char *folder = work->program->cache_folder;
  syclze_kernel_bundle bundle = {NULL};
  syclze_candidate candidate;
  memset(&candidate, 0, sizeof candidate);
  candidate.format = ZE_MODULE_FORMAT_NATIVE;
  syclze_bytes whole = syclze_bytes_of(key->data, key->size);
  if (!syclze_disk_cache_read(folder, whole, &candidate.module)) return NULL;
  syclze_module_order order;
  memset(&order, 0, sizeof order);
  order.candidate = &candidate;
  if (syclze_module_build(work->program->context, work->device, &order, &bundle) !=
      ZE_RESULT_SUCCESS)
    syclze_disk_cache_remove(folder, whole);
  free((void *)(uintptr_t)candidate.module.data);
  return bundle.rep;
}

SYCLZE_COLD void syclze__program_store(struct syclze__program_work *work,
    const struct syclze__key *key, const struct syclze__kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__program_store);

SYCLZE_COLD void syclze__program_store(struct syclze__program_work *work,
    const struct syclze__key *key, const struct syclze__kernel_bundle *bundle) {
  size_t size = 0;
  if (zeModuleGetNativeBinary(bundle->modules[0], &size, NULL) != ZE_RESULT_SUCCESS || size == 0)
    return;
  uint8_t *binary = (uint8_t *)malloc(size);
  if (binary != NULL &&
      zeModuleGetNativeBinary(bundle->modules[0], &size, binary) == ZE_RESULT_SUCCESS)
    syclze_disk_cache_write(work->program->cache_folder, syclze_bytes_of(key->data, key->size),
        syclze_bytes_of(binary, size));
  free(binary);
}

enum { SYCLZE__PROGRAM_LINKED = 64, SYCLZE__PROGRAM_LOG = 4096 };

SYCLZE_COLD ze_result_t syclze__program_make(struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants,
    struct syclze__kernel_bundle **bundle) SYCLZE_LINK_NAME(syclze__program_make);

/* From disk, or by the driver. */
SYCLZE_COLD ze_result_t syclze__program_make(struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants,
    struct syclze__kernel_bundle **bundle) {
  struct syclze__program *program = work->program;
  char log[SYCLZE__PROGRAM_LOG] = "";
  syclze_kernel_bundle made = {NULL};
  syclze_module_order order;
  memset(&order, 0, sizeof order);
  order.candidate = candidate;
  order.build_flags = work->flags;
  order.constants = constants->numConstants != 0 ? constants : NULL;
  order.log = log;
  order.log_size = sizeof log;
  order.other_count = SYCLZE__PROGRAM_LINKED;
  syclze_candidate *others = (syclze_candidate *)malloc(SYCLZE__PROGRAM_LINKED * sizeof *others);
  if (others == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  order.others = others;
  ze_result_t result =
      syclze_selection_link(program->set, candidate, &work->traits, &order.other_count, others);
  struct syclze__key key = {NULL, 0, 0, true};
  if (result == ZE_RESULT_SUCCESS && program->cache_folder[0] != '\0' && order.other_count == 0 &&
      candidate->format == ZE_MODULE_FORMAT_IL_SPIRV)
    key = syclze__disk_key(work, candidate, constants);
  made.rep = key.failed ? NULL : syclze__program_load(work, &key);
  bool is_from_disk = made.rep != NULL;
  if (result == ZE_RESULT_SUCCESS && !is_from_disk) {
    result = syclze_module_build(program->context, work->device, &order, &made);
    if (result == ZE_RESULT_SUCCESS && !key.failed) syclze__program_store(work, &key, made.rep);
  }
  if (result == ZE_RESULT_SUCCESS) {
    syclze__offload_lock(&program->lock);
    program->counts.from_disk += is_from_disk;
    program->counts.built += !is_from_disk;
    syclze__offload_unlock(&program->lock);
  } else
    syclze__program_note(work, candidate, result, log);
  free(key.data);
  free(others);
  *bundle = made.rep;
  return result;
}

SYCLZE_COLD ze_result_t syclze__program_try(struct syclze__program_work *work,
    const syclze_candidate *candidate, struct syclze__kernel_bundle **bundle)
    SYCLZE_LINK_NAME(syclze__program_try);

/* The bundle of one candidate, from the cache or made and kept there. */
SYCLZE_COLD ze_result_t syclze__program_try(struct syclze__program_work *work,
    const syclze_candidate *candidate, struct syclze__kernel_bundle **bundle) {
  syclze_spec_constants values = {NULL};
  syclze_offload_image image = candidate->image;
  image.bytes = candidate->module;
  ze_module_constants_t constants;
  memset(&constants, 0, sizeof constants);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (work->request->value_count != 0) {
    result = syclze_spec_constants_make(&image, &values);
    if (result == ZE_RESULT_SUCCESS)
      result =
          syclze_spec_constants_apply(values, work->request->values, work->request->value_count);
    if (result == ZE_RESULT_SUCCESS) constants = syclze_spec_constants_native(values);
  }
  if (result == ZE_RESULT_SUCCESS && !syclze__program_set_flags(work, candidate))
    result = ZE_RESULT_ERROR_INVALID_SIZE;
  if (result != ZE_RESULT_SUCCESS) {
    syclze__program_note(
        work, candidate, result, "its specialization constants or its options cannot be used");
    syclze_spec_constants_end(values);
    return result;
  }
  struct syclze__key key = {NULL, 0, 0, false};
  syclze__key_add_number(&key, 'M');
  syclze__key_add_number(&key, (uint64_t)(uintptr_t)work->device.rep);
  syclze__key_add_number(&key, candidate->serial);
  syclze__key_add_number(&key, (uint64_t)candidate->format);
  syclze__key_add_constants(&key, &constants);
  *bundle = key.failed ? NULL : syclze__program_find(work->program, &key);
  if (*bundle == NULL) result = syclze__program_make(work, candidate, &constants, bundle);
  if (result == ZE_RESULT_SUCCESS && !key.failed)
    *bundle = syclze__program_keep(work->program, &key, *bundle, false, 0);
  free(key.data);
  syclze_spec_constants_end(values);
  return result;
}

/* Whether values are given that the candidate has no place for: native code that describes no
 * specialisation constants was compiled with some value of each. */
SYCLZE_INLINE bool syclze__program_is_deaf(
    const struct syclze__program_work *work, const syclze_candidate *candidate) {
  syclze_spec_constants constants;
  if (work->request->value_count == 0 || candidate->format != ZE_MODULE_FORMAT_NATIVE ||
      syclze_spec_constants_make(&candidate->image, &constants) != ZE_RESULT_SUCCESS)
    return false;
  bool is_deaf = syclze_spec_constant_count(constants) == 0;
  syclze_spec_constants_end(constants);
  return is_deaf;
}

enum { SYCLZE__PROGRAM_CANDIDATES = 16 };

SYCLZE_COLD ze_result_t syclze__program_select(
    struct syclze__program_work *work, const char *function, struct syclze__kernel_bundle **bundle)
    SYCLZE_LINK_NAME(syclze__program_select);

SYCLZE_COLD ze_result_t syclze__program_select(struct syclze__program_work *work,
    const char *function, struct syclze__kernel_bundle **bundle) {
  char own[SYCLZE__PROGRAM_LOG] = "";
  work->own.text = own;
  work->own.room = sizeof own;
  uint32_t count = SYCLZE__PROGRAM_CANDIDATES;
  syclze_candidate *candidates = (syclze_candidate *)malloc(count * sizeof *candidates);
  if (candidates == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the candidates", NULL);
  ze_result_t result = syclze_selection_find(work->program->set, work->request->kernel,
      &work->traits, &count, candidates, work->log.text, work->log.room);
  bool is_judged = result == ZE_RESULT_SUCCESS;
  if (work->log.room != 0) work->log.size = strlen(work->log.text);
  if (count > SYCLZE__PROGRAM_CANDIDATES) count = SYCLZE__PROGRAM_CANDIDATES;
  /* First those that can take the values, then, where there is nothing better, the others. */
  for (uint32_t i = 0; i < 2 * count && is_judged && *bundle == NULL; i++) {
    const syclze_candidate *candidate = &candidates[i % count];
    if (syclze__program_is_deaf(work, candidate) == (i >= count))
      result = syclze__program_try(work, candidate, bundle);
  }
  free(candidates);
  if (result == ZE_RESULT_SUCCESS || !is_judged) return result;
  return syclze__fail(result, function, "the driver took none of the images that fit", NULL, own);
}

SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle) {
  static const char *const function = "syclze_program_get_bundle";
  if (bundle == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  bundle->rep = NULL;
  if (program.rep == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the program is null", NULL);
  if (request == NULL || request->kernel == NULL ||
      (request->value_count != 0 && request->values == NULL))
    return syclze__refuse(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the request's, its kernel's or its values' pointer is null", NULL);
  struct syclze__verdict verdict = syclze__judge_device_in(program.rep->context.rep, device.rep);
  if (verdict.result != ZE_RESULT_SUCCESS)
    return syclze__refuse(verdict.result, function, verdict.rule, NULL);
  bool has_log = request->log != NULL && request->log_size != 0;
  if (has_log) request->log[0] = '\0';
  struct syclze__key key = syclze__request_key(device, request);
  if (!key.failed) bundle->rep = syclze__program_find(program.rep, &key);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (bundle->rep == NULL) {
    uint64_t generation = __atomic_load_n(&program.rep->set.rep->generation, __ATOMIC_ACQUIRE);
    struct syclze__program_work work;
    memset(&work, 0, sizeof work);
    work.program = program.rep;
    work.device = device;
    work.request = request;
    work.log.text = request->log;
    work.log.room = has_log ? request->log_size : 0;
    result = syclze_device_get_traits(device, &work.traits);
    if (result == ZE_RESULT_SUCCESS) result = syclze__program_select(&work, function, &bundle->rep);
    if (result == ZE_RESULT_SUCCESS && !key.failed)
      bundle->rep = syclze__program_keep(program.rep, &key, bundle->rep, true, generation);
  }
  free(key.data);
  return result;
}

SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel) {
  syclze_kernel_bundle bundle;
  if (kernel == NULL)
    return syclze__refuse(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_program_get_kernel",
        "the result's pointer is null", NULL);
  kernel->rep = NULL;
  ze_result_t result = syclze_program_get_bundle(program, device, request, &bundle);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze_kernel_create(bundle, request->kernel, kernel);
  ze_result_t released = syclze_kernel_bundle_release(bundle);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program) {
  syclze__offload_lock(&program.rep->lock);
  syclze_program_counts counts = program.rep->counts;
  syclze__offload_unlock(&program.rep->lock);
  return counts;
}

SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program) {
  static const char *const function = "syclze_program_create";
  if (program == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  program->rep = NULL;
  if (context.rep == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the context is null", NULL);
  const char *flags = desc != NULL ? desc->build_flags : NULL;
  const char *folder = desc != NULL ? desc->cache_folder : NULL;
  if (folder == NULL) folder = getenv("SYCLZE_CACHE_DIR");
  if (folder == NULL) folder = "";
  if (flags == NULL) flags = "";
  size_t flags_size = strlen(flags) + 1, folder_size = strlen(folder) + 1;
  struct syclze__program *rep =
      (struct syclze__program *)calloc(1, sizeof *rep + flags_size + folder_size);
  syclze_offload_set set = {desc != NULL ? desc->set.rep : NULL};
  bool is_own = set.rep != NULL;
  if (!is_own) set = syclze_offload_registered();
  if (rep == NULL || set.rep == NULL) {
    free(rep);
    return syclze__refuse(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
  }
  if (is_own) syclze_offload_set_retain(set);
  syclze_context_retain(context);
  rep->count = 1;
  rep->context = context;
  rep->set = set;
  rep->owns_set = is_own;
  rep->build_flags = (char *)(rep + 1);
  rep->cache_folder = rep->build_flags + flags_size;
  memcpy(rep->build_flags, flags, flags_size);
  memcpy(rep->cache_folder, folder, folder_size);
  program->rep = rep;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program) {
  struct syclze__program *rep = program.rep;
  if (rep == NULL || __atomic_fetch_sub(&rep->count, 1, __ATOMIC_ACQ_REL) != 1)
    return ZE_RESULT_SUCCESS;
  struct syclze__program_entry *gone = NULL;
  syclze__program_forget(rep, true, &gone);
  ze_result_t result = syclze__program_entries_end(gone);
  if (rep->owns_set) syclze_offload_set_release(rep->set);
  ze_result_t released = syclze_context_release(rep->context);
  free(rep);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_EXTERN_C_END

#endif
