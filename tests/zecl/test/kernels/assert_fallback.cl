/* DPC++'s fall-back of assert, for a device whose compiler has none: the first failed assertion is
 * stored, and read by a kernel that runs behind. */
struct assert_happened {
  int flag; /* 0: none, 1: being stored, 2: stored */
  char expression[257], file[257], function[129];
  int line;
  ulong global_0, global_1, global_2, local_0, local_1, local_2;
};

__global struct assert_happened SPIR_AssertHappenedMem;

static void store(__global char *to, const char *from, int room) {
  int i = 0;
  for (; from[i] && i < room - 1; i++)
    to[i] = from[i];
  to[i] = 0;
}

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong g0, ulong g1, ulong g2, ulong l0, ulong l1, ulong l2) {
  __global struct assert_happened *to = &SPIR_AssertHappenedMem;
  if (atomic_cmpxchg((volatile __global int *)&to->flag, 0, 1) == 0) {
    store(to->expression, expression, 257);
    store(to->file, file, 257);
    store(to->function, function, 129);
    to->line = line;
    to->global_0 = g0, to->global_1 = g1, to->global_2 = g2;
    to->local_0 = l0, to->local_1 = l1, to->local_2 = l2;
    to->flag = 2;
  }
}

void __devicelib_assert_read(struct assert_happened *to) {
  *to = SPIR_AssertHappenedMem;
}

__kernel void assert_fallback(__global int *unused) {
  unused[0] = 0;
}
