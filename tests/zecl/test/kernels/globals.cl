/* Variables of the program: kernels share them, and the host finds the exported ones. */
struct mixed {
  char letter;
  long number;
  float3 triple;
};

__global int counter = 7;
__global int table[4] = {1, 2, 3, 4};
__global struct mixed mixed = {'z', 1l << 40, (float3)(1.5f, 2.5f, 3.5f)};
__global double zeros[300];
static __global int hidden = 3;
__constant int limits[3] = {-1, 0, 1};

__kernel void add_to_counter(int value) {
  counter += value;
  hidden += value;
}

__kernel void tell(__global long *out) {
  out[0] = counter;
  out[1] = table[2];
  out[2] = mixed.letter;
  out[3] = mixed.number;
  out[4] = (long)(mixed.triple.z * 2);
  out[5] = (long)zeros[299];
  out[6] = hidden;
  out[7] = limits[0];
}

__kernel void where(__global ulong *out) {
  out[0] = (ulong)&counter;
  out[1] = (ulong)&table;
  out[2] = (ulong)&mixed;
  out[3] = (ulong)&zeros;
}
