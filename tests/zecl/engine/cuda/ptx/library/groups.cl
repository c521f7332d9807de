/* Functions of work-groups and sub-groups. Those of a work-group are computed by sub-groups: each
 * stores its result in local memory, and each item combines those of the sub-groups before its own. */
#include "library.h"

/* The operation over this lane and those before it. */
#define DEFINE_SUB_GROUP(T, name, OP, identity)                                                    \
  OVERLOAD T sub_group_scan_inclusive_##name(T value) {                                            \
    const uint lanes = sub_group_lanes(), self = lane();                                           \
    for (uint distance = 1; distance < 32; distance *= 2) {                                        \
      const T other = from_lane(value, self - distance, lanes);                                    \
      if (self >= distance) value = OP(other, value);                                              \
    }                                                                                              \
    return value;                                                                                  \
  }                                                                                                \
  OVERLOAD T sub_group_reduce_##name(T value) {                                                    \
    return from_lane(                                                                              \
        sub_group_scan_inclusive_##name(value), sub_group_items() - 1, sub_group_lanes());         \
  }                                                                                                \
  OVERLOAD T sub_group_scan_exclusive_##name(T value) {                                            \
    const T before =                                                                               \
        from_lane(sub_group_scan_inclusive_##name(value), lane() - 1, sub_group_lanes());          \
    return lane() ? before : (T)(identity);                                                        \
  }

#define DEFINE_NON_UNIFORM(T, name, OP, identity)                                                  \
  static OVERLOAD T over_##name(T value, uint of, uint active) {                            \
    T result = (T)(identity);                                                                      \
    for (uint left = active; left; left &= left - 1) {                                             \
      const uint from = __builtin_ctz(left);                                                       \
      const T other = from_lane(value, from, active);                                              \
      if (of >> from & 1) result = OP(result, other);                                              \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  OVERLOAD T sub_group_non_uniform_reduce_##name(T value) {                                        \
    return over_##name(value, ~0u, zecl_active());                                                 \
  }                                                                                                \
  OVERLOAD T sub_group_non_uniform_scan_inclusive_##name(T value) {                                \
    return over_##name(value, 0xffffffffu >> (31 - lane()), zecl_active());                        \
  }                                                                                                \
  OVERLOAD T sub_group_non_uniform_scan_exclusive_##name(T value) {                                \
    return over_##name(value, (1u << lane()) - 1, zecl_active());                                  \
  }                                                                                                \
  OVERLOAD T sub_group_clustered_reduce_##name(T value, uint size) {                               \
    const uint cluster = (size < 32 ? (1u << size) - 1 : ~0u) << (lane() & ~(size - 1));           \
    return over_##name(value, cluster, zecl_active());                                             \
  }

#define IN_SCRATCH(T) ((local T *)(zecl_scratch() + get_sub_group_id()))
uint OVERLOAD get_sub_group_id(void);
uint OVERLOAD get_num_sub_groups(void);

#define DEFINE_WORK_GROUP(T, name, OP, identity)                                                   \
  static OVERLOAD T before_sub_group_##name(T mine, uint count) {                           \
    if (lane() == sub_group_items() - 1) *IN_SCRATCH(T) = mine;                                    \
    group_sync();                                                                                  \
    T result = (T)(identity);                                                                      \
    for (uint i = 0; i < count; i++) {                                                             \
      const T other = *(local T *)(zecl_scratch() + i);                                            \
      result = OP(result, other);                                                                  \
    }                                                                                              \
    group_sync();                                                                                  \
    return result;                                                                                 \
  }                                                                                                \
  OVERLOAD T work_group_reduce_##name(T value) {                                                   \
    return before_sub_group_##name(sub_group_scan_inclusive_##name(value), get_num_sub_groups());  \
  }                                                                                                \
  OVERLOAD T work_group_scan_inclusive_##name(T value) {                                           \
    const T mine = sub_group_scan_inclusive_##name(value);                                         \
    const T before = before_sub_group_##name(mine, get_sub_group_id());                            \
    return OP(before, mine);                                                                       \
  }                                                                                                \
  OVERLOAD T work_group_scan_exclusive_##name(T value) {                                           \
    const T mine = sub_group_scan_inclusive_##name(value);                                         \
    const T until = from_lane(mine, lane() - 1, sub_group_lanes());                                \
    const T before = before_sub_group_##name(mine, get_sub_group_id());                            \
    return lane() ? OP(before, until) : before;                                                    \
  }

#define DEFINE_ALL(T, name, OP, identity)                                                          \
  DEFINE_SUB_GROUP(T, name, OP, identity)                                                          \
  DEFINE_NON_UNIFORM(T, name, OP, identity)                                                        \
  DEFINE_WORK_GROUP(T, name, OP, identity)
#define NUMBERS(T, one, least, greatest)                                                           \
  FOR_OPERATIONS_OF_NUMBERS(DEFINE_ALL, T, one, least, greatest)
#define INTEGERS(T, one, least, greatest) FOR_OPERATIONS_OF_INTEGERS(DEFINE_ALL, T)
FOR_INTEGERS(NUMBERS)
FOR_FLOATS(NUMBERS)
FOR_INTEGERS(INTEGERS)
FOR_OPERATIONS_OF_BOOLEANS(DEFINE_ALL)

