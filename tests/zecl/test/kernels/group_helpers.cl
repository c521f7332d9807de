/* Functions of work-groups in functions that kernels call, for test/groups.c. */
int total(int value) {
  return work_group_reduce_add(value);
}

/* Of another type, behind a call. */
double share(int value) {
  return work_group_scan_inclusive_add((double)value) / total(value);
}

int least(int value, int unused) {
  return work_group_reduce_min(value) + unused;
}

int doubled(int value) {
  return 2 * value;
}

void put(global double *out, int value, int rounds) {
  for (int round = 0; round < rounds; round++)
    out[round] = share(doubled(value)) + total(round);
}

kernel void helped(global const int *in, global double *out, global int *last) {
  const size_t i = get_global_linear_id();
  const int value = in[i];
  put(out + 3 * i, value, 3);
  last[i] = work_group_scan_exclusive_add(value) + least(value, 100);
}

kernel void helped_too(global const int *in, global int *out) {
  const size_t i = get_global_linear_id();
  out[i] = doubled(least(in[i], 7));
}

kernel void helped_not(global const int *in, global int *out) {
  const size_t i = get_global_linear_id();
  out[i] = doubled(in[i]);
}
