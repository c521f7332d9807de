/* Functions of work-groups, for test/groups.c. */
kernel void reduce(global const int *in, global long *out) {
  const size_t i = get_global_linear_id();
  const int value = in[i];
  out[i * 12] = work_group_reduce_add(value);
  out[i * 12 + 1] = work_group_reduce_min(value);
  out[i * 12 + 2] = work_group_reduce_max(value);
  out[i * 12 + 3] = work_group_reduce_min((uint)value);
  out[i * 12 + 4] = work_group_reduce_max((uint)value);
  out[i * 12 + 5] = work_group_reduce_add((long)value << 20);
  out[i * 12 + 6] = work_group_reduce_max((long)value << 20);
  out[i * 12 + 7] = work_group_all(value < 50) + 2 * work_group_any(value < -40);
  out[i * 12 + 8] = work_group_scan_inclusive_add(value);
  out[i * 12 + 9] = work_group_scan_exclusive_add(value);
  out[i * 12 + 10] = work_group_scan_exclusive_max(value);
  out[i * 12 + 11] = work_group_scan_inclusive_min(value);
}

kernel void real(global const int *in, global float *out, global double *out_double) {
  const size_t i = get_global_linear_id();
  const float value = in[i];
  for (int round = 0; round < 2; round++) {
    out[i * 4] = work_group_reduce_add(value);
    out[i * 4 + 1] = work_group_scan_exclusive_min(value);
    out[i * 4 + 2] = work_group_reduce_max(value);
    out[i * 4 + 3] = work_group_broadcast(value, 1, 2, 1);
    out_double[i] = work_group_scan_inclusive_add((double)value / 2);
  }
}
