/* A kernel that asserts, and the one that reads what failed: what DPC++ makes of assert. */
struct assert_happened {
  int flag;
  char expression[257], file[257], function[129];
  int line;
  ulong global_0, global_1, global_2, local_0, local_1, local_2;
};

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong g0, ulong g1, ulong g2, ulong l0, ulong l1, ulong l2);
void __devicelib_assert_read(struct assert_happened *to);

__constant char expression[] = "out[i] != 5", file[] = "assert.cl", function[] = "check_values";

__kernel void check_values(__global int *out) {
  size_t i = get_global_id(0);
  char text[12], of[10], in[13];
  for (int k = 0; k < 12; k++)
    text[k] = expression[k];
  for (int k = 0; k < 10; k++)
    of[k] = file[k];
  for (int k = 0; k < 13; k++)
    in[k] = function[k];
  if (out[i] == 5) __devicelib_assert_fail(text, of, __LINE__, in, i, 0, 0, get_local_id(0), 0, 0);
  out[i] += 7;
}

__kernel void read_assert(__global struct assert_happened *to) {
  __devicelib_assert_read(to);
}
