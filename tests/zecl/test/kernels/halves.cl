/* Numbers of half precision, for test/halves.c. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

struct pair {
  half a, b;
};

/* Operations that IEEE 754 rounds correctly. */
kernel void arithmetic(
    global const half *a, global const half *b, global const half *c, global half *out) {
  const size_t i = get_global_id(0);
  out += 10 * i;
  out[0] = a[i] + b[i];
  out[1] = a[i] - b[i];
  out[2] = a[i] * b[i];
  out[3] = a[i] / b[i];
  out[4] = sqrt(a[i]);
  out[5] = fma(a[i], b[i], c[i]);
  out[6] = a[i] * b[i] + c[i];
  out[7] = fmod(a[i], b[i]);
  out[8] = rint(a[i]);
  out[9] = -a[i];
}

/* Relations, by bits, and functions that choose. */
kernel void choices(global const half *a, global const half *b, global int *bits,
    global half *out) {
  const size_t i = get_global_id(0);
  bits[i] = (a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] == b[i]) << 2 | (a[i] != b[i]) << 3 |
            (isnan(a[i]) != 0) << 4 | (isinf(a[i]) != 0) << 5 | (isfinite(a[i]) != 0) << 6 |
            (signbit(a[i]) != 0) << 7 | (isordered(a[i], b[i]) != 0) << 8 |
            (islessgreater(a[i], b[i]) != 0) << 9;
  out += 6 * i;
  out[0] = fmax(a[i], b[i]);
  out[1] = fmin(a[i], b[i]);
  out[2] = fabs(a[i]);
  out[3] = copysign(a[i], b[i]);
  out[4] = a[i] < b[i] ? a[i] : b[i];
  out[5] = floor(a[i]);
}

kernel void conversions(global const half *in, global const double *reals, global float *floats,
    global double *doubles, global int *ints, global half *out) {
  const size_t i = get_global_id(0);
  const double real = reals[i];
  floats[i] = in[i];
  doubles[i] = in[i];
  ints[3 * i] = in[i];
  ints[3 * i + 1] = convert_int_sat_rte(in[i]);
  ints[3 * i + 2] = (long)in[i] >> 4;
  out += 7 * i;
  out[0] = real;
  out[1] = (float)real;
  out[2] = (half)((int)i - 40000);
  out[3] = (half)((long)i * 7 - 70000);
  out[4] = (half)(ushort)i;
  out[5] = convert_half_rte((float)real);
  out[6] = convert_half_rte(convert_float_rtz(in[i]));
}

half scaled(half value, struct pair pair) {
  return value * pair.a + pair.b;
}

/* Vectors, constants, parameters, local memory, a value that a loop carries. */
kernel void shapes(global const half4 *in, half factor, struct pair pair, local half *memory,
    global half *out) {
  const size_t i = get_global_id(0), item = get_local_id(0);
  const half4 value = in[i] * factor + (half4)(1.5h, -0.25h, 6e-8h, 65504.0h);
  half sum = 0.5h;
  for (int k = 0; k < 4; k++)
    sum += value.s0 * (half)k;
  memory[item] = scaled(sum, pair);
  barrier(CLK_LOCAL_MEM_FENCE);
  const half4 root = sqrt(fabs(value)), most = fmax(value, in[i].s3210);
  out += 11 * i;
  out[0] = value.s0, out[1] = value.s1, out[2] = value.s2, out[3] = value.s3;
  out[4] = root.s1, out[5] = root.s3, out[6] = most.s0, out[7] = most.s3;
  out[8] = memory[item ^ 1];
  out[9] = dot(in[i], (half4)(1, 2, 4, 8));
  out[10] = any(in[i] == value) ? -1 : length((half2)(3, 4));
}

kernel void groups(global const half *in, global half *out) {
  const size_t i = get_global_id(0);
  out[3 * i] = work_group_reduce_add(in[i]);
  out[3 * i + 1] = work_group_reduce_max(in[i]);
  out[3 * i + 2] = work_group_scan_exclusive_min(in[i]);
}
