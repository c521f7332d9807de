/* Functions that are built into OpenCL C, by kinds: the modules of CUDA's engine need them all. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

kernel void items(global ulong *out) {
  global ulong *mine = out + get_global_linear_id() * 10;
  mine[0] = get_global_id(0) | get_global_id(1) << 16 | get_global_id(2) << 32;
  mine[1] = get_global_offset(0) | get_global_offset(1) << 16 | get_global_offset(2) << 32;
  mine[2] = get_global_size(0) | get_global_size(1) << 16 | get_global_size(2) << 32;
  mine[3] = get_local_id(0) | get_local_id(1) << 16 | get_local_id(2) << 32;
  mine[4] = get_group_id(0) | get_group_id(1) << 16 | get_group_id(2) << 32;
  mine[5] = get_num_groups(0) | get_num_groups(1) << 16 | get_num_groups(2) << 32;
  mine[6] = get_local_linear_id();
  mine[7] = get_sub_group_id() | (ulong)get_sub_group_local_id() << 16 |
            (ulong)get_sub_group_size() << 32 | (ulong)get_num_sub_groups() << 48;
  mine[8] = get_work_dim();
  mine[9] = get_enqueued_local_size(0);
}

/* A function that is not inlined for its own sake reads the offset too. */
__attribute__((noinline)) static ulong where(uint dimension) {
  return get_global_id(dimension);
}

kernel void through_a_function(global ulong *out) {
  out[get_global_linear_id()] = where(0);
}

kernel void mathematics(global const float *in, global float *out, global double *wide) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  float whole, part = fract(x, &whole), cosine, sine = sincos(x, &cosine);
  int exponent;
  out[i * 8] = sin(x) + cos(x) + tan(x);
  out[i * 8 + 1] = exp(x) + log(x + 2.0f) + pow(fabs(x), 1.5f);
  out[i * 8 + 2] = sqrt(x * x + 1.0f) + rsqrt(x * x + 1.0f) + hypot(x, 2.0f);
  out[i * 8 + 3] = part + whole + sine + cosine;
  out[i * 8 + 4] = frexp(x, &exponent) + exponent;
  out[i * 8 + 5] = clamp(x, -1.0f, 1.0f) + mix(x, 2.0f, 0.25f) + fma(x, x, 1.0f);
  out[i * 8 + 6] = convert_int_sat_rte(x * 1e9f) + popcount(as_int(x)) + max((int)i, 3);
  out[i * 8 + 7] = dot((float4)(x), (float4)(1, 2, 3, 4)) + length((float3)(x));
  wide[i] = sin((double)x) + exp((double)x) + atan2((double)x, 2.0);
}

kernel void halves(global const half *in, global half *out) {
  const size_t i = get_global_id(0);
  out[i] = sqrt(fabs(in[i])) + fma(in[i], in[i], (half)1) + exp(in[i] / 4);
}

kernel void atomics_of_all_kinds(global int *out, global uint *positive, global long *wide,
    global float *real, volatile global atomic_int *flexible, int value) {
  const int i = get_global_id(0);
  atomic_add(out, value);
  atomic_max(out + 1, i);
  atomic_min(out + 2, -i);
  atomic_or(out + 3, 1 << (i & 15));
  atomic_inc(out + 4);
  atomic_xchg(real, (float)i);
  atomic_max(positive, 0x80000000u + i);
  atom_add(wide, 1l << 33);
  atomic_cmpxchg(out + 5, 0, i + 1);
  atomic_fetch_add_explicit(flexible, 1, memory_order_acq_rel, memory_scope_device);
  int expected = atomic_load_explicit(flexible + 1, memory_order_acquire, memory_scope_device);
  while (!atomic_compare_exchange_strong_explicit(flexible + 1, &expected, expected + 2,
      memory_order_acq_rel, memory_order_acquire, memory_scope_device))
    ;
  if (i == 0)
    atomic_store_explicit(flexible + 2, 7, memory_order_release, memory_scope_all_svm_devices);
}

kernel void work_groups(global const int *in, global int *out, global float *real) {
  const size_t i = get_global_id(0);
  out[i * 8] = work_group_reduce_add(in[i]);
  out[i * 8 + 1] = work_group_scan_inclusive_add(in[i]);
  out[i * 8 + 2] = work_group_scan_exclusive_add(in[i]);
  out[i * 8 + 3] = work_group_reduce_max(in[i]);
  out[i * 8 + 4] = work_group_scan_inclusive_min(in[i]);
  out[i * 8 + 5] = work_group_broadcast(in[i], 3);
  out[i * 8 + 6] = work_group_all(in[i] < 1000) + 2 * work_group_any(in[i] == in[0]);
  out[i * 8 + 7] = (int)work_group_reduce_add((long)in[i] << 32 >> 32);
  real[i] = work_group_scan_inclusive_add((float)in[i]);
}

kernel void sub_groups_of_all_kinds(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  out[i * 8] = sub_group_reduce_add(in[i]);
  out[i * 8 + 1] = sub_group_scan_inclusive_add(in[i]);
  out[i * 8 + 2] = sub_group_scan_exclusive_add(in[i]);
  out[i * 8 + 3] = sub_group_broadcast(in[i], 2);
  out[i * 8 + 4] = sub_group_all(in[i] < 1000) + 2 * sub_group_any(in[i] == in[0]);
  out[i * 8 + 5] = sub_group_reduce_min(in[i]);
  out[i * 8 + 6] = (int)sub_group_reduce_max((double)in[i]);
  out[i * 8 + 7] = sub_group_scan_exclusive_max(in[i]);
}

/* Local memory of the kernel's own and two arguments, filled by a copy of the group. */
kernel void locals(global const int *in, global int *out, local int *first, local int *second) {
  local int own[64];
  const size_t item = get_local_id(0), size = get_local_size(0);
  const size_t begin = get_group_id(0) * size;
  event_t event = async_work_group_copy(first, in + begin, size, 0);
  wait_group_events(1, &event);
  second[item] = first[size - 1 - item] * 2;
  own[item] = first[item] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[begin + item] = second[size - 1 - item] + 1000 * own[(item + 1) % size];
}

kernel void generic_pointers(global int *out, int which) {
  local int shared[1];
  int own[1] = {5};
  shared[0] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *any = which == 0 ? (int *)out : which == 1 ? (int *)shared : own;
  out[get_global_id(0) + 1] = *any;
}

constant int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};

kernel void constants(constant int *factors, global int *out) {
  const size_t i = get_global_id(0);
  out[i] = squares[i & 7] * factors[i];
}
