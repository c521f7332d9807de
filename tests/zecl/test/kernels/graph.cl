/* Kernels of the nodes of random graphs. Every result depends on the previous contents, which shows
 * nodes that run twice, never, or in another order. */

__kernel void graph_set(__global uint *out, uint factor, uint addend) {
  uint i = (uint)get_global_id(0);
  out[i] = i * factor + addend;
}

__kernel void graph_mix(__global uint *out, __global const uint *in, uint factor, uint addend) {
  uint i = (uint)get_global_id(0);
  out[i] = out[i] * factor + in[i] + addend;
}

__kernel void graph_sum(
    __global uint *out, __global const uint *a, __global const uint *b, uint factor) {
  uint i = (uint)get_global_id(0);
  out[i] = a[i] * factor + b[i];
}

/* Computes graph_mix with the values in a struct and the sum through local memory. */
struct graph_values {
  uint factor, addend;
};

__kernel void graph_local(__global uint *out, __global const uint *in, struct graph_values values,
    __local uint *scratch) {
  size_t local_id = get_local_id(0);
  uint i = (uint)get_global_id(0);
  scratch[local_id] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = out[i] * values.factor + scratch[local_id] + values.addend;
}