#define DEFINE_MOVES(T, one, least, greatest)                                                      \
  OVERLOAD T sub_group_broadcast(T value, uint from) {                                             \
    return from_lane(value, from, sub_group_lanes());                                              \
  }                                                                                                \
  OVERLOAD T sub_group_non_uniform_broadcast(T value, uint from) {                                 \
    return from_lane(value, from, zecl_active());                                                  \
  }                                                                                                \
  OVERLOAD T sub_group_broadcast_first(T value) {                                                  \
    const uint active = zecl_active();                                                             \
    return from_lane(value, __builtin_ctz(active), active);                                        \
  }                                                                                                \
  OVERLOAD T sub_group_shuffle(T value, uint from) {                                               \
    return from_lane(value, from, zecl_active());                                                  \
  }                                                                                                \
  OVERLOAD T sub_group_shuffle_xor(T value, uint mask) {                                           \
    return from_lane(value, lane() ^ mask, zecl_active());                                         \
  }                                                                                                \
  OVERLOAD T sub_group_shuffle_up(T value, uint distance) {                                        \
    return from_lane(value, lane() - distance, zecl_active());                                     \
  }                                                                                                \
  OVERLOAD T sub_group_shuffle_down(T value, uint distance) {                                      \
    return from_lane(value, lane() + distance, zecl_active());                                     \
  }                                                                                                \
  OVERLOAD T intel_sub_group_shuffle(T value, uint from) {                                         \
    return from_lane(value, from, sub_group_lanes());                                              \
  }                                                                                                \
  OVERLOAD T intel_sub_group_shuffle_xor(T value, uint mask) {                                     \
    return from_lane(value, lane() ^ mask, sub_group_lanes());                                     \
  }                                                                                                \
  OVERLOAD T intel_sub_group_shuffle_up(T before, T value, uint distance) {                        \
    const T low = from_lane(before, sub_group_items() + lane() - distance, sub_group_lanes());     \
    const T high = from_lane(value, lane() - distance, sub_group_lanes());                         \
    return lane() >= distance ? high : low;                                                        \
  }                                                                                                \
  OVERLOAD T intel_sub_group_shuffle_down(T value, T after, uint distance) {                       \
    const uint from = lane() + distance;                                                           \
    const T low = from_lane(value, from, sub_group_lanes());                                       \
    const T high = from_lane(after, from - sub_group_items(), sub_group_lanes());                  \
    return from < sub_group_items() ? low : high;                                                  \
  }                                                                                                \
  static OVERLOAD T from_item(T value, size_t item) {                                       \
    if (linear_id() == item) *(local T *)zecl_scratch() = value;                                   \
    group_sync();                                                                                  \
    const T result = *(local T *)zecl_scratch();                                                   \
    group_sync();                                                                                  \
    return result;                                                                                 \
  }                                                                                                \
  OVERLOAD T work_group_broadcast(T value, size_t x) {                                             \
    return from_item(value, x);                                                                    \
  }                                                                                                \
  OVERLOAD T work_group_broadcast(T value, size_t x, size_t y) {                                   \
    return from_item(value, y * items_x() + x);                                                    \
  }                                                                                                \
  OVERLOAD T work_group_broadcast(T value, size_t x, size_t y, size_t z) {                         \
    return from_item(value, (z * items_y() + y) * items_x() + x);                                  \
  }
FOR_INTEGERS(DEFINE_MOVES)
FOR_FLOATS(DEFINE_MOVES)

OVERLOAD int sub_group_all(int value) {
  return ballot(sub_group_lanes(), value == 0) == 0;
}

OVERLOAD int sub_group_any(int value) {
  return ballot(sub_group_lanes(), value != 0) != 0;
}

OVERLOAD int sub_group_non_uniform_all(int value) {
  return ballot(zecl_active(), value == 0) == 0;
}

OVERLOAD int sub_group_non_uniform_any(int value) {
  return ballot(zecl_active(), value != 0) != 0;
}

OVERLOAD int work_group_all(int value) {
  return work_group_reduce_and(value != 0);
}

OVERLOAD int work_group_any(int value) {
  return work_group_reduce_or(value != 0);
}

OVERLOAD int sub_group_elect(void) {
  return lane() == (uint)__builtin_ctz(zecl_active());
}

OVERLOAD uint4 sub_group_ballot(int value) {
  return (uint4)(ballot(zecl_active(), value != 0), 0, 0, 0);
}

OVERLOAD int sub_group_inverse_ballot(uint4 value) {
  return value.x >> lane() & 1;
}

OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return value.x >> (index & 31) & 1;
}

OVERLOAD uint sub_group_ballot_bit_count(uint4 value) {
  return __builtin_popcount(value.x & sub_group_lanes());
}

OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & 0xffffffffu >> (31 - lane()));
}

OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & ((1u << lane()) - 1));
}

OVERLOAD uint sub_group_ballot_find_lsb(uint4 value) {
  return __builtin_ctz(value.x & sub_group_lanes());
}

OVERLOAD uint sub_group_ballot_find_msb(uint4 value) {
  return 31 - __builtin_clz(value.x & sub_group_lanes());
}

OVERLOAD uint4 get_sub_group_eq_mask(void) {
  return (uint4)(1u << lane(), 0, 0, 0);
}

OVERLOAD uint4 get_sub_group_ge_mask(void) {
  return (uint4)(0xffffffffu << lane() & sub_group_lanes(), 0, 0, 0);
}

OVERLOAD uint4 get_sub_group_gt_mask(void) {
  return (uint4)(0xfffffffeu << lane() & sub_group_lanes(), 0, 0, 0);
}

OVERLOAD uint4 get_sub_group_le_mask(void) {
  return (uint4)(0xffffffffu >> (31 - lane()), 0, 0, 0);
}

OVERLOAD uint4 get_sub_group_lt_mask(void) {
  return (uint4)((1u << lane()) - 1, 0, 0, 0);
}
