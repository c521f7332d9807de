/* y = A x of the five-point Laplacian on a square grid whose border is zero. */
__kernel void laplace(__global const float *x, __global float *y) {
  const int column = get_global_id(0), row = get_global_id(1), side = get_global_size(0);
  const int i = row * side + column;
  float sum = 4 * x[i];
  sum -= column > 0 ? x[i - 1] : 0;
  sum -= column < side - 1 ? x[i + 1] : 0;
  sum -= row > 0 ? x[i - side] : 0;
  sum -= row < side - 1 ? x[i + side] : 0;
  y[i] = sum;
}

/* The sum of each work-group's products of elements. */
__kernel void dot_groups(__global const float *x, __global const float *y, __global float *sums,
    __local float *products) {
  const size_t i = get_local_id(0);
  products[i] = x[get_global_id(0)] * y[get_global_id(0)];
  for (size_t part = get_local_size(0) / 2; part > 0; part /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < part) products[i] += products[i + part];
  }
  if (i == 0) sums[get_group_id(0)] = products[0];
}

/* y = a x + b y. */
__kernel void combine(float a, __global const float *x, float b, __global float *y) {
  const size_t i = get_global_id(0);
  y[i] = a * x[i] + b * y[i];
}
