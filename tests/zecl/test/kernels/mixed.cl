/* Kernels of different requirements in one file: fp64 in one, a variable that two share. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__attribute__((noinline)) static int twice(int x) {
  return 2 * x + 1;
}

__attribute__((noinline)) static double square(double x) {
  return x * x;
}

global int shared_sum;

kernel void plain(global int *data) {
  size_t i = get_global_id(0);
  data[i] = twice(data[i]);
}

kernel void with_double(global int *data) {
  size_t i = get_global_id(0);
  data[i] = (int)square((double)twice(data[i]));
}

kernel void adds(global int *data) {
  if (get_global_id(0) == 0) shared_sum = 0;
  data[get_global_id(0)] += 1;
}

kernel void takes(global int *data) {
  data[get_global_id(0)] = shared_sum;
}

__attribute__((reqd_work_group_size(32, 1, 1))) kernel void of_32(global int *data) {
  data[get_global_id(0)] = (int)get_local_size(0);
}
