/* Work-items, barriers and fences, and functions of numbers that libclc 15 lacks. */
#include "library.h"

#define BY_DIMENSION(dimension, x, y, z, otherwise)                                                \
  ((dimension) == 0 ? (x) : (dimension) == 1 ? (y) : (dimension) == 2 ? (z) : (otherwise))

OVERLOAD size_t get_group_id(uint d) {
  return BY_DIMENSION(d, group_x(), group_y(), group_z(), 0);
}

OVERLOAD size_t get_num_groups(uint d) {
  return BY_DIMENSION(d, groups_x(), groups_y(), groups_z(), 1);
}

OVERLOAD size_t get_local_id(uint d) {
  return BY_DIMENSION(d, item_x(), item_y(), item_z(), 0);
}

OVERLOAD size_t get_local_size(uint d) {
  return BY_DIMENSION(d, items_x(), items_y(), items_z(), 1);
}

OVERLOAD size_t get_enqueued_local_size(uint d) {
  return get_local_size(d);
}

OVERLOAD size_t get_global_size(uint d) {
  return get_num_groups(d) * get_local_size(d);
}

OVERLOAD size_t get_global_offset(uint d) {
  return BY_DIMENSION(d, zecl_offset_x(), zecl_offset_y(), zecl_offset_z(), 0);
}

static INLINE size_t id_without_offset(uint d) {
  return get_group_id(d) * get_local_size(d) + get_local_id(d);
}

OVERLOAD size_t get_global_id(uint d) {
  return id_without_offset(d) + get_global_offset(d);
}

OVERLOAD uint get_work_dim(void) {
  return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}

OVERLOAD size_t get_global_linear_id(void) {
  return (id_without_offset(2) * get_global_size(1) + id_without_offset(1)) * get_global_size(0) +
         id_without_offset(0);
}

OVERLOAD size_t get_local_linear_id(void) {
  return linear_id();
}

OVERLOAD uint get_sub_group_size(void) {
  return sub_group_items();
}

OVERLOAD uint get_max_sub_group_size(void) {
  return 32;
}

OVERLOAD uint get_num_sub_groups(void) {
  return (group_items() + 31) / 32;
}

OVERLOAD uint get_enqueued_num_sub_groups(void) {
  return get_num_sub_groups();
}

OVERLOAD uint get_sub_group_id(void) {
  return linear_id() / 32;
}

OVERLOAD uint get_sub_group_local_id(void) {
  return linear_id() & 31;
}

static INLINE void fence(uint scope) {
  if (scope == memory_scope_device)
    fence_device();
  else if (scope == memory_scope_all_svm_devices)
    fence_system();
  else if (scope != memory_scope_work_item)
    fence_group();
}

__attribute__((always_inline)) void zecl_fence_before(uint order, uint scope) {
  if (order >= memory_order_release) fence(scope);
}

__attribute__((always_inline)) void zecl_fence_after(uint order, uint scope) {
  if (order == memory_order_acquire || order >= memory_order_acq_rel) fence(scope);
}

/* The hardware's barrier orders memory for its group. */
OVERLOAD void work_group_barrier(uint flags, memory_scope scope) {
  if (scope == memory_scope_device || scope == memory_scope_all_svm_devices) fence(scope);
  group_sync();
}

OVERLOAD void work_group_barrier(uint flags) {
  group_sync();
}

OVERLOAD void barrier(uint flags) {
  group_sync();
}

OVERLOAD void sub_group_barrier(uint flags, memory_scope scope) {
  if (scope == memory_scope_device || scope == memory_scope_all_svm_devices) fence(scope);
  warp_sync(sub_group_lanes());
}

OVERLOAD void sub_group_barrier(uint flags) {
  warp_sync(sub_group_lanes());
}

OVERLOAD void atomic_work_item_fence(uint flags, memory_order order, memory_scope scope) {
  if (order != memory_order_relaxed) fence(scope);
}

OVERLOAD void mem_fence(uint flags) {
  fence_group();
}

OVERLOAD void read_mem_fence(uint flags) {
  fence_group();
}

OVERLOAD void write_mem_fence(uint flags) {
  fence_group();
}

/* Among all groups of a cooperative launch, as CUDA's own (cooperative_groups/details/sync.h): the
 * driver gives a word, in which the first group's addition flips the highest bit once each other
 * group has added one. A lone group needs none. */
void global_barrier(void) {
  const ulong workspace = (ulong)workspace_high() << 32 | workspace_low();
  volatile global uint *arrived = (volatile global uint *)(workspace + 4);
  const uint groups = groups_x() * groups_y() * groups_z();
  group_sync();
  if (groups > 1 && linear_id() == 0) {
    const bool is_first = (group_x() | group_y() | group_z()) == 0;
    fence_device();
    const uint before = __sync_fetch_and_add(arrived, is_first ? 0x80000001u - groups : 1);
    while (((*arrived ^ before) & 0x80000000u) == 0)
      ;
    fence_device();
  }
  group_sync();
}

/* The function of a scalar, and of vectors element by element. */
#define DEFINE_CTZ_OF(T, n)                                                                        \
  typedef T T##_of_##n __attribute__((ext_vector_type(n)));                                        \
  OVERLOAD T##_of_##n ctz(T##_of_##n x) {                                                          \
    for (int i = 0; i < (n); i++)                                                                  \
      x[i] = ctz(x[i]);                                                                            \
    return x;                                                                                      \
  }
#define DEFINE_CTZ(T, one, least, greatest)                                                        \
  OVERLOAD T ctz(T x) {                                                                            \
    return x ? __builtin_ctzl((ulong)x) : 8 * sizeof x;                                            \
  }                                                                                                \
  DEFINE_CTZ_OF(T, 2)                                                                              \
  DEFINE_CTZ_OF(T, 3)                                                                              \
  DEFINE_CTZ_OF(T, 4)                                                                              \
  DEFINE_CTZ_OF(T, 8)                                                                              \
  DEFINE_CTZ_OF(T, 16)
FOR_INTEGERS(DEFINE_CTZ)
