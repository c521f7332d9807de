/* A variable of the same name as in shared_globals.cl. */
__global int *__global shared_values;

__kernel void copy_shared(__global int *out) {
  for (int i = 0; i < 4; i++)
    out[i] = shared_values[i];
}
