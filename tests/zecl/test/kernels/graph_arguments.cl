/* Kernels of graphs with arguments that those of graph.cl do not have: two local memories with
 * another argument between them, and a large struct with padding. */

/* Each item reads what the item across its group has written: out[i] += other * value + size, by
 * its index and the size of the group. */
__kernel void graph_locals(
    __global uint *out, __local uint *indices, uint value, __local uint *pairs) {
  size_t size = get_local_size(0), own = get_local_id(0), other = size - 1 - own;
  indices[own] = (uint)get_global_id(0);
  pairs[2 * own] = value;
  pairs[2 * own + 1] = (uint)size;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += indices[other] * pairs[2 * other] + pairs[2 * other + 1];
}

struct graph_padded {
  uchar factor;
  ulong values[8];
};

__kernel void graph_of_padded(__global uint *out, struct graph_padded padded) {
  size_t i = get_global_id(0);
  out[i] += (uint)(padded.factor * padded.values[i % 8]);
}
