/* Bodies of split.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SPLIT_H
#define SYCLZE_OFFLOAD_DETAIL_SPLIT_H

#include "../split.h"
#include "split_facts.h"
#include "split_liveness.h"
#include "split_writer.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_split_end(syclze_split *split) {
  if (split == NULL) return;
  free(split->reach.ids);
  free(split->pieces.list);
  memset(split, 0, sizeof *split);
}

/* A kernel or an export. */
struct syclze__split_unit {
  uint32_t key[8]; /* units of one key are one part; see syclze__split_key */
  uint32_t id;
  uint32_t parent; /* another unit of the same part, or itself */
  uint32_t next;   /* of the same part; the last is its own */
};

#if SYCLZE__BODIES

SYCLZE_INLINE uint32_t syclze__split_first(struct syclze__split_unit *units, uint32_t unit) {
  while (units[unit].parent != unit) {
    units[unit].parent = units[units[unit].parent].parent;
    unit = units[unit].parent;
  }
  return unit;
}

/* Puts two units into one part. The lower number is the part's first. */
SYCLZE_INLINE void syclze__split_join(struct syclze__split_unit *units, uint32_t a, uint32_t b) {
  a = syclze__split_first(units, a);
  b = syclze__split_first(units, b);
  if (a < b)
    units[b].parent = a;
  else
    units[a].parent = b;
}

/* Compares pointers to units: by key, then by number. */
SYCLZE_LOCAL int syclze__split_compare(const void *a, const void *b) {
  const struct syclze__split_unit *left = *(struct syclze__split_unit *const *)a;
  const struct syclze__split_unit *right = *(struct syclze__split_unit *const *)b;
  int order = memcmp(left->key, right->key, sizeof left->key);
  return order != 0 ? order : left < right ? -1 : left > right;
}

/* Walks all that a part reaches, whose first unit is `first`. */
SYCLZE_LOCAL void syclze__split_start(syclze_split *split, uint32_t first) {
  struct syclze__split_reach *reach = &split->reach;
  syclze__split_walk_begin(reach);
  for (uint32_t i = first;; i = split->units[i].next) {
    const struct syclze__split_unit *unit = &split->units[i];
    syclze__split_reach_id(reach, unit->id);
    if ((unit->key[5] | unit->key[6]) != 0) reach->facts |= SYCLZE__SPLIT_SUB_GROUPS;
    if (unit->next == i) break;
  }
  for (uint32_t i = 0; i < reach->always_count; i++)
    syclze__split_reach_id(reach, reach->always[i]);
  syclze__split_walk(reach);
}

/* Sets the key of a unit, its requirements, and joins it with the units that reach the same
 * variables. */
SYCLZE_LOCAL void syclze__split_key(syclze_split *split, const syclze_spirv_index *index,
    syclze_split_by by, struct syclze__split_facts *facts, uint32_t number) {
  struct syclze__split_reach *reach = &split->reach;
  struct syclze__split_unit *unit = &split->units[number];
  if (number < index->kernel_count) {
    const syclze_spirv_kernel *kernel = &index->kernels[number];
    memcpy(unit->key + 2, kernel->required_group_size, sizeof kernel->required_group_size);
    unit->key[5] = kernel->required_sub_group_size;
    unit->key[6] = kernel->required_sub_groups;
    unit->key[7] = by == SYCLZE_SPLIT_BY_KERNEL ? number + 1 : 0;
  } else
    unit->key[0] = 1;
  uint32_t found = facts->nodes[unit->id].facts;
  if ((unit->key[5] | unit->key[6]) != 0) found |= SYCLZE__SPLIT_SUB_GROUPS;
  unit->key[1] =
      found & (SYCLZE__SPLIT_FLOAT16 | SYCLZE__SPLIT_FLOAT64 | SYCLZE__SPLIT_ATOMIC64 |
                  SYCLZE__SPLIT_IMAGES | SYCLZE__SPLIT_NON_UNIFORM | SYCLZE__SPLIT_SUB_GROUPS);
  if (found & SYCLZE__SPLIT_GROUPS &&
      syclze_spirv_has_capability(&reach->spirv, SYCLZE_SPIRV_CAPABILITY_SUBGROUP_DISPATCH))
    unit->key[1] |= SYCLZE__SPLIT_GROUPS;
  uint32_t variable = facts->nodes[unit->id].variable;
  if (variable == 0) return;
  struct syclze__split_id *shared = &reach->ids[syclze__split_variable(facts, variable)];
  if (shared->unit == 0)
    shared->unit = number + 1;
  else
    syclze__split_join(split->units, shared->unit - 1, number);
}

