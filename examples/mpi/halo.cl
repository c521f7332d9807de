/* A step of heat conduction on rows of cells, one work-item to a cell. The first and last row of `u`
 * are those of the neighbours. */
__kernel void heat(__global const float *u, __global float *next, int columns) {
  int column = (int)get_global_id(0), row = (int)get_global_id(1) + 1, at = row * columns + column;
  float left = column > 0 ? u[at - 1] : 0.0f;
  float right = column < columns - 1 ? u[at + 1] : 0.0f;
  next[at] = u[at] + 0.125f * (left + right + u[at - columns] + u[at + columns] - 4.0f * u[at]);
}
