/* A module without kernels of its own use: it exports a function that imports.cl calls. */
int twice_and_one(int value) {
  return 2 * value + 1;
}

__kernel void exporter(__global int *out) {
  out[get_global_id(0)] = twice_and_one(1);
}