/* Sets the keys of all units. */
SYCLZE_LOCAL struct syclze__status syclze__split_keys(
    syclze_split *split, const syclze_spirv_index *index, syclze_split_by by) {
  SYCLZE__ZEROED(struct syclze__split_facts, facts);
  facts.reach = &split->reach;
  facts.nodes =
      (struct syclze__split_node *)calloc((size_t)split->reach.id_count + 1, sizeof *facts.nodes);
  if (facts.nodes == NULL) return syclze__out_of_memory();
  for (uint32_t i = 0; i < split->unit_count; i++) {
    split->units[i].parent = i;
    syclze__split_find_facts(&facts, split->units[i].id);
  }
  for (uint32_t i = 0; i < split->unit_count; i++)
    syclze__split_key(split, index, by, &facts, i);
  free(facts.nodes);
  return syclze__allowed();
}

/* Joins units of one key, and numbers the parts. */
SYCLZE_LOCAL struct syclze__status syclze__split_join_equals(syclze_split *split) {
  struct syclze__split_unit *units = split->units;
  uint32_t count = split->unit_count;
  if (count == 0) return syclze__allowed();
  struct syclze__split_unit **sorted = (struct syclze__split_unit **)malloc(count * sizeof *sorted);
  if (sorted == NULL) return syclze__out_of_memory();
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = &units[i];
  qsort(sorted, count, sizeof *sorted, syclze__split_compare);
  for (uint32_t i = 1; i < count; i++)
    if (memcmp(sorted[i - 1]->key, sorted[i]->key, sizeof sorted[i]->key) == 0)
      syclze__split_join(units, (uint32_t)(sorted[i - 1] - units), (uint32_t)(sorted[i] - units));
  free(sorted);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = syclze__split_first(units, i);
    split->reach.ids[units[i].id].part =
        first == i ? ++split->part_count : split->reach.ids[units[first].id].part;
  }
  for (uint32_t i = count; i-- > 0;) {
    uint32_t *chain = &split->firsts[split->reach.ids[units[i].id].part - 1];
    units[i].next = *chain != 0 ? *chain - 1 : i;
    *chain = i + 1;
  }
  for (uint32_t part = 0; part < split->part_count; part++)
    split->firsts[part]--;
  return syclze__allowed();
}

SYCLZE_LOCAL int syclze__split_compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists kernels, then exports. An export of a kernel's own body, under its name or with a prefix,
 * belongs to the kernel. */
SYCLZE_LOCAL struct syclze__status syclze__split_list(
    syclze_split *split, const syclze_spirv_index *index) {
  static const char clang[] = "__clang_ocl_kern_imp_";
  struct syclze__split_reach *reach = &split->reach;
  uint32_t count = index->kernel_count;
  const char **names = (const char **)malloc(((size_t)count + 1) * sizeof *names);
  if (names == NULL) return syclze__out_of_memory();
  bool is_whole = true;
  for (uint32_t i = 0; i < count; i++) {
    names[i] = index->kernels[i].name;
    split->units[split->unit_count++].id = index->kernels[i].function;
    is_whole = is_whole && reach->ids[index->kernels[i].function].position != 0;
  }
  qsort((void *)names, count, sizeof *names, syclze__split_compare_names);
  for (uint32_t i = 0; i < index->export_count; i++) {
    const char *name = index->exports[i].name;
    uint32_t id = index->exports[i].id;
    if (id >= reach->id_count || reach->ids[id].position == 0 || reach->ids[id].entry != 0 ||
        reach->ids[id].flags & SYCLZE__SPLIT_ID_EXPORT ||
        strncmp(name, clang, sizeof clang - 1) == 0 ||
        bsearch(&name, (void *)names, count, sizeof *names, syclze__split_compare_names) != NULL)
      continue;
    reach->ids[id].flags |= SYCLZE__SPLIT_ID_EXPORT;
    split->units[split->unit_count++].id = id;
  }
  free((void *)names);
  if (!is_whole)
    return syclze__invalid("SPIR-V: an entry point whose function is not in the module");
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__split_divide(
    syclze_split *split, const syclze_spirv_index *index, syclze_split_by by) {
  struct syclze__split_reach *reach = &split->reach;
  uint64_t ids = index->spirv.bound, units = (uint64_t)index->kernel_count + index->export_count;
  uint32_t position = 0;
  syclze_spirv_instruction at;
  /* Memory stays in proportion to the module. */
  if (ids > (uint64_t)index->spirv.words * 64 + 1024)
    return syclze__unsupported("SPIR-V: the bound of the ids is far above the module's size");
  while (syclze_spirv_next(&index->spirv, &position, &at))
    if (at.opcode == SYCLZE__SPIRV_OP_ENTRY_POINT &&
        syclze_spirv_word(&at, 1) != SYCLZE__SPIRV_MODEL_KERNEL)
      return syclze__unsupported("SPIR-V: entry points other than kernels cannot be divided");
  uint64_t size = ids * (sizeof *reach->ids + sizeof *reach->queue + sizeof *reach->always) +
                  units * (sizeof *split->units + sizeof *split->firsts);
  if (size <= SIZE_MAX) reach->ids = (struct syclze__split_id *)calloc(1, (size_t)size);
  if (reach->ids == NULL) return syclze__out_of_memory();
  reach->spirv = index->spirv;
  reach->id_count = (uint32_t)ids;
  reach->queue = (uint32_t *)(void *)(reach->ids + ids);
  reach->always = reach->queue + ids;
  split->units = (struct syclze__split_unit *)(void *)(reach->always + ids);
  split->firsts = (uint32_t *)(void *)(split->units + units);
  struct syclze__status status = syclze__split_read(reach);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__split_list(split, index);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__split_keys(split, index, by);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__split_join_equals(split);
  if (status.result != ZE_RESULT_SUCCESS || split->part_count <= 1) return status;
  return syclze__split_pieces_read(&split->pieces, reach);
}

/* syclze_split_make without the diagnostic, and without the automatic choice. */
SYCLZE_LOCAL struct syclze__status syclze__split_make_by(
    syclze_bytes bytes, syclze_split_by by, syclze_split *split) {
  syclze_spirv_index index;
  memset(split, 0, sizeof *split);
  struct syclze__status status = syclze__spirv_index_read(bytes, &index);
  if (status.result == ZE_RESULT_SUCCESS && by != SYCLZE_SPLIT_BY_SOURCE)
    status = syclze__split_divide(split, &index, by);
  syclze_spirv_index_end(&index);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze_split_end(split);
    return status;
  }
  split->bytes = bytes;
  if (split->part_count == 0) split->part_count = 1;
  return status;
}

