/* A module that needs another: exports.cl has what it imports. */
int twice_and_one(int value);

__kernel void imported(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = twice_and_one(out[i]);
}
