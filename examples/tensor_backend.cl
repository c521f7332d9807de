/* c = a * b, of rows x inner by inner x columns: one work-item to an element of c. */
__kernel void matmul(
    __global const float *a, __global const float *b, __global float *c, int inner, int columns) {
  const int row = get_global_id(0), column = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < inner; i++)
    sum += a[row * inner + i] * b[i * columns + column];
  c[row * columns + column] = sum;
}

/* A row is added to each row of a matrix. */
__kernel void add_row(__global float *matrix, __global const float *row, int columns) {
  const size_t i = get_global_id(0);
  matrix[i] += row[i % columns];
}

__kernel void relu(__global float *numbers) {
  const size_t i = get_global_id(0);
  numbers[i] = max(numbers[i], 0.0f);
}
