/* Kernels of every kind of argument. */

__kernel void axpy(float a, __global const float *x, __global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

__kernel void iota(__global int *out, int first) {
  out[get_global_id(0)] = first + (int)get_global_id(0);
}

__kernel void nothing(void) {
}

struct mixed {
  char c;
  long l;
  short s;
  float f;
};

__kernel void by_value(__global long *out, char c, short s, int i, long l, float4 v, float3 w,
    struct mixed m) {
  if (get_global_id(0) != 0)
    return;
  out[0] = c;
  out[1] = s;
  out[2] = i;
  out[3] = l;
  out[4] = (long)(v.x + 10 * v.y + 100 * v.z + 1000 * v.w);
  out[5] = (long)(w.x + 10 * w.y + 100 * w.z);
  out[6] = m.c;
  out[7] = m.l;
  out[8] = m.s;
  out[9] = (long)m.f;
}

/* Adds up each group's part of `in` through local memory. */
__kernel void local_sum(__global const int *in, __global int *out, __local int *scratch) {
  size_t l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step)
      scratch[l] += scratch[l + step];
  }
  if (l == 0)
    out[get_group_id(0)] = scratch[0];
}

__attribute__((reqd_work_group_size(8, 2, 1))) __kernel void fixed_group(__global int *out) {
  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[at] = (int)(get_local_size(0) * 10 + get_local_size(1));
}

/* Writes each work-item's place in the range. */
__kernel void where(__global int *out, __global const int *optional) {
  size_t width = get_global_size(0), height = get_global_size(1);
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
         z = get_global_id(2) - get_global_offset(2);
  int extra = optional ? *optional : 0;
  out[(z * height + y) * width + x] =
      extra + (int)(get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2));
}

__kernel void constant_table(__constant int *table, __global int *out) {
  out[get_global_id(0)] = table[get_global_id(0)] * 2;
}
