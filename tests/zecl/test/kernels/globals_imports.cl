/* A module that uses a variable of globals.cl. */
extern __global int counter;

__kernel void double_counter(__global int *out) {
  counter *= 2;
  out[0] = counter;
}