enum { SYCLZE__SPLIT_AUTO_LEAST = 64 << 10, SYCLZE__SPLIT_AUTO_MOST = 2 };

/* True if copies of shared code make the parts much longer than the module. Ends at the limit: the
 * copies may be quadratic. */
SYCLZE_LOCAL bool syclze__split_is_long(syclze_split *split) {
  size_t all = 0;
  for (uint32_t part = 0; part < split->part_count; part++) {
    size_t size = 0;
    if (syclze_split_write(split, part, NULL, &size) != ZE_RESULT_SUCCESS) return true;
    all += size;
    if (all / SYCLZE__SPLIT_AUTO_MOST > split->bytes.size) return true;
  }
  return false;
}

SYCLZE_LOCAL struct syclze__status syclze__split_make(
    syclze_bytes bytes, syclze_split_by by, syclze_split *split) {
  if (by != SYCLZE_SPLIT_AUTO) return syclze__split_make_by(bytes, by, split);
  if (bytes.size >= SYCLZE__SPLIT_AUTO_LEAST) {
    struct syclze__status status = syclze__split_make_by(bytes, SYCLZE_SPLIT_BY_KERNEL, split);
    if (status.result != ZE_RESULT_SUCCESS || !syclze__split_is_long(split)) return status;
    syclze_split_end(split);
  }
  return syclze__split_make_by(bytes, SYCLZE_SPLIT_BY_REQUIREMENT, split);
}

SYCLZE_COLD ze_result_t syclze_split_make(
    syclze_bytes bytes, syclze_split_by by, syclze_split *split) {
  if (split == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_split_make",
        "the result's pointer is null", bytes.data);
  struct syclze__status status = syclze__split_make(bytes, by, split);
  return syclze__finish(status, "syclze_split_make", bytes.data);
}

SYCLZE_COLD ze_result_t syclze_split_write(
    syclze_split *split, uint32_t part, void *buffer, size_t *size) {
  if (split == NULL || size == NULL)
    return syclze__fail_pointer("syclze_split_write", "a pointer is null");
  if (part >= split->part_count)
    return syclze__fail(
        SYCLZE_RESULT_ERROR_INVALID, "syclze_split_write", "there is no part of this number", NULL);
  struct syclze__writer writer = syclze__writer_of(buffer, size);
  if (split->part_count == 1) {
    syclze__writer_put(&writer, split->bytes.data, split->bytes.size);
    return syclze__writer_end(&writer, size, "syclze_split_write");
  }
  syclze__split_start(split, split->firsts[part]);
  syclze__writer_put(&writer, split->bytes.data, SYCLZE__SPIRV_HEADER_WORDS * 4);
  syclze__split_pieces_write(&split->pieces, &split->reach, part + 1, &writer);
  return syclze__writer_end(&writer, size, "syclze_split_write");
}

#endif

SYCLZE_EXTERN_C_END

#endif
