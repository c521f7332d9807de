/* Declarations for the files of the library: types of OpenCL C, which is compiled without its
 * headers, and NVVM's intrinsics. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;
typedef uint uint2 __attribute__((ext_vector_type(2)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef enum memory_order {
  memory_order_relaxed = 0,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;
typedef enum memory_scope {
  memory_scope_work_item,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices,
  memory_scope_sub_group
} memory_scope;

/* Most have a constant argument, and are short where it is known. */
#define INLINE inline __attribute__((always_inline))
#define OVERLOAD __attribute__((overloadable, always_inline))
#define INTRINSIC(result, name, parameters, as) result name parameters __asm("llvm.nvvm." as);
#define PURE __attribute__((const))

PURE INTRINSIC(uint, group_x, (void), "read.ptx.sreg.ctaid.x")
PURE INTRINSIC(uint, group_y, (void), "read.ptx.sreg.ctaid.y")
PURE INTRINSIC(uint, group_z, (void), "read.ptx.sreg.ctaid.z")
PURE INTRINSIC(uint, groups_x, (void), "read.ptx.sreg.nctaid.x")
PURE INTRINSIC(uint, groups_y, (void), "read.ptx.sreg.nctaid.y")
PURE INTRINSIC(uint, groups_z, (void), "read.ptx.sreg.nctaid.z")
PURE INTRINSIC(uint, item_x, (void), "read.ptx.sreg.tid.x")
PURE INTRINSIC(uint, item_y, (void), "read.ptx.sreg.tid.y")
PURE INTRINSIC(uint, item_z, (void), "read.ptx.sreg.tid.z")
PURE INTRINSIC(uint, items_x, (void), "read.ptx.sreg.ntid.x")
PURE INTRINSIC(uint, items_y, (void), "read.ptx.sreg.ntid.y")
PURE INTRINSIC(uint, items_z, (void), "read.ptx.sreg.ntid.z")
PURE INTRINSIC(uint, lane, (void), "read.ptx.sreg.laneid")
INTRINSIC(void, group_sync, (void), "barrier0")
INTRINSIC(void, warp_sync, (uint mask), "bar.warp.sync")
INTRINSIC(void, fence_group, (void), "membar.cta")
INTRINSIC(void, fence_device, (void), "membar.gl")
INTRINSIC(void, fence_system, (void), "membar.sys")
INTRINSIC(uint, workspace_high, (void), "read.ptx.sreg.envreg1") /* of a cooperative launch */
INTRINSIC(uint, workspace_low, (void), "read.ptx.sreg.envreg2")
INTRINSIC(int, shuffle_index, (uint mask, int value, uint lane, uint clamp), "shfl.sync.idx.i32")
INTRINSIC(uint, ballot, (uint mask, bool value), "vote.ballot.sync")

/* The global offset of dimension 0 to 2: the kernel's last parameter. */
PURE uint zecl_offset_x(void);
PURE uint zecl_offset_y(void);
PURE uint zecl_offset_z(void);
/* 33 words of local memory, for functions of work-groups. */
PURE local ulong *zecl_scratch(void);
/* The lanes that run this instruction. */
uint zecl_active(void);

/* Orders are constants once this is inlined. */
void zecl_fence_before(uint order, uint scope);
void zecl_fence_after(uint order, uint scope);

static INLINE uint linear_id(void) {
  return (item_z() * items_y() + item_y()) * items_x() + item_x();
}

static INLINE uint group_items(void) {
  return items_x() * items_y() * items_z();
}

/* Items of this sub-group: 32, but of a group's last one. */
static INLINE uint sub_group_items(void) {
  const uint left = group_items() - (linear_id() & ~31u);
  return left < 32 ? left : 32;
}

static INLINE uint sub_group_lanes(void) {
  return 0xffffffffu >> (32 - sub_group_items());
}

/* Any value of up to 64 bits, from another lane. */
#define DEFINE_SHUFFLE(T)                                                                          \
  static OVERLOAD T from_lane(T value, uint from, uint lanes) {                             \
    union {                                                                                        \
      T value;                                                                                     \
      int part[2];                                                                                 \
    } bits = {.part = {0, 0}};                                                                     \
    bits.value = value;                                                                            \
    bits.part[0] = shuffle_index(lanes, bits.part[0], from, 31);                                   \
    if (sizeof(T) > 4) bits.part[1] = shuffle_index(lanes, bits.part[1], from, 31);                \
    return bits.value;                                                                             \
  }

#define FOR_INTEGERS(X)                                                                            \
  X(char, 1, -127 - 1, 127)                                                                        \
  X(uchar, 1, 0, 255)                                                                              \
  X(short, 1, -32767 - 1, 32767)                                                                   \
  X(ushort, 1, 0, 65535)                                                                           \
  X(int, 1, -2147483647 - 1, 2147483647)                                                           \
  X(uint, 1, 0u, 4294967295u)                                                                      \
  X(long, 1, -9223372036854775807L - 1, 9223372036854775807L)                                      \
  X(ulong, 1, 0ul, 18446744073709551615ul)
#define FOR_FLOATS(X)                                                                              \
  X(half, 1, -(half)__builtin_inff(), (half)__builtin_inff())                                      \
  X(float, 1, -__builtin_inff(), __builtin_inff())                                                 \
  X(double, 1, -__builtin_inf(), __builtin_inf())

#define SHUFFLE_OF(T, one, least, greatest) DEFINE_SHUFFLE(T)
FOR_INTEGERS(SHUFFLE_OF)
FOR_FLOATS(SHUFFLE_OF)

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define LOGICAL_AND(a, b) ((a) && (b))
#define LOGICAL_OR(a, b) ((a) || (b))
#define LOGICAL_XOR(a, b) (!(a) != !(b))

/* X(T, name, operation, identity) */
#define FOR_OPERATIONS_OF_NUMBERS(X, T, one, least, greatest)                                      \
  X(T, add, ADD, 0)                                                                                \
  X(T, min, MIN, greatest)                                                                         \
  X(T, max, MAX, least)                                                                            \
  X(T, mul, MUL, one)
#define FOR_OPERATIONS_OF_INTEGERS(X, T)                                                           \
  X(T, and, AND, (T)-1)                                                                            \
  X(T, or, OR, 0)                                                                                  \
  X(T, xor, XOR, 0)
#define FOR_OPERATIONS_OF_BOOLEANS(X)                                                              \
  X(int, logical_and, LOGICAL_AND, 1)                                                              \
  X(int, logical_or, LOGICAL_OR, 0)                                                                \
  X(int, logical_xor, LOGICAL_XOR, 0)
